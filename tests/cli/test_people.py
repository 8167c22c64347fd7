"""The command line as people use it: short flags, numbers of results, files, header fields, help, wrong words."""

import json
import os
import re
import subprocess
import sys
import time

import pytest
from fake_providers import Providers
from servers import Server, page
from terminals import on_terminal, open_terminal

from webtool import registry, settings
from webtool.cli import flags, main, page_options, topics
from webtool.context import Result
from webtool.errors import InvalidArgument
from webtool.tools import web_verify

TEXT = "<title>Tides</title><main><h1>Tides</h1><p>The harbour has two tides a day.</p></main>"

GUIDE = """<title>Guide</title><meta name="nothing">
<main><h1>Guide</h1><p>Words about all of it, which are the beginning of the page.</p>
<a id="before"></a><h2 id="install">Installing it</h2><p>Copy the one file to a folder on the path and run it there.</p>
<section id="around"><h2>U<span id="inside">se</span></h2><p>Type the name of a command and the words it takes.</p>
<p id="note">A note on the words.</p>
</section><h2 id="über">Über uns</h2><p>We are those who wrote down what is on this page for others.</p>
<h2><a name="old">Last words</a></h2><p>That was all of it, and there is nothing more to be read.</p></main>"""


def slow(handler):
    time.sleep(2.5)
    return page(TEXT)


@pytest.fixture(scope="module")
def web():
    routes = {
        "/page": page(TEXT),
        "/slow": slow,
        "/guide": page(GUIDE),
        "/a.bin": (200, {"Content-Type": "application/zip"}, b"PK\x03\x04\x00binary"),
        "/odd.txt": (200, {"Content-Type": "text/plain"}, b"some text\x00\x01 more"),
        "/away": (302, {"Location": "http://localhost:PORT/page"}, b""),
    }
    with Server(routes) as server:
        yield server


@pytest.fixture
def run(archive, tmp_path, web):
    """Run webtool as a command; returns (exit status, stdout, stderr)."""

    def command(*words, **environ):
        variables = {
            "PATH": os.environ["PATH"],
            "HOME": str(tmp_path),
            "WEBTOOL_ALLOW_PRIVATE_HOSTS": "127.0.0.1,localhost",
            "WEBTOOL_SEARCH_INTERVAL": "0",
            **environ,
        }
        argv = [sys.executable, "-S", str(archive), *(word.replace("WEB", web.url) for word in words)]
        done = subprocess.run(
            argv, capture_output=True, env=variables, timeout=60, stdin=subprocess.DEVNULL, cwd=tmp_path
        )
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    return command


def test_the_number_of_a_result_opens_it(run, web):
    with Providers() as providers:
        result = {"title": "T", "url": f"{web.url}/page", "description": "D"}
        providers.answer("brave", 200, {"web": {"results": [{**result, "url": f"{web.url}/no"}, result]}})
        assert run("search", "tides", **providers.environ())[0] == 0
    status, out, err = run("open", "2")
    assert (status, "two tides" in out) == (0, True)
    assert f"{web.url}/page" in err
    assert run("fetch", "2", "-q")[2] == ""
    status, _, err = run("open", "3")
    assert (status, "the last search has 2 results" in err) == (2, True)


def test_a_number_without_a_search_is_an_error(run):
    status, _, err = run("open", "3")
    assert (status, "no search's results are known" in err, "Search first" in err) == (2, True, True)


@pytest.mark.parametrize(("tool", "member"), [("search", "count"), ("google", "num"), ("duckduckgo", "max_results")])
@pytest.mark.parametrize("words", [["-n", "3"], ["-n3"]])
def test_n_is_the_number_of_results(tool, member, words):
    parsed = flags.parse(["q", *words], registry.load(tool).SCHEMA["parameters"], flags.OPTIONS)
    assert parsed.members == {member: 3}


def test_save_writes_a_body_that_is_not_text(run, tmp_path):
    status, out, err = run("fetch", "WEB/a.bin")
    assert (status, "--save FILE" in err) == (1, True)
    status, out, _ = run("fetch", "WEB/a.bin", "--save", "a.zip")
    assert (status, out) == (0, "a.zip: 11 bytes, application/zip\n")
    assert (tmp_path / "a.zip").read_bytes() == b"PK\x03\x04\x00binary"
    status, out, _ = run("open", "WEB/a.bin", "--save", "b.zip", "--json")
    assert json.loads(out)["bytes"] == 11
    assert run("fetch", "WEB/nothing", "--save", "c")[0] == 5
    assert not (tmp_path / "c").exists()


