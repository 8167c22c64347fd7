"""Translate glyph names to text. In: a name from a font's Differences, charset or built-in encoding. Out: text or "".

Names are parsed by the Adobe Glyph List Specification (section 2): "f_i" has two parts, "A.sc" a suffix, "uni0041" a
code. Most of the list itself follows rules: a letter with the name of its accent ("eacute"), a Greek letter, a number
for a Cyrillic one ("afii10017"). _NAMES has the rest.
Tests: tests/documents/pdf/test_glyphs.py
"""

from __future__ import annotations

import unicodedata

from webtool.lean import patterns

# Names without a rule, as `name=text` separated by spaces.
_NAMES = """
exclam=! quotedbl=" numbersign=# dollar=$ percent=% ampersand=& quotesingle=' quoteright=’ quoteleft=‘ parenleft=(
parenright=) asterisk=* plus=+ comma=, hyphen=- minus=− period=. slash=/ colon=: semicolon=; less=< equal==
greater=> question=? at=@ bracketleft=[ backslash=\\ bracketright=] asciicircum=^ underscore=_ grave=` braceleft={
bar=| braceright=} asciitilde=~ exclamdown=¡ cent=¢ sterling=£ fraction=⁄ yen=¥ florin=ƒ section=§ currency=¤
quotedblleft=“ guillemotleft=« guillemotright=» guilsinglleft=‹ guilsinglright=› endash=– dagger=† daggerdbl=‡
periodcentered=· middot=· paragraph=¶ bullet=• quotesinglbase=‚ quotedblbase=„ quotedblright=” ellipsis=…
perthousand=‰ questiondown=¿ acute=´ circumflex=ˆ tilde=˜ macron=¯ overscore=¯ breve=˘ dotaccent=˙ dieresis=¨
ring=˚ cedilla=¸ hungarumlaut=˝ ogonek=˛ caron=ˇ emdash=— AE=Æ ae=æ ordfeminine=ª ordmasculine=º Lslash=Ł lslash=ł
Oslash=Ø oslash=ø OE=Œ oe=œ germandbls=ß dotlessi=ı dotlessj=ȷ Eth=Ð eth=ð Thorn=Þ thorn=þ onehalf=½ onequarter=¼
threequarters=¾ onethird=⅓ twothirds=⅔ oneeighth=⅛ threeeighths=⅜ fiveeighths=⅝ seveneighths=⅞ onesuperior=¹
twosuperior=² threesuperior=³ foursuperior=⁴ fivesuperior=⁵ sixsuperior=⁶ sevensuperior=⁷ eightsuperior=⁸
ninesuperior=⁹ zerosuperior=⁰ nsuperior=ⁿ degree=° plusminus=± multiply=× divide=÷ logicalnot=¬ mu=µ mu1=µ
brokenbar=¦ copyright=© registered=® trademark=™ Euro=€ euro=€ zero=0 one=1 two=2 three=3 four=4 five=5 six=6
seven=7 eight=8 nine=9 Dcroat=Đ dcroat=đ Dslash=Đ dslash=đ Hbar=Ħ hbar=ħ Tbar=Ŧ tbar=ŧ Eng=Ŋ eng=ŋ kgreenlandic=ĸ
Ldot=Ŀ ldot=ŀ napostrophe=ŉ longs=ſ IJ=Ĳ ij=ĳ schwa=ə Schwa=Ə Tcommaaccent=Ţ tcommaaccent=ţ AEacute=Ǽ aeacute=ǽ
Oslashacute=Ǿ oslashacute=ǿ quotereversed=‛ minute=′ second=″ primereversed=‵ exclamdbl=‼ colonmonetary=₡ lira=₤
peseta=₧ franc=₣ dong=₫ sheqel=₪ rupee=₨ estimated=℮ aleph=ℵ Ifraktur=ℑ Rfraktur=ℜ weierstrass=℘ ell=ℓ lscript=ℓ
prescription=℞ arrowleft=← arrowup=↑ arrowright=→ arrowdown=↓ arrowboth=↔ arrowupdn=↕ arrowupdnbse=↨
carriagereturn=↵ arrowdblleft=⇐ arrowdblup=⇑ arrowdblright=⇒ arrowdbldown=⇓ arrowdblboth=⇔ arrownortheast=↗
arrowsoutheast=↘ arrownorthwest=↖ arrowsouthwest=↙ mapsto=↦ universal=∀ existential=∃ partialdiff=∂ emptyset=∅
Delta=∆ increment=∆ gradient=∇ nabla=∇ element=∈ notelement=∉ suchthat=∋ product=∏ coproduct=∐ summation=∑
minusplus=∓ asteriskmath=∗ bulletoperator=∙ dotmath=⋅ radical=√ proportional=∝ infinity=∞ orthogonal=∟ angle=∠
logicaland=∧ logicalor=∨ intersection=∩ union=∪ integral=∫ contintegral=∮ therefore=∴ because=∵ similar=∼
congruent=≅ approxequal=≈ notequal=≠ equivalence=≡ lessequal=≤ greaterequal=≥ lessorequalslant=⩽
greaterorequalslant=⩾ muchless=≪ muchgreater=≫ propersubset=⊂ propersuperset=⊃ notsubset=⊄ reflexsubset=⊆
reflexsuperset=⊇ circleplus=⊕ circlemultiply=⊗ circledot=⊙ perpendicular=⊥ turnstileleft=⊢ turnstileright=⊣
latticetop=⊤ lozenge=◊ angleleft=〈 angleright=〉 angbracketleft=⟨ angbracketright=⟩ floorleft=⌊ floorright=⌋
ceilingleft=⌈ ceilingright=⌉ bardbl=‖ parallel=∥ prime=′ star=⋆ asteriskcentered=∗ diamondmath=⋄ openbullet=◦
heart=♥ club=♣ diamond=♦ spade=♠ smileface=☺ invsmileface=☻ sun=☼ female=♀ male=♂ musicalnote=♪ musicalnotedbl=♫
blackcircle=● circle=○ filledbox=■ blacksquare=■ whitesquare=□ H22073=□ triagup=▲ triagdn=▼ triagrt=► triaglf=◄
invcircle=◙ invbullet=◘ filledrect=▬ house=⌂ revlogicalnot=⌐ integraltp=⌠ integralbt=⌡ parenlefttp=⎛ parenleftex=⎜
parenleftbt=⎝ parenrighttp=⎞ parenrightex=⎟ parenrightbt=⎠ bracketlefttp=⎡ bracketleftex=⎢ bracketleftbt=⎣
bracketrighttp=⎤ bracketrightex=⎥ bracketrightbt=⎦ bracelefttp=⎧ braceleftmid=⎨ braceleftbt=⎩ braceex=⎪
bracerighttp=⎫ bracerightmid=⎬ bracerightbt=⎭ arrowvertex=⏐ arrowhorizex=⎯ ff=ff fi=fi fl=fl ffi=ffi ffl=ffl st=st
ct=ct Germandbls=ẞ theta1=ϑ phi1=ϕ omega1=ϖ sigma1=ς sigmafinal=ς Upsilon1=ϒ Omega=Ω Ohm=Ω epsilon1=ϵ rho1=ϱ pi1=ϖ
dieresistonos=΅ tonos=΄ anoteleia=· afii61352=№ afii61289=ℓ afii61248=℅ afii00208=― underscoredbl=‗
softhyphen=\u00ad sfthyphen=\u00ad hyphenminus=- figuredash=‒ ellipsisvertical=⋮ visiblespace=␣ visualspace=␣
check=✓ checkmark=✓ cross=✗ lessmuch=≪ greatermuch=≫ logicaland1=∧ owner=∋ negationslash=\u0338 compwordmark=\u200c
cwm=\u200c interrobang=‽ asterism=⁂ afii10050=Ґ afii10098=ґ afii10062=Ў afii10110=ў afii10145=Џ afii10193=џ
afii10023=Ё afii10071=ё afii299=\u200e afii300=\u200f afii301=\u200d numero=№ perthousandzero=‱ onedotenleader=․
twodotenleader=‥ twodotleader=‥ Tcedilla=Ţ tcedilla=ţ tonos1=΄ dbar=đ Uhorn=Ư uhorn=ư Ohorn=Ơ ohorn=ơ
nine.oldstyle=9 a1=✁ a2=✂ a19=✓ a20=✔ a71=● a73=■ acutecomb=\u0301 gravecomb=\u0300 tildecomb=\u0303
dotbelowcomb=\u0323 hookabovecomb=\u0309 registerserif=® copyrightserif=© trademarkserif=™ registersans=®
copyrightsans=© trademarksans=™ integralex=⎮ shade=▒ ltshade=░ dkshade=▓ block=█ dnblock=▄ lfblock=▌ rtblock=▐
upblock=▀
"""

