"""Measure metadata: python3 tests/bench/metadata.py [--every N] [--pages FOLDER] [--list FIELD].

Runs extract() on every page of ../shared/corpus (or of a folder laid out like it) and compares author, date and title
with the truth. A value is equal if only white space and case differ. It is nearly equal if typographic quotes, dashes
and the order of authors differ as well. It is invented if the truth has no value; titles are not checked for that.
--list names the pages where a field differs.
"""

from __future__ import annotations

import argparse
import gzip
import json
import pathlib
import re
import sys

from costs import leave
from fidelity import CORPUS, ROOT

sys.path.insert(0, str(ROOT))

FIELDS = {"author": ("author", "byline"), "date": ("publish_date", "published"), "title": ("title", "title")}
PLAIN = str.maketrans({"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u2013": "-", "\u2014": "-"})
AND = re.compile(r",? and |, |; | & ")


def same(left: str, right: str) -> tuple[bool, bool]:
    """Return whether two values are equal, and whether they are if marks and order do not count."""
    left, right = (" ".join(value.split()).casefold() for value in (left, right))
    authors = [sorted(AND.split(value.translate(PLAIN))) for value in (left, right)]
    return left == right, left == right or authors[0] == authors[1]


def main() -> int:
    """Print the table, and the pages that --list asks for."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every Nth page")
    parser.add_argument("--pages", type=pathlib.Path, default=CORPUS, help="folder with ground-truth.jsonl.gz and html")
    parser.add_argument("--list", choices=FIELDS, help="name the pages where this field differs")
    options = parser.parse_args()
    if not (options.pages / "ground-truth.jsonl.gz").is_file():
        leave(f"no ground-truth.jsonl.gz in {options.pages}; tests/bench/README.md says how to get the corpus")
    from webtool import extract

    counts = {field: [0] * 6 for field in FIELDS}  # with truth, equal, nearly equal, missing, without truth, invented
    with gzip.open(options.pages / "ground-truth.jsonl.gz", "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file][:: options.every]
    for row in rows:
        result = extract(gzip.decompress((options.pages / "html" / f"{row['id']}.html.gz").read_bytes()), row["url"])
        for field, (of_truth, of_result) in FIELDS.items():
            want, got = row[of_truth] or "", getattr(result, of_result)
            if field == "date":
                want, got = want[:10], got[:10]
            equal, nearly = same(want, got)
            sums = [1, equal, nearly, not got, 0, 0] if want else [0, 0, 0, 0, 1, bool(got)]
            counts[field] = [total + value for total, value in zip(counts[field], sums)]
            if options.list == field and not nearly:
                print(
                    f"{row['id']} {row['page_type']} | {want} | {got} | {dict(result.read_from).get('published', '')}"
                )
    print("| field | pages with it | equal | nearly equal | missing | invented |")
    print("|---|---:|---:|---:|---:|---:|")
    for field, (pages, equal, nearly, missing, without, invented) in counts.items():
        shares = f"{equal / max(1, pages):.3f} | {nearly / max(1, pages):.3f}"
        print(f"| {field} | {pages} | {shares} | {missing} | {invented} of {without} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
