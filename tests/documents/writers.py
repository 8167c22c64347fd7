"""Write small PDF files and zip documents, so that most tests need no other program."""

import io
import zipfile
import zlib

from webtool.documents import convert
from webtool.documents.pdf.objects.crypt import rc4
from webtool.errors import WebtoolError

HELVETICA = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
BOLD = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>"
COURIER = "<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>"


def outcome(body, kind, **options):
    """Return the error code of a conversion, or "", and the Document. Other exceptions are raised."""
    try:
        return "", convert(body, kind, **options)
    except WebtoolError as exc:
        return exc.code, None


def mutated(data, body, most=4, pieces=None):
    """Return bytes with some replaced, deleted or inserted, as Hypothesis draws them."""
    from hypothesis import strategies as st  # here, so that benchmarks write documents without hypothesis

    changed = bytearray(body)
    for _ in range(data.draw(st.integers(1, most))):
        at = data.draw(st.integers(0, max(0, len(changed) - 1)))
        changed[at : at + data.draw(st.integers(0, 5))] = data.draw(st.binary(max_size=4) if pieces is None else pieces)
    return bytes(changed)


def stream(data, attrs="", compress=False):
    """Return the bytes of a stream object."""
    if compress:
        data, attrs = zlib.compress(data), f"{attrs} /Filter /FlateDecode"
    return f"<< {attrs} /Length {len(data)} >>\nstream\n".encode() + data + b"\nendstream"


def text(size, x, y, words, font="F1"):
    """Return operators that show a text at a place."""
    escaped = words.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
    return f"BT /{font} {size} Tf {x} {y} Td ({escaped}) Tj ET\n".encode("cp1252")


def lines(*words, x=72, y=700, step=14, size=12, font="F1"):
    """Return operators that show lines below each other."""
    return b"".join(text(size, x, y - step * at, line, font) for at, line in enumerate(words))


