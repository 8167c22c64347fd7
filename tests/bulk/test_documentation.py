"""Five sites of documentation, each by another generator, from Debian's packages: every page, and links that lead on.

WEBTOOL_TEST_SITES=1 downloads the packages (11 MB) with apt-get and unpacks them into a temporary folder.
"""

import html.parser
import mimetypes
import os
import posixpath
import re
import subprocess
import urllib.parse

import pytest
from servers import Server

from webtool.answers.reading import retargeted
from webtool.bulk.crawl import Manners
from webtool.bulk.folder import Folder
from webtool.bulk.site import Options, SiteCrawl

# Generator: package, its folder, the most pages to save, lines that follow one another in the list of pages.
SITES = {
    "sphinx": (
        "python-click-doc", "python-click-doc/html", 100, ("[Why Click?](why.md)", "[Quickstart](quickstart.md)"),
    ),
    "mkdocs": (
        "mkdocs-doc", "mkdocs/html", 100,
        ("[User Guide](user-guide/index.md)", "  - [MkDocs Installation](user-guide/installation.md)"),
    ),
    "javadoc": (
        "libcommons-io-java-doc", "libcommons-io-java/api", 1000,
        ("[org.apache.commons.io](org/apache/commons/io/package-summary.md)",),
    ),
    "texinfo": (
        "libgcrypt20-doc", "libgcrypt20-doc/html", 200, ("[Overview](Overview.md)", "[Preparation](Preparation.md)"),
    ),
    "plain": ("sqlite3-doc", "sqlite3", 150, ("[About SQLite](about.md)",)),
}  # fmt: skip

pytestmark = [
    pytest.mark.peers("apt-get", "dpkg-deb"),
    pytest.mark.skipif(
        os.environ.get("WEBTOOL_TEST_SITES") != "1", reason="sites are downloaded where WEBTOOL_TEST_SITES=1"
    ),
]


@pytest.fixture(params=SITES)
def documentation(request, tmp_path_factory):
    """(folder with HTML files, most pages, lines of the list)."""
    package, inside, most, lines = SITES[request.param]
    target = tmp_path_factory.mktemp(request.param)
    done = subprocess.run(["apt-get", "download", "-qq", package], cwd=target, capture_output=True, timeout=300)
    if done.returncode:
        pytest.skip(f"{package} cannot be downloaded: {done.stderr.decode().strip()[-200:]}")
    (archive,) = target.glob("*.deb")
    subprocess.run(["dpkg-deb", "-x", archive, target / "root"], check=True, timeout=60)
    return target / "root/usr/share/doc" / inside, most, lines


def serve(folder):
    def route(handler):
        path = urllib.parse.unquote(handler.path.partition("?")[0])
        file = folder / path.removeprefix("/docs/").lstrip("/")
        if file.is_dir():
            file = file / "index.html"
        if not path.startswith("/docs/") or not file.is_file():
            return 404, "text/plain", b"no such file"
        return 200, mimetypes.guess_type(file.name)[0] or "application/octet-stream", file.read_bytes()

    return Server({"*": route})


class Links(html.parser.HTMLParser):
    """Collects what a page links to, independently of webtool's parser."""

    def __init__(self, text):
        super().__init__()
        self.hrefs = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if tag == "a" and attrs.get("href") and "nofollow" not in (attrs.get("rel") or ""):
            self.hrefs.append(attrs["href"])


def reachable(folder):
    """Return the HTML files that the start page leads to."""
    waiting, reached = ["index.html"], {"index.html"}
    while waiting:
        name = waiting.pop()
        for href in Links((folder / name).read_text(encoding="utf-8", errors="replace")).hrefs:
            url = urllib.parse.urlsplit(href)
            path = posixpath.normpath(posixpath.join(posixpath.dirname(name), urllib.parse.unquote(url.path)))
            if (folder / path).is_dir():
                path = posixpath.normpath(f"{path}/index.html")
            is_page = (
                not (url.scheme or url.netloc) and url.path and path.endswith(".html") and not path.startswith("..")
            )
            if is_page and path not in reached and (folder / path).is_file():
                reached.add(path)
                waiting.append(path)
    return reached


def test_a_site_of_documentation_is_a_folder_to_read(documentation, make_context, tmp_path):
    pages, most, lines = documentation
    saved = tmp_path / "saved"

    def crawl(url):
        folder = Folder(str(saved))
        folder.open()
        run = SiteCrawl(make_context(), folder, Options(url, max_pages=most), Manners(is_ordered=False), print)
        statuses = {row["url"].replace(url, ""): row["status"] for row in run.rows() if row["status"] != "sitemap"}
        counts = run.finish()
        return statuses, counts

    with serve(pages) as site:
        url = f"{site.url}/docs/"
        statuses, counts = crawl(url)
        times = {file: file.stat().st_mtime_ns for file in saved.rglob("*.md")}
        expected = reachable(pages)
        answered = {path for path, status in statuses.items() if status in ("saved", "duplicate")}
        if counts.get("left"):
            assert counts["saved"] == most
        else:
            assert expected <= {
                posixpath.join(path, "index.html") if path.endswith("/") else path for path in answered
            } | {"index.html"}
        listed = re.findall(r"\]\(([^)]*\.md)\)", (saved / "index.md").read_text(encoding="utf-8"))
        assert sorted(urllib.parse.unquote(name) for name in listed) == sorted(
            str(file.relative_to(saved)) for file in times if file != saved / "index.md"
        )
        text = (saved / "index.md").read_text(encoding="utf-8")
        assert "\n".join(line if line.startswith(" ") else f"- {line}" for line in lines) in text
        for file in times:
            check_links(file, url, {url + path for path in answered})
        assert crawl(url)[1]["changed"] == 0
        assert {file: file.stat().st_mtime_ns for file in saved.rglob("*.md")} == times


def check_links(file, site, saved_urls):
    """Every relative link leads to a file, and no link to a saved page is absolute."""
    targets = []
    retargeted(file.read_text(encoding="utf-8").partition("\n---\n")[2], lambda url: targets.append(url) or url)
    for target in targets:
        address = target.partition("#")[0]
        if address.startswith(site):
            assert address not in saved_urls, f"{file} leads to {target}"
        elif address and "://" not in address and not address.startswith("mailto:"):
            assert (file.parent / urllib.parse.unquote(address)).is_file(), f"{file} leads to {target}"
