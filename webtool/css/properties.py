"""The table of CSS properties, one row a property. In: nothing. Out: rows by name, and what follows from them.

Every reader of style sheets asks this table: declarations.py to parse and judge, cascade.py about shorthands, rules.py
about @supports, sheets.py to skip rules that hide nothing. To support another property, add one row to PROPERTIES.
A `value` is a lower-case string with single spaces; `values` maps property names to values.
Specification: CSS Cascade 5 section 2.1 (shorthands and aliases), CSS Logical Properties 1.
"""

from __future__ import annotations

from webtool.css import clipping, paint, positions, transforms
from webtool.css.transforms import leaves_nothing
from webtool.css.values import Values, is_at_most, is_slit, words_of
from webtool.lean import datafiles
from webtool.lean.records import NamedTuple
from webtool.lean.typing import Callable, Optional, Union

# Effects: bit flags of what one declaration may do, judged without the others of its block. A block whose flags
# together cannot hide anything is not judged further.
HIDES = 1 << 0  # hides the element by itself, or with rare other properties
CLIPS = 1 << 1  # cuts off what does not fit (overflow)
SMALL = 1 << 2  # leaves a box no room, so that clipping would hide its text
PLACES = 1 << 3  # takes the element out of the flow (position)
FAR = 1 << 4  # may move a placed element far away
TEXT = 1 << 5  # colours text
GROUND = 1 << 6  # colours the background
VARIES = 1 << 7  # contains var(), so that the value is not known yet
SHOWS = 1 << 8  # is !important and may win over a declaration that hides
ARRANGES = 1 << 9  # arranges boxes: lines, flex containers, tables, struck text

COVERED = "x-covered:yes"
"""A block that marks elements covered by their own opaque ::before or ::after box. Pages do not write this property."""


Test = Callable[[Values], Union[str, bool]]  # whether values with a property hide the element; or the reason itself


class Property(NamedTuple):
    """One row: a property and everything that the readers know about it."""

    name: str
    hides: Optional[Test] = None
    reason: str = ""  # reason that is reported if `hides` returns True; without it, the property's name
    aliases: tuple[str, ...] = ()  # other names: vendor prefixes, and logical sides of text that runs left to right
    longhands: tuple[str, ...] = ()  # properties that this shorthand sets again
    keywords: frozenset[str] = frozenset()  # if any, other values are invalid unless var() or its like is in them
    needs: str = ""  # a value without this word has no effect here
    flags: int = 0  # effects of every value
    effect: Optional[Callable[[str], int]] = None  # effects of a value; without it, HIDES if `hides` holds for it alone
    applies_to_text: bool = False  # also hides text of an element without a box (display: contents)
    can_show: bool = False  # an !important value may show what another rule hides
    hides_by_variable: bool = False  # a var() in it is always resolved: hiding values vary too much to be guessed
    set_inline: bool = False  # style attributes often set a variable for it
    stacks: bool = False  # any value makes a stacking context: the content is painted as one
    fades: bool = False  # any value may make the box see-through or move it, so it covers nothing for certain


def _if(flag: int, test: Callable[[str], bool]) -> Callable[[str], int]:
    """Return an effect: the flag for values that pass the test."""
    return lambda value: flag if test(value) else 0


_DISPLAY_VALUES = frozenset((
    "none", "block", "inline", "inline-block", "flex", "inline-flex", "grid", "inline-grid", "contents", "table",
    "table-row", "table-cell", "table-row-group", "table-header-group", "table-footer-group", "table-column",
    "table-column-group", "table-caption", "inline-table", "list-item", "flow-root", "flow", "ruby", "run-in",
    "initial", "inherit", "unset", "revert", "revert-layer", "-webkit-box", "-webkit-inline-box", "-webkit-flex",
    "block flow", "inline flow", "math",
))  # fmt: skip
_WIDE_VALUES = frozenset(("initial", "inherit", "unset", "revert", "revert-layer"))  # of every property
_VISIBILITY_VALUES = _WIDE_VALUES.union(("visible", "hidden", "collapse"))
_if_far = _if(FAR, positions.is_far_away)
_if_slit = _if(SMALL, is_slit)
_if_set = _if(HIDES, lambda value: value != "none")  # rare, and hides together with other properties
_if_lasting = _if(HIDES, lambda value: any(word in value for word in ("forwards", "both", "infinite")))