def body_of(objects):
    """Return the header and objects of a file, and the offset of each object."""
    out = io.BytesIO()
    out.write(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
    offsets = {}
    for number, value in objects.items():
        offsets[number] = out.tell()
        out.write(
            f"{number} 0 obj\n".encode() + (value if isinstance(value, bytes) else value.encode()) + b"\nendobj\n"
        )
    return out, offsets


def with_table(objects, trailer=""):
    """Return a file with a cross-reference table. Object 1 is the catalog."""
    out, offsets = body_of(objects)
    start = out.tell()
    size = max(objects) + 1
    out.write(f"xref\n0 {size}\n0000000000 65535 f \n".encode())
    for number in range(1, size):
        entry = f"{offsets[number]:010} 00000 n \n" if number in offsets else "0000000000 00000 f \n"
        out.write(entry.encode())
    out.write(f"trailer\n<< /Size {size} /Root 1 0 R {trailer} >>\nstartxref\n{start}\n%%EOF\n".encode())
    return out.getvalue()


def with_stream(objects, members, predictor=False):
    """Return a file with a cross-reference stream and `members` in an object stream. Object 1 is the catalog."""
    holder, xref = max([*objects, *members]) + 1, max([*objects, *members]) + 2
    heads, bodies = [], b""
    for number, value in members.items():
        heads.append(f"{number} {len(bodies)}")
        bodies += value.encode() + b"\n"
    head = " ".join(heads).encode() + b"\n"
    attrs = f"/Type /ObjStm /N {len(members)} /First {len(head)}"
    out, offsets = body_of({**objects, holder: stream(head + bodies, attrs, compress=True)})
    start = out.tell()
    index = {number: place for place, number in enumerate(members)}
    rows = [b"\x00\x00\x00\x00\x00"]
    for number in range(1, xref + 1):
        where = start if number == xref else offsets.get(number, 0)
        if number in index:
            rows.append(b"\x02" + holder.to_bytes(3, "big") + bytes([index[number]]))
        else:
            rows.append((b"\x01" if where else b"\x00") + where.to_bytes(3, "big") + b"\x00")
    attrs = f"/Type /XRef /Size {xref + 1} /W [1 3 1] /Root 1 0 R"
    data = b"".join(rows)
    if predictor:
        data = png_up(rows)
        attrs += " /DecodeParms << /Predictor 12 /Columns 5 >>"
    out.write(f"{xref} 0 obj\n".encode() + stream(data, attrs, compress=True) + b"\nendobj\n")
    out.write(f"startxref\n{start}\n%%EOF\n".encode())
    return out.getvalue()


def png_up(rows):
    """Apply PNG's filter Up to rows."""
    above = bytes(len(rows[0]))
    parts = []
    for row in rows:
        parts.append(b"\x02" + bytes((here - up) & 255 for here, up in zip(row, above)))
        above = row
    return b"".join(parts)


def page_objects(contents, fonts=None, extra="", resources=""):
    """Return the objects of a file with one page for each content stream."""
    fonts = fonts or {"F1": HELVETICA, "F2": BOLD, "F3": COURIER}
    objects = {1: "<< /Type /Catalog /Pages 2 0 R >>", 2: ""}
    kids = []
    shared = " ".join(f"/{name} {value}" for name, value in fonts.items())
    for content in contents:
        number = max(objects) + 1
        kids.append(f"{number} 0 R")
        objects[number] = (
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {number + 1} 0 R {extra}"
            f" /Resources << /Font << {shared} >> {resources} >> >>"
        )
        objects[number + 1] = content if content.startswith(b"<<") else stream(content)
    objects[2] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>"
    return objects


def pdf(*contents, **options):
    """Return a file with one page for each content stream."""
    return with_table(page_objects(contents, **options))


def encrypted(objects, key=b"12345", permissions=-4):
    """Return a file encrypted with 40-bit RC4 and an empty user password (standard handler, algorithms 2 to 4)."""
    import hashlib

    padding = bytes.fromhex("28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a")
    owner, identity = (key * 7)[:32], b"0123456789abcdef"
    digest = hashlib.md5(padding + owner + (permissions & 0xFFFFFFFF).to_bytes(4, "little") + identity)
    file_key = digest.digest()[:5]
    user = rc4(file_key, padding)
    sealed = {}
    for number, value in objects.items():
        if isinstance(value, bytes):
            head, _, rest = value.partition(b"stream\n")
            data = rest.removesuffix(b"\nendstream")
            salt = number.to_bytes(3, "little") + b"\0\0"
            value = head + b"stream\n" + rc4(hashlib.md5(file_key + salt).digest()[:10], data) + b"\nendstream"
        sealed[number] = value
    last = max(objects) + 1
    sealed[last] = f"<< /Filter /Standard /V 1 /R 2 /O <{owner.hex()}> /U <{user.hex()}> /P {permissions} >>"
    return with_table(sealed, f"/Encrypt {last} 0 R /ID [<{identity.hex()}> <{identity.hex()}>]")


def zipped(members, first=None):
    """Return a zip file; `first` is its uncompressed `mimetype` member."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        if first:
            archive.writestr("mimetype", first, zipfile.ZIP_STORED)
        for name, data in members.items():
            archive.writestr(name, data)
    return out.getvalue()


def members_of(body):
    """Return the members of a zip file."""
    with zipfile.ZipFile(io.BytesIO(body)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def with_members(body, members):
    """Return a zip file with members replaced or added."""
    return zipped({**members_of(body), **members})


_TYPES = "<Types xmlns='http://schemas.openxmlformats.org/package/2006/content-types'/>"
_RELATIONSHIPS = "http://schemas.openxmlformats.org/package/2006/relationships"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
X = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
P = "http://schemas.openxmlformats.org/presentationml/2006/main"
A = "http://schemas.openxmlformats.org/drawingml/2006/main"
C = "http://schemas.openxmlformats.org/drawingml/2006/chart"
DIAGRAM = "http://schemas.openxmlformats.org/drawingml/2006/diagram"
_WORD_SPACES = (
    f"xmlns:w='{W}' xmlns:r='{_OFFICE}' xmlns:a='{A}' xmlns:v='urn:schemas-microsoft-com:vml'"
    " xmlns:m='http://schemas.openxmlformats.org/officeDocument/2006/math'"
    " xmlns:wp='http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing'"
)


def relationships(**entries):
    """Return a .rels part from id="kind target"; " external" after it marks a URL."""
    items = []
    for identity, value in entries.items():
        kind, target, *rest = value.split(" ")
        mode = " TargetMode='External'" if rest else ""
        items.append(f"<Relationship Id='{identity}' Type='{_OFFICE}/{kind}' Target='{target}'{mode}/>")
    return f"<Relationships xmlns='{_RELATIONSHIPS}'>{''.join(items)}</Relationships>"


def p(text, style="", numbering="", properties=""):
    """Return a Word paragraph of one run."""
    own = f"<w:pStyle w:val='{style}'/>" if style else ""
    if numbering:
        number, depth = numbering
        own += f"<w:numPr><w:ilvl w:val='{depth}'/><w:numId w:val='{number}'/></w:numPr>"
    run = f"<w:rPr>{properties}</w:rPr><w:t xml:space='preserve'>{text}</w:t>"
    return f"<w:p><w:pPr>{own}</w:pPr><w:r>{run}</w:r></w:p>"


def docx(body, parts=None, **links):
    """Return a Word document with a body and further parts below word/."""
    members = {
        "[Content_Types].xml": _TYPES,
        "_rels/.rels": relationships(r1="officeDocument word/document.xml"),
        "word/document.xml": f"<w:document {_WORD_SPACES}><w:body>{body}</w:body></w:document>",
        "word/_rels/document.xml.rels": relationships(**links),
    }
    members.update((f"word/{name}", data) for name, data in (parts or {}).items())
    return zipped(members)


def xlsx(sheets, strings=(), styles="", **links):
    """Return a workbook from {name: sheetData}."""
    names = "".join(
        f"<sheet name='{name}' sheetId='{at}' r:id='s{at}' state='{'hidden' if name == 'Hidden' else 'visible'}'/>"
        for at, name in enumerate(sheets)
    )
    items = "".join(f"<si><t>{text}</t></si>" for text in strings)
    own = {f"s{at}": f"worksheet sheet{at}.xml" for at in range(len(sheets))}
    members = {
        "[Content_Types].xml": _TYPES,
        "_rels/.rels": relationships(r1="officeDocument xl/workbook.xml"),
        "xl/workbook.xml": f"<workbook xmlns='{X}' xmlns:r='{_OFFICE}'><sheets>{names}</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": relationships(t="sharedStrings strings.xml", u="styles styles.xml", **own),
        "xl/strings.xml": f"<sst xmlns='{X}'>{items}</sst>",
        "xl/styles.xml": f"<styleSheet xmlns='{X}'>{styles}</styleSheet>",
    }
    for at, data in enumerate(sheets.values()):
        members[f"xl/sheet{at}.xml"] = f"<worksheet xmlns='{X}' xmlns:r='{_OFFICE}'>{data}</worksheet>"
        members[f"xl/_rels/sheet{at}.xml.rels"] = relationships(**links)
    return zipped(members)


def pptx(*slides, parts=None, **links):
    """Return a presentation; each slide is the content of its p:spTree. Further parts are below ppt/slides/."""
    own = {f"s{at}": f"slide slides/slide{at}.xml" for at in range(len(slides))}
    listed = "".join(f"<p:sldId id='{256 + at}' r:id='s{at}'/>" for at in range(len(slides)))
    spaces = f"xmlns:p='{P}' xmlns:a='{A}' xmlns:c='{C}' xmlns:r='{_OFFICE}' xmlns:dgm='{DIAGRAM}'"
    members = {
        "[Content_Types].xml": _TYPES,
        "_rels/.rels": relationships(r1="officeDocument ppt/presentation.xml"),
        "ppt/presentation.xml": f"<p:presentation {spaces}><p:sldIdLst>{listed}</p:sldIdLst></p:presentation>",
        "ppt/_rels/presentation.xml.rels": relationships(**own),
    }
    for at, slide in enumerate(slides):
        members[f"ppt/slides/slide{at}.xml"] = f"<p:sld {spaces}><p:cSld><p:spTree>{slide}</p:spTree></p:cSld></p:sld>"
        members[f"ppt/slides/_rels/slide{at}.xml.rels"] = relationships(**links)
    members.update((f"ppt/slides/{name}", data) for name, data in (parts or {}).items())
    return zipped(members)


_ODF = "office text table style draw=drawing presentation fo=xsl-fo-compatible svg=svg-compatible chart"
ODF_SPACES = "xmlns:xlink='http://www.w3.org/1999/xlink' " + " ".join(
    f"xmlns:{name.partition('=')[0]}='urn:oasis:names:tc:opendocument:xmlns:{name.rpartition('=')[2]}:1.0'"
    for name in _ODF.split()
)


def odf(kind, body, styles="", members=None):
    """Return an OpenDocument file; `kind` is text, spreadsheet, presentation or graphics."""
    tag = "drawing" if kind == "graphics" else kind
    content = (
        f"<office:document-content {ODF_SPACES}><office:automatic-styles>{styles}</office:automatic-styles>"
        f"<office:body><office:{tag}>{body}</office:{tag}></office:body></office:document-content>"
    )
    return zipped({"content.xml": content, **(members or {})}, f"application/vnd.oasis.opendocument.{kind}")


def epub(chapters, title="A Book", extra=None):
    """Return a book from {file name: XHTML}."""
    items = "".join(
        f"<item id='i{at}' href='{name}' media-type='application/xhtml+xml'/>" for at, name in enumerate(chapters)
    )
    spine = "".join(f"<itemref idref='i{at}'/>" for at in range(len(chapters)))
    members = {
        "META-INF/container.xml": "<container xmlns='urn:oasis:names:tc:opendocument:xmlns:container'><rootfiles>"
        "<rootfile full-path='OPS/book.opf'/></rootfiles></container>",
        "OPS/book.opf": "<package xmlns='http://www.idpf.org/2007/opf' xmlns:dc='http://purl.org/dc/elements/1.1/'>"
        f"<metadata><dc:title>{title}</dc:title></metadata><manifest>{items}</manifest><spine>{spine}</spine></package>",
        **{f"OPS/{name}": data for name, data in chapters.items()},
        **(extra or {}),
    }
    return zipped(members, "application/epub+zip")