WRITERS = [
    ["fetch", "WEB/page", "-o", "page.md"],
    ["fetch", "WEB/a.bin", "--save", "a.zip"],
    ["mcp", "--install", "cursor"],
    ["install", "tools"],
]


@pytest.mark.skipif(os.name == "nt", reason="limits as POSIX has them")
@pytest.mark.parametrize("words", WRITERS, ids=lambda words: words[0])
def test_a_full_disk_is_named_and_nothing_half_written_is_left(archive, web, tmp_path, words):
    """The process may write no file that is not empty, as on a disk that is full."""
    import resource

    done = subprocess.run(
        [sys.executable, str(archive), *(word.replace("WEB", web.url) for word in words)],
        capture_output=True,
        text=True,
        env={**os.environ, "HOME": str(tmp_path), "WEBTOOL_ALLOW_PRIVATE_HOSTS": "127.0.0.1", "WEBTOOL_CACHE": "0"},
        timeout=60,
        cwd=tmp_path,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)),
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert "File too large" in done.stderr
    assert "space" in done.stderr or "room" in done.stderr
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_header_fields_reach_only_the_origin_of_the_page_and_nothing_is_cached(run, web, tmp_path):
    web.asked.clear()
    web.routes["/away"] = (302, {"Location": f"http://localhost:{web.port}/page"}, b"")
    words = ["-H", "X-Token: hunter2hunter2", "-H", "X-Other: b"]
    assert run("fetch", "WEB/page", *words)[0] == 0
    sent = next(headers for path, headers, *_ in web.asked if path == "/page")
    assert (sent["X-Token"], sent["X-Other"]) == ("hunter2hunter2", "b")
    web.asked.clear()
    run("fetch", "WEB/away", *words)
    there = [headers for path, headers, *_ in web.asked if path == "/page"]
    assert there
    assert "X-Token" not in there[0]
    assert not any(b"hunter2" in path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())


PAGE_WORDS = [
    "http://127.0.0.1:1/x",
    "example.com",
    "example.com/page",
    "127.0.0.1:8000/",
    "münchen.example",
    "a-b.co?x=1",
]
OTHER_WORDS = ["serach", "v1.2", "1.5", "a.b c.de", ".hidden", "x.", "a..bc", "--x.yz", "-https://e.example/", ""]


@pytest.mark.parametrize("word", [*PAGE_WORDS, *OTHER_WORDS])
def test_a_word_with_a_scheme_or_a_dotted_host_is_a_page(word):
    assert main._is_address(word) is (word in PAGE_WORDS)


def test_an_address_alone_opens_it(run):
    status, out, _ = run("WEB/page", "--find", "tides")
    assert (status, "two tides" in out) == (0, True)
    assert run("WEB/page") == run("open", "WEB/page")
    assert json.loads(run("WEB/page", "--json")[1])["title"] == "Tides"


SECTIONS = {
    "#install": "Installing it",  # the id of the heading
    "#inside": "Use",  # of an element in the heading
    "#before": "Installing it",  # an empty anchor before it
    "#around": "Use",  # of the section around it
    "#old": "Last words",  # a name
    "#last_words": "Last words",  # the words of the heading, without an id
    "#%C3%BCber": "Über uns",
    "#note": "Use",  # of a paragraph below it
}


@pytest.mark.parametrize("fragment", SECTIONS)
def test_the_section_that_an_address_names_is_opened(run, fragment):
    status, out, err = run("WEB/guide" + fragment)
    body = out.rpartition("---\n")[2]
    assert (status, err) == (0, "")
    assert body.startswith(f"## {SECTIONS[fragment]}\n")
    assert body.count("## ") == 1


