"""Guess the encoding of bytes that declare none."""

import time

import pytest
from growing import growth
from hypothesis import given
from hypothesis import strategies as st

from webtool.html import read, sniff_encoding
from webtool.html.decoding import CODECS, encoding_for_label
from webtool.html.guessing import MAX_SAMPLE, guess

# Encodings, and a text of 20 to 90 bytes in each.
TEXTS = [
    ("shift_jis euc-jp", "港の工事は来年の春に始まります。"),
    ("shift_jis euc-jp", "氏名,住所,電話番号\n佐藤,東京都港区,03-1234"),
    ("gbk", "新的码头明年春天开工。"),
    ("gbk", "姓名,城市\n张三,北京\n李四,上海\n"),
    ("big5", "新的碼頭明年春天動工，漁民很高興。"),
    ("euc-kr", "새 부두 공사는 내년 봄에 시작한다."),
    ("windows-1251 koi8-r ibm866 iso-8859-5", "Новый причал построят весной будущего года."),
    ("windows-1251", "Имя;Город\nАнна;Москва\nПётр;Тверь\n"),
    ("windows-1251", "Новий причал збудують навесні, і рибалки цьому раді."),
    ("windows-1251", "Новият пристан ще бъде построен напролет."),
    ("windows-1253", "Η νέα προβλήτα θα χτιστεί την άνοιξη."),
    ("windows-1255", "המזח החדש ייבנה באביב של השנה הבאה."),
    ("windows-1256", "سيتم بناء الرصيف الجديد في الربيع القادم."),
    ("windows-874", "ท่าเรือใหม่จะสร้างในฤดูใบไม้ผลิปีหน้า"),
    ("windows-1250 iso-8859-2", "Nową przystań zbudują wiosną, a rybacy już się cieszą, że łódź będzie bezpieczna."),
    ("windows-1250", "Nové molo začnou stavět příští rok na jaře, rybáři už se těší na lepší časy."),
    ("windows-1254", "Yeni iskele gelecek yıl baharda yapılacak; balıkçılar şimdiden çok sevinçli."),
    ("iso-2022-jp", "港の工事は来年の春に始まります。"),
]
CASES = [(name, text) for names, text in TEXTS for name in names.split()]


def encoded(text, name):
    return text.encode(CODECS.get(name, name))


@pytest.mark.parametrize(("name", "text"), CASES)
def test_a_short_text_is_read_in_its_encoding(name, text):
    assert read(encoded(text, name)).text == text


@pytest.mark.parametrize(("name", "text"), CASES)
def test_a_little_text_in_much_markup_is_read_in_its_encoding(name, text):
    head = "<!doctype html><html><head><title>" + text[:12] + "</title><script>" + "var a = [1, 2];\n" * 2000
    page = f"{head}</script></head><body><div class='x'><p>{text}</p></div></body></html>"
    assert read(encoded(page, name)).text == page


@pytest.mark.parametrize(("name", "text"), CASES)
def test_a_text_cut_inside_a_character_is_read_in_its_encoding(name, text):
    data = encoded(text * 3, name)[:-1]
    assert read(data).text[: len(text)] == text


WESTERN = [
    "Le château a été rénové l'été dernier : déjà prêt, où ça ?",
    "Größe, Übung, Straße, Öl",
    "ÄÖÜ ÄÖÜSS GRÖSSE MAß",
    "El niño comió piñas en la montaña. ¿Qué? ¡Olé! Nº 1, 2ª",
    "Não há informações sobre a reunião; ações, corações, pães.",
    "Yö oli pimeä, ja hän söi jäätelöä: ääni, töölö, öljy",
    "Blåbærsyltetøy på brød, Ærø, Århus",
    "Það er gott að búa á Íslandi, þó að veðrið sé oft ýmislegt í október.",
    "Õhtul läheme sööma; jõgi, öö, külm, põld",
    "“Smart quotes” – and dashes — it’s 5 °C, ±3 µm, ©2020 £5 €7 ½ × ¼",
    "It’s the dog’s “bone” — you’ll see. It’s 5 to £6.\n" * 9,
    "caf\xe9", "\xa9", "na\xefve r\xe9sum\xe9", "\xabOui\xbb, dit-il. \xc0 demain\xa0!",
    "D\xe9j\xe0 vu; \xc7a va?", "m\xb2;m\xb3;\xb5g",
]  # fmt: skip


@pytest.mark.parametrize("text", WESTERN)
def test_western_european_text_is_windows_1252(text):
    assert guess(text.encode("cp1252")) is None
    assert guess((text + "\n").encode("cp1252") * 200) is None
    assert guess(f"<p>{text}</p><p>plain words</p>".encode("cp1252")) is None


def test_damaged_places_do_not_make_utf_8_another_encoding():
    data = "Überfälle, Größen und schöne Tage. ".encode() * 40
    assert sniff_encoding(data + b"\xe9 x" + data) == "utf-8"


@pytest.mark.parametrize("name", ["shift_jis", "gbk", "windows-1252", "koi8-r", "utf-16le", "x-user-defined"])
def test_valid_utf_8_beats_another_declaration(name):
    text = "Größe, Übung, façade, 港の工事は来年の春"
    decoded = read(text.encode(), f"text/html; charset={name}")
    assert decoded[:2] == (text, "utf-8")
    assert name.partition("-")[0] in decoded.note


def test_few_characters_do_not_beat_a_declaration():
    assert read("Ã© Ã¨".encode("cp1252"), "text/html; charset=windows-1252").text == "Ã© Ã¨"


def test_a_guess_has_a_note_and_a_declaration_has_none():
    data = "Новый причал построят весной".encode("cp1251")
    assert "windows-1251" in read(data).note
    assert not read(data, "text/html; charset=windows-1251").note
    assert not read(b"caf\xe9").note


def test_bytes_that_windows_1252_lacks_are_not_taken_for_controls():
    assert read(b"caf\xe9 \x81").text == "caf\xe9 \ufffd"


@given(st.binary(max_size=400))
def test_any_bytes_have_a_known_encoding_or_none(data):
    name = guess(data)
    assert name is None or encoding_for_label(name) == name


@pytest.mark.parametrize("unit", [b"\xff", b"\xe9a", b"a\xc4\xc4 ", b"\x1b$B", b"\x81\x40"])
def test_the_cost_is_linear(unit):
    def cost(size):
        data = unit * size
        begin = time.process_time()
        guess(data)
        return time.process_time() - begin

    assert not growth(cost, MAX_SAMPLE * 20)
