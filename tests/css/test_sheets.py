"""Which elements the rules of style elements hide: selectors, conditions, covers, and the cost of large pages."""

import time

import pytest
from hiding import INVALID_SELECTORS, UNUSED_RULES, VALID_SELECTORS, WORDS, in_a_page

from webtool.css import cascade
from webtool.html import parse_html
from webtool.markdown import to_markdown
from webtool.visibility.hidden import find_hidden

LAYERS = "@layer y{.a{display:block}}@layer x{.a{display:none}}"
# A style sheet, and whether it hides the p in `<div class=w><p id=i class='a b c&d e:scope' data-k='?x&:scope'>`.
RULES = [
    (".a{display:none}", True),
    ("#i{display:none}", True),
    ("p.a{display:none}", True),
    (".a.b{display:none}", True),
    (".a.c{display:none}", False),
    (".w p{display:none}", True),
    (".w > p{display:none}", True),
    ("body > p{display:none}", False),
    ("[id]{display:none}", True),
    ("[id=i]{display:none}", True),
    ('[id="j"]{display:none}', False),
    ("p{display:none}", True),
    (".x,.a{display:none}", True),
    (".a:hover{display:none}", False),
    (".a::before{display:none}", False),
    (".a + .b{display:none}", False),
    (".a{display:none} .a{display:block}", False),
    # :hover counts as a class where it is an argument, though nothing is hovered.
    (".a:not(:hover){display:none} .a{display:block}", True),
    (".a:is(:hover,p){display:none} .a{display:block}", True),
    ("p.a:not(i:has(a:focus)){display:none} .a.b{display:block}", True),
    (".a:not(:hover){display:none} .a.b{display:block}", False),
    (".a:where(:hover,p){display:none} .a{display:block}", False),
    # An invalid selector drops the whole rule, also one that shows.
    (".a{display:none} .a,.y:bogus{display:block}", True),
    (".a{display:none} .y:bogus,:is(.a){display:block}", True),
    (".a{display:none} .a,.y:hover,.y::before{display:block}", False),
    (".a{display:none} .a,:host,:host(.y),.y:state(open),.y:default{display:block}", False),
    *[(f".a{{display:none}} .a,{selector}{{display:block}}", True) for selector in INVALID_SELECTORS],
    *[(f".a{{display:none}} .a,{selector}{{display:block}}", False) for selector in VALID_SELECTORS],
    *[(f".a{{display:none}} {css}", True) for css in UNUSED_RULES],
    (".a{color:red} .b{display:none} #i,.2x{color:red}", True),
    ("#i{display:block} .a{display:none}", False),
    ("#i{display:block} .a{display:none!important}", True),
    ("@media print{.a{display:none}}", False),
    ("@media screen{.a{display:none}}", True),
    ("@media (max-width:600px){.a{display:none}}", False),
    ("@media (min-width:600px){.a{display:none}}", True),
    (".a{display:none} @media (min-width:600px){.a{display:block}}", False),
    ("@supports (display:grid){.a{display:none}}", True),
    ("@font-face{font-family:x} .a{display:none}", True),
    ("/* .a{display:none} */", False),
    (".a{color:#fff;background:#fff}", True),
    ("} } .a{display:none}", False),
    # The end of a sheet closes its blocks.
    (".a{display:none", True),
    (".b{color:red} .a{display:none", True),
    ("@media screen{.a{display:none", True),
    ("@media print{.a{display:none", False),
    (".w{b{color:red} .a{display:none", True),
    (".a{b{color:red} display:none", True),
    (".b{color:red} display:none", False),
    ("} .a{display:none", False),
    # Conditions may have line ends.
    ("@media screen\n and (max-width:600px){.a{display:none}}", False),
    ("@supports (display:grid)\n and (display:bogus){.a{display:none}}", False),
    # An "or" inside of brackets joins only what is inside.
    ("@supports ((display:grid) or (display:flex)) and (display:bogus){.a{display:none}}", False),
    ("@supports ((display:grid) or (display:bogus)) and (display:flex){.a{display:none}}", True),
    ("@supports (display:bogus) or ((display:grid) and (display:flex)){.a{display:none}}", True),
    # A list whose selectors match nothing.
    (".a:is(" + ",".join([":is(:hover)"] * 9) + "){display:none}", False),
    (".a:not(" + ",".join([":is(:hover)"] * 9) + "){display:none}", True),
    # Each selector of a long list counts, and one with many compounds does not make the others invalid.
    (",".join(f".c{number}" for number in range(3000)) + ",.a{display:none}", True),
    (".a," + " ".join(f".c{number}" for number in range(99)) + "{display:none}", True),
    (",".join(f".c{number}" for number in range(3000)) + ",.w{.a{display:none}}", True),
    (",".join(f".c{number}" for number in range(3000)) + ",.y{.a{display:none}}", False),
    (",".join(f".c{number}" for number in range(3000)) + ",.2x,.w{.a{display:none}}", False),
    (",".join(f".c{number}" for number in range(3000)) + ",.a{b{}display:none}", True),
    (",".join(f".c{number}" for number in range(3000)) + ",.w:hover{.a{display:none}}", False),
    # Chromium: :has() matches nothing inside of :has(), neither where it is written nor through "&".
    (".w:has(.a),.y{body:has(&) .a{display:none}}", False),
    (",".join(f".c{number}" for number in range(3000)) + ",.w:has(.a){body:has(&) .a{display:none}}", False),
    (",".join(f".c{number}" for number in range(3000)) + ",.w:has(.a),div{body:has(&) .a{display:none}}", True),
    (",".join(f".c{number}" for number in range(3000)) + ",.w{body:has(&) .a{display:none}}", True),
    # Each of very many rules for a class counts. With still more, one that hides counts for all elements of the class.
    (".w:empty .a{display:none}" * 300 + ".a{display:none}" + ".w:empty .a{display:none}" * 300, True),
    (".w:empty .a{display:none}" * 600, False),
    (".w:empty .a{display:none}" * 1000 + ".a{display:none}" + ".w:empty .a{display:none}" * 9, True),
    ("div{" * 30 + "&.w{.a{display:none}}" + "}" * 30, False),
    ("div{" + "&{" * 30 + "&.w{.a{display:none}}" + "}" * 31, True),
    # A scope: its roots count, what is below its limits does not.
    ("@scope (.w){.a{display:none}}", True),
    ("@scope (.a){.a{display:none}}", False),  # a selector without "&" is about what is below the root
    ("@scope (.w){> .a{display:none}}", True),
    ("@scope (.w){.w .a{display:none}}", False),
    ("@scope (.w){&.w .a{display:none}}", True),
    ("@scope (.w) to (.y:bogus){.a{display:none}}", False),
    ("@scope (.a){:scope{display:none}}", True),
    ("@scope (.a){display:none}", True),
    ("@scope (.w) to (.a){.a{display:none}}", False),
    ("@scope (.w) to (.y){.a{display:none}}", True),
    ("@scope (.w)\n to\n (.a){.a{display:none}}", False),
    ("@scope (.w) to (> .a){.a{display:none}}", False),
    ("@scope (body) to (> .a){.a{display:none}}", True),
    ("@scope (.w) to (:scope){.a{display:none}}", False),
    ("@scope (body) to (.w){p{display:none}}", False),
    ("@scope (body) to (.w){@scope (p){:scope{display:none}}}", False),
    ("@scope (body){@scope (p){:scope{display:none}}}", True),
    ("@scope (:is(.w,i)) to (:is(b,i)){@media screen{.a{display:none}}}", True),
    ("@scope (.w) to (.a){@media screen{.a{display:none}}}", False),
    ("@scope (.w) to (.y){.w{.a{display:none}}}", False),
    ("@scope (body) to (.y){.w{.a{display:none}}}", True),
    ("@scope (.w) to (.a){.a{&{display:none}}}", False),
    ("@scope{.a{display:none}}", True),
    ("@scope to (.w){.a{display:none}}", False),
    ("@scope (.w){p{display:none}} p.a{display:block}", False),
    ("@scope (.w){p.a{display:none}} p{display:block}", True),
    # A layer wins over the layers inside it, and is weaker than they are with !important.
    ("@layer x{@layer y{.a{display:none}} .a{display:block}}", False),
    ("@layer x{.a{display:none!important}@layer y{.a{display:block!important}}}", False),
    ("@layer x.y;@layer z;@layer z{.a{display:block}}@layer x{.a{display:none}}", False),
    ("@layer z;@layer x.y{.a{display:none}}@layer z{.a{display:block}}", True),
    # `all: revert-layer !important` goes back to what lower layers say of any property.
    ("@layer x{.a{display:none}}.a{all:revert-layer!important}", True),
    ("@layer x{.a{display:none}}p.a{all:revert-layer!important;display:block}", True),
    # Statements set the order of layers wherever they are, if their conditions hold.
    ("@layer x,y;</style><style>" + LAYERS, False),
    ("i{top:0}@layer x,y</style><style>" + LAYERS, False),
    ("@LAYER x,y;" + LAYERS, False),
    ("@import url(c.css) layer(x);" + LAYERS, False),
    ("@media screen{@layer x,y;}" + LAYERS, False),
    ("@media screen{@media print{i{top:0}}@layer x,y;}" + LAYERS, False),
    ("@media print{@layer x,y;}" + LAYERS, True),
    ("@media print{@layer x,y;i{top:0}}" + LAYERS, True),
    ("@media print{@layer x{i{top:0}}}" + LAYERS, True),
    ("@layer z{@layer x,y;}@layer z{" + LAYERS + "}", False),
    # "&" and ":scope" in strings and escapes stand for themselves.
    (".w{[data-k='?x&:scope']{display:none}}", True),
    (".y{[data-k='?x&:scope']{display:none}}", False),
    (r".w{.c\&d{display:none}}", True),
    ("@scope (.w){[data-k='?x&:scope']{display:none}}", True),
    ("@scope (.w) to ([data-k='?x&:scope']){.a{display:none}}", False),
    (r"@scope (.w){.e\:scope{display:none}}", True),
    ("@scope (.w){:SCOPE .a{display:none}}", True),
    ("@scope (.w){:scopes .a{display:none}}", False),
    # What cannot begin a rule makes it invalid.
    ("} @media screen{.a{display:none}}", False),
    ("foo;.a{display:none}", False),
    ("@media screen{;.a{display:none}}", False),
    ("@foo x;@import 'a;b';@import url(a;b);.a{display:none}", True),
    ("p*|p{display:none}", False),
    (".w>*|p{display:none}", True),
    # A condition of @supports has brackets, and does not mix "and" and "or".
    ("@supports display:grid{.a{display:none}}", False),
    ("@supports (display:grid) and (display:flex) or (display:bogus){.a{display:none}}", False),
    ("@supports not not (display:bogus){.a{display:none}}", False),
    ("@supports not(display:bogus){.a{display:none}}", False),
    ("@supports not foo(bar){.a{display:none}}", True),
    ("@keyframes f{from{opacity:0}to{opacity:1}} .a{opacity:0;animation:f 1s forwards}", False),
    ("@keyframes f{0%{opacity:0}100%{opacity:1}} .a{opacity:0;animation-name:f}", False),
    ("@media screen{@keyframes f{to{opacity:1}} .a{opacity:0;animation-name:f}}", False),
    ("@keyframes f{from{opacity:1}to{opacity:0}} .a{opacity:0;animation:f 1s}", True),
    ("@keyframes g{to{opacity:1}} .a{opacity:0;animation:f 1s}", True),
    ("@media print{@keyframes f{to{opacity:1}}} .a{opacity:0;animation-name:f}", True),
    ("@supports (display:bogus){@keyframes f{to{opacity:1}}} .a{opacity:0;animation-name:f}", True),
    ("@keyframes f{to{opacity:1}} .a{opacity:0}", True),
    (".a{height:0;overflow:hidden} #i{min-height:9em}", False),
    # Many rules about other pages of the site leave room for those about this one.
    (".a{display:none}" + ".f .b{top:0}" * 50 + "p.b{display:block}" + ".f .b{top:0}", False),
    ("".join(f".a:where(.c{n}){{opacity:0}}" for n in range(50)) + ":is(.b,.c){display:none}.c .a{top:0}", True),
    (":where(.c){display:none} :is(p .a,.w > .c){display:none}", False),
    (".w :is(i,.a):not(.c){display:none}", True),
    (".w .x .a,.w div > .a{display:none} .w p.a{visibility:hidden}", True),
]


