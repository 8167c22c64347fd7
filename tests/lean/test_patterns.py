"""A pattern out of the archive is the one that re compiles, and what does not fit this engine is compiled anew."""

import importlib
import re
import struct
import subprocess
import sys

import pytest

from webtool.lean import patterns

PATTERN, FLAGS = r"(?P<name>[a-z]+)*?x{2,}", re.IGNORECASE


def test_the_engine_is_known_by_all_that_its_bytecode_depends_on():
    import _sre

    assert _sre.MAXREPEAT in patterns.ENGINE
    assert sys.byteorder in patterns.ENGINE


@pytest.mark.parametrize(
    "code",
    [b"", struct.pack("=3I", 0xFFFFFFFF, 0, 1), struct.pack("=4I", 14, 4, 0, 0xFFFFFFFF)],
    ids=["nothing", "no such instruction", "of another size"],
)
def test_what_the_engine_refuses_is_compiled_from_the_pattern(code, monkeypatch):
    monkeypatch.setattr(
        patterns, "_stored", {(False, int(FLAGS), PATTERN): (int(FLAGS), code, 1, {"name": 1}, (None, "name"))}
    )
    assert patterns.compile(PATTERN, FLAGS).fullmatch("abXX")["name"] == "ab"


def test_every_pattern_of_the_archive_fits_the_python_that_built_it(archive):
    script = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "import re\n"
        "from webtool.lean import patterns\n"
        "patterns.compile('not stored')  # reads both files\n"
        "late = [key for key in patterns._stored if type(patterns.compile(key[2], key[1])) is not re.Pattern]\n"
        "wrong = [key for key in patterns._stored if patterns.compile(key[2], key[1]) != re.compile(key[2], key[1])]\n"
        "print(len(patterns._stored) > 500, late, wrong)\n"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", script, str(archive)], capture_output=True, text=True, timeout=60
    )
    assert done.stdout == "True [] []\n", done.stderr


def spelled(parsed):
    """Return texts that a part of a pattern matches, with one letter of each set, and NUL for any character."""
    found = {""}
    for operation, value in parsed:
        name = str(operation)
        if name == "BRANCH":
            more = set().union(*map(spelled, value[1]))
        elif name == "SUBPATTERN":
            more = spelled(value[3])
        elif name == "IN" and all(str(kind) == "LITERAL" for kind, _ in value):
            more = set().union(*(spelled([member]) for member in value))
        else:
            more = {chr(value).lower() if name == "LITERAL" else "\0"}
        found = {before + after for before in found for after in more}
    return found


def every_worded_pattern():
    importlib.import_module("webtool.extraction")
    for name, module in sorted(sys.modules.items()):
        for value in vars(module).values() if name.startswith("webtool.extraction.") else ():
            worded = getattr(value, "names", value)
            if isinstance(worded, patterns.GuardedPattern):
                yield worded


@pytest.mark.parametrize("worded", list(every_worded_pattern()), ids=lambda worded: worded.words[0])
def test_all_that_a_worded_pattern_matches_has_one_of_its_words(worded):
    parser = importlib.import_module("re._parser" if sys.version_info >= (3, 11) else "sre_parse")
    texts = spelled(parser.parse(worded.pattern.pattern))
    assert [text for text in texts if not any(word in text for word in worded.words)] == []
