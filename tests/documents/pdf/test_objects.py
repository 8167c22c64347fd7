"""Objects, filters and decryption: ISO 32000-1 sections 7.3, 7.4 and 7.6."""

import base64
import hashlib
import time
import zlib

import pytest
from documents import writers
from hypothesis import given
from hypothesis import strategies as st

from webtool.documents.pdf.objects import END, Keyword, Name, PdfError, Ref, aes, crypt, filters, read_object
from webtool.documents.pdf.objects.file import PdfFile

OBJECTS = [
    (b" 12 ", 12),
    (b"-.5", -0.5),
    (b"+17.", 17.0),
    (b"--3", -3),
    (b"0.0-35", 0.0),
    (b"/Name#20x", Name("Name x")),
    (b"/", Name("")),
    (b"true", True),
    (b"null", None),
    (b"(plain)", b"plain"),
    (b"(a (nested) b)", b"a (nested) b"),
    (rb"(\(\)\\\n\101\7z)", b"()\\\nA\x07z"),
    (b"(a\\\nb)", b"ab"),
    (b"(a\r\nb)", b"a\nb"),
    (b"(open", b"open"),
    (b"<48 65 6C6>", b"Hel`"),
    (b"% comment\n 7", 7),
    (b"3 0 R", Ref(3, 0)),
    (b"4          0\n\n R", Ref(4, 0)),
    (b"[1 2 3 0 R (x)]", [1, 2, Ref(3, 0), b"x"]),
    (b"<< /A 1 /B [2] /C << /D /E >> >>", {"A": 1, "B": [2], "C": {"D": Name("E")}}),
    (b"<< /A 1 /B >>", {"A": 1}),
    (b"<< 5 /A 1 >>", {"A": 1}),
    (b"[1 2 endobj", [1, 2]),
    (b"endobj", Keyword(b"endobj")),
    (b"  ", END),
    (b"", END),
]


@pytest.mark.parametrize(("data", "value"), OBJECTS)
def test_objects_are_parsed(data, value):
    assert read_object(data, 0)[0] == value


def test_deep_nesting_is_refused():
    with pytest.raises(PdfError, match="nested more than"):
        read_object(b"[" * 200, 0)


@given(st.text(alphabet="[]<>(){}/%\\ \nR0123456789.-abc", max_size=200))
def test_reading_always_advances(text):
    data = text.encode()
    at = 0
    while at < len(data):
        try:
            value, after = read_object(data, at)
        except PdfError:
            break
        assert after > at or value is END
        at = max(after, at + 1)


@given(st.binary(max_size=100))
def test_written_strings_are_read_back(data):
    escaped = data.replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)").replace(b"\r", b"\\r")
    assert read_object(b"(" + escaped + b")", 0)[0] == data
    assert read_object(b"<" + data.hex().encode() + b">", 0)[0] == data


LIMIT = 1 << 20


@given(st.binary(max_size=2000))
def test_filters_decode_encoded_data(data):
    assert filters.decode("FlateDecode", {}, zlib.compress(data), LIMIT) == data
    assert filters.decode("ASCIIHexDecode", {}, data.hex().encode() + b">", LIMIT) == data
    assert filters.decode("A85", {}, base64.a85encode(data) + b"~>", LIMIT) == data
    assert filters.decode("A85", {}, base64.a85encode(data, adobe=True), LIMIT) == data
    assert filters.decode("LZWDecode", {}, lzw(data), LIMIT) == data
    assert filters.decode("RunLengthDecode", {}, runs(data), LIMIT) == data


def lzw(data):
    """Encode LZW with EarlyChange 1; the table is cleared when it is full."""
    codes, width, table, prefix = [(256, 9)], 9, {bytes([c]): c for c in range(256)}, b""
    size = 258
    for byte in data:
        longer = prefix + bytes([byte])
        if longer in table:
            prefix = longer
            continue
        codes.append((table[prefix], width))
        table[longer] = size
        size += 1
        if size + 1 > 1 << width and width < 12:
            width += 1
        if size >= 4094:
            codes.append((256, width))
            table, size, width = {bytes([c]): c for c in range(256)}, 258, 9
        prefix = bytes([byte])
    if prefix:
        codes.append((table[prefix], width))
        size += 1
        if size + 1 > 1 << width and width < 12:
            width += 1
    codes.append((257, width))
    bits = "".join(f"{code:0{length}b}" for code, length in codes)
    bits += "0" * (-len(bits) % 8)
    return bytes(int(bits[at : at + 8], 2) for at in range(0, len(bits), 8))


