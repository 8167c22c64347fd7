"""A recorded web on loopback for agent.py: pages of documentation packages, pages of agent_web/, and a search.

In: a folder with unpacked packages. Out: pages by name ("git-doc/git-log.html"), and a server that has them.
"""

from __future__ import annotations

import html
import json
import os
import pathlib
import re
import sqlite3
import urllib.parse
from typing import NamedTuple

from costs import leave
from servers import Server

OWN = pathlib.Path(__file__).resolve().with_name("agent_web")
PACKAGES = {
    # package: (folder below usr/share/doc, pages)
    "apache2-doc": (
        "apache2-doc/manual",
        "en/mod/core en/mod/mod_rewrite en/mod/mod_proxy en/mod/mod_ssl en/howto/htaccess en/logs fr/urlmapping"
        " ja/sections",
    ),
    "bash-doc": ("bash", "bash.pdf bashref"),
    "debian-policy": (
        "debian-policy/policy.html",
        "ch-controlfields ch-relationships ch-maintainerscripts ch-files ch-source ch-opersys",
    ),
    "exim4-doc-html": (
        "exim4-doc-html/spec_html",
        "ch-log_files ch-access_control_lists ch-retry_configuration ch-the_smtp_transport ch-string_expansions",
    ),
    "git-doc": (
        "git/html",
        "git-config git-worktree git-clean git-log git-rebase git-stash git-diff gitignore gitattributes",
    ),
    "gnuplot-doc": ("gnuplot", "gnuplot.pdf"),
    "haproxy-doc": ("haproxy/html", "configuration management intro"),
    "nodejs-doc": ("nodejs/api", "fs http dns stream events"),
    "postgresql-doc-15": (
        "postgresql-doc-15/html",
        "runtime-config-resource runtime-config-wal sql-createindex sql-select sql-copy functions-datetime",
    ),
    "python3.11-doc": (
        "python3.11/html/library",
        "argparse struct datetime hashlib subprocess logging.handlers asyncio-task",
    ),
    "sqlite3-doc": ("sqlite3", "rescode wal limits fts5 pragma foreignkeys lang_select datatype3"),
}
TYPES = {"html": "text/html", "pdf": "application/pdf", "csv": "text/csv; charset=utf-8"}
MENU = (
    "<header><nav><a href=/>Start</a> <a href=/all>All pages</a> <a href=/help>Help</a></nav></header>",
    "<footer><p>Prices, dates and facts on this page may change.</p><a href=/imprint>Imprint</a></footer>",
)


class Page(NamedTuple):
    """One page of the recorded web."""

    type: str
    body: bytes


def debian_pages(folder: str) -> dict[str, Page]:
    """Return the pages of the packages that are in the folder or installed: "git-doc/git-log.html" -> Page."""
    web = {}
    for package, (place, names) in PACKAGES.items():
        for name in names.split():
            file = name if name.endswith(".pdf") else f"{name}.html"
            for root in (os.path.join(folder, package), "/"):
                path = pathlib.Path(root, "usr/share/doc", place, file)
                if path.is_file():
                    web.setdefault(f"{package}/{path.name}", Page(path.suffix[1:], path.read_bytes()))
    return web


def own_pages() -> dict[str, Page]:
    """Return the pages of agent_web, each with a menu and a footer, and two tables that are made here."""
    web = {}
    for path in sorted(OWN.glob("*.html")):
        text = path.read_text(encoding="utf-8")
        head, _, rest = text.partition("</title>")
        body = f"<!doctype html><meta charset=utf-8>{head}</title>{MENU[0]}{rest}{MENU[1]}"
        web[f"own/{path.name}"] = Page("html", body.encode())
    web["own/quakes.html"] = Page("html", quakes().encode())
    web["own/stations.csv"] = Page("csv", stations().encode())
    return web