@pytest.mark.parametrize("value", ["a::b", "a::before", "x :: y"])
def test_two_colons_in_the_value_of_an_attribute_are_no_pseudo_element(value):
    page = f"<style>[data-id='{value}']{{display:none}}</style><p data-id='{value}'>secret</p><p>shown</p>"
    assert to_markdown(parse_html(page)) == "shown\n"


@pytest.mark.parametrize(("css", "hides"), RULES)
def test_rules_of_style_elements_hide_what_they_match(css, hides):
    root = parse_html(
        f"<style>{css}</style><div>{'Visible text around it. ' * 5}</div>"
        "<div class=w><p id=i class='a b c&d e:scope' data-k='?x&:scope'>x</p></div>"
    )
    assert [element.attrs.get("id") for element in find_hidden(root)] == (["i"] if hides else [])


@pytest.mark.parametrize(("selectors", "is_seen"), [(".a,.y:hover", True), (".a,.y:bogus", False)])
def test_an_invalid_selector_keeps_a_rule_from_showing_text_in_an_invisible_box(selectors, is_seen):
    page = f"<style>.w{{visibility:hidden}} {selectors}{{visibility:visible}}</style><p>{'Text of the page. ' * 9}</p>"
    assert ("canary" in to_markdown(parse_html(f"{page}<div class=w>box<p class=a>canary</p></div>"))) is is_seen


