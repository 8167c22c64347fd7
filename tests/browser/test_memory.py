"""Pages that take the machine's memory: they are read while they can be, or ended, and the browser goes on."""

import os
import subprocess
import sys
import time

import pytest

from webtool.browser import memory
from webtool.errors import RenderFailed

STORY = "<p>The harbour has two tides a day, and the second one comes later; between them boats lie on the sand.</p>"
pytestmark = pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="memory is looked at in /proc")

GREEDY = {
    "a million elements": "for (let n = 0; n < 1e6; n++) { const p = document.createElement('p');"
    "p.textContent = 'item ' + n; document.body.append(p); }",
    "memory of a module": "const all = []; setInterval(() => { const one = new WebAssembly.Memory({initial: 1600});"
    "new Uint8Array(one.buffer).fill(1); all.push(one); }, 30); fetch('/never')",
    "a tree too deep to be laid out": "let at = document.body; for (let n = 0; n < 1e5; n++) {"
    "const one = document.createElement('div'); at.append(one); at = one; }",
}


@pytest.mark.parametrize("name", GREEDY)
def test_a_page_that_takes_too_much_is_read_as_far_as_it_came(site, render, browser, name):
    site.hang("/never")
    page = render(site.html("/", f"<!doctype html>{STORY}<script>{GREEDY[name]}</script>"), seconds=40)
    assert "two tides a day" in page.html
    assert not page.is_whole
    assert page.notes
    assert browser.engine.memory.highest < memory.MAX_PROCESS_MEMORY
    assert render(site.html("/next", "<title>next</title>")).title == "next"


def test_a_page_that_cannot_be_read_in_time_is_ended_and_told(site, render, monkeypatch):
    """Canvases: what is drawn on them grows beside the page, however still it is."""
    monkeypatch.setattr(memory, "CROWDED_MEMORY", memory.MAX_PROCESS_MEMORY)
    script = """setInterval(() => { const one = document.createElement('canvas'); one.width = one.height = 4096;
    one.getContext('2d').fillRect(0, 0, 4096, 4096); document.body.append(one); }, 5); fetch('/never')"""
    site.hang("/never")
    started = time.monotonic()
    with pytest.raises(RenderFailed, match="more than 1400 MB of memory") as caught:
        render(site.html("/", f"<!doctype html><p>Few words.<script>{script}</script>"))
    assert "plain fetch" in caught.value.hint
    assert time.monotonic() - started < 60
    assert render(site.html("/next", "<title>next</title>")).title == "next"


def test_a_group_is_looked_at_while_pages_are_open_and_its_largest_process_ended():
    hungry = "held = bytearray(1500 << 20); held[::4096] = b'x' * len(held[::4096]); input()"
    program = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {hungry!r}])"
    group = subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, start_new_session=True)
    watch = memory.Watch()
    try:
        watch.begin(group.pid)
        time.sleep(3 * memory.PAUSE)
        assert watch.highest == 0  # no page is open
        watch.page_opens()
        assert group.wait(60) == 0  # the child was killed, the leader was not
        assert watch.has_killed
        watch.page_closes()
    finally:
        watch.close()
        group.kill()
        group.communicate()


def test_a_moment_without_descriptors_does_not_end_the_looking(monkeypatch):
    failures = [OSError(24, "Too many open files")] * 3

    def listed(folder, whole=os.listdir):
        if failures:
            raise failures.pop()
        return whole(folder)

    monkeypatch.setattr(os, "listdir", listed)
    group = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, start_new_session=True)
    watch = memory.Watch()
    try:
        watch.begin(group.pid)
        watch.page_opens()
        end = time.monotonic() + 20
        while not watch.highest and time.monotonic() < end:
            time.sleep(memory.PAUSE)
        assert watch.highest > 0
    finally:
        watch.close()
        group.kill()
        group.communicate()


@pytest.mark.skipif(sys.platform != "linux", reason="prlimit is Linux's")
def test_no_process_gets_more_data_than_the_limit():
    import resource

    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    memory.limit_data(process.pid)
    limits = resource.prlimit(process.pid, resource.RLIMIT_DATA)
    process.communicate()
    assert limits == (memory.MAX_DATA, memory.MAX_DATA)