# In the order in which the tests are asked: the first that holds gives the reason.
PROPERTIES = (
    Property(
        "display", lambda v: v["display"] in ("none", "table-column", "table-column-group"),
        flags=ARRANGES, applies_to_text=True, can_show=True, set_inline=True,
        keywords=_DISPLAY_VALUES,
    ),
    Property(
        "visibility", lambda v: v["visibility"] in ("hidden", "collapse"),
        applies_to_text=True, can_show=True, hides_by_variable=True, set_inline=True,
        keywords=_VISIBILITY_VALUES,
    ),
    Property(
        "opacity", lambda v: paint.is_faint(v["opacity"]),
        aliases=("-webkit-opacity",), can_show=True, hides_by_variable=True, stacks=True, fades=True,
    ),
    Property("content-visibility", lambda v: v["content-visibility"] == "hidden"),
    Property("font-size", paint.is_tiny_font, applies_to_text=True),
    Property(
        "font", paint.is_tiny_font,
        reason="font-size", longhands=("font-size", "line-height"), applies_to_text=True,
    ),
    Property("text-indent", positions.is_indented_away, effect=_if_set, applies_to_text=True),
    Property("position", positions.is_off_screen, flags=PLACES),
    Property("margin-left", positions.is_pulled_away, aliases=("margin-inline-start", "margin-inline")),
    Property("margin-top", positions.is_pulled_away, aliases=("margin-block-start", "margin-block")),
    Property(
        "margin", positions.is_pulled_away,
        reason="margin-left", longhands=("margin-left", "margin-top", "margin-right"),
    ),
    Property("margin-right", positions.is_pulled_away, effect=_if(HIDES, positions.is_far_away)),
    Property("padding-left", positions.is_pushed_out),
    Property(
        "transform", transforms.is_transformed_away,
        aliases=("-webkit-transform",), flags=FAR, stacks=True, fades=True,
    ),
    Property("rotate", transforms.is_turned_away, stacks=True),
    Property("scale", lambda v: leaves_nothing("scale", words_of(v["scale"])), stacks=True),
    Property("overflow", clipping.lost_side, flags=CLIPS, longhands=("overflow-x", "overflow-y")),
    Property("overflow-x", clipping.lost_side, flags=CLIPS),
    Property("overflow-y", clipping.lost_side, flags=CLIPS),
    Property("clip", lambda v: clipping.is_clipped_away(v["clip"]), hides_by_variable=True),
    Property(
        "clip-path", lambda v: clipping.is_clipped_away(v["clip-path"]),
        aliases=("-webkit-clip-path",), hides_by_variable=True, stacks=True, fades=True,
    ),
    Property(
        "filter", paint.filter_hides,
        aliases=("-webkit-filter",), hides_by_variable=True, stacks=True, fades=True,
    ),
    Property(
        "mask", paint.is_masked_away,
        aliases=("-webkit-mask",), longhands=("mask-image",), hides_by_variable=True, stacks=True, fades=True,
    ),
    Property(
        "mask-image", paint.is_masked_away,
        reason="mask", aliases=("-webkit-mask-image",), hides_by_variable=True,
    ),
    Property(
        "mask-size", lambda v: all(map(is_at_most, v["mask-size"].split(" "))) and bool(paint.mask_image(v)),
        reason="mask", aliases=("-webkit-mask-size",), effect=_if_set,
    ),
    Property("contain", clipping.is_contained_away, reason="size", effect=_if_set),
    Property(
        "grid-template-rows",
        lambda v: v["grid-template-rows"] in ("0fr", "0", "0px") and "grid" in v.get("display", ""),
        reason="rows", effect=_if_set,
    ),
    Property(
        "letter-spacing",  # letters are drawn over one another from about -9.5 px
        lambda v: v["letter-spacing"][-1:] != "%" and is_at_most(v["letter-spacing"], -9.5),
        applies_to_text=True,
    ),
    Property("-webkit-text-security", lambda v: v["-webkit-text-security"] != "none", applies_to_text=True),
    Property("color", paint.has_transparent_text, flags=TEXT, applies_to_text=True),
    Property(
        "-webkit-text-fill-color", paint.has_transparent_text,
        reason="color", flags=TEXT, applies_to_text=True,
    ),
    Property("background-color", paint.has_background_of_text_colour, reason="color", flags=GROUND),
    Property(
        "background", paint.has_background_of_text_colour, reason="color", flags=GROUND,
        longhands=("background-color", "background-image", "background-clip", "background-size"),
    ),
    Property("translate", lambda v: leaves_nothing("translate", words_of(v["translate"])), flags=FAR, stacks=True),
    Property(
        "zoom", lambda v: not is_at_most(v["zoom"], 0) and leaves_nothing("scale", [v["zoom"]]), hides_by_variable=True,
    ),
    Property("backface-visibility", transforms.is_averted, aliases=("-webkit-backface-visibility",), effect=_if_set),
    Property("offset-path", positions.is_led_away),
    Property("offset", positions.is_led_away, reason="offset-path"),
    Property("font-size-adjust", lambda v: v["font-size-adjust"] == "0", applies_to_text=True),
    Property("content", lambda v: v["content"].startswith("url(")),
    Property("x-covered", lambda _: True),
    Property("all", keywords=_WIDE_VALUES, can_show=True),  # its longhands, all other rows, are added below
    # The others hide nothing alone: the tests above ask for them.
    Property("left", aliases=("inset-inline-start", "inset-inline"), effect=_if_far),
    Property("right", effect=_if_far),
    Property("top", aliases=("inset-block-start", "inset-block"), effect=_if_far),
    Property("bottom", effect=_if_far),
    Property("inset", longhands=("top", "right", "bottom", "left"), effect=_if_far),
    Property("offset-position", effect=_if_set),
    Property("z-index", effect=_if(HIDES, lambda value: value[0] == "-")),
    Property("width", aliases=("inline-size",), effect=_if_slit, set_inline=True),
    Property("height", aliases=("block-size",), effect=_if_slit, set_inline=True),
    Property("max-width", aliases=("max-inline-size",), effect=_if_slit),
    Property("max-height", aliases=("max-block-size",), effect=_if_slit),
    Property("line-height", effect=_if(SMALL, lambda value: is_slit(value) or clipping.is_high_line(value))),
    Property("min-width"),
    Property("min-height"),
    Property("box-sizing", effect=_if(SMALL, lambda value: value == "border-box")),
    Property("padding", longhands=("padding-top", "padding-right", "padding-bottom", "padding-left")),
    Property("padding-top"),
    Property("padding-right"),
    Property("padding-bottom"),
    Property("flex", longhands=("flex-grow", "flex-basis")),
    Property("flex-grow"),
    Property("flex-basis"),
    Property("flex-direction", flags=ARRANGES),
    Property("flex-flow", flags=ARRANGES),
    Property("float"),
    Property("white-space"),
    Property("background-image"),
    Property("background-size"),
    Property("background-clip", aliases=("-webkit-background-clip",)),
    Property("text-shadow"),
    Property("-webkit-text-stroke"),
    Property("-webkit-text-stroke-width"),
    Property("text-decoration", aliases=("text-decoration-line",), needs="line-through", flags=ARRANGES),
    Property("fill"),
    Property("animation", longhands=("animation-name", "animation-fill-mode"), effect=_if_lasting, fades=True),
    Property("animation-name", effect=_if_lasting, fades=True),
    Property("animation-fill-mode", effect=_if_lasting),
)  # fmt: skip

