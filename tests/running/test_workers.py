"""Worker processes: their results, how they are ended, and the errors of their callers."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import pytest

from webtool.errors import (
    Cancelled,
    ExtractFailed,
    FetchTimeout,
    FetchTooLarge,
    InternalError,
    InvalidArgument,
    InvalidRequest,
    WebtoolError,
)
from webtool.running import threads
from webtool.running.workers import Workers, count_cores

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# A regular expression that no clock is looked at in, and no thread can be stopped in.
FOR_EVER = ("re:match", r"(a+)+$", "a" * 60 + "b")


@pytest.fixture
def workers():
    pool = Workers(2)
    yield pool
    pool.close()


def soon(seconds=20.0):
    return time.monotonic() + seconds


def test_a_function_is_called_by_its_name(workers):
    assert workers.call("operator:add", 1, 2, deadline=soon()) == 3
    assert workers.call("webtool.html:decode", b"\xe9", None, deadline=soon())[0] == "é"
    assert workers.count == 2
    assert Workers().count == count_cores() > 0


def test_errors_of_the_function_are_raised_to_the_caller(workers):
    with pytest.raises(InvalidRequest) as caught:
        workers.call("webtool.cli.host:parse_request", b"[]", deadline=soon())
    assert caught.value.hint
    with pytest.raises(InternalError, match="ZeroDivisionError"):
        workers.call("operator:truediv", 1, 0, deadline=soon())


@pytest.mark.alone
def test_a_call_ends_by_its_deadline_whatever_it_does(workers):
    workers.call("operator:add", 1, 2, deadline=soon())
    started = time.monotonic()
    with pytest.raises(FetchTimeout):
        workers.call(*FOR_EVER, deadline=started + 0.5)
    assert time.monotonic() - started < 1.5
    assert workers.call("operator:add", 1, 2, deadline=soon()) == 3


@pytest.mark.alone
def test_a_cancelled_call_stops_using_the_processor(workers):
    workers.call("operator:add", 1, 2, deadline=soon())
    pids = [worker._process.pid for worker in workers._idle]
    cancelled = threading.Event()
    threading.Timer(0.3, cancelled.set).start()
    started = time.monotonic()
    with pytest.raises(Cancelled):
        workers.call(*FOR_EVER, deadline=soon(), is_cancelled=cancelled.is_set)
    assert time.monotonic() - started < 1.3
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="this system limits no heap")
def test_memory_of_a_call_is_limited(workers):
    with pytest.raises(FetchTooLarge, match="700 MB"):
        workers.call("operator:mul", b"x", 1 << 30, deadline=soon())
    assert len(workers.call("operator:mul", b"x", 1 << 20, deadline=soon())) == 1 << 20


def test_a_worker_that_dies_is_an_error_and_is_replaced(workers):
    with pytest.raises(ExtractFailed, match="ended"):
        workers.call("os:_exit", 3, deadline=soon())
    assert workers.call("operator:add", 1, 2, deadline=soon()) == 3


@pytest.mark.skipif(os.name == "nt", reason="signals as POSIX has them")
def test_a_worker_that_died_while_idle_is_replaced_silently(workers):
    workers.call("operator:add", 1, 2, deadline=soon())
    os.kill(workers._idle[0]._process.pid, signal.SIGKILL)
    workers._idle[0]._process.wait()
    assert workers.call("operator:add", 1, 2, deadline=soon()) == 3


def test_a_worker_of_a_large_program_is_reused():
    """On Linux a child inherits its parent's peak memory (getrusage); the worker must not count it as its own."""
    program = (
        "import sys, time; sys.path.insert(0, sys.argv[1]); large = b'x' * (300 << 20)\n"
        "from webtool.running.workers import Workers\n"
        "pool = Workers(1)\n"
        "print(len({pool.call('os:getpid', deadline=time.monotonic() + 60) for _ in range(3)}))\n"
        "pool.close()"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", program, str(ROOT)], stdout=subprocess.PIPE, timeout=120, check=True
    )
    assert done.stdout == b"1\n"


def test_a_function_may_ask_its_caller(workers):
    def is_indented(line):
        if line == "3\n":
            raise InvalidArgument("no threes")
        return line == "2\n"

    assert workers.call("textwrap:indent", "1\n2\n", "> ", deadline=soon(), answer=is_indented) == "1\n> 2\n"
    with pytest.raises(InvalidArgument, match="no threes"):
        workers.call("textwrap:indent", "2\n3\n", "> ", deadline=soon(), answer=is_indented)


def test_more_calls_than_workers_wait_and_all_are_answered(workers):
    results = []

    def one(number):
        results.append(workers.call("operator:mul", number, 2, deadline=soon()))

    started = [threading.Thread(target=one, args=(number,)) for number in range(20)]
    for thread in started:
        thread.start()
    for thread in started:
        thread.join()
    assert sorted(results) == [number * 2 for number in range(20)]
    assert len(workers._idle) <= 2