@pytest.mark.parametrize(
    ("media", "hides"),
    [("screen", True), ("print", False), ("all and (min-width: 904px) and (max-width: 1079.98px)", False)],
)
def test_a_style_element_applies_in_its_media_only(media, hides):
    text = f"<style media='{media}'>.a{{display:none}}</style><p>Some visible text.</p><p class=a>x</p>"
    assert bool(find_hidden(parse_html(text))) is hides


def test_white_text_is_hidden_only_if_the_page_is_surely_white():
    text = "<p>Some visible text.</p><div class=hero><p style='color:white'>On the picture</p></div>"
    assert find_hidden(parse_html(text))
    assert not find_hidden(parse_html("<link rel=stylesheet href=a.css>" + text))
    assert not find_hidden(parse_html("<style>.hero{background:#123}</style>" + text))
    assert not find_hidden(parse_html("<style>.hero:nth-child(2){background:#123}</style>" + text))
    assert find_hidden(parse_html("<style>a:hover{background:#123}</style>" + text))


# Rules and an attribute of the box around text in #333 by a rule, and whether the text has the box's colour.
BOXES = [
    (".w{background:#333}", "", True),
    (".w:not(:hover){background:#333}", "", True),
    (".w:hover,main:hover .w,.w::before{background:#333}", "", False),
    (".w:is(:hover){background:#333}", "", False),
    ("[title=':hover']{background:#333}", "title=':hover'", True),
    (".w{background:no-repeat #333}", "", True),
    (".w{BACKGROUND:#333!important}", "", True),
    (".w{background:url(a.png) #333}", "", False),
    (".w{background-color:#333;background-image:url(a.png)}div.w{background-image:none}", "", True),
    (".w{--b:#333;background:var(--b)}", "", True),
    (".w{background:var(--b,#333)}", "", True),
    (".w{background:var(--b)}", "style='--b:#333'", True),
    (".w{--b:#333}main .w{--b:#000}.w{background:var(--b)}", "", False),
    ("", "style='Background:#333'", True),
    ("", "bgcolor='#333333'", True),
    ("", "", False),
]


