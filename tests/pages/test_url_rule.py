"""url_rule=seen: known addresses are opened, made-up ones are not, and none carries a key away."""

import base64
from urllib.parse import quote, quote_plus

import pytest
from fake_providers import BRAVE_KEY, Providers
from servers import Server, page

from webtool.errors import SsrfBlocked
from webtool.tools import web_fetch, web_open, web_search, web_search_brave


@pytest.fixture
def web():
    with Server({}) as server:
        words = "The harbour has two tides a day, and more of them are described here:"
        paths = ("/linked", "/linked?q=1#part", "sub/")
        links = "".join(f'<p>{words} <a href="{path}">a link to {path}</a>, which says it.' for path in paths)
        server.routes.update({"/start": page(f"<title>S</title><main><h1>S</h1>{links}</main>")})
        for path in ("/linked", "/linked?q=1", "/sub/", "/found", "/other", "/link"):
            server.routes[path] = page("<title>P</title><main><h1>P</h1><p>Text.</p></main>")
        yield server


@pytest.fixture
def make(make_context):
    def context(environ=None, is_person=False, **changes):
        ctx = make_context(environ, **{"url_rule": "seen", **changes})
        ctx.is_person = is_person
        return ctx

    return context


def refused(ctx, url):
    with pytest.raises(SsrfBlocked) as caught:
        web_open.run(ctx, url=url)
    return caught.value.message


@pytest.mark.parametrize("path", ["/start", "/linked", "/other"])
def test_nothing_is_known_at_first_and_nothing_is_sent(web, make, path):
    assert "nobody gave it" in refused(make(), web.url + path)
    assert web.asked == []


def test_a_person_s_page_opens_the_way_to_its_links_only(web, make):
    web_open.run(make(is_person=True), url=f"{web.url}/start")
    for path in ("/start", "/linked", "/linked?q=1", "/sub/"):
        assert web_open.run(make(), url=web.url + path).data["markdown"]
    for path in ("/other", "/link", "/linked?q=2", "/linked/x"):
        assert "nobody gave it" in refused(make(), web.url + path)


def test_links_of_a_page_that_was_fetched_whole_count_too(web, make):
    web_fetch.run(make(is_person=True), url=f"{web.url}/start")
    assert web_fetch.run(make(), url=f"{web.url}/linked").data["title"] == "P"


@pytest.mark.parametrize("tool", [web_search, web_search_brave])
def test_results_of_a_search_are_known(web, make, tool):
    with Providers() as providers:
        response = {"web": {"results": [{"title": "T", "url": f"{web.url}/found", "description": "D"}]}}
        providers.answer("brave", 200, response)
        environ = providers.environ()
        tool.run(make(environ, brave_url=environ["WEBTOOL_BRAVE_URL"], search_provider="brave"), query="tides")
    assert web_open.run(make(), url=f"{web.url}/found").data["title"] == "P"
    assert "nobody gave it" in refused(make(), f"{web.url}/other")


SECRET = "sk-Hunter2Hunter2"


@pytest.mark.parametrize(
    "spelled",
    [
        SECRET,
        "".join(f"%{ord(character):02x}" for character in SECRET),
        SECRET.encode().hex(),
        base64.b64encode(SECRET.encode()).decode().rstrip("="),
        SECRET.upper(),
        SECRET.lower(),
        SECRET.encode().hex().upper(),
    ],
)
@pytest.mark.parametrize("where", ["?k={}", "/{}"])
def test_no_address_carries_a_key_of_this_machine(web, make, spelled, where):
    message = refused(make({"SOME_API_KEY": SECRET}), web.url + where.format(spelled))
    assert "a key of this machine" in message
    assert SECRET not in message
    assert web.asked == []


def escaped(text, times):
    for _ in range(times):
        text = quote(text, safe="")
    return text


@pytest.mark.parametrize(
    "key", [SECRET, "a pass word", "schl\u00fcssel-\u00df", "100%25 sure%41", "a+b/c==d&e", "\u65e5" * 8]
)
@pytest.mark.parametrize("before", ["", "k", "k=", "my key: "])
@pytest.mark.parametrize("after", ["", "z", "zz", " ok"])
def test_no_address_carries_a_key_within_other_text(web, make, key, before, after):
    text = before + key + after
    data = text.encode()
    spellings = [
        *(escaped(text, times) for times in range(1, 9)),
        quote_plus(text),
        "".join(f"%{byte:02X}" for byte in data),
        data.hex(),
        escaped(base64.b64encode(data).decode(), 1),
        base64.urlsafe_b64encode(data).decode().rstrip("="),
    ]
    ctx = make({"SOME_API_KEY": key})
    for spelled in spellings:
        assert "a key of this machine" in refused(ctx, f"{web.url}/?q={spelled}")
    assert web.asked == []