def runs(data):
    parts = [bytes([len(data[at : at + 100]) - 1]) + data[at : at + 100] for at in range(0, len(data), 100)]
    return b"".join(parts) + b"\xfeAA" * 0 + b"\x80"


def test_lzw_codes_of_all_widths_are_decoded():
    data = bytes(range(256)) * 60
    assert filters.decode("LZW", {}, lzw(data), LIMIT) == data


def test_run_length_data_is_decoded():
    assert filters.decode("RL", {}, b"\xfeA\x01bc\x80rest", LIMIT) == b"AAAbc"


def test_damaged_flate_data_gives_its_beginning():
    data = b"".join(b"%d " % number for number in range(20_000))
    damaged = bytearray(zlib.compress(data))
    damaged[len(damaged) // 2] ^= 0xFF
    result = filters.decode("Fl", {}, bytes(damaged), LIMIT)
    assert len(result) > 1000
    assert data.startswith(result[:1000])


def test_decoded_data_stays_within_the_limit():
    bomb = zlib.compress(bytes(10_000_000))
    assert len(filters.decode("FlateDecode", {}, bomb, 5000)) == 5000
    assert len(filters.decode("RL", {}, b"\x81A" * 1000, 5000)) == 5000


PREDICTED = [
    ({"Predictor": 12, "Columns": 3}, b"\x02\x01\x02\x03\x02\x01\x01\x01", b"\x01\x02\x03\x02\x03\x04"),
    ({"Predictor": 15, "Columns": 3}, b"\x01\x01\x01\x01\x00\x07\x08\x09", b"\x01\x02\x03\x07\x08\x09"),
    ({"Predictor": 13, "Columns": 2}, b"\x00\x0a\x14\x03\x05\x05", b"\x0a\x14\x0a\x14"),
    ({"Predictor": 14, "Columns": 2}, b"\x00\x0a\x14\x04\x01\x01", b"\x0a\x14\x0b\x15"),
    ({"Predictor": 2, "Columns": 3}, b"\x01\x01\x01\x05\x01\x01", b"\x01\x02\x03\x05\x06\x07"),
    ({"Predictor": 2, "Columns": 2, "Colors": 2}, b"\x01\x05\x01\x01", b"\x01\x05\x02\x06"),
    ({"Predictor": 1}, b"ab", b"ab"),
]


@pytest.mark.parametrize(("parameters", "data", "result"), PREDICTED)
def test_predictors_are_undone(parameters, data, result):
    assert filters.decode("FlateDecode", parameters, zlib.compress(data), LIMIT) == result


def test_a_row_longer_than_the_limit_takes_no_memory():
    parameters = {"Predictor": 12, "Colors": 32, "BitsPerComponent": 16, "Columns": LIMIT}
    assert filters.decode("FlateDecode", parameters, zlib.compress(b"\x02abc"), LIMIT) == b"\x02abc"


def test_image_filters_are_refused():
    with pytest.raises(PdfError, match="DCTDecode, which holds no text"):
        filters.decode("DCTDecode", {}, b"", LIMIT)


@given(st.sampled_from(sorted(filters.FILTERS)), st.binary(max_size=300), st.integers(0, 20), st.integers(-5, 1 << 40))
def test_filters_never_fail(name, data, predictor, columns):
    filters.decode(name, {"Predictor": predictor, "Columns": columns, "Colors": columns}, data, 10_000)


# RFC 6229, test vectors for RC4: the first 16 bytes of the key stream.
RC4 = [
    ("0102030405", "b2396305f03dc027ccc3524a0a1118a8"),
    ("0102030405060708090a0b0c0d0e0f10", "9ac7cc9a609d1ef7b2932899cde41b97"),
]


@pytest.mark.parametrize(("key", "stream"), RC4)
def test_rc4_gives_the_published_vectors(key, stream):
    assert crypt.rc4(bytes.fromhex(key), bytes(16)).hex() == stream


# NIST SP 800-38A, sections F.2.1 and F.2.5: CBC with AES-128 and AES-256, the first two blocks.
PLAIN = "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
AES = [
    ("2b7e151628aed2a6abf7158809cf4f3c", "7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2"),
    (
        "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
        "f58c4c04d6e5f1ba779eabfb5f7bfbd69cfc4e967edb808d679f777bc6702c7d",
    ),
]


@pytest.mark.parametrize(("key", "sealed"), AES, ids=["128", "256"])
def test_aes_gives_the_published_vectors(key, sealed):
    vector = bytes(range(16))
    assert aes.encrypt(bytes.fromhex(key), vector, bytes.fromhex(PLAIN)).hex() == sealed
    assert aes.decrypt(bytes.fromhex(key), vector, bytes.fromhex(sealed) + b"rest").hex() == PLAIN


REFUSED = [
    ({"Filter": "Standard", "V": 5, "R": 6}, PdfError, "without U or UE"),
    ({"Filter": "Standard", "V": 5, "R": 6, "U": bytes(48), "UE": bytes(32)}, crypt.NeedsPassword, "password"),
    ({"Filter": "Standard", "V": 3}, crypt.UnknownCipher, "an algorithm of version 3"),
    ({"Filter": "Other", "V": 1}, crypt.UnknownCipher, "the security handler Other"),
    ({"Filter": "Standard", "V": 1, "R": Name("x"), "O": b"", "U": b"", "P": -4}, PdfError, "without a revision"),
    ({"Filter": "Standard", "V": 1, "R": 2}, PdfError, "without O, U or P"),
    ({"Filter": "Standard", "V": 1, "R": 2, "O": bytes(32), "U": bytes(32), "P": -4}, crypt.NeedsPassword, "password"),
]


@pytest.mark.parametrize(("encrypt", "error", "message"), REFUSED)
def test_unknown_encryption_is_refused(encrypt, error, message):
    with pytest.raises(error, match=message):
        crypt.decryption(encrypt, b"", -1)


def sealed(secret, extra=b""):
    """Return an entry for the empty password (revision 5): hash, salt of the hash, salt of the key."""
    return hashlib.sha256(secret + extra).digest() + secret + bytes(8)


# Some files have only an empty owner password, as a protection against changes.
OWNED = {"U": bytes(48), "O": sealed(b"owners__", bytes(48))}
OPENED = [{"U": sealed(b"users___"), "O": bytes(48)}, OWNED]


@pytest.mark.parametrize("entries", OPENED, ids=["user", "owner"])
def test_an_empty_user_or_owner_password_opens_the_file(entries):
    """The crypt filters are objects of their own."""
    strings = " ".join(
        f"/{key} <{value.hex()}>" for key, value in {**entries, "UE": bytes(32), "OE": bytes(32)}.items()
    )
    objects = {
        1: "<< /Type /Catalog /Pages 2 0 R >>",
        2: "<< /Kids [] >>",
        5: f"<< /Filter /Standard /V 5 /R 5 {strings} /CF 6 0 R /StmF /A /StrF /A >>",
        6: "<< /A 7 0 R >>",
        7: "<< /CFM /AESV3 >>",
    }
    assert PdfFile(writers.with_table(objects, "/Encrypt 5           0 R")).root


def test_a_repaired_file_keeps_its_object_streams(monkeypatch):
    """The buffers that a repair drops do not count any more."""
    objects = writers.page_objects([b"q Q"])
    whole = writers.with_stream({4: objects[4]}, {number: objects[number] for number in (1, 2, 3)})
    damaged = whole.replace(b"4 0 obj", b"       ") + b"4 0 obj\n" + objects[4] + b"\nendobj\n"
    monkeypatch.setattr("webtool.documents.pdf.objects.file.MAX_HELD", 1)
    file = PdfFile(damaged)
    assert not file.was_scanned
    assert file.get(4).raw == b"q Q"
    assert file.was_scanned
    assert file.get(3)["Type"] == "Page"


def test_a_catalog_that_cannot_be_read_is_looked_for_in_the_whole_file():
    """The table's entry leads to a broken copy, which an editor left in the file."""
    objects = {1: "<< /Type /Catalog /Pages 2 0 R >>", 2: "<< /Type /Pages /Kids [] /Count 0 >>"}
    whole = writers.with_table(objects)
    broken = b"1 0 obj\n" + b"[" * 300 + b"\nendobj\n"
    place = whole.index(b"1 0 obj")
    data = whole[:place] + broken + whole[place:]
    data = data.replace(b"startxref\n%d" % whole.index(b"xref\n"), b"startxref\n%d" % data.index(b"xref\n"))
    file = PdfFile(data)
    assert file.was_scanned
    assert file.root["Type"] == "Catalog"


@pytest.mark.parametrize("is_direct_last", [False, True])
def test_of_several_objects_with_one_number_the_last_in_the_file_counts(is_direct_last):
    """An update is appended to the file: its object streams and objects replace earlier ones."""
    catalog, pages = "<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [] /Count 0 >>"

    def holder(number, value):
        head = b"3 0\n"
        attrs = f"/Type /ObjStm /N 1 /First {len(head)}"
        return f"{number} 0 obj\n".encode() + writers.stream(head + value, attrs, compress=True) + b"\nendobj\n"

    whole = writers.with_table({1: catalog, 2: pages, 3: "(direct)"}).partition(b"xref")[0]
    data = whole + holder(9, b"(old)") + holder(8, b"(new)")
    if is_direct_last:
        data += b"3 0 obj\n(last)\nendobj\n"
    file = PdfFile(data + b"trailer\n<< /Root 1 0 R >>\nstartxref\n7\n%%EOF\n")
    assert file.was_scanned
    assert file.get(3) == (b"last" if is_direct_last else b"new")


def test_strings_beside_bytes_that_are_not_encrypted_are_decrypted():
    """The filter Crypt without parameters leaves a stream's bytes as they are, not its dictionary (section 7.4.10)."""
    objects = writers.page_objects([b"q Q"])
    plain = PdfFile(writers.encrypted({**objects, 9: "<< /Note (abcdef) >>"})).get(9)["Note"]
    stream = PdfFile(writers.encrypted({**objects, 9: writers.stream(b"q", "/Filter /Crypt /Note (abcdef)")})).get(9)
    assert plain != b"abcdef"
    assert stream.attrs["Note"] == plain


# Data that the parts of a pattern could match in many ways.
LONG = [
    b"%" * 100_000 + b"\n/x", b"%\n" * 50_000 + b"/x", b"1" * 100_000 + b"x", b"+" * 100_000 + b"1x",
    b"1." * 50_000 + b"x", b"1 " * 50_000 + b"R", b"(" * 50_000, b"<" * 50_000, b"[" * 90 + b"%" * 50_000,
]  # fmt: skip


@pytest.mark.parametrize("data", LONG, ids=range(len(LONG)))
def test_objects_are_read_in_linear_time(data):
    start = time.process_time()
    try:
        read_object(data, 0)
    except PdfError:
        pass
    assert time.process_time() - start < 1.5


def test_white_space_before_the_start_mark_of_ascii85_is_skipped():
    assert filters.ascii85(b"\n <~87cURD]~>", {}, 100) == b"Hello "[:5]


def test_a_repair_while_the_tables_are_read_keeps_what_it_found():
    """The newest trailer has a wrong root. The older table's length is an object that is not at its place."""
    objects = {1: "<< /Type /Catalog /Pages 2 0 R >>", 2: "<< /Type /Pages /Kids [] /Count 0 >>", 3: "5"}
    out, _ = writers.body_of(objects)
    older = out.tell()
    out.write(b"4 0 obj\n<< /Type /XRef /Size 1 /W [1 3 1] /Root 1 0 R /Length 3 0 R >>\n")
    out.write(b"stream\n\0\0\0\0\0\nendstream\nendobj\n")
    newest = out.tell()
    out.write(b"xref\n3 1\n0000000002 00000 n \ntrailer\n<< /Size 5 /Root 9 0 R /Prev %d >>\n" % older)
    out.write(b"startxref\n%d\n%%%%EOF\n" % newest)
    file = PdfFile(out.getvalue())
    assert file.was_scanned
    assert file.root["Type"] == "Catalog"


def test_of_several_trailers_the_last_in_the_file_counts():
    """An update reuses the number of the first cross-reference stream, after the stream of an earlier update."""

    def table(number, root):
        attrs = f"/Type /XRef /Size 1 /W [1 3 1] /Root {root} 0 R"
        return f"{number} 0 obj\n".encode() + writers.stream(bytes(5), attrs) + b"\nendobj\n"

    catalogs = {number: f"<< /Type /Catalog /Pages 9 0 R /Version {number} >>" for number in (1, 2, 3)}
    body = writers.body_of(catalogs)[0].getvalue()
    file = PdfFile(body + table(5, 1) + table(6, 2) + table(5, 3) + b"startxref\n7\n%%EOF\n")
    assert file.was_scanned
    assert file.root["Version"] == 3


def test_another_catalog_replaces_one_that_cannot_be_read():
    broken = "[" * 300
    objects = {1: broken, 2: "<< /Type /Catalog /Pages 3 0 R >>"}
    body = writers.body_of(objects)[0].getvalue()
    file = PdfFile(body + b"trailer\n<< /Root 1 0 R >>\nstartxref\n7\n%%EOF\n")
    assert file.root["Type"] == "Catalog"
