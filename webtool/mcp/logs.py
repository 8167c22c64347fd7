"""Log records as JSON lines on stderr, one for each call. In: what happened. Out: a line without secrets.

The members are fixed: ts, tool, url, ms, cache_hit, status, error_code; those that do not apply are null.
"""

from __future__ import annotations

from webtool.output import write_error


def call_record(now: str, tool: str, url: str | None, ms: int, report: dict[str, object]) -> dict[str, object]:
    """What one call's line says."""
    from webtool import urls

    return {
        "ts": now,
        "tool": tool,
        "url": None if url is None else urls.redact(url)[:2000],
        "ms": ms,
        "cache_hit": report.get("cache_hit"),
        "status": report.get("status"),
        "error_code": report.get("error_code"),
    }


def write(record: dict[str, object]) -> None:
    """One line on stderr."""
    import json

    write_error(json.dumps(record, ensure_ascii=False) + "\n")