def quakes() -> str:
    """Return a page with a table of 240 earthquakes. Row 171 has the largest magnitude, 7.94."""
    places = "Long Ridge, South Shoal, Mount Alder, Lake Senn, Cold Bay, East Rise, Three Islands".split(", ")
    rows = []
    for number in range(240):
        place, magnitude = places[number * 5 % 7], 4 + number * 37 % 280 / 100
        if number == 171:
            place, magnitude = "Grey Cape", 7.94
        when = f"2025-{1 + number // 20:02}-{1 + number % 20:02} {number * 7 % 24:02}:{number * 13 % 60:02}"
        rows.append(f"<tr><td>{when}<td>{place}<td>{magnitude:.2f}<td>{5 + number * 11 % 90} km")
    table = "<table><tr><th>time</th><th>place</th><th>mag</th><th>depth</th></tr>" + "\n".join(rows) + "</table>"
    text = "<p>All earthquakes of the year from magnitude 4, with the depth of their centres. Times are UTC.</p>"
    main = f"<main><h1>Earthquakes of 2025</h1>{text}{table}</main>"
    return f"<!doctype html><title>Earthquakes of 2025</title>{MENU[0]}{main}{MENU[1]}"


def stations() -> str:
    """Return a CSV file of 400 weather stations. Station 391 is the highest, 2,391 m."""
    lines = ["station,altitude_m,since"]
    for number in range(400):
        altitude = 2001 + number if number % 11 == 5 else 40 + number * 53 % 1960
        lines.append(f"Station {number + 1},{altitude},{1950 + number * 17 % 70}")
    return "\n".join(lines) + "\n"


def read_questions() -> list[dict[str, object]]:
    """Return the questions: page, query, search, answer (its parts), sql, absent (a word that is nowhere)."""
    return [json.loads(line) for line in (OWN / "questions.jsonl").read_text(encoding="utf-8").splitlines()]


class RecordedWeb(Server):
    """Serves the pages, and /search as SearXNG does."""

    def __init__(self, web: dict[str, Page]) -> None:
        routes = {f"/{name}": (200, TYPES[page.type], page.body) for name, page in web.items()}
        super().__init__({**routes, "/search": self._search})
        self._index = sqlite3.connect(":memory:", check_same_thread=False)
        try:
            self._index.execute("create virtual table pages using fts5(name, title, body, tokenize = 'porter')")
        except sqlite3.OperationalError:
            leave("this Python's SQLite has no FTS5")
        self._index.executemany(
            "insert into pages values (?, ?, ?)", [(n, *indexed_text(n, p)) for n, p in web.items()]
        )

    def _search(self, request: object) -> tuple[int, str, str]:
        """Return the ten best pages for the words of q."""
        query = urllib.parse.parse_qs(urllib.parse.urlsplit(request.path).query).get("q", [""])[0]
        words = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", query))
        sql = (
            "select name, title, snippet(pages, 2, '', '', '...', 24) from pages where pages match ?"
            " order by bm25(pages, 4, 8, 1) limit 10"
        )
        rows = self._index.execute(sql, (words,)).fetchall() if words else []
        results = [{"url": f"{self.url}/{name}", "title": title, "content": text} for name, title, text in rows]
        return 200, "application/json", json.dumps({"query": query, "results": results})


def indexed_text(name: str, page: Page) -> tuple[str, str]:
    """Return the title and the text of a page for the index of the search."""
    if page.type == "pdf":
        return f"{pathlib.PurePath(name).stem} manual", pdf_text(page.body)
    text = page.body.decode("utf-8", "replace")
    title = re.search(r"(?is)<title[^>]*>(.*?)</title>", text)
    plain = re.sub(r"(?is)<(script|style)\b.*?</\1>|<[^>]*>", " ", text)
    return html.unescape(title[1]).strip() if title else name, html.unescape(plain)


def pdf_text(body: bytes) -> str:
    """Return the text of a PDF file."""
    from webtool import documents

    return documents.convert(body, "pdf").markdown