@pytest.mark.parametrize("fragment", ["#nothing", "#!/route", "#:~:text=harbour", "#", "#/a"])
def test_a_fragment_that_names_no_section_opens_the_page(run, fragment):
    status, out, err = run("open", "WEB/guide" + fragment)
    assert (status, out.count("## ")) == (0, 4)
    assert ("the page has no section 'nothing': this is all of it" in err) is (fragment == "#nothing")
    assert "## Use" not in run("open", f"WEB/guide{fragment}", "--section", "Über uns")[1]


FINDINGS = [
    (["open", "WEB/page", "--find", "tides"], ["open", "WEB/page", "--find", "submarine"], "no line matches"),
    (["verify", "two tides a day", "WEB/page"], ["verify", "nine tides a day", "WEB/page"], "absent"),
    (["fetch", "WEB/page", "--verify", "two tides"], ["fetch", "WEB/page", "--verify", "ten boats"], "absent"),
]


@pytest.mark.parametrize(("present", "missing", "message"), FINDINGS)
def test_a_search_without_a_match_exits_1_and_says_so_on_stderr(run, tmp_path, present, missing, message):
    assert run(*present)[0] == 0
    status, out, err = run(*missing)
    assert (status, out, message in err) == (1, "", True)
    status, out, _ = run(*missing, "--json")
    assert (status, bool(json.loads(out))) == (0, True)
    assert run(*missing, "-o", "f.md")[0] == 1
    assert not (tmp_path / "f.md").exists()


def test_verify_takes_quote_and_page_in_both_orders(run, tmp_path):
    (tmp_path / "tides").write_text("The harbour has two tides a day.", encoding="utf-8")
    digits = json.loads(run("open", "WEB/page", "--json")[1])["hash"][:12]
    for place in ("WEB/page", "tides", digits):
        status, out, _ = run("verify", "has two tides", place)
        assert (status, out.split(":")[0]) == (0, "verbatim")
        status, out, _ = run("verify", place, "has two tides")
        assert (status, out.split(":")[0]) == (0, "verbatim")
    assert web_verify.arrange_words(["https://a.example/", "https://b.example/"])[0] == "https://a.example/"
    assert web_verify.arrange_words(["abcdef", "words"]) == ["abcdef", "words"]  # six digits are a word
    assert web_verify.arrange_words(["a", "b"]) == ["a", "b"]


def test_config_shows_every_setting_and_where_it_comes_from(run, tmp_path):
    (tmp_path / ".config" / "webtool").mkdir(parents=True)
    path = tmp_path / ".config" / "webtool" / "config.json"
    path.write_text('{"max_bytes": 9, "contact": "me@e.example", "deny_domain": 1}', encoding="utf-8")
    environ = {
        "WEBTOOL_DEADLIN": "3",
        "WEBTOOL_MAX_BYTES": "7",
        "MCP_WEB_USER_AGENT": "x/1",
        "WEBTOOL_TEST_BROWSER": "1",
    }
    environ["WEBTOOL_SEARXNG_URL"] = "https://u:hunter2@s.example/"
    out, err = run("config", "--offline", **environ)[1:]
    rows = {line.split()[0]: line.split(None, 2)[1:] for line in out.splitlines()}
    assert list(rows) == list(settings.Settings._fields)
    assert rows["offline"] == ["on", "--offline"]
    assert rows["max_bytes"] == ["7", "WEBTOOL_MAX_BYTES"]
    assert rows["contact"] == ["me@e.example", str(path)]
    assert rows["user_agent"] == ["x/1", "MCP_WEB_USER_AGENT"]
    assert rows["deadline"] == ["25.0", "default"]
    assert "hunter2" not in out
    assert "WEBTOOL_DEADLIN is not a setting. Did you mean WEBTOOL_DEADLINE?" in err
    assert f"deny_domain in {path} is not a setting. Did you mean deny_domains?" in err
    assert "WEBTOOL_TEST" not in err
    data = json.loads(run("config", "--json", **environ)[1])
    assert data["settings"]["max_bytes"] == {"value": 7, "from": "WEBTOOL_MAX_BYTES"}
    assert len(data["unknown"]) == 2
    assert run("config", "deadline")[0] == 2


WRONG_HEADERS = ["nothing", "X Y: z", "X: a\r\nY: b", "Host: x", "Content-Length: 3", ": x"]


@pytest.mark.parametrize("text", WRONG_HEADERS)
def test_text_that_is_not_a_header_field_is_refused(text):
    with pytest.raises(InvalidArgument):
        page_options.headers(text)


