"""Remove content codings (gzip, deflate, zstd) piece by piece. In: the coded bytes as they arrive. Out: decoded pieces.

A piece has at most PIECE bytes and nothing is decoded ahead, so a caller that counts bytes can stop a decompression
bomb early. A stream that is cut short, corrupt or has an unsupported coding (br) raises a NetworkError. Two common
mistakes of servers are tolerated: deflate without its zlib wrapper, and labels that are not codings (utf-8, none).
Spec: RFC 9110 section 8.4.1, RFC 1950 to 1952, RFC 8878.
Tests: tests/net/test_decode.py
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from webtool.errors import NetworkError
from webtool.lean.optional import zlib, zstd_module
from webtool.lean.typing import Any
from webtool.net.messages import CutShort, Malformed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    class Decoder(Protocol):
        """One coding. push() yields decoded pieces, some of them empty; finish() checks the stream's end."""

        def push(self, data: bytes) -> Iterator[bytes]: ...

        def finish(self) -> None: ...


PIECE = 65536  # bytes of one decoded piece
MAX_CODINGS = 3  # codings applied to one body; with more the body is refused (honest servers use one or two)
_SLICE = 16384  # bytes of input given to a decoder at a time, as zlib copies the unused rest
_GZIP_MAGIC = b"\x1f\x8b"
# First bytes of plain text: white space, "<", JSON, a BOM, digits, letters.
_TEXT_STARTS = frozenset(b"\t\n\r <{[\"'#-\xef") | frozenset(range(0x30, 0x3A)) | frozenset(range(0x41, 0x7B))
# Content codings, registered or in use, without a leading "x-". Other values of Content-Encoding (utf-8, none,
# aws-chunked, text/html) are mistakes: as in browsers, they leave the body as it is.
_CODINGS = frozenset(
    "gzip deflate zstd br compress exi aes128gcm pack200-gzip dcb dcz bzip2 xz lzma lz4 snappy".split()
)


class _Gzip:
    """gzip with any number of members; other bytes after the last member are ignored."""

    def __init__(self) -> None:
        self._inflate: Any = None  # decompresses the current member; None between two members
        self._held = b""  # the first byte of a member, until the second one arrives
        self._is_plain = False  # the body is text without a coding
        self._is_after_end = False  # a member has ended

    def push(self, data: bytes) -> Iterator[bytes]:
        data = self._held + data
        self._held = b""
        while data and not self._is_plain:
            if self._inflate is None:
                if len(data) < 2 and data == _GZIP_MAGIC[:1]:
                    self._held = data
                    break
                if not self._begins_member(data):
                    break
            yield from _inflated(self._inflate, data)
            data = self._inflate.unused_data
            if self._inflate.eof:
                self._inflate, self._is_after_end = None, True
        if self._is_plain:
            yield data

    def _begins_member(self, data: bytes) -> bool:
        """Start a decompressor if a gzip member begins here; else note that the body is plain text, or raise."""
        if data[:2] == _GZIP_MAGIC:
            self._inflate = zlib.decompressobj(wbits=31)
            return True
        if not self._is_after_end:
            # Labelled gzip but sent plain: accepted for text, an error for anything else.
            if data[0] not in _TEXT_STARTS:
                raise Malformed("the body is labelled gzip and is not gzip")
            self._is_plain = True
        return False

    def finish(self) -> None:
        if self._inflate is not None or (self._held and not self._is_after_end):
            raise CutShort("the gzip stream of the body is cut short")


class _Deflate:
    """zlib format as the RFC says, or raw deflate, which some servers send."""

    def __init__(self) -> None:
        self._inflate: Any = None
        self._held = b""  # the first byte, until the second one arrives

    def push(self, data: bytes) -> Iterator[bytes]:
        if self._inflate is None:
            data = self._held + data
            self._held = data
            if len(data) < 2:
                return
            has_wrapper = data[0] & 15 == 8 and (data[0] << 8 | data[1]) % 31 == 0
            self._inflate = zlib.decompressobj(wbits=15 if has_wrapper else -15)
            self._held = b""
        yield from _inflated(self._inflate, data)

    def finish(self) -> None:
        if self._held or (self._inflate is not None and not self._inflate.eof):
            raise CutShort("the deflate stream of the body is cut short")