@pytest.mark.parametrize(("css", "attribute", "hides"), BOXES)
def test_text_is_hidden_by_the_background_of_a_box_around_it(css, attribute, hides):
    page = in_a_page(css + ".a{color:#333}", f"<div class=w {attribute}><p class=a>X</p></div>")
    assert (WORDS not in to_markdown(parse_html(page))) is hides


def test_a_style_element_in_noscript_is_ignored():
    page = "<noscript><style>.lazyload{display:none}</style></noscript><p>Some visible text.</p><img class=lazyload>"
    assert not find_hidden(parse_html(page))


def test_colours_of_two_rules_hide_nothing_beside_a_linked_sheet():
    page = in_a_page(".b{background:#333;color:#fff}.w .a{color:#333}", '<div class=w><p class="a b">X</p></div>')
    assert WORDS not in to_markdown(parse_html(page))
    assert WORDS in to_markdown(parse_html(page.replace("<title>", "<link rel=stylesheet href=a.css><title>")))
    page = in_a_page(".b{background:#333;color:#333}", "<p class=b>X</p>").replace("<title>", "<link rel=stylesheet>")
    assert WORDS not in to_markdown(parse_html(page))


# ::before and ::after boxes that cover their element, scopes, and conditions.
COVER = "{content:'';position:absolute;inset:0;background:#fff}"


