"""Move streamed parts to their places, and shadow trees into their hosts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webtool import extract, to_markdown
from webtool.html import parse_page
from webtool.html.node import elements, walk

PLACES = [
    # React: a boundary with content that is shown meanwhile and has boundaries of its own.
    ("a<!--$?--><template id='B:0'></template><i>wait</i><!--/$-->c<div hidden id='S:0'>b</div>", "a b c"),
    (
        "a<!--$?--><template id='B:0'></template><!--$-->x<!--/$--><!--$?-->y<!--/$--><!--/$-->c<div hidden id='S:0'>b",
        "a b c",
    ),
    # Without the comments the end of that content is unknown, so it stays.
    ("a<template id='B:0'></template><p>c</p><div hidden id='S:0'>b</div>", "a b c"),
    # A part inside a part, in both orders.
    ("<template id='B:0'></template>d<div hidden id='S:0'>a<template id='P:1'></template>c</div>"
     "<div hidden id='S:1'>b</div>", "a b c d"),
    ("<template id='B:0'></template>d<div hidden id='S:1'>b</div>"
     "<div hidden id='S:0'>a<template id='P:1'></template>c</div>", "a b c d"),
    ("<template id='B:0'></template>d<div hidden id='S:0'><template id='P:1'></template><b>c</b></div>"
     "<div hidden id='S:1'>a<!--$?--><template id='B:2'></template>x<!--/$--></div><div hidden id='S:2'>b</div>",
     "a b c d"),
    # Items and rows.
    ("<ul><li>a</li><template id='B:0'></template><li>c</li></ul><div hidden id='S:0'><li>b</li></div>", "a b c"),
    ("<table><tr><td>a<tbody><template id='B:0'></template></table>c<table hidden><tbody id='S:0'><tr><td>b</table>",
     "a b c"),
    # A missing part, a missing place, and parts that would end up inside themselves.
    ("a<template id='B:0'></template>c", "a c"),
    ("a<div hidden id='S:0'>b</div>c", "a c"),
    ("a<div hidden id='S:0'>b<template id='B:0'></template></div>c", "a c"),
    ("a<div hidden id='S:0'>b<template id='B:1'></template></div><div hidden id='S:1'>b<template id='B:0'></template>"
     "</div>c", "a c"),
    # Marko.
    ("a<span id=afs0cph9>wait</span>c<div id=afs0c9 style='display:none'><p>b</p></div>", "a b c"),
    ("a<noscript id=afph0></noscript>c<div id=af0 style='display:none'><p>b</p></div>", "a b c"),
    ("a<span id=cph9></span><div id=c9 style='display:none'>b</div>c", "a c"),
    ("a<p id=graph0>b</p>c", "a b c"),
    # Solid.
    ("a<template id='pl-0-1'></template><i>wait</i><!--pl-0-1-->c<template id='0-1'>b</template>", "a b c"),
    ("a<template id='0-1'>b</template>c", "a c"),
    # Shadow trees, with slots inside slots; children without a slot are not shown.
    ("<x-y><template shadowrootmode=open>a <slot name=n>x</slot> <slot>c</slot></template><b slot=n>b</b>"
     "<i slot=z>z</i></x-y>", "a b c"),
    ("<x-y><template shadowrootmode=closed><x-z><template shadowrootmode=open><p>a <slot></slot></p></template>"
     "<slot></slot></x-z> c</template>b</x-y>", "a b c"),
    ("<x-y><Template ShadowRootMode=open>b</Template>a</x-y>c", "b c"),
    ("<ul><template shadowrootmode=open>b</template><li>a</ul>c", "a c"),
    ("<div><template shadowrootmode=OPEN>b</template>a</div>c", "b c"),
    ("<div><template shadowrootmode=none>b</template>a</div>c", "a c"),
]  # fmt: skip


@pytest.mark.parametrize(("page", "text"), PLACES)
def test_content_is_where_it_is_shown(page, text):
    around = "Text that is there from the beginning, long enough to be a page. "
    page = f"<!doctype html><p>{around * 20}</p><main>{page}"
    for markdown in (to_markdown(page), extract(page, strategy="plain_text").text):
        words = markdown.replace(around.strip(), "").replace("*", " ").replace("|", " ").replace("-", " ").split()
        assert "".join(words) == text.replace(" ", ""), markdown


PIECES = st.lists(
    st.sampled_from(
        "<p>x;</p>;</div>;<!--$?-->;<!--/$-->;<span id=afph1>;<div id=af1>;<template id=pl-1>;<template id=1>;"
        "</template>;<x-y>;</x-y>;<template shadowrootmode=open>;<slot>;<slot name=a>;<b slot=a>".split(";")
        + [f"<template id={kind}:{n}></template>" for kind in "BP" for n in range(3)]
        + [f"<div hidden id=S:{n}>" for n in range(4)]
    ),
    max_size=30,
)


@given(PIECES)
def test_any_page_remains_a_tree(pieces):
    root = parse_page("".join(pieces))
    seen = set()
    for element in elements(root):
        assert element not in seen
        seen.add(element)
        assert all(node.parent is element for node in element.children)
    assert sum(event == "open" for event, _ in walk(root)) == len(seen)
