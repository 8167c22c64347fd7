"""The manual: every text prints, and every list in it is that of the table it comes from."""

import pathlib
import re

import pytest

from webtool import errors, registry, settings
from webtool.cli import help_text, main, topics
from webtool.documents.formats import FORMATS
from webtool.mcp import http_connection, http_request, http_server
from webtool.mcp import tools as mcp_tools
from webtool.providers.table import PROVIDERS
from webtool.setup import mcp_hosts
from webtool.siteconfig.rules import DIRECTIVES, parse

FOLDER = pathlib.Path(topics.__file__).resolve().parents[1] / "help"
TEXTS = sorted(path.stem for path in FOLDER.glob("*.md"))


def test_every_topic_and_command_has_its_file():
    assert set(TEXTS) == {*topics.TOPICS, *registry.COMMANDS, "overview", "short", "extract_many"}


@pytest.mark.parametrize("topic", TEXTS)
def test_every_text_prints_with_its_placeholders_filled(topic, capfdbinary):
    assert help_text.print_text(topics.text_of(topic), settings.Settings()) == 0
    text = capfdbinary.readouterr().out.decode()
    assert len(text.splitlines()) > 5
    assert "{{" not in text
    assert text.endswith("\n")


@pytest.mark.parametrize("topic", [*topics.TOPICS, *registry.COMMANDS])
def test_help_finds_every_topic_and_command(topic, capfdbinary):
    assert main.main("help", [topic]) == 0
    assert capfdbinary.readouterr().out.decode() == topics.text_of(topic)


def test_placeholders_and_facts_are_the_same():
    used = set(re.findall(r"\{\{(\w+)\}\}", "".join(map(topics.raw_text, TEXTS))))
    assert used == set(topics.FACTS)


def test_an_unknown_topic_has_no_text():
    assert topics.text_of("nothing") == ""


def test_the_rules_topic_lists_every_directive():
    lines = re.findall(r"^  (\w+)(?:\(\w+\))?: \S+ +\S", topics.FACTS["directives"](), re.M)
    assert lines == [directive.name for directive in DIRECTIVES]
    assert topics.FACTS["directives"]() in topics.text_of("rules")
    assert all(directive.help for directive in DIRECTIVES)
    assert "cookie" in topics.text_of("rules")


def test_the_form_of_every_directive_can_be_read():
    values = {"XPATH": "//p", "TAG": "h2", "URL": "https://x.example/", "NAME": "accept", "yes|no": "yes"}
    lines = ["find_string: a", "next_page_link: //a"]
    for directive in DIRECTIVES:
        line = directive.form
        for word, value in values.items():
            line = line.replace(word, value)
        assert parse("\n".join([*lines, line]), "x").problems in ((), ("x.txt: find_string 'a' has no replace_string",))


def test_the_mcp_topic_lists_every_host_and_key():
    text = topics.text_of("mcp")
    assert f"HOST is one of: {', '.join(mcp_hosts.HOSTS)}." in text
    assert ", ".join(mcp_hosts.provider_variables()) in text
    assert f"has {len(mcp_tools.COMMANDS)} tools: " in text
    assert all(name in text for name in mcp_tools.COMMANDS)
    assert 'gives the past week ("pw"; SearXNG: any age)' in text


def test_the_limits_topic_has_the_bounds_of_the_server_over_http():
    text = " ".join(topics.text_of("limits").split())
    megabytes, head = http_request.MAX_MESSAGE >> 20, http_request.MAX_HEAD >> 10
    held, calls = http_connection.MAX_HELD >> 20, http_server.MAX_CALLS
    assert f"{megabytes} MB for a message, {head} KB for its head, {held} MB for all; {calls} calls under way" in text
    assert f"connections; sessions {http_connection.MAX_CONNECTIONS:,}; {http_server.MAX_SESSIONS:,}:" in text
    seconds = {http_connection.BODY_SECONDS, http_connection.SEND_SECONDS, http_connection.IDLE_SECONDS}
    assert [f"{second:g} s for a message" in text for second in seconds] == [True]
    assert f"{http_connection.HEAD_SECONDS:g} s for a head" in text
    assert http_server.SESSION_SECONDS == 3600


def test_the_credentials_topic_lists_every_provider():
    text = topics.text_of("credentials")
    for provider in PROVIDERS.values():
        assert re.search(rf"^  {provider.title} ", text, re.M)
        assert all(fact in text for fact in (*provider.variables, provider.signup_url, *provider.about.splitlines()))
    assert ", ".join(provider.title for provider in PROVIDERS.values()) in text
    assert '{"web_search": {"brave": {"api_key": "..."}, "google": {"api_key": "...", "engine_id": "..."}' in text


def error_classes(base=errors.WebtoolError):
    for error in base.__subclasses__():
        yield error
        yield from error_classes(error)


def test_the_errors_topic_lists_every_code():
    codes = {error.code: error.exit_status for error in error_classes() if "code" in vars(error)}
    codes.pop("CANCELLED")  # only MCP clients and Ctrl-C cause it, and nobody is left to read about it
    rows = re.findall(r"^  ([A-Z_]+) +(\d+) +\w", topics.text_of("errors"), re.M)
    assert {code: int(status) for code, status in rows} == codes


def test_the_settings_topic_lists_every_setting():
    listed = re.findall(r"^  --([\w-]+), WEBTOOL_", topics.text_of("settings"), re.M)
    assert listed == [name.replace("_", "-") for name in settings.Settings._fields]


def test_bulk_extraction_lists_every_kind_of_document():
    names = [row.name for row in FORMATS if row.name]
    assert ", ".join(names) in " ".join(topics.text_of("extract_many").split())


def test_the_overview_lists_tools_commands_and_topics():
    text = topics.text_of("overview")
    for name in (*registry.TOOLS, *registry.COMMANDS, *topics.TOPICS):
        assert re.search(rf"^  {name} +\S", text, re.M), name


def test_each_command_is_in_one_group_of_the_short_list():
    lines = topics.FACTS["command_groups"]().split("\n")
    listed = [name for line in lines for name in line[15:].split(", ")]
    assert sorted(listed) == sorted((*registry.TOOLS, *registry.COMMANDS))