PLAIN = "<p class=w>X</p>"


@pytest.mark.parametrize(("css", "html", "is_seen"), [
    (".w{position:relative}.w::after COVER", "<div class=w><p>X</p></div>", False),
    (".w{position:relative}.w::before COVER", PLAIN, False),
    (".w{position:relative}.w::before COVER;position:ABSOLUTE", PLAIN, False),
    (".w{position:relative}.w::before COVER.w p{position:relative}", "<div class=w><p>X</p></div>", True),
    (".w{position:relative}.w::after COVER;opacity:0", PLAIN, True),
    (".w{position:relative}.w::after COVER;z-index:-1", PLAIN, True),
    (".w{position:relative}.w::after COVER;width:0", PLAIN, True),
    (".w{position:relative}.w::after COVER;content:none", PLAIN, True),
    (".w{position:relative}.w::after COVER;background:#0003", PLAIN, True),
    (".w{position:relative}.w:hover::after COVER", PLAIN, True),
    ("@scope (.w){:scope{display:none}}", PLAIN, False),
    ("@scope (main){:scope .w{display:none}}", PLAIN, False),
    (":scope.w{display:none}", PLAIN, True),
    ("@supports (display:bogus){.w{display:none}}", PLAIN, True),
    ("@supports (unknown:x){.w{display:none}}", PLAIN, True),
    ("@supports not (unknown:x){.w{display:none}}", PLAIN, False),
    ("@supports (row-unknown:x){.w{display:none}}", PLAIN, True),
    ("@supports (display){.w{display:none}}", PLAIN, True),
    ("@supports (display:){.w{display:none}}", PLAIN, True),
    ("@supports unknown(x){.w{display:none}}", PLAIN, True),
    ("@supports (-o-transform:none){.w{display:none}}", PLAIN, True),
    ("@supports (background:-webkit-named-image(i)){.w{display:none}}", PLAIN, True),
    ("@supports (--x:y){.w{display:none}}", PLAIN, False),
    ("@supports (-webkit-mask-image:none) or (mask-image:none){.w{display:none}}", PLAIN, False),
    ("@supports (selector(:has(a))){.w{display:none}}", PLAIN, False),
    ("@supports (scroll-margin-block-start:1px) and (aspect-ratio:1/1){.w{display:none}}", PLAIN, False),
    ("@supports not (display:bogus){.w{display:none}}", PLAIN, False),
    ("@supports (not (color:red)){.w{display:none}}", PLAIN, True),
    ("@supports not (not (color:red)){.w{display:none}}", PLAIN, False),
    ("@supports ((display:bogus) or (color:red)) and (width:1px){.w{display:none}}", PLAIN, False),
    ("@media not (monochrome){.w{display:none}}", PLAIN, False),
])  # fmt: skip
def test_covers_scopes_and_conditions_apply_as_in_a_browser(css, html, is_seen):
    rule, _, more = css.partition("COVER;")
    css = f"{rule}{COVER[:-1]};{more}}}" if more else css.replace("COVER", COVER)
    assert (WORDS in to_markdown(parse_html(in_a_page(css, html)))) is is_seen


