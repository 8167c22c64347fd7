"""Import modules that some Pythons are built without. In: nothing. Out: the standard module, or a stand-in.

The stand-in for zlib refuses each call with an error that says what is missing. All that needs no zlib works.
`from webtool.lean.optional import zlib` costs what `import zlib` does.
"""

from __future__ import annotations

from webtool.errors import UnsupportedContent

TYPE_CHECKING = False
if TYPE_CHECKING:
    import zlib
    from types import ModuleType
    from typing import NoReturn
else:
    try:
        import zlib
    except ImportError:

        class zlib:  # noqa: N801 -- the module's name
            """Have all names of zlib that webtool uses. Each of the functions refuses."""

            MAX_WBITS = 15

            class error(Exception):  # noqa: N801
                """Never raised: nothing gets that far."""

            @staticmethod
            def _refuse(*_values: object, **_named: object) -> NoReturn:
                raise UnsupportedContent(
                    "this is compressed, and this Python was built without zlib",
                    hint="Run webtool with another python3 (webtool doctor tells which one runs).",
                )

            decompress = compress = decompressobj = compressobj = crc32 = _refuse


def zstd_module() -> ModuleType | None:
    """Return compression.zstd, which Python has from 3.14 on, or None."""
    try:
        from compression import zstd  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        return None
    return zstd  # type: ignore[no-any-return,unused-ignore]


HAS_ZLIB = hasattr(zlib, "ZLIB_VERSION")

__all__ = ["HAS_ZLIB", "zlib", "zstd_module"]
