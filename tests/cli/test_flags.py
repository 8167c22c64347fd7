"""Command-line words to members, settings and options."""

import pytest

from webtool.cli import flags
from webtool.errors import InvalidArgument

PARAMETERS = {
    "properties": {
        "query": {"type": "string"},
        "count": {"type": "integer"},
        "deep": {"type": "boolean"},
        "domains": {"type": "array", "items": {"type": "string"}},
        "extract": {"type": "object"},
    }
}
OPTIONS = {"json": False, "output": True}

READ = [
    (["words", "here"], {}, {}, {}, ["words", "here"]),
    (["--count", "5", "w"], {"count": 5}, {}, {}, ["w"]),
    (["--count=5"], {"count": 5}, {}, {}, []),
    (["--count=-5"], {"count": -5}, {}, {}, []),
    (["--deep"], {"deep": True}, {}, {}, []),
    (["--no-deep"], {"deep": False}, {}, {}, []),
    (["--deep=false"], {"deep": False}, {}, {}, []),
    (["--no-deep=false"], {"deep": True}, {}, {}, []),
    (["--no-deep=true"], {"deep": False}, {}, {}, []),
    (["--no-cache=off"], {}, {"cache": "1"}, {}, []),
    (
        ["--domains", "a.example, b.example", "--domains=c.example"],
        {"domains": ["a.example", "b.example", "c.example"]},
        {},
        {},
        [],
    ),
    (["--extract", '{"x": 1}'], {"extract": {"x": 1}}, {}, {}, []),
    (["--json", "-o", "file"], {}, {}, {"json": "", "output": "file"}, []),
    (["--max-bytes", "7", "--offline", "--no-cache"], {}, {"max_bytes": "7", "offline": "1", "cache": "0"}, {}, []),
    (["--cache", "1"], {}, {"cache": "1"}, {}, ["1"]),  # `webtool open --cache 1` opens the first result
    (["--deep", "off-shore"], {"deep": True}, {}, {}, ["off-shore"]),
    (["--json", "off"], {}, {}, {"json": ""}, ["off"]),
    (["--deep", "--", "off"], {"deep": True}, {}, {}, ["off"]),
    (["--", "--count"], {}, {}, {}, ["--count"]),
    (["-opage.md"], {}, {}, {"output": "page.md"}, []),
    (["-o/tmp/a=b.md"], {}, {}, {"output": "/tmp/a=b.md"}, []),
    (["-output=page.md"], {}, {}, {"output": "page.md"}, []),
    (["-offline"], {}, {"offline": "1"}, {}, []),
    (["-"], {}, {}, {}, ["-"]),
    (["-5"], {}, {}, {}, ["-5"]),
]


@pytest.mark.parametrize(("words", "members", "settings", "options", "plain"), READ)
def test_words_are_sorted(words, members, settings, options, plain):
    assert flags.parse(words, PARAMETERS, OPTIONS) == (members, settings, options, plain)


REFUSED = [
    (["-otuput"], "unknown flag -otuput", "Did you mean --output"),
    (["--cuont", "5"], "unknown flag --cuont", "Did you mean --count"),
    (["--zzzzzzzz"], "unknown flag", "--help"),
    (["--output="], "--output needs a value", "--output=VALUE"),
    (["--schema", "--json"], "unknown flag --schema", "Give --schema or --schema=full alone"),
    (["--count"], "--count needs a value", "--count VALUE"),
    (["--count", "five"], "'five', not a whole number", "whole number"),
    (["--deep=maybe"], "'maybe', not true or false", "--no-deep"),
    (["--deep", "off"], "--deep takes no word 'off'", "--deep=off or --no-deep"),
    (["w", "--pager", "FALSE"], "--pager takes no word 'FALSE'", "--pager=FALSE or --no-pager"),
    (["--no-cache", "off"], "--no-cache takes no word 'off'", "--no-cache=off or --cache."),
    (["--no-deep", "on"], "--no-deep takes no word 'on'", "--no-deep=on or --no-deep."),
    (["--cache", "on"], "--cache takes no word 'on'", "--cache=on or --cache."),
    (["--no_cache", "off"], "--no_cache takes no word 'off'", "--no_cache=off or --cache."),
    (["-no-cache", "off"], "-no-cache takes no word 'off'", "-no-cache=off or --cache."),
    (["-deep=maybe"], "'maybe', not true or false", "Use -deep or --no-deep"),
    (["--json=1"], "takes no value", "--json"),
    (["--no-deep=maybe"], "'maybe', not true or false", "Use --no-deep or --deep"),
    (["--extract", "{"], "not JSON", "JSON object"),
]


@pytest.mark.parametrize(("words", "message", "hint"), REFUSED)
def test_wrong_words_are_refused_with_a_hint(words, message, hint):
    with pytest.raises(InvalidArgument, match=message) as caught:
        flags.parse(words, PARAMETERS, OPTIONS)
    assert hint in caught.value.hint


def test_a_switch_with_an_empty_value_is_refused():
    with pytest.raises(InvalidArgument, match="--cache is '', not on or off"):
        flags.settings_of(flags.parse(["--cache="], PARAMETERS, OPTIONS))
