"""Words that pages write in human languages, as data: one kind per file, one language per line.

In: the name of a kind, "read_also" for read_also.txt. Out: its phrases by language, or as one regular expression.
Judges nothing: the modules that use a kind say where in a page its phrases count.

A file begins with a comment: what the kind is, with an example. Each line after it has a language code of ISO 639-1
("mul" for several languages), a colon, and phrases between " | ". A phrase is a regular expression in lower case,
except in files whose comment says otherwise. To add a phrase, write it into the line of its language.

A checkout reads the files. build.py writes them into the module _ready, which archives and wheels have instead.
Tests: tests/extraction/labels/test_labels.py
"""

from __future__ import annotations

import os

SEPARATOR = " | "
WORDS = (
    "by_in_language",
    "cookie_context",
    "cookie_words",
    "family_name",
    "months",
    "months_short",
    "networks",
)  # kinds whose phrases are plain words: words() has their languages

try:
    from webtool.extraction.labels import _ready  # type: ignore[attr-defined, unused-ignore]
except ImportError:
    _ready = None

_words: dict[str, dict[str, list[str]]] = {}  # what words() has read from a checkout


def any_of(*kinds: str) -> str:
    """Return a regular expression, without a group around it, that matches each phrase of some kinds."""
    if _ready is not None:
        return "|".join([_ready.PATTERNS[kind] for kind in kinds])
    return "|".join([phrase for kind in kinds for phrase in _listed(kind)])


def needed_words(*kinds: str) -> str:
    """Return words with bars between them, at least one of which is in every text that any_of() matches.

    "sign up for (?:our|the) newsletter" needs "sign up for ". Looking for them first saves most searches.
    """
    if _ready is not None:
        return "|".join([_ready.NEEDED[kind] for kind in kinds])
    from webtool.extraction.labels import needed

    return "|".join([needed.of_phrases(_listed(kind)) for kind in kinds])


def words(kind: str) -> dict[str, list[str]]:
    """Return the words of one of the kinds in WORDS by language, in the order of the file."""
    if _ready is not None:
        return _ready.WORDS[kind]  # type: ignore[no-any-return]
    if kind not in _words:
        _words[kind] = read(kind)
    return _words[kind]


def all_words(kind: str) -> list[str]:
    """Return the words of one of the kinds in WORDS, of all languages, each once."""
    return list(dict.fromkeys([word for words_of_language in words(kind).values() for word in words_of_language]))


def read(kind: str) -> dict[str, list[str]]:
    """Read a file of a checkout: {"de": ["lesen sie auch", "mehr zum thema"]}."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), kind + ".txt")
    with open(path, encoding="utf-8") as file:
        return parse(file.read())


def _listed(kind: str) -> list[str]:
    return [phrase for phrases in read(kind).values() for phrase in phrases]


def parse(text: str) -> dict[str, list[str]]:
    """Return the phrases in the text of a file by language; raises ValueError for a line without a new language."""
    by_language: dict[str, list[str]] = {}
    for line in text.splitlines():
        if line.startswith("#"):
            continue
        language, colon, phrases = line.partition(": ")
        if not colon or language in by_language:
            raise ValueError(f"not the line of a new language: {line}")
        by_language[language] = phrases.strip().split(SEPARATOR)
    return by_language
