"""A batch of URLs against curl --parallel, aria2 and wget2, on a loopback server that takes 50 ms for each answer.

    python3 tests/bench/crawling.py [--pages N] [--connections N] [--rounds N]

Pages a second of each in turn, and CPU of the process for a page. webtool batch runs in mode raw (no conversion, as the
others), without cache, with as many connections to the host as the others. Peers that are not installed are left out.
"""

import argparse
import os
import pathlib
import selectors
import shutil
import socket
import subprocess
import tempfile
import time

from costs import ARCHIVE, cost, in_turn, medians, need_archive

BODY = b"<!DOCTYPE html><title>T</title>" + b"<p>Some words of a page to be read.</p>" * 250
DELAY = 0.05


def serve():
    """Answer on loopback, keeping connections, 50 ms after each request; a process of its own. Returns (pid, port)."""
    listener = socket.create_server(("127.0.0.1", 0), backlog=512)
    pid = os.fork()
    if pid:
        port = listener.getsockname()[1]
        listener.close()
        return pid, port
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n" % len(BODY)
    selector = selectors.DefaultSelector()
    listener.setblocking(False)
    selector.register(listener, selectors.EVENT_READ)
    due = []
    while True:
        wait = max(due[0][0] - time.monotonic(), 0) if due else None
        for key, _ in selector.select(wait):
            if key.fileobj is listener:
                connection, _ = listener.accept()
                selector.register(connection, selectors.EVENT_READ)
                continue
            try:
                data = key.fileobj.recv(65536)
            except OSError:
                data = b""
            if not data:
                selector.unregister(key.fileobj)
                key.fileobj.close()
            else:
                due += [(time.monotonic() + DELAY, key.fileobj)] * data.count(b"\r\n\r\n")
        while due and due[0][0] <= time.monotonic():
            try:
                due.pop(0)[1].sendall(head + BODY)
            except OSError:
                pass


def contestants(folder, urls, connections):
    """Name to command and environment."""
    listed = folder / "urls.txt"
    listed.write_text("\n".join(urls) + "\n")
    config = folder / "curl.txt"
    config.write_text("".join(f'url = "{url}"\noutput = "/dev/null"\n' for url in urls))
    batch = [str(ARCHIVE), "batch", str(listed), "--mode=raw", "--concurrency", str(connections)]
    batch += ["--per-host", str(connections), "-q"]
    commands = {"webtool batch": batch}
    if shutil.which("curl"):
        most = ["--parallel", "--parallel-max", str(connections)]
        commands["curl --parallel"] = ["curl", "-s", *most, "-K", str(config)]
    if shutil.which("aria2c"):
        most = ["-j", str(connections), "-x1", "-s1"]
        commands["aria2c"] = ["aria2c", "-q", *most, "-i", str(listed), "-d", str(folder / "aria"), "--allow-overwrite"]
    if shutil.which("wget2"):
        most = ["--max-threads", str(connections), "--no-robots", "-O", "/dev/null"]
        commands["wget2"] = ["wget2", "-q", *most, "-i", str(listed)]
    return commands


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pages", type=int, default=500)
    parser.add_argument("--connections", type=int, default=16)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    need_archive()
    pid, port = serve()
    environ = {**os.environ, "WEBTOOL_CACHE": "off", "WEBTOOL_ALLOW_PRIVATE_HOSTS": "127.0.0.1"}
    environ["WEBTOOL_RESPECT_ROBOTS"] = "0"
    try:
        with tempfile.TemporaryDirectory() as name:
            urls = [f"http://127.0.0.1:{port}/{n}.html" for n in range(options.pages)]
            runs = contestants(pathlib.Path(name), urls, options.connections)
            quietly = {"stdout": subprocess.DEVNULL, "env": environ}
            runs = {one: lambda command=command: cost(command, **quietly) for one, command in runs.items()}
            times = medians(in_turn(runs, options.rounds))
    finally:
        os.kill(pid, 9)
        os.waitpid(pid, 0)
    for one, (wall, cpu) in times.items():
        print(f"{one:18}{options.pages / wall:8.0f} pages/s{cpu / options.pages * 1000:8.2f} ms of CPU a page")


if __name__ == "__main__":
    main()
