"""Results are written completely, replace files only when complete, and cannot control a terminal."""

import io
import os
import stat

import pytest
from terminals import open_terminal

from webtool import output
from webtool.errors import InvalidArgument

posix = pytest.mark.skipif(os.name != "posix", reason="links and devices as POSIX has them")


def test_a_file_is_written_whole_and_nothing_else_is_left(tmp_path):
    path = tmp_path / "page.md"
    path.write_bytes(b"old")
    output.write_file(str(path), b"new")
    assert path.read_bytes() == b"new"
    assert os.listdir(tmp_path) == ["page.md"]


@posix
def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "real.md").write_bytes(b"old")
    (tmp_path / "link.md").symlink_to("real.md")
    output.write_file(str(tmp_path / "link.md"), b"new")
    assert (tmp_path / "link.md").is_symlink()
    assert (tmp_path / "real.md").read_bytes() == b"new"


@posix
def test_the_pipe_of_a_shell_is_written_to():
    source, sink = os.pipe()  # what /dev/stdout is before a "|"
    output.write_file(f"/dev/fd/{sink}", b"text")
    os.close(sink)
    with open(source, "rb") as file:
        assert file.read() == b"text"


@posix
def test_a_device_is_written_to_and_not_replaced(tmp_path):
    # As root, replacing would succeed: a link to the device keeps this test from harming the machine.
    (tmp_path / "null").symlink_to(os.devnull)
    output.write_file(str(tmp_path / "null"), b"gone")
    assert stat.S_ISCHR(os.stat(tmp_path / "null").st_mode)
    assert os.listdir(tmp_path) == ["null"]


@posix
def test_a_pipe_is_written_to(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        output.write_file(str(path), b"through")
        assert os.read(reader, 100) == b"through"
    finally:
        os.close(reader)


@pytest.mark.parametrize("path", [".", "no/such/folder/page.md"])
def test_an_unwritable_file_is_named(tmp_path, path):
    with pytest.raises(InvalidArgument, match="cannot be written"):
        output.write_file(str(tmp_path / path), b"x")
    assert os.listdir(tmp_path) == []


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is always full")
def test_a_full_disk_is_named():
    with pytest.raises(InvalidArgument, match="/dev/full cannot be written"):
        output.write_file("/dev/full", b"x")
    assert stat.S_ISCHR(os.stat("/dev/full").st_mode)


HOSTILE = "# Page\n\ttab\r\n\x1b[2J\x1b]0;title\x07 \x9b31m \x7f\x08 a\rb é \U0001f600\n"


def test_control_characters_have_a_visible_form():
    assert output.printable(HOSTILE) == ("# Page\n\ttab\n␛[2J␛]0;title␇ \ufffd31m ␡␈ a␍b é \U0001f600\n")
    assert output.printable("plain") == "plain"


@posix
@pytest.mark.parametrize("to_terminal", [True, False])
def test_a_terminal_gets_nothing_raw_and_a_pipe_gets_every_byte(to_terminal):
    import subprocess
    import sys

    reader, writer = open_terminal() if to_terminal else os.pipe()
    script = f"from webtool import output as o; o.write_all(1, {HOSTILE!r}.encode()); o.write_error({HOSTILE!r})"
    done = subprocess.run([sys.executable, "-c", script], stdout=writer, stderr=subprocess.PIPE, timeout=30)
    os.close(writer)
    data = os.read(reader, 10000)
    os.close(reader)
    assert (data == HOSTILE.encode()) is not to_terminal
    seen = (data if to_terminal else b"") + done.stderr
    assert not any(byte in seen for byte in (b"\x1b", b"\x07", b"\x08", b"\x7f", b"\xc2\x9b"))
    assert "␛[2J".encode() in seen


def test_an_error_message_that_a_server_chose_reaches_stderr_in_visible_form(capfd):
    from webtool.cli import main
    from webtool.errors import UnsupportedContent

    main.report(UnsupportedContent("type evil\x1b[2J\x9b1m", hint="\x1b]0;x\x07"), "fetch", [])
    assert "\x1b" not in capfd.readouterr().err


class Console(io.StringIO):
    """A stream like Python's for a Windows console: text on top of a buffer of UTF-8 bytes."""

    def __init__(self):
        super().__init__()
        self.buffer = io.BytesIO()


def test_a_windows_console_gets_text_whatever_its_code_page(monkeypatch):
    console = Console()
    monkeypatch.setattr("sys.stdout", console)
    assert output._write_console(1, "caf\u00e9 \u6f6e\n".encode() + b"\xff")
    assert console.buffer.getvalue().decode() == "caf\u00e9 \u6f6e\n\ufffd"
    monkeypatch.setattr("sys.stdout", None)
    assert not output._write_console(1, b"x")


@posix
@pytest.mark.parametrize("write", [output.write_file, output.replace_file])
def test_a_link_planted_under_the_temporary_name_is_never_followed(tmp_path, monkeypatch, write):
    (tmp_path / "victim").write_bytes(b"precious")
    for name in (f"page.md.{os.getpid()}.part", "page.md.0000000000000000.part"):
        (tmp_path / name).symlink_to("victim")
    monkeypatch.setattr(os, "urandom", bytes)  # the name can be guessed
    with pytest.raises((OSError, InvalidArgument), match=r"exists|cannot be written"):
        write(str(tmp_path / "page.md"), b"page")
    monkeypatch.undo()
    write(str(tmp_path / "page.md"), b"page")
    assert (tmp_path / "victim").read_bytes() == b"precious"
    assert not (tmp_path / "page.md").is_symlink()
    assert len(os.listdir(tmp_path)) == 4  # the planted links stay as they are


@pytest.mark.parametrize("has_links", [True, False])
def test_a_new_file_never_replaces_one_that_exists(tmp_path, monkeypatch, has_links):
    def no_links(*_):
        raise OSError("no links here")

    if not has_links:
        monkeypatch.setattr(os, "link", no_links)
    path = tmp_path / "a.warc"
    output.replace_file(str(path), b"first", is_new=True)
    with pytest.raises(FileExistsError):
        output.replace_file(str(path), b"second", is_new=True)
    assert path.read_bytes() == b"first"
    assert os.listdir(tmp_path) == ["a.warc"]


def test_an_error_without_a_number_is_named_by_its_text(tmp_path, monkeypatch):
    """Wrappers of files raise OSError with a text alone; its strerror is None."""

    def fail(*_):
        raise OSError("the drive is gone")

    monkeypatch.setattr(output.os, "write", fail)
    with pytest.raises(output.CannotWrite, match="the drive is gone"):
        output.write_all(1, b"x")
    monkeypatch.undo()
    monkeypatch.setattr(output, "replace_file", fail)
    with pytest.raises(InvalidArgument, match="cannot be written: the drive is gone"):
        output.write_file(str(tmp_path / "a"), b"x")
