"""A pattern out of the archive is the one that re compiles, and what does not fit this engine is compiled anew."""

import importlib
import re
import struct
import subprocess
import sys
import zlib

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
        "made = {key: patterns._from_code(key[2], *stored) for key, stored in patterns._stored.items()}\n"
        "wrong = [key for key, pattern in made.items() if pattern != re.compile(key[2], key[1])]\n"
        "late = sum(type(patterns.compile(key[2], key[1])) is not re.Pattern for key in made)\n"
        "print(len(made) > 500, 0 < late < 400, wrong)\n"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", script, str(archive)], capture_output=True, text=True, timeout=60
    )
    assert done.stdout == "True True []\n", done.stderr


def test_a_long_stored_pattern_is_made_from_its_code_at_first_use(monkeypatch):
    words = re_code("ab")
    code = struct.pack(f"={len(words)}I", *words)
    monkeypatch.setattr(patterns, "_stored", {(False, 0, "ab"): (32, code, 0, {}, (None,))})
    monkeypatch.setattr(patterns, "_MAX_CODE", 8)
    monkeypatch.setattr(re, "compile", None)
    assert patterns.compile("ab").fullmatch("ab")


@pytest.mark.parametrize("damage", [EOFError, ValueError, TypeError, OSError, zlib.error, ImportError])
def test_patterns_of_a_damaged_file_are_compiled_by_re(damage, monkeypatch):
    class Damaged:
        @staticmethod
        def read():
            raise damage("damaged")

    monkeypatch.setattr(patterns, "_patterns", Damaged, raising=False)
    monkeypatch.setattr(patterns, "_files", ["patterns-1.bin", "patterns-1-rest.bin"])
    monkeypatch.setattr(patterns, "_stored", {})
    assert patterns.compile(PATTERN, FLAGS).fullmatch("abXX")["name"] == "ab"
    assert patterns._files == []


def re_code(text):
    """Return the code that re makes of two letters: an information block, two literals, the end."""
    compiler = importlib.import_module("re._compiler" if sys.version_info >= (3, 11) else "sre_compile")
    parser = importlib.import_module("re._parser" if sys.version_info >= (3, 11) else "sre_parse")
    return compiler._code(parser.parse(text), 0)


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
