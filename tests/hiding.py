"""Ways to hide an element, and ways that only look like it: a style sheet and an element each, as browsers judge them.

X is replaced by WORDS. HIDDEN, UNPAINTED and UNSEEN_STYLES are not seen; SHOWN and PAINTED are. The judgement without a
browser is tested against these tables, and so is a real browser's. hiding.txt has the rows of HIDDEN and SHOWN.
"""

import pathlib

WORDS = "Words that are seen or not."
AROUND = "<p>The harbour has two tides a day, and the second one comes later than the first one did.</p>" * 4


def in_a_page(css, html):
    """Return a page with a style sheet, and an element between two texts of 80 words."""
    return f"<!doctype html><title>T</title><style>{css}</style><main>{AROUND}{html.replace('X', WORDS)}{AROUND}</main>"


# Selectors that a browser cannot read: each makes its whole list invalid.
INVALID_SELECTORS = (
    "::part(*)", "::part(a.b)", "::view-transition-old(a b)",
    ".2col", "#1a", ".-2a", ".-", "#-", ".a.2b", "p .2b", "p>.2b", "p#2", ".2b:hover", ":foo", "::bar", "::hover",
    "p::content", "::-moz-selection", "::-ms-expand", "p >", "> p", "p > > b", "p,", "p,,b", "p ~ .1", "[p=]", "[p=1]",
    "[p=1x]", "[p=-1]", "[1p]", "[-1]", "[p=b s]", "[p=b x]", "[p=b", "[p]p", ":not()", ":not(.2col)", ":not(p,.2)",
    ":not(::before)", ":has(.2col)", ":has(:has(p))", ":has(::before)", ":nth-child(foo)", ":nth-child(+ 3)",
    ":nth-child(2 of .2a)", ":nth-child(n of)", ":nth-child(1 OF p)", ":nth-of-type(2 of p)", ":lang(1)", ":dir()",
    ":lang(p,b)", ":host()", ":host(p,b)", ":host(p b)", ":state()", ":state(1)", ":matches(p)", ":playing",
    "p::before.b", "p::before:hover", "p::before b", "p::after > b", "p::before::after", "::part", "::part()",
    "::slotted", "::highlight()", "::before()", "::picker(p)", "p\x0bb", "p/b", "@p", "50%", ":hover()",
    ":-webkit-any()",
    "p&p", "&p", "x|p", "*|", "[*|]",
)  # fmt: skip
# Selectors that a browser can read, though they match no paragraph.
VALID_SELECTORS = (
    "::part(x y)", "::view-transition-old(.a.b)",
    ".\\32 col", "#\\31 a", "#-a", ".--", ".-_", ".é", "i", "_x", "--x", "-x", ".w-\\[calc\\(1px\\,2px\\)\\]",
    "[x=-p]", '[x="1"]',
    "[x='p\\'b' i]", "[|x]", "|p", ":is(.2col)", ":where(:foo)", ":is()", "i:not(:is(:foo))", ":nth-child(9 of .q)",
    ":nth-child(ODD):hover", "::-webkit-foo", "::-webkit-scrollbar:horizontal", ":horizontal",
    "::selection:window-inactive",
    "::part(x):hover", "::part(x)::before", "::slotted(p)::before", "::before::marker", "::file-selector-button:hover",
    "::cue(b)", "::highlight(x)", ":host(:hover)", ":state(x)", ":target-current", "& q", "i&", ".x\u00a0y",
    "*|i", "*|*:hover", "[*|x]", "::slotted(*|p)",
)  # fmt: skip
# Rules that show nothing of class "a" on a page that has `<div class="w"><p id=i class="a b">`.
UNUSED_RULES = (
    ".w,.2x{.a{display:block}}", ".w{.a,.2x{display:block}}", ".w{.2x{.a{display:block}}}", ".a,:foo{&{display:block}}",
    "@scope (.2x){.a{display:block}}", "@scope (.w,.2x){.a{display:block}}",
    "@supports selector(:foo){.a{display:block}}",
    "@supports selector(:is(:foo)){.a{display:block}}", "@supports selector(.a,.b){.a{display:block}}",
    ".a\u00a0{display:block}", "\u2003.a{display:block}", ".a\x0b{display:block}",
)  # fmt: skip


