"""Modules of the standard library that a Python may be built without. In: nothing. Out: the module, or what refuses.

A Python without one of them does everything that does not need it; what needs it fails with an error that names it.
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
            """The names of zlib that are used here; whatever is called refuses."""

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
    """compression.zstd, which Python has from 3.14 on."""
    try:
        from compression import zstd  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        return None
    return zstd  # type: ignore[no-any-return,unused-ignore]


HAS_ZLIB = hasattr(zlib, "ZLIB_VERSION")

__all__ = ["HAS_ZLIB", "zlib", "zstd_module"]
