"""A real instance of SearXNG (or of searx, which it grew from), with one engine that asks a server of ours.

WEBTOOL_TEST_SEARXNG names a checkout of SearXNG whose requirements are installed for WEBTOOL_TEST_SEARXNG_PYTHON (or
for this Python); else the packages searx of the system's Python and of this one are looked for. No network is used.
"""

import json
import os
import socket
import subprocess
import sys
import time
import urllib.parse

import pytest
from servers import Server

from webtool import settings
from webtool.context import Context
from webtool.errors import WebtoolError
from webtool.providers import driver

PER_PAGE = 6
PAGES = 4


def results(handler):
    """The engine that the instance asks: a few results on each of a few pages."""
    query = dict(urllib.parse.parse_qsl(handler.path.partition("?")[2]))
    number = int(query.get("page", 1))
    rows = [
        {
            "url": f"https://page{number}.example/{row}",
            "title": f"{query['q']} {number}.{row}",
            "content": "A <b>text</b>.",
        }
        for row in range(PER_PAGE if number <= PAGES else 0)
    ]
    return 200, {"Content-Type": "application/json"}, json.dumps({"results": rows}).encode()


def settings_text(port, engine_url, folder, has_defaults):
    """settings.yml, which may be JSON; without defaults to build on, all that must be there."""
    engine = {
        "name": "ours", "engine": "json_engine", "shortcut": "o", "categories": "general", "paging": True,
        "search_url": engine_url + "/find?q={query}&page={pageno}", "results_query": "results", "url_query": "url",
        "title_query": "title", "content_query": "content", "content_html_to_text": True, "timeout": 10.0,
        "enable_http": True,
    }  # fmt: skip
    broken = {**engine, "name": "gone", "shortcut": "g", "search_url": "http://127.0.0.1:9/?q={query}", "timeout": 1.0}
    text = {
        "general": {"debug": False, "instance_name": "test"},
        "search": {"safe_search": 0, "autocomplete": "", "default_lang": "", "formats": ["html", "json"],
                   "ban_time_on_fail": 0, "max_ban_time_on_fail": 0},
        "server": {
            "port": port, "bind_address": "127.0.0.1", "secret_key": "k" * 32, "base_url": False, "image_proxy": False,
            "limiter": False, "http_protocol_version": "1.1", "method": "GET", "default_http_headers": {},
        },
        "outgoing": {"request_timeout": 10.0, "useragent_suffix": "", "pool_connections": 10, "pool_maxsize": 10},
        "engines": [engine, broken],
    }  # fmt: skip
    if has_defaults:
        text["use_default_settings"] = {"engines": {"keep_only": []}}
    else:
        # A package may come without its pages, which nobody looks at here.
        places = {f"{name}_path": str(folder / name) for name in ("static", "templates")}
        for place in places.values():
            os.makedirs(os.path.join(place, "themes", "simple", "img"), exist_ok=True)
            os.makedirs(os.path.join(place, "simple"), exist_ok=True)
        text["ui"] = {**places, "default_theme": "simple", "default_locale": "", "theme_args": {}}
        text["locales"] = {"en": "English"}
        text.update(
            doi_resolvers={"x": "https://doi.example/"}, default_doi_resolver="x", checker={}, enabled_plugins=[]
        )
    return json.dumps(text)


def sources():
    """(Python, folder of the checkout or "", what it is) of the instances that can be started here."""
    checkout = os.environ.get("WEBTOOL_TEST_SEARXNG", "")
    if checkout:
        yield os.environ.get("WEBTOOL_TEST_SEARXNG_PYTHON", sys.executable), checkout, "a checkout"
        return
    for python in dict.fromkeys((sys.executable, "/usr/bin/python3")):
        if os.path.exists(python):
            test = "import importlib.util as u, sys; sys.exit(u.find_spec('searx') is None)"
            if subprocess.run([python, "-c", test], capture_output=True).returncode == 0:
                yield python, "", "a package"


@pytest.fixture(scope="module")
def instance(tmp_path_factory):
    """The base URL of a running instance."""
    found = next(sources(), None)
    if found is None:
        pytest.skip("no SearXNG here: set WEBTOOL_TEST_SEARXNG to a checkout, or install the package python3-searx")
    python, checkout, _ = found
    folder = tmp_path_factory.mktemp("searxng")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with Server({"/find": results}) as engine:
        path = folder / "settings.yml"
        path.write_text(settings_text(port, engine.url, folder, has_defaults=bool(checkout)))
        plain = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
        environ = {
            **plain, "SEARXNG_SETTINGS_PATH": str(path), "SEARX_SETTINGS_PATH": str(path), "PYTHONPATH": checkout,
        }  # fmt: skip
        with open(folder / "log", "wb") as log:
            process = subprocess.Popen(
                [python, "-m", "searx.webapp"], env=environ, stdout=log, stderr=log, cwd=checkout or folder
            )
            try:
                wait_for(port, process, folder / "log")
                yield f"http://127.0.0.1:{port}"
            finally:
                process.terminate()
                process.wait(20)


def wait_for(port, process, log):
    until = time.monotonic() + 60
    while time.monotonic() < until:
        if process.poll() is not None:
            pytest.skip(f"the instance does not start: {log.read_text(errors='replace')[-400:]}")
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.2)
    pytest.skip("the instance did not begin to listen within a minute")


def search(instance, **options):
    environ = {"WEBTOOL_SEARXNG_URL": instance, "WEBTOOL_SEARCH_INTERVAL": "0", "WEBTOOL_CACHE": "off"}
    ctx = Context(settings.from_environ(environ), environ=environ)
    try:
        return driver.search(ctx, "searxng", "tides", **options)
    finally:
        ctx.close()


def test_results_are_read_and_silent_engines_are_named(instance):
    answer = search(instance, count=3)
    assert answer.results[0].url == "https://page1.example/0"
    assert answer.results[0].description.startswith("A text")
    assert any("did not answer: gone" in note for note in answer.notes)


def test_twenty_results_take_as_many_pages_as_they_need(instance):
    assert len(search(instance, count=20).results) == 20


@pytest.mark.parametrize("language", ["zh-hans", "zh-hant", "jp", "en-gb", "pt-br", "de"])
def test_languages_have_the_names_of_the_instance(instance, language):
    assert search(instance, count=3, search_lang=language).results


def test_a_country_and_a_filter_are_accepted(instance):
    assert search(instance, count=3, search_lang="de", country="AT", safesearch="strict").results
    assert search(instance, count=3, country="AT").ignored == ("country",)


def test_an_engine_without_a_time_range_is_why_no_age_is_asked_for_by_default(instance):
    answer = search(instance, count=3)
    assert answer.results
    try:
        assert search(instance, count=3, freshness="pw").results == []
    except WebtoolError as error:
        if error.code != "API_ERROR":
            raise
