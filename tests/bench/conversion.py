"""Convert documents beside markitdown, in pairs in one process: user CPU without imports.

    python3 tests/bench/conversion.py [--rounds N] [FILE...]

Without a FILE it makes one of each kind. markitdown is optional ("markitdown[docx,xlsx]"); its output differs: it
leaves the outputs of notebooks out, and writes CSV as a table.
"""

import argparse
import io
import json
import pathlib
import random
import resource

from costs import in_turn, medians
from documents.writers import W, docx, epub, p, with_members, xlsx

from webtool.documents import convert, kind_of

SPREADSHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml"
WORDS = random.Random(3)


def words(count):
    """Return words of two to ten letters."""
    return " ".join("".join(WORDS.choices("abcdefghijklmnopqrstuvwxyz", k=WORDS.randint(2, 10))) for _ in range(count))


def make_csv():
    rows = [f'{n},"{words(2)}",{words(1)},{n / 7:.4f},2024-05-{n % 28 + 1:02},{words(5)}' for n in range(5000)]
    return "\r\n".join(["id,name,city,value,date,notes", *rows]).encode()


def make_docx():
    parts = []
    for n in range(300):
        runs = "".join(
            f"<w:r>{f}<w:t xml:space='preserve'>{words(9)} </w:t></w:r>" for f in ("", "<w:rPr><w:b/></w:rPr>")
        )
        parts += [p(words(4), "H"), *[f"<w:p>{runs}{runs}</w:p>"] * 3]
        if n % 10 == 0:
            row = f"<w:tr>{''.join(f'<w:tc>{p(words(2))}</w:tc>' for _ in range(4))}</w:tr>"
            parts.append(f"<w:tbl>{row * 6}</w:tbl>")
    heading = "<w:style w:type='paragraph' w:styleId='H'><w:name w:val='heading 2'/></w:style>"
    styles = f"<w:styles xmlns:w='{W}'>{heading}</w:styles>"
    return docx("".join(parts), {"styles.xml": styles}, st="styles styles.xml")


def make_epub():
    text = "<p>{} <em>{}</em>, {}.</p>"
    chapters = {
        f"c{n}.xhtml": f"<html xmlns='http://www.w3.org/1999/xhtml'><body><h1>{words(3)}</h1>"
        + "".join(text.format(words(40), words(2), words(30)) for _ in range(40))
        + "</body></html>"
        for n in range(20)
    }
    return epub(chapters)


def make_ipynb():
    cells = []
    for n in range(200):
        stream = {"output_type": "stream", "name": "stdout", "text": [f"{words(6)}\n" for _ in range(12)]}
        cells.append({"cell_type": "markdown", "metadata": {}, "source": [f"## {words(3)}\n", "\n", words(40)]})
        code = {"cell_type": "code", "execution_count": n, "metadata": {}, "outputs": [stream]}
        cells.append({**code, "source": [f"x = {n}\n", "print(x)"]})
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}).encode()


def make_xlsx():
    strings = [words(2) for _ in range(3000)]
    cells = "<c r='A{0}' t='s'><v>{1}</v></c><c r='B{0}' s='1'><v>{2}</v></c><c r='C{0}' t='s'><v>{3}</v></c>"
    rows = "".join(f"<row r='{n}'>{cells.format(n, n % 3000, n / 7, n * 7 % 3000)}</row>" for n in range(1, 8001))
    parts = "<fonts><font/></fonts><fills><fill><patternFill/></fill></fills><borders><border/></borders>"
    formats = "<numFmts><numFmt numFmtId='170' formatCode='#,##0.00'/></numFmts>"
    styles = (
        f"{formats}{parts}<cellStyleXfs><xf/></cellStyleXfs><cellXfs><xf numFmtId='0'/><xf numFmtId='170'/></cellXfs>"
    )
    types = {"workbook": "sheet.main", "styles": "styles", "strings": "sharedStrings", "sheet0": "worksheet"}
    listed = "".join(
        f"<Override PartName='/xl/{part}.xml' ContentType='{SPREADSHEET}.{name}+xml'/>" for part, name in types.items()
    )
    content_types = f"<Types xmlns='http://schemas.openxmlformats.org/package/2006/content-types'>{listed}</Types>"
    book = xlsx({"Data": f"<sheetData>{rows}</sheetData>"}, strings, styles)
    return with_members(book, {"[Content_Types].xml": content_types})


def contestants(body, name):
    """Return {name: function that returns the seconds of user CPU of one conversion}."""
    kind = kind_of(body, None, name)
    runs = {"webtool": lambda: convert(body, kind)}
    try:
        from markitdown import MarkItDown, StreamInfo

        peer, info = MarkItDown(enable_plugins=False), StreamInfo(extension=pathlib.Path(name).suffix)
        runs["markitdown"] = lambda: peer.convert_stream(io.BytesIO(body), stream_info=info)
    except ImportError:
        pass

    def timed(run):
        begun = resource.getrusage(resource.RUSAGE_SELF).ru_utime
        run()
        return resource.getrusage(resource.RUSAGE_SELF).ru_utime - begun

    for run in runs.values():
        run()  # imports
    return {name: lambda run=run: timed(run) for name, run in runs.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    bodies = {path.name: path.read_bytes() for path in options.files}
    makers = {"csv": make_csv, "docx": make_docx, "epub": make_epub, "ipynb": make_ipynb, "xlsx": make_xlsx}
    for name, body in (bodies or {f"made.{kind}": make() for kind, make in makers.items()}).items():
        times = medians(in_turn(contestants(body, name), options.rounds))
        ratio = times["webtool"] / times["markitdown"] if times.get("markitdown") else float("nan")
        print(f"{name}, {len(body):,} bytes: {times['webtool']:.4f} s, {ratio:.2f} of markitdown's CPU")


if __name__ == "__main__":
    main()