# (words, what stderr must say)
MESSAGES = [
    (["cache", "gte"], ["unknown command 'cache gte'", "Did you mean cache get?"]),
    (["cache"], ["cache needs a second word", "cache get, cache purge, cache info"]),
    (["serch", "x"], ["unknown command 'serch'", "Did you mean search?"]),
    (["serach"], ["unknown command 'serach'", "Did you mean search?"]),
    (["localhost:8000"], ["To open a page: webtool open localhost:8000"]),
    (["v1.2"], ["unknown command 'v1.2'"]),
    (["--mode", "full", "https://example.com/"], ["Flags come after the command"]),
    (["qqqqqq"], ["--help"]),
    (["web_open"], ["Use: webtool open"]),
    (["web-fetch-tool"], ["Use: webtool fetch"]),
    (["credentials"], ["webtool help credentials"]),
    (["fetch", "WEB/page", "--verzion"], ["unknown flag --verzion"]),
    (["fetch", "WEB/page", "--jsn"], ["Did you mean --json?"]),
    (["fetch", "WEB/odd.txt"], ["byte 10 of 16 is the control character 0x00"]),
    (["--json", "open", "https://example.com/"], ["--json is a flag, not a command", "webtool COMMAND ... --json"]),
    (["help", "nothing"], ["unknown command or topic 'nothing'", "Topics: settings, "]),
    (["help", "setings"], ["unknown command or topic 'setings'", "Did you mean settings?"]),
    (["help", "v1.2"], ["unknown command or topic 'v1.2'", "Topics: settings, "]),
    (["help", "sql"], ['It is a flag: webtool open URL --sql "SELECT']),
    (["outline", "https://example.com/"], ["It is a flag: webtool open URL --outline"]),
    (["left-out"], ["It is a flag: webtool open URL --left-out"]),
    (["find", "words", "https://example.com/"], ['It is a flag: webtool open URL --find "WORDS"']),
    (["verify", "WEB/page"], ["quote is required", "webtool verify QUOTE PAGE"]),
    (["verify", "a quote"], ["page is required"]),
    (["open", "WEB/page", "--limit", "3"], ["--max-tokens N"]),
    (["open", "WEB/page", "--respect-robots", "off"], ["takes no word 'off'", "--no-respect-robots"]),
    (["open", "WEB/page", "--cache", "off"], ["--cache=off or --no-cache"]),
    (["open", "WEB/page", "--ignore-robots"], ["for a person at a terminal", "WEBTOOL_RESPECT_ROBOTS=0"]),
]


@pytest.mark.parametrize(("words", "texts"), MESSAGES)
def test_wrong_words_are_answered_with_a_suggestion(run, words, texts):
    status, out, err = run(*words)
    assert status in (1, 2)
    assert out == ""
    for text in texts:
        assert text in err
    assert "--verzion" not in err or "--json" not in err


@pytest.mark.parametrize("word", ["all", "topics"])
def test_help_all_is_the_overview(run, word):
    assert run("help", word) == run("help")


@pytest.mark.skipif(os.name == "nt", reason="terminals as POSIX has them")
@pytest.mark.parametrize(("command", "has_flag"), [("open", True), ("fetch", True), ("", True), ("verify", False)])
def test_a_page_that_robots_txt_forbids_is_opened_by_a_flag_that_the_command_has(archive, tmp_path, command, has_flag):
    routes = {"/robots.txt": (200, {"Content-Type": "text/plain"}, b"User-agent: *\nDisallow: /"), "/page": page(TEXT)}
    environ = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PAGER": "cat"}
    environ["WEBTOOL_ALLOW_PRIVATE_HOSTS"] = "127.0.0.1"
    with Server(routes) as server:
        words = [*filter(None, [command]), *(["two tides"] if command == "verify" else []), f"{server.url}/page"]
        argv = [sys.executable, "-S", str(archive), *words]
        status, text = on_terminal(argv, environ=environ)
        assert (status, "ROBOTS_DISALLOWED" in text) == (4, True)
        assert ("--ignore-robots" in text) == has_flag
        if has_flag:
            status, text = on_terminal([*argv, "--ignore-robots"], environ=environ)
            assert (status, "two tides a day" in text) == (0, True)