@pytest.mark.parametrize("key", [BRAVE_KEY, "AKIAIOSFODNN7EXAMPLE", "abcdefgh:ijklmnop"])
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("credentials.json", '{{"web_search": {{"brave": {{"api_key": "{}"}}}}}}'),
        ("credentials.json", '{{"BRAVE_API_KEY" : "{}"}}'),
        ("brave-api-key", "{}\n"),
    ],
)
def test_keys_in_files_are_known_as_keys(web, make, tmp_path, key, name, text):
    (tmp_path / name).write_text(text.format(key))
    assert "a key" in refused(make({"IKIGAI_CONFIG_DIR": str(tmp_path)}), f"{web.url}/?x={key}")


def test_names_of_keys_in_files_are_no_keys(web, make, tmp_path):
    (tmp_path / "credentials.json").write_text(f'{{"web_search": {{}}, "BRAVE_API_KEY" : "{BRAVE_KEY}"}}')
    message = refused(make({"IKIGAI_CONFIG_DIR": str(tmp_path)}), f"{web.url}/?x=BRAVE_API_KEY+web_search")
    assert "nobody gave it" in message


def test_a_key_that_is_spelled_for_urls_is_found(web, make):
    key = "<<<???>>>~~~"
    spelled = base64.urlsafe_b64encode(key.encode()).decode()
    assert {"-", "_"} & set(spelled)
    assert "a key" in refused(make({"SOME_TOKEN": key}), f"{web.url}/{spelled}")


def test_long_query_strings_are_refused_even_if_a_page_links_to_them(web, make):
    long = f"/start?{'x' * 600}"
    web.routes[long] = web.routes["/start"]
    web_open.run(make(is_person=True), url=web.url + long)
    assert "600 characters" in refused(make(), web.url + long)


def test_without_a_cache_nothing_is_known(web, make):
    assert "no cache" in refused(make(cache=False), f"{web.url}/start")


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-16"])
def test_a_key_in_utf_16_is_found(web, make, encoding):
    data = f"k={SECRET}.".encode(encoding)
    ctx = make({"SOME_API_KEY": SECRET})
    for spelled in ("".join(f"%{byte:02X}" for byte in data), data.hex(), base64.urlsafe_b64encode(data).decode()):
        assert "a key of this machine" in refused(ctx, f"{web.url}/?q={spelled}")


@pytest.mark.parametrize(
    ("name", "value", "query", "is_key"),
    [
        ("AUTH_URL", "https://login.example.com/oauth2/authorize", "https://login.example.com/oauth2/authorize", False),
        ("GIT_AUTHOR_NAME", "Konrad Zuse", "Konrad+Zuse", False),
        ("AUTHORIZATION", "Basic dTpodW50ZXIy", "dTpodW50ZXIy", False),
        ("AUTHORIZATION", "Basic dTpodW50ZXIy", "Basic+dTpodW50ZXIy", True),
        ("HOOK_TOKEN_URL", "https://hooks.example/services/T024BE7LD/x", "T024BE7LD", True),
        ("AUTH_URL", "https://user:hunter-hunter@login.example/", "hunter-hunter", True),
        ("AUTH_URL", "https://login.example/?client_secret=hunter22&a=b", "hunter22", True),
        (
            "CREDENTIALS",
            '{"key":"hunter-hunter","uri":"http://h/"}',
            "{%22key%22:%22hunter-hunter%22,%22uri%22:%22http://h/%22}",
            True,
        ),
        ("API_KEY", "hunter/hunter+==://", "hunter/hunter%2B%3D%3D://", True),
        ("HOOK_TOKEN_URL", "https://hooks.example?k=AB12CD34", "AB12CD34", True),
        ("HOOK_TOKEN_URL", "https://hooks2026.example#AB12CD34", "AB12CD34", True),
        ("HOOK_TOKEN_URL", "https://hooks2026.example?k=AB12CD34", "hooks2026.example", False),
    ],
)
def test_only_what_is_secret_of_an_address_in_a_variable_is_a_key(web, make, name, value, query, is_key):
    message = refused(make({name: value}), f"{web.url}/?q={query}")
    assert ("a key of this machine" in message) == is_key


def test_an_address_at_the_end_of_a_sentence_was_seen(web, make):
    web.routes["/notes.txt"] = (200, {"Content-Type": "text/plain"}, f"See {web.url}/other. Or {web.url}/found!)")
    web_open.run(make(is_person=True), url=f"{web.url}/notes.txt")
    for path in ("/other", "/found"):
        assert web_open.run(make(), url=web.url + path).data["markdown"]
    assert "nobody gave it" in refused(make(), f"{web.url}/othe")