def _inflated(inflate: Any, data: bytes) -> Iterator[bytes]:
    try:
        piece = b""
        while (data or len(piece) == PIECE) and not inflate.eof:  # a full piece may leave a rest inside zlib
            piece = inflate.decompress(data, PIECE)
            yield piece
            data = inflate.unconsumed_tail
    except zlib.error as exc:
        raise Malformed("the compressed body is corrupt") from exc


class _Zstd:
    """Zstandard frames (RFC 8878), on Pythons with Zstandard; windows up to 8 MB as section 3.1.1.1.2 recommends."""

    def __init__(self, module: Any) -> None:
        self._module = module
        self._frame: Any = None

    def push(self, data: bytes) -> Iterator[bytes]:
        while data:
            if self._frame is None:
                limit = {self._module.DecompressionParameter.window_log_max: 23}
                self._frame = self._module.ZstdDecompressor(options=limit)
            try:
                yield self._frame.decompress(data, PIECE)
                while not self._frame.eof and not self._frame.needs_input:
                    yield self._frame.decompress(b"", PIECE)
            except self._module.ZstdError as exc:
                raise Malformed("the zstd body is corrupt") from exc
            data = self._frame.unused_data if self._frame.eof else b""
            if self._frame.eof:
                self._frame = None

    def finish(self) -> None:
        if self._frame is not None:
            raise CutShort("the zstd stream of the body is cut short")


_DECODERS: dict[str, Callable[[], Decoder]] = {"gzip": _Gzip, "deflate": _Deflate}


class BodyDecoder:
    """Removes all codings of one body, the last applied first."""

    def __init__(self, content_codings: Iterable[str], transfer_codings: Iterable[str] = ()) -> None:
        names = [name for name in map(_name_of, content_codings) if name in _CODINGS]
        names += [name for name in map(_name_of, transfer_codings) if name != "chunked"]
        if len(names) > MAX_CODINGS:
            raise Malformed(f"the body is coded {len(names)} times, more than {MAX_CODINGS}")
        self.names = names
        self._stages: list[Decoder] = [_stage(name) for name in reversed(names)]
        self._has_input = False

    def push(self, data: bytes) -> Iterator[bytes]:
        """Yield decoded pieces of at most PIECE bytes, some of them empty. Without a coding, yield the data itself."""
        if not self._stages:
            yield data
            return
        self._has_input = self._has_input or bool(data)
        for start in range(0, len(data), _SLICE):
            yield from self._through(data[start : start + _SLICE], 0)

    def _through(self, data: bytes, position: int) -> Iterator[bytes]:
        """Pass data through the stages from `position` on."""
        if position == len(self._stages):
            yield data
            return
        for piece in self._stages[position].push(data):
            yield from self._through(piece, position + 1)

    def finish(self) -> None:
        """Check that every stream is complete; an empty body is. Raises NetworkError."""
        if self._has_input:
            for stage in self._stages:
                stage.finish()


def _name_of(coding: str) -> str:
    return coding.strip().lower().removeprefix("x-")


def _stage(name: str) -> Decoder:
    """Return the decoder for a coding. Raises NetworkError for one that is not supported."""
    zstd = zstd_module() if name == "zstd" else None
    if zstd is None and name not in _DECODERS:
        raise NetworkError(
            f"the body is coded as {name[:40]!r}, which was not requested and is not supported",
            hint="The server will do so again. Look for the same text elsewhere (a search, an archive).",
            retryable=False,
        )
    return _DECODERS[name]() if zstd is None else _Zstd(zstd)
