"""Make WARC files for tests."""

import gzip


def record(kind, content, *, url="https://a.example/x", content_type="application/http; msgtype=response", **fields):
    """One record of WARC 1.1 as bytes; further fields by name, `_` for `-`."""
    pairs = {"WARC-Type": kind, "WARC-Record-ID": "<urn:uuid:0>", "WARC-Date": "2026-01-02T03:04:05Z"}
    if url:
        pairs["WARC-Target-URI"] = url
    pairs.update({name.replace("_", "-"): value for name, value in fields.items()})
    pairs["Content-Type"] = content_type
    pairs["Content-Length"] = str(len(content))
    head = "".join(f"{name}: {value}\r\n" for name, value in pairs.items() if value is not None)
    return b"WARC/1.1\r\n" + head.encode() + b"\r\n" + content + b"\r\n\r\n"


def answer(body=b"<p>Hello", *, status="200 OK", content_type="text/html", **fields):
    """An HTTP answer as stored in a response record."""
    lines = [f"HTTP/1.1 {status}", f"Content-Type: {content_type}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in fields.items()]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def page(n=0, body=None, **fields):
    """A response record of page n."""
    text = b"<title>Page %d</title><p>Words of page %d." % (n, n) if body is None else body
    return record("response", answer(text, **fields), url=f"https://a.example/{n}")


def members(*contents):
    """Compress each record into its own gzip member."""
    return b"".join(gzip.compress(content, mtime=0) for content in contents)
