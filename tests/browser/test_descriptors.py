"""A browser that cannot be started for a lack of descriptors leaves none open."""

import os
import subprocess
import sys
import textwrap

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="counts descriptors in /proc")
def test_no_descriptor_is_left_open_when_they_run_out(tmp_path):
    script = textwrap.dedent(
        f"""
        import os, resource, sys
        sys.path.insert(0, {ROOT!r})
        from webtool.browser.process import Process, Reaper
        from webtool.errors import RenderFailed
        failed = 0
        for spare in range(0, 14):
            before = set(os.listdir("/proc/self/fd"))
            resource.setrlimit(resource.RLIMIT_NOFILE, (len(before) - 1 + spare, 4096))
            process = None
            try:
                reaper = Reaper({str(tmp_path)!r})
                process = Process(["/bin/true"], {{}}, reaper)
            except RenderFailed as error:
                failed += 1
                assert "could not be started" in error.message, error.message
            resource.setrlimit(resource.RLIMIT_NOFILE, (1024, 4096))
            if process is not None:
                process.kill()
                process.last_words()
                os.close(process.commands)
                os.close(process.answers)
            reaper.dismiss()
            left = set(os.listdir("/proc/self/fd")) - before
            assert len(left) <= 1, (spare, left)
        print("failed", failed)
        """
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout.split()[1]) >= 6
