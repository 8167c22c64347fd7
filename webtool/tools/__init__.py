"""The tools, one module each, named as the tool. In: a Context and checked arguments. Out: a Result (text and data).

SCHEMA says what a tool takes; run() does it. Checking arguments, writing answers and errors is left to the callers.
"""