def _rows(part):
    """Return the (style sheet, element) pairs of a part of hiding.txt; a line without a tab is a comment."""
    lines = pathlib.Path(__file__).with_suffix(".txt").read_text("utf-8").partition(f"\n[{part}]\n")[2].split("\n")
    return [tuple(line.split("\t")) for line in lines[: lines.index("")] if "\t" in line]


HIDDEN, SHOWN = _rows("hidden"), _rows("shown")

# Declarations of one paragraph, and texts in graphics. A browser painted each with two different texts of equal width.
# If both pictures are equal, the text is not seen. The SCROLLED ones can be reached by scrolling: far right or below.
SCROLLED = [
    "float:right;margin-right:-2000px",
    "margin-left:3000px",
    "padding-left:3000px",
    "position:absolute;top:9999px",
]
UNPAINTED = [
    'clip-path:path("M0 0")', 'clip-path:path("M0 0L1 0L1 1Z")', "clip-path:polygon(0 0,1px 0,1px 1px)",
    "clip-path:polygon(-100px -100px,-50px -100px,-50px -50px)", "clip-path:polygon(200% 0,300% 0,300% 100%)",
    "clip-path:inset(49.9%)", "clip-path:inset(0 0 99% 0)", "clip-path:circle(50px at -200px -200px)",
    "clip-path:circle(closest-side at 0 0)", "clip-path:rect(0 0 0 auto)", "clip-path:xywh(-500px -500px 10px 10px)",
    "clip-path:shape(from 0 0, line to 1px 0, line to 1px 1px, close)",
    "position:absolute;clip:rect(auto,0,auto,auto)", "offset-path:path('M-9999 0');offset-distance:0",
    "offset:path('M-5000,0 L-5000,1')", "offset-position:-9999px -9999px;offset-path:ray(0deg)",
    "height:20px;padding-top:20px;overflow:hidden;box-sizing:border-box", "height:0;overflow:hidden;padding-top:20px",
    "width:10px;overflow:hidden;padding-left:200px;box-sizing:border-box",
    "height:20px;overflow:hidden;line-height:100px", "height:20px;overflow:hidden;line-height:10",
    "max-height:2px;overflow:hidden", "height:3px;overflow:clip", "width:2px;height:2px;overflow:hidden",
    "max-height:.1em;overflow:hidden", "position:absolute;left:9999px", "position:absolute;left:100vw", *SCROLLED,
    "position:absolute;bottom:9999px", "position:absolute;right:9999px",
    "position:absolute;left:-500px;width:300px", "position:absolute;left:-300px;width:200px",
    "backface-visibility:hidden;transform:rotateY(180deg)",
    "-webkit-backface-visibility:hidden;transform:rotateY(.5turn)", "backface-visibility:hidden;rotate:y 180deg",
    "transform:scale(.05)", "transform:matrix(1,0,0,1,-9999,0)", "zoom:5%", "zoom:.05",
    "transform:matrix3d(1,0,0,0,0,1,0,0,0,0,1,0,-9999,0,0,1)", "position:absolute;top:0;transform:translateY(-300%)",
    "font-size:3px", "font-size:.5mm", "font-size:.1vmin", "font-size:.1Q", "font-size:.1pc", "font-size-adjust:0",
    "filter:blur(10px)", "filter:blur(40px)", "filter:blur(1em)", "background:#fff;filter:contrast(0)",
    "color:rgb(from white r g b)", "color:rgb(from black 255 255 255)", "color:rgb(from red r g b / 0)",
    "color:hsl(from red h s 100%)", "color:oklch(from black 1 c h)", "color:color(display-p3 1 1 1)",
    "color:color(srgb-linear 1 1 1)", "color:Field", "color:Window", "-webkit-text-fill-color:initial;color:white",
    "color:transparent;text-shadow:0 0 5px rgba(0,0,0,0)", "color:transparent;text-shadow:0 0 50px #000",
    "color:transparent;background:#fff;background-clip:text", "content:url(x.png)",
    "color:transparent;background-image:linear-gradient(#fff,#fff);-webkit-background-clip:text",
    "mask:linear-gradient(#000,#000) no-repeat 0 0/0 0", "mask:linear-gradient(#000 0 0) 0/0",
]  # fmt: skip
PAINTED = [
    "filter:contrast(0)", "filter:blur(2px)", "transform:translateY(-500%)", "display:contents;opacity:0", "zoom:0",
    "display:contents;transform:scale(0)", 'clip-path:path("M0 0H2000V2000H0Z")',
    "clip-path:polygon(0 0,100% 0,100% 100%,0 90%)", "clip-path:circle(50px at 20px 20px)",
    "backface-visibility:hidden", "backface-visibility:hidden;transform:rotateZ(180deg)", "transform:rotateY(180deg)",
    "height:20px;overflow:hidden;padding-top:20px", "height:20px;overflow:hidden;line-height:1.5",
    "max-height:40px;overflow:hidden;line-height:125%", "margin-right:-9999px",
    "position:absolute;left:-30px;width:300px", "color:rgb(from white 0 0 0)", "color:color(display-p3 0 0 0)",
    "color:oklch(from red .5 c h)", "content:'Y'", "color:transparent;text-shadow:0 0 5px rgba(0,0,0,1)",
    "color:transparent;background:#000;background-clip:text", "mask:linear-gradient(#000,#000) 0 0/100% 100%",
    "font-size:.5pc", "box-sizing:border-box;overflow:hidden;height:40px;padding:10px", "padding-left:300px",
]  # fmt: skip
UNPAINTED_LETTERS = [
    '<text y=20 fill="white">X</text>', "<text y=-100>X</text>", "<text y=20 x=-9999>X</text>",
    "<text y=20 x=5000>X</text>", '<text y=20 style="fill:none">X</text>',
    "<text y=20><tspan fill=none>X</tspan></text>",
    "<foreignObject width=300 height=150 opacity=0><p>X</p></foreignObject>", "<text y=20 class=unfilled>X</text>",
    "<g fill=none><text y=20>X</text></g>", '<g fill="#ffffff"><text y=20 fill=none>X</text></g>',
]  # fmt: skip
PAINTED_LETTERS = [
    "<text y=20>X</text>", "<text y=20 fill=none stroke=black>X</text>",
    "<g fill=none><text y=20 fill=red>X</text></g>", "<rect width=300 height=150 /><text y=20 fill=white>X</text>",
    "<text y=20><tspan fill=red>X</tspan></text>", '<text y="-30" transform="translate(0 60)">X</text>',
    "<text x=290 y=20 text-anchor=end>X</text>", "<text><tspan x=0 y=20>X</tspan></text>",
    "<text y=20 class=unfilled style='fill:blue'>X</text>",
]  # fmt: skip

