"""Results go whole to where they were sent, and harm nothing there."""

import os
import stat

import pytest

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
def test_what_cannot_be_written_is_named(tmp_path, path):
    with pytest.raises(InvalidArgument, match="cannot be written"):
        output.write_file(str(tmp_path / path), b"x")
    assert os.listdir(tmp_path) == []


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is always full")
def test_a_full_device_is_named():
    with pytest.raises(InvalidArgument, match="/dev/full cannot be written"):
        output.write_file("/dev/full", b"x")
    assert stat.S_ISCHR(os.stat("/dev/full").st_mode)