@pytest.mark.parametrize(
    "words", [["fetch", "--version"], ["doctor", "-V"], ["cache", "get", "--version"], ["--version"]]
)
def test_every_command_knows_the_version(run, words):
    status, out, _ = run(*words)
    assert (status, out.startswith("webtool ")) == (0, True)


@pytest.mark.parametrize("topic", topics.TOPICS)
def test_every_topic_has_a_text_for_a_terminal(run, topic):
    status, out, _ = run("help", topic)
    assert (status, len(out.splitlines()) > 5) == (0, True)
    if topic != "settings":
        assert max(map(len, out.splitlines())) <= 120
    for name in re.findall(r"WEBTOOL_([A-Z_]+)", out):
        assert name.lower() in settings.Settings._fields or name in ("DEBUG", "MCP_TOKEN")


def test_the_overview_names_the_topics(run):
    out = run("help")[1]
    assert all(topic in out for topic in topics.TOPICS)


@pytest.mark.skipif(os.name == "nt", reason="terminals as POSIX has them")
@pytest.mark.parametrize("quiet", [False, True])
def test_slow_work_shows_a_sign_of_life_on_a_terminal_only(archive, web, tmp_path, quiet):
    person, terminal = open_terminal()
    argv = [sys.executable, "-S", str(archive), "fetch", f"{web.url}/slow", "--no-respect-robots"]
    argv += ["-q"] if quiet else []
    environ = {**os.environ, "HOME": str(tmp_path), "WEBTOOL_ALLOW_PRIVATE_HOSTS": "127.0.0.1"}
    done = subprocess.run(
        argv, stdout=subprocess.PIPE, stderr=terminal, stdin=subprocess.DEVNULL, env=environ, timeout=60
    )
    os.close(terminal)
    try:
        shown = os.read(person, 65536).decode()
    except OSError:  # nothing was written and the other side is closed
        shown = ""
    os.close(person)
    assert b"two tides" in done.stdout
    assert ("still working" in shown) is not quiet
    if not quiet:
        assert shown.rstrip().endswith("\x1b[K") or "robots.txt was not asked" in shown.rpartition("\x1b[K")[2]


def test_results_keep_their_numbers_if_one_of_them_has_no_address(tmp_path):
    current = settings.Settings(cache_path=str(tmp_path / "cache.sqlite3"))
    rows = [{"url": "https://a.example/"}, {"title": "no address"}, {"url": "https://c.example/"}]
    page_options.remember(Result("", {"results": rows}), current)
    assert page_options.result_numbered("3", current) == "https://c.example/"
    page_options.remember(Result("", {"results": rows[:1]}), current)
    with pytest.raises(InvalidArgument, match="has 1 result, but no number 9"):
        page_options.result_numbered("9", current)
    page_options.remember(Result("", {"results": rows}), current)
    with pytest.raises(InvalidArgument, match="result 2 of the last search has no address"):
        page_options.result_numbered("2", current)


def test_results_are_numbered_if_the_cache_file_is_a_relative_path(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    current = settings.Settings(cache_path="cache.sqlite3")
    page_options.remember(Result("", {"results": [{"url": "https://a.example/"}]}), current)
    assert page_options.result_numbered("1", current) == "https://a.example/"


@pytest.mark.skipif(os.name != "posix", reason="closes a descriptor in a shell")
@pytest.mark.parametrize("closed", ["2>&-", "2>&- <&-"])
def test_a_page_is_printed_although_stderr_is_closed_and_no_cache_can_be_made(archive, web, tmp_path, closed):
    (tmp_path / "file").write_bytes(b"no folder")
    environ = {**os.environ, "WEBTOOL_ALLOW_PRIVATE_HOSTS": "127.0.0.1"}
    environ["WEBTOOL_CACHE_PATH"] = str(tmp_path / "file" / "cache.sqlite3")
    command = ["sh", "-c", f'exec "$@" {closed}', "sh", str(archive), "fetch", f"{web.url}/page"]
    done = subprocess.run(command, stdout=subprocess.PIPE, env=environ, timeout=60, cwd=tmp_path)
    assert done.returncode == 0
    assert b"The harbour has two tides a day." in done.stdout