_words: set[str] = set()  # of property_words.txt, when they are first needed
BY_NAME: dict[str, Property] = {}  # by name and by alias
LONGHANDS: dict[str, tuple[str, ...]] = {}  # by name of the shorthand
CAN_SHOW: set[str] = set()  # names of the rows with can_show; the sets below likewise
SET_INLINE: set[str] = set()
STACKS: set[str] = set()
FADES: set[str] = set()
TESTS: list[tuple[str, Test, str]] = []  # name, test and reason of the rows with a test, in order
TEXT_TESTS: list[tuple[str, Test, str]] = []  # the entries of TESTS that also hide text of an element without a box


def add(row: Property) -> None:
    """Make a row known to all readers."""
    for name in (row.name, *row.aliases):
        BY_NAME[name] = row
    if row.longhands:
        LONGHANDS[row.name] = row.longhands
    if row.can_show:
        CAN_SHOW.add(row.name)
    if row.set_inline:
        SET_INLINE.add(row.name)
    if row.stacks:
        STACKS.add(row.name)
    if row.fades:
        FADES.add(row.name)
    if row.hides is not None:
        test = row.name, row.hides, row.reason or row.name
        TESTS.append(test)
        if row.applies_to_text:
            TEXT_TESTS.append(test)


for _row in PROPERTIES:
    add(_row)
LONGHANDS["all"] = tuple([row.name for row in PROPERTIES if row.name not in ("all", "x-covered")])


def is_known(name: str) -> bool:
    """Return whether a browser knows a property: "row-gap", "--x" and "-webkit-mask", but not "unknown" or "foo-bar".

    property_words.txt has the words that Chromium's properties are made of, as in "scroll-margin-top": a tenth of the
    length of all names.
    """
    if name in BY_NAME or name[:2] == "--":
        return True
    if not _words:
        _words.update(datafiles.read(__name__, "property_words.txt").decode("ascii").split())
    return _words.issuperset(name[name.startswith("-webkit-") and len("-webkit-") :].split("-"))


# Values beside which any test that can hold at all holds for the value in question.
_MOST_HIDING = {"position": "absolute", "background-color": "#ffffff"}


def effect_of(row: Property, value: str, is_important: bool) -> int:
    """Return the effects that a declaration of this property may have."""
    effect = row.flags
    if is_important and row.can_show:
        effect |= SHOWS
    if "var(" in value:
        effect |= VARIES | HIDES if row.hides_by_variable else VARIES
    if value == "currentcolor":
        effect |= TEXT
    if row.effect is not None:
        return effect | row.effect(value)
    if row.hides is not None and row.hides({**_MOST_HIDING, row.name: value}):
        effect |= HIDES
    return effect


def can_hide(effects: int, *, is_complete: bool) -> bool:
    """Return whether a block with these effects may hide or show something; variables are not looked at.

    Coloured text hides if its background has the colour too. That is known if `is_complete` says that the page links no
    style sheets, or if the block itself sets the background.
    """
    return bool(
        effects & (HIDES | SHOWS)
        or (effects & TEXT and (is_complete or effects & GROUND))
        or (effects & CLIPS and effects & SMALL)
        or (effects & PLACES and effects & (FAR | GROUND))
    )