def test_sibling_and_has_rules_are_bounded_on_large_pages():
    """Sibling, ancestor and :has() conditions over a wide and a deep page are bounded."""
    css = "p:nth-child(3n+1) ~ p:not(:last-child){display:none}"
    css += "main:has(i ~ b p) p + p{opacity:0} .a .a .a .a .b{color:#fff}"
    wide = f"<style>{css}</style><main>" + "<p>word</p>" * 3000 + "</main>" + "<div class=a>" * 300 + "<p class=b>x"
    started = time.process_time()
    find_hidden(parse_html(wide))
    assert time.process_time() - started < 10


def test_a_page_with_many_rules_for_many_variables_is_still_read():
    """The bound holds for all variables of a page together."""
    names = range(60)
    rules = "".join(".a{" + "".join(f"--v{name}:{rule};" for name in names) + "}" for rule in range(1000))
    uses = f".a{{opacity:calc({' + '.join(f'var(--v{name})' for name in names)})}}"
    texts = "".join(f"<div class='a c{number}'>text</div>" for number in range(3000))
    started = time.process_time()
    text = to_markdown(parse_html(f"<style>{rules}{uses}</style>{texts}"))
    assert text.count("text") == 3000
    assert time.process_time() - started < 10


def test_the_rest_of_a_long_variable_is_not_read():
    """Pictures in variables are long, and many elements show them."""
    css = ".t{--i:url(data:" + "A" * 500_000 + ")}.u{--i:none}.a{background:var(--i);width:1px}"
    texts = "".join(f"<div class='a c{number}'>text</div>" for number in range(2000))
    started = time.process_time()
    text = to_markdown(parse_html(f"<style>{css}</style><div class=t>{texts}</div>"))
    assert text.count("text") == 2000
    assert time.process_time() - started < 5


# Ancestors count however many there are and however many names they have; their siblings do not.
@pytest.mark.parametrize(("selector", "before", "hides"), [
    (".c399 .x", f"<div class='{' '.join(f'c{n}' for n in range(400))}'>", True),
    (".c1 .x", "<div class=c1>" + "<div>" * 150, True),
    (".c0 > .x", "<div class=c0>" + "".join(f"<div class=c{n}>" for n in range(1, 260)), False),
    (".c259 > .x", "<div class=c0>" + "".join(f"<div class=c{n}>" for n in range(1, 260)), True),
    ("#a .b ~ div .x", "<section id=a><p class=b>b</p><div>", True),
    ("div " * 99 + ".x", "<div>" * 99, True),
    ("div div b, " + "div " * 99 + ".x", "<div>" * 99, True),
    ("div > " * 31 + ".y, .x", "<div>" * 31, True),
    ("#a + .b .x", "<p id=a>a</p><div class=b>", True),
    ("#a .b .x", "<p id=a>a</p><div class=b>", False),
    ("li + li .x", "<ul><li>a<li>", True),
])  # fmt: skip
def test_ancestors_but_not_their_siblings_count_for_a_rule(selector, before, hides):
    root = parse_html(f"<style>{selector}{{display:none}}</style><p>{WORDS}</p>{before}<b class=x>x</b>")
    assert list(find_hidden(root).values()) == ["display"] * hides


# Elements with the same type, class and ancestors, and which of them a selector hides.
@pytest.mark.parametrize(("selector", "hidden"), [
    ("b:nth-child(2)", "b"), ("b + .x", "bcd"), (".x ~ .x", "bcd"), (".x:last-child", "d"), (".x[title^=a]", "b"),
    (".x[data-k=a]", "bc"), ("[data-k=b]", "d"), (".x:not([data-k])", "a"), (".x:empty", ""), ("[title] + b", "c"),
    ("div > b:first-child", "a"), (":is(b:first-child ~ b, i)", "bcd"), ("div:has([title]) > b[data-k]", "bcd"),
])  # fmt: skip
def test_elements_with_equal_names_are_matched_one_by_one(selector, hidden):
    rows = "<b class=x>a</b><b class=x title=ab data-k=a>b</b><b class=x data-k=a>c</b><b class=x data-k=b>d</b>"
    css = f".x{{color:red;background:blue}}{selector}{{display:none}}"
    root = parse_html(f"<style>{css}</style><p>{WORDS}</p><main>" + f"<div>{rows}</div>" * 3)
    assert "".join(element.text for element in find_hidden(root)) == hidden * 3