_ACCENTS = {
    "acute": "\u0301", "grave": "\u0300", "circumflex": "\u0302", "dieresis": "\u0308", "tilde": "\u0303",
    "ring": "\u030a", "caron": "\u030c", "cedilla": "\u0327", "ogonek": "\u0328", "macron": "\u0304",
    "breve": "\u0306", "dotaccent": "\u0307", "dot": "\u0307", "hungarumlaut": "\u030b", "dblacute": "\u030b",
    "commaaccent": "\u0327", "dotbelow": "\u0323", "hookabove": "\u0309", "tonos": "\u0301",
    "dieresistonos": "\u0308\u0301", "circumflexacute": "\u0302\u0301", "circumflexgrave": "\u0302\u0300",
    "circumflextilde": "\u0302\u0303", "circumflexhookabove": "\u0302\u0309", "circumflexdotbelow": "\u0323\u0302",
    "breveacute": "\u0306\u0301", "brevegrave": "\u0306\u0300", "brevetilde": "\u0306\u0303",
    "brevehookabove": "\u0306\u0309", "brevedotbelow": "\u0323\u0306", "hornacute": "\u031b\u0301",
    "horngrave": "\u031b\u0300", "horntilde": "\u031b\u0303", "hornhookabove": "\u031b\u0309",
    "horndotbelow": "\u031b\u0323", "dieresisacute": "\u0308\u0301", "dieresisgrave": "\u0308\u0300",
    "dieresiscaron": "\u0308\u030c", "dieresismacron": "\u0308\u0304", "ringacute": "\u030a\u0301",
}  # fmt: skip
_GREEK = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lamda mu nu xi omicron pi rho sigma tau upsilon phi chi"
    " psi omega"
)
# First number of a run of afii names, its length, its first code point: Cyrillic and Hebrew.
_AFII_RUNS = (
    (10017, 6, 0x410), (10024, 26, 0x416), (10065, 6, 0x430), (10072, 26, 0x436), (10051, 11, 0x402),
    (10099, 11, 0x452), (57664, 27, 0x5D0),
)  # fmt: skip