def outcome_of(pool, seconds):
    """Return the error of a call that does not end by itself."""
    try:
        return pool.call(*FOR_EVER, deadline=soon(seconds))
    except WebtoolError as error:
        return error


def test_waiting_for_a_worker_ends_by_the_deadline():
    pool = Workers(1)
    try:
        busy = threading.Thread(target=outcome_of, args=(pool, 2.0))
        busy.start()
        time.sleep(0.5)
        with pytest.raises(FetchTimeout, match="other pages"):
            pool.call("operator:add", 1, 2, deadline=soon(0.1))
        busy.join()
    finally:
        pool.close()


def test_closing_ends_running_calls():
    pool = Workers(1)
    outcomes = []
    thread = threading.Thread(target=lambda: outcomes.append(outcome_of(pool, 20.0)))
    thread.start()
    time.sleep(0.5)
    pool.close()
    thread.join(3)
    assert isinstance(outcomes[0], Cancelled)


def test_workers_do_not_get_the_users_keys(workers, monkeypatch):
    monkeypatch.setenv("BRAVE_API_KEY", "secret")
    assert workers.call("os:getenv", "BRAVE_API_KEY", deadline=soon()) is None


@pytest.mark.parametrize("executable", ["", "/bin/cat", "/bin/true", "/no/such/file"])
def test_without_processes_the_callers_thread_does_the_work(executable, monkeypatch):
    monkeypatch.setattr(sys, "executable", executable)
    pool = Workers(1)
    assert pool.call("operator:add", 1, 2, deadline=soon()) == 3
    pool.close()


def spin():
    while True:
        pass


@pytest.mark.alone
@pytest.mark.skipif(sys.implementation.name != "cpython", reason="only CPython raises exceptions in other threads")
def test_without_processes_python_code_still_ends_by_its_deadline(monkeypatch):
    pool = Workers(1)
    pool._is_forbidden = True
    monkeypatch.setattr(threads, "resolve", lambda target: spin)
    started = time.monotonic()
    with pytest.raises(FetchTimeout):
        pool.call("x:spin", deadline=started + 0.3)
    assert time.monotonic() - started < 1.3


def test_a_program_without_a_main_guard_can_use_workers(tmp_path):
    script = tmp_path / "program.py"
    script.write_text(
        textwrap.dedent(
            f"""
            import sys, time
            sys.path.insert(0, {ROOT!r})
            from webtool.running.workers import Workers
            pool = Workers()
            print(pool.call("operator:add", 1, 2, deadline=time.monotonic() + 20))
            """
        )
    )
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=30)
    assert done.stdout == "3\n"
    assert done.stderr == ""


@pytest.mark.skipif(os.name == "nt", reason="alarms as POSIX has them")
def test_a_worker_ends_by_itself_if_its_parent_is_gone(tmp_path):
    script = textwrap.dedent(
        f"""
        import sys, threading, time, os
        sys.path.insert(0, {ROOT!r})
        from webtool.running.workers import Workers
        pool = Workers(1)
        pool.call("operator:add", 1, 2, deadline=time.monotonic() + 20)
        print(pool._idle[0]._process.pid, flush=True)
        threading.Timer(0.3, os._exit, (0,)).start()
        pool.call("re:match", "(a+)+$", "a" * 60 + "b", deadline=time.monotonic() + 1)
        """
    )
    done = subprocess.run([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, timeout=30)
    pid = int(done.stdout)
    end = time.monotonic() + 5
    while time.monotonic() < end:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    pytest.fail("the worker goes on")


def test_a_page_whose_worker_was_killed_is_retryable(workers):
    with pytest.raises(ExtractFailed) as caught:
        workers.call("os:_exit", 9, deadline=soon())
    assert caught.value.retryable


@pytest.mark.skipif(sys.platform == "win32", reason="needs the module resource")
@pytest.mark.parametrize("words", [["open"], ["extract", "--batch"], ["extract", "--batch", "--workers=0"]])
@pytest.mark.parametrize("megabytes", [40, 60])
def test_a_small_limit_of_memory_is_named(archive, tmp_path, words, megabytes):
    """`ulimit -v` too small is a limit of the machine, not a bug."""
    (tmp_path / "big.html").write_text("<title>t</title>" + "<table>" + "<tr><td>a<td>b" * 40_000)
    shell = 'ulimit -v "$1" && shift && exec "$@"'
    command = [sys.executable, "-I", "-S", str(archive), *words, "big.html"]
    done = subprocess.run(
        ["sh", "-c", shell, "sh", str(megabytes << 10), *command], cwd=tmp_path, capture_output=True, timeout=120
    )
    printed = done.stdout + done.stderr
    assert done.returncode in (7, 70), printed[-500:]
    assert b"memory" in printed
    assert b"bug" not in printed
    assert b"Traceback" not in printed
