"""Decrypt files that open with an empty password (standard security handler). In: the Encrypt dictionary, the file id.

Out: functions that decrypt one string or stream, or an error. The standard library has no ciphers: RC4 (V 1, 2, and 4
with the method V2) is here, AES (V 4 with AESV2, V 5) in aes.py. "Algorithm 2" and so on are those of the standard.
Specification: ISO 32000-1 section 7.6; ISO 32000-2 section 7.6.4 for V 5.
Tests: tests/documents/pdf/test_objects.py, tests/documents/test_producers.py
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable

from webtool.documents.pdf.objects import PdfError, Stream
from webtool.lean.records import NamedTuple
from webtool.lean.typing import Any

Decrypt = Callable[[int, int, bytes], bytes]  # (object number, generation, data) -> data

# Section 7.6.3.3, algorithm 2, step a: an empty password, padded.
_PADDING = bytes.fromhex("28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a")
_MAX_ROUNDS = 400  # of algorithm 2.B, which ends by chance, usually after 70


class NeedsPassword(PdfError):
    """The empty password does not open the file."""


class UnknownCipher(PdfError):
    """The file is encrypted with a method outside of the standard handler."""


class Decryption(NamedTuple):
    """The functions that decrypt the objects of one file."""

    string: Decrypt | None  # None: strings are not encrypted
    stream: Decrypt | None  # None: streams are not encrypted
    dictionary: int  # object number of the encryption dictionary, which is not encrypted; -1 without a number
    plain_types: tuple[str, ...]  # types of the streams whose bytes are not encrypted

    def decrypted(self, value: Any, number: int, generation: int) -> Any:
        """Return the object with its strings decrypted; a stream decrypts its bytes on demand.

        The bytes of some streams are not encrypted: cross-reference streams, whose strings are not either (section
        7.5.8.2), metadata if the file leaves it plain, and streams with the filter Crypt (section 7.4.10).
        """
        if number == self.dictionary:
            return value
        if type(value) is not Stream:
            return _with_strings(value, self.string, number, generation)
        attrs = value.attrs
        names, kind = attrs.get("Filter"), attrs.get("Type")
        has_filter_crypt = "Crypt" in (names if type(names) is list else [names])
        decrypt, sealed = self.stream, value
        if kind != "XRef":
            attrs = _with_strings(attrs, self.string, number, generation)
        if decrypt is None or has_filter_crypt or kind in self.plain_types:
            return Stream(attrs, lambda: sealed.raw)
        return Stream(attrs, lambda: decrypt(number, generation, sealed.raw))


def decryption(encrypt: dict[str, Any], file_id: bytes, number: int) -> Decryption:
    """Return what decrypts a file that opens with an empty password.

    `encrypt` is the encryption dictionary, and `number` its object number or -1. Raises UnknownCipher, NeedsPassword,
    PdfError.
    """
    version = encrypt.get("V", 0)
    if encrypt.get("Filter") != "Standard" or version not in (1, 2, 4, 5):
        handler = str(encrypt.get("Filter"))[:40]
        version = f"an algorithm of version {str(version)[:10]}"
        raise UnknownCipher(version if handler == "Standard" else f"the security handler {handler}")
    string: Decrypt | None
    stream: Decrypt | None
    if version < 4:
        string = stream = _by_object(rc4, b"", _file_key(encrypt, file_id))
    else:
        key = _file_key(encrypt, file_id) if version == 4 else _file_key_of_aes_256(encrypt)
        string, stream = _crypt_filter(encrypt, "StrF", key), _crypt_filter(encrypt, "StmF", key)
    plain_types = ("XRef", "Metadata") if encrypt.get("EncryptMetadata") is False else ("XRef",)
    return Decryption(string, stream, number, plain_types)


def _crypt_filter(encrypt: dict[str, Any], which: str, key: bytes) -> Decrypt | None:
    """Return the function of a crypt filter: `which` is StrF for strings, StmF for streams."""
    name = str(encrypt.get(which, "Identity"))
    if name == "Identity":
        return None
    method = str(encrypt["CF"].get(name, {}).get("CFM", ""))
    if method == "None":
        return None
    if method == "AESV3":
        return lambda _number, _generation, data: _aes(key, data)
    if method not in ("V2", "AESV2"):
        raise UnknownCipher(f"the method {method[:40]}")
    return _by_object(rc4, b"", key) if method == "V2" else _by_object(_aes, b"sAlT", key)


def _file_key_of_aes_256(encrypt: dict[str, Any]) -> bytes:
    """Return the key by algorithm 2.A of ISO 32000-2, for an empty user or owner password. Raises NeedsPassword.

    Revision 5 is Adobe's extension of ISO 32000-1.
    """
    from webtool.documents.pdf.objects import aes

    digest = _hash_of_revision_6 if encrypt.get("R") == 6 else lambda salt, more: hashlib.sha256(salt + more).digest()
    extra = b""
    for entry, sealed in ((encrypt.get("U"), encrypt.get("UE")), (encrypt.get("O"), encrypt.get("OE"))):
        if not isinstance(entry, bytes) or not isinstance(sealed, bytes) or len(entry) < 48 or len(sealed) < 32:
            break
        if digest(entry[32:40], extra) == entry[:32]:
            return aes.decrypt(digest(entry[40:48], extra), bytes(16), sealed[:32])
        extra = entry[:48]  # the owner's password is hashed with the user's entry
    if not extra:
        raise PdfError("has an encryption dictionary without U or UE")
    raise NeedsPassword("needs a password")


def _hash_of_revision_6(salt: bytes, extra: bytes) -> bytes:
    """Hash the empty password by algorithm 2.B of ISO 32000-2: at least 64 rounds of about 3,000 bytes.

    `extra` is the U entry for the owner password, b"" for the user password.
    """
    from webtool.documents.pdf.objects import aes

    key = hashlib.sha256(salt + extra).digest()
    for number in range(_MAX_ROUNDS):
        sealed = aes.encrypt(key[:16], key[16:32], (key + extra) * 64)
        # The first 16 bytes as a number, modulo 3, choose the hash; 256 is 1 modulo 3, so their sum does as well.
        key = hashlib.new(("sha256", "sha384", "sha512")[sum(sealed[:16]) % 3], sealed).digest()
        rounds = number + 1
        if rounds >= 64 and sealed[-1] <= rounds - 32:
            break
    return key[:32]


def _file_key(encrypt: dict[str, Any], file_id: bytes) -> bytes:
    """Return the key by algorithm 2, checked against the U entry by algorithms 4 and 5. Raises NeedsPassword."""
    revision = encrypt.get("R", 2)
    bits = encrypt.get("Length", 40)
    length = bits // 8 if type(bits) is int and 40 <= bits <= 128 else 5
    if encrypt.get("V") == 4:
        length = 16
    elif revision == 2:
        length = 5
    owner, user, permissions = encrypt.get("O"), encrypt.get("U"), encrypt.get("P")
    if not isinstance(owner, bytes) or not isinstance(user, bytes) or not isinstance(permissions, int):
        raise PdfError("has an encryption dictionary without O, U or P")
    if type(revision) is not int:
        raise PdfError("has an encryption dictionary without a revision")
    text = _PADDING + owner[:32] + (int(permissions) & 0xFFFFFFFF).to_bytes(4, "little") + file_id
    if revision >= 4 and encrypt.get("EncryptMetadata") is False:
        text += b"\xff\xff\xff\xff"
    digest = _md5(text)
    if revision >= 3:
        for _ in range(50):
            digest = _md5(digest[:length])
    key = digest[:length]
    if _user_entry(key, revision, file_id)[:16] != user[:16]:
        raise NeedsPassword("needs a password")
    return key


def _user_entry(key: bytes, revision: int, file_id: bytes) -> bytes:
    """Return the U entry that a key must have (algorithms 4 and 5)."""
    if revision < 3:
        return rc4(key, _PADDING)
    entry = rc4(key, _md5(_PADDING + file_id))
    for number in range(1, 20):
        entry = rc4(bytes(byte ^ number for byte in key), entry)
    return entry


def _by_object(cipher: Callable[[bytes, bytes], bytes], salt: bytes, key: bytes) -> Decrypt:
    """Return a function that decrypts each object with a key of its own (algorithm 1; AES adds a salt)."""

    def decrypt(number: int, generation: int, data: bytes) -> bytes:
        suffix = (number & 0xFFFFFF).to_bytes(3, "little") + (generation & 0xFFFF).to_bytes(2, "little") + salt
        return cipher(_md5(key + suffix)[: min(len(key) + 5, 16)], data)

    return decrypt


def _aes(key: bytes, data: bytes) -> bytes:
    """Decrypt AES data: the initialisation vector comes first, the length of the padding last (section 7.6.2)."""
    from webtool.documents.pdf.objects import aes

    plain = aes.decrypt(key, data[:16], data[16:])
    return plain[: -plain[-1]] if plain and 1 <= plain[-1] <= 16 else plain


def rc4(key: bytes, data: bytes) -> bytes:
    """Encrypt or decrypt with the stream cipher RC4; both are the same."""
    state = list(range(256))
    j = 0
    for i in range(256):
        j = (j + state[i] + key[i % len(key)]) & 0xFF
        state[i], state[j] = state[j], state[i]
    stream = bytearray(len(data))
    i = j = 0
    for index in range(len(data)):
        i = (i + 1) & 0xFF
        a = state[i]
        j = (j + a) & 0xFF
        b = state[j]
        state[i] = b
        state[j] = a
        stream[index] = state[(a + b) & 0xFF]
    size = len(data)
    return (int.from_bytes(data, "little") ^ int.from_bytes(stream, "little")).to_bytes(size, "little")


def _md5(data: bytes) -> bytes:
    return hashlib.md5(data, usedforsecurity=False).digest()


def _with_strings(value: Any, decrypt: Decrypt | None, number: int, generation: int) -> Any:
    """Return a value with all its strings decrypted, also in arrays and dictionaries; nothing recurses."""
    if decrypt is None:
        return value
    box = [value]
    open_boxes: list[Any] = [box]
    while open_boxes:
        container = open_boxes.pop()
        for key, item in list(container.items() if type(container) is dict else enumerate(container)):
            if type(item) is bytes:
                container[key] = decrypt(number, generation, item)
            elif type(item) in (dict, list):
                open_boxes.append(item)
    return box[0]