def test_an_escaped_quote_in_a_class_name_begins_no_string():
    css = r".c-\[\'{a:b} .x{display:none} .d{content:'e'}"
    assert WORDS not in to_markdown(parse_html(in_a_page(css, "<div class=x>X</div>")))


@pytest.mark.parametrize(("rules", "html", "is_seen"), [
    ("{many} .w{font-size:0} .t a{font-size:1rem} {many}", "<p class=w><i class=t><a href=/y>said</a></i>", True),
    ("{others} p{display:none} {others}", "<p>said", False),
])  # fmt: skip
def test_a_rule_counts_among_a_hundred_with_the_same_key(rules, html, is_seen):
    kinds = range(120)
    names = "".join(f"<b class=k{kind}>x</b>" for kind in kinds)
    rules = rules.replace("{many}", "".join(f".k{kind} a{{font-size:{kind + 9}px}}" for kind in kinds))
    rules = rules.replace("{others}", "".join(f".k{kind} p{{display:none}}" for kind in kinds))
    assert ("said" in to_markdown(parse_html(f"<style>{rules}</style>{names}{html}"))) is is_seen


@pytest.mark.parametrize("css", [
    "*|p.w *|p{display:none}", ".w :is(p, {list}){display:none}", ".w :is({list}, .w p, {list}){display:none}",
])  # fmt: skip
def test_a_selector_counts_with_a_namespace_and_among_many_hundreds(css):
    css = css.replace("{list}", ", ".join(f".k{n} p" for n in range(500)))
    names = "".join(f"<b class=k{n}>x</b>" for n in range(500))
    root = parse_html(f"<style>{css}</style>{names}<p class=w><object><p>said</p></object><div>read</div>")
    assert [element.text for element in find_hidden(root)] == ["said"]


@pytest.mark.parametrize(
    "rule", ["p{display:none}", "p:not(.x,.y,:nth-child(9),[a],[b],[c]):not([d],[e]){display:none}"]
)
def test_a_rule_that_hides_counts_on_a_page_with_too_many_matchings(monkeypatch, rule):
    """The rule is left out with the others, or too heavy to be asked; what shows the text again is not asked either."""
    monkeypatch.setattr(cascade, "_MAX_MATCHINGS", cascade._MAX_MATCHINGS // 10)
    rules = "".join(f"p:not([title='{n}']):nth-child({n}){{opacity:0}}" for n in range(2, 300))
    texts = "".join(f"<div class=c{number}><p class=d{number}>text</div>" for number in range(400))
    root = parse_html(f"<style>{rule}{rules}</style><div>first</div>{texts}")
    assert len(find_hidden(root)) == 400


def test_a_page_with_too_many_matchings_is_still_read():
    rules = "".join(f"p:not([title='{kind}']){{letter-spacing:{kind}px;opacity:.{kind}}}" for kind in range(10, 400))
    texts = "".join(f"<div class=c{number}><p class=d{number}>text</div>" for number in range(4000))
    start = time.process_time()
    text = to_markdown(parse_html(f"<style>{rules}p.d7{{display:none}}</style>{texts}"))
    assert text.count("text") == 3999
    assert time.process_time() - start < 30


def test_reverting_style_attributes_let_rules_hide():
    for style in ("all:revert-layer", "all:revert-layer!important", "display:revert-layer!important"):
        page = f"<style>.a{{display:none}}</style><p class=a style='{style}'>secret</p><p>open"
        assert to_markdown(parse_html(page)) == "open\n"
