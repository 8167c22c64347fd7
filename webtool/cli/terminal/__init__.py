"""Write for a person's terminal: wrapped at its width, in colour, through a pager. Pipes and files never come here.

In: the markdown, list or table that a command gives. Out: lines on the terminal. Text of a page loses its control
characters (webtool.output.printable) before a style is added, so the only escape sequences are those of style.py.
The front end imports this room only if stdout or stderr is a terminal, or if --color is always.
"""
