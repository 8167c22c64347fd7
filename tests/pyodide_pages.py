"""Run by both Pythons in test_pyodide: read pages from /input.json, convert them, print one line of JSON each."""

import base64
import json
import sys

ARCHIVE, INPUT = ("/webtool.pyz", "/input.json") if sys.platform == "emscripten" else sys.argv[1:3]
sys.path.insert(0, ARCHIVE)

import webtool  # noqa: E402
from webtool import documents  # noqa: E402

with open(INPUT, encoding="utf-8") as file:
    given = json.load(file)
for page in given["pages"]:
    extraction = webtool.extract(page, "https://e.example/")
    made = [webtool.to_markdown(page, "https://e.example/"), extraction.title, extraction.markdown, extraction.links]
    print(json.dumps(made))
for kind, data in given["documents"]:
    print(json.dumps(list(documents.convert(base64.b64decode(data), kind))))
print(json.dumps(webtool.run("web_extract", {"html": given["pages"][0]})))