_UNI = patterns.compile(r"uni((?:[0-9A-F]{4})+)\Z")
_U = patterns.compile(r"u([0-9A-F]{4,6})\Z")
_ACCENTED = patterns.compile(
    r"([A-Za-z]|[A-Z]?[a-z]{2,7}?)(" + "|".join(sorted(_ACCENTS, key=len, reverse=True)) + r")\Z"
)
_SUFFIXED = patterns.compile(r"([A-Za-z]+?)(?:oldstyle|small|superior|inferior|sc|taboldstyle)\Z")


def _known() -> dict[str, str]:
    """Return all names that are not parsed: letters, Greek, Cyrillic, Hebrew and those of _NAMES."""
    table = dict(entry.split("=", 1) for entry in _NAMES.split())
    table.update(dict.fromkeys(("space", "nonbreakingspace", "nbspace", "controlSTX", "spacehackarabic"), " "))
    table.update((letter, letter) for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
    for name in _GREEK.split():
        short = "lambda" if name == "lamda" else name
        table.setdefault(short, unicodedata.lookup(f"GREEK SMALL LETTER {name}"))
        table.setdefault(short.capitalize(), unicodedata.lookup(f"GREEK CAPITAL LETTER {name}"))
    for first, length, code in _AFII_RUNS:
        for step in range(length):
            table[f"afii{first + step}"] = chr(code + step)
    return table


NAMES = _known()

# Texts by glyph of most TrueType fonts (OpenType `post`: standard Macintosh order); the first three show nothing.
MACINTOSH_ORDER = ["", "", " ", *bytes((*range(0x20, 0x7F), *range(0x80, 0x100))).decode("mac_roman")]
MACINTOSH_ORDER += "ŁłŠšŽž¦ÐðÝýÞþ−×¹²³½¼¾₣ĞğİŞşĆćČčđ"


def text_of(name: str) -> str:
    """Return the text of a glyph name: "eacute" -> "é", "f_i.alt" -> "fi"; "" for an unknown name."""
    text = NAMES.get(name)
    if text is not None:
        return text
    base = name.partition(".")[0]
    if not base:
        return ""
    return "".join([_component(part) for part in base.split("_")[:20]])


def _component(name: str) -> str:
    """Return the text of one part of a glyph name."""
    if name in NAMES:
        return NAMES[name]
    if len(name) > 60:
        return ""
    match = _UNI.match(name)
    if match:
        digits = match.group(1)
        return "".join(_character(digits[index : index + 4]) for index in range(0, len(digits), 4))
    match = _U.match(name)
    if match:
        return _character(match.group(1))
    text = _accented(name)
    match = _SUFFIXED.match(name)
    if text or not match:
        return text
    # Small capitals, old-style figures and superior letters are written as normal ones.
    return NAMES.get(match[1]) or NAMES.get(match[1].lower(), "")


def _character(digits: str) -> str:
    """Return the character of a hexadecimal code; "" for a surrogate or no character."""
    code = int(digits, 16)
    return "" if 0xD800 <= code <= 0xDFFF or code > 0x10FFFF else chr(code)


def _accented(name: str) -> str:
    """Return a letter with one or two accents: "eacute" -> "é"; "" if Unicode has no such character."""
    match = _ACCENTED.match(name)
    if not match:
        return ""
    base, accent = NAMES.get(match.group(1), ""), _ACCENTS[match.group(2)]
    if match.group(1) == "dotlessi":
        base = "i"
    composed = unicodedata.normalize("NFC", base + accent)
    return composed if base and len(composed) == 1 else ""