# Elements that are covered, displaced or transparent by style attributes alone.
UNSEEN_STYLES = [
    "<div style='position:relative'><p>X</p><div style='position:absolute;inset:0;background:#fff'></div></div>",
    "<div style='position:relative'><p>X</p><b style='position:absolute;top:0;left:0;width:100%;height:100%;"
    "background:white'></b></div>",
    "<div style='background:#fff'><div style='position:relative;z-index:-1'>X</div></div>",
    "<div style='position:absolute;right:100%'>X</div>",
    "<div style='position:absolute;left:100%'>X</div>",
    "<div style='--x:-9999px;transform:translate(var(--x))'>X</div>",
    "<div style='--o:0;opacity:var(--o)'>X</div>",
    "<section style='--d:none'><div style='display:var(--d)'>X</div></section>",
    "<div style='transform:translate(calc(-1 * 9999px))'>X</div>",
    "<div style='transform:skewx(90deg)'>X</div>",
    "<div style='clip-path:inset(0 0 9999px 0)'>X</div>",
    "<div style='clip-path:circle(calc(0px))'>X</div>",
    "<div style='filter:contrast(0);background:#fff'>X</div>",
    "<div style='--c:transparent;-webkit-text-fill-color:var(--c)'>X</div>",
    "<div style='background:transparent;-webkit-background-clip:text;color:transparent'>X</div>",
    "<div style='color:transparent;text-shadow:0 0 0 transparent'>X</div>",
    "<div style='color:transparent;text-shadow:9999px 0 #000'>X</div>",
    "<div style='color:transparent;-webkit-text-stroke:1px transparent'>X</div>",
    "<img alt='X' width=0 height=0>",
]
