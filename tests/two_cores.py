"""Run the tests on two cores: forked children take file after file, then the parent runs what must be alone.

In: the collected tests. Out: their reports, in the parent, as if it had run them. A child takes the index of its next
file from a pipe that all read, and sends its reports through a pipe of its own. It sends no report of a set-up or a
teardown that passed at once: nothing is printed about them. Each child has its own base folder
for temporary files. Tests with the mark `alone` measure time, and run last, when nothing else does. Where fork is
missing, with one core, for few tests or with a debugger, pytest runs as always. WEBTOOL_TEST_CORES=1 asks for that.
"""

import gc
import json
import os
import selectors
import signal
import sys
import traceback

import pytest

MIN_SECONDS = 0.1  # a shorter set-up or teardown that passed is not reported; --durations lists longer ones
MIN_TESTS = 400  # fewer are not worth a second process
CHILDREN = 3  # one more than cores, as tests also wait: for a time limit, or for a process that they started
# These files take 4 seconds or more of CPU or time and come first, so that the children end at about the same time.
LONGEST = (
    "test_build.py", "test_growth.py", "test_http_server.py", "test_extract_many.py", "test_growing_sheets.py",
    "test_evidence_everywhere.py", "test_floors.py", "test_finding_floor.py", "test_producers.py",
    "test_people.py", "test_settings_surfaces.py", "test_host.py", "test_agent_bench.py", "test_treebuilder.py",
    "test_site.py", "test_consent.py", "test_surfaces.py", "test_stdio.py", "test_convert.py", "test_layers.py",
    "test_batch.py", "test_web_batch_open.py", "test_failing_calls.py", "test_workers.py", "test_bounds.py",
    "test_server.py", "test_finding.py", "test_screen.py", "test_many.py", "test_evidence.py", "test_reader.py",
    "test_rtf.py", "test_crawl.py", "test_xpath.py", "test_engines.py",
)  # fmt: skip


def run(session, prepare):
    """Run the tests of a session and return True, or None to leave them to pytest. `prepare` runs before the fork."""
    option = session.config.option
    if option.collectonly or option.usepdb or len(session.items) < MIN_TESTS or cores() < 2:
        return None
    if session.testsfailed and not option.continue_on_collection_errors:
        return None
    files, alone = {}, []
    for item in session.items:
        if item.get_closest_marker("alone"):
            alone.append(item)
        else:
            files.setdefault(item.path, []).append(item)
    prepare()
    gc.freeze()  # the collector would look at all collected tests again and again
    run_in_children(session, sorted(files.values(), key=place))
    run_items(session, alone)
    return True


def place(items):
    """Return the sort key of a file's tests: the files of LONGEST in its order, then those with the most tests."""
    name = items[0].path.name
    return (LONGEST.index(name) if name in LONGEST else len(LONGEST), -len(items))


def cores():
    """Return the number of cores that the tests may use."""
    if not hasattr(os, "fork") or sys.platform == "darwin" or os.environ.get("WEBTOOL_TEST_CORES") == "1":
        return 1  # the frameworks of macOS do not survive a fork
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def run_items(session, items):
    """Run tests one after the other, as pytest does."""
    for item, following in zip(items, [*items[1:], None]):
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if session.shouldfail:
            raise session.Failed(session.shouldfail)
        if session.shouldstop:
            raise session.Interrupted(session.shouldstop)


def run_in_children(session, files):
    """Fork the children, and log what they report. Raises session.Failed if one of them dies."""
    queue, feed = os.pipe()
    os.write(feed, bytes(byte for index in range(len(files)) for byte in index.to_bytes(2, "big")))
    os.close(feed)
    children, pipes = {}, selectors.DefaultSelector()
    sys.stdout.flush()
    for number in range(CHILDREN):
        reading, writing = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(reading)
            be_a_child(session, files, queue, writing, number)
        os.close(writing)
        children[pid] = reading
        pipes.register(open(reading, "rb"), selectors.EVENT_READ)  # noqa: SIM115  # closed after its last line
    os.close(queue)
    try:
        while pipes.get_map() and not session.shouldfail and not session.shouldstop:
            for key, _ in pipes.select():
                line = key.fileobj.readline()
                if line:
                    log_report(session.config, json.loads(line))
                else:
                    pipes.unregister(key.fileobj)
                    key.fileobj.close()
    finally:
        open_pipes = [key.fileobj for key in pipes.get_map().values()]
        statuses = [end(pid, bool(open_pipes)) for pid in children]
        for pipe in open_pipes:
            pipe.close()
        pipes.close()
    if session.shouldfail or session.shouldstop:
        raise session.Failed(session.shouldfail or session.shouldstop)
    if any(statuses):
        pytest.exit(f"a process that ran tests ended early, with the status {max(statuses)}", 3)


def end(pid, at_once):
    """Wait for a child, which is asked to end if `at_once`; return its status."""
    if at_once:
        os.kill(pid, signal.SIGTERM)
    return os.waitpid(pid, 0)[1]


def log_report(config, data):
    """Hand a child's report to the parent's plugins: the terminal, the counters. A text is the error that ended it."""
    if isinstance(data, str):
        pytest.exit(f"a process that ran tests failed:\n{data}", 3)
    report = config.hook.pytest_report_from_serializable(config=config, data=data)
    if isinstance(report.longrepr, list):  # of a skipped test; JSON has no tuples, and pytest's summary wants one
        report.longrepr = tuple(report.longrepr)
    config.hook.pytest_runtest_logreport(report=report)


def be_a_child(session, files, queue, writing, number):
    """Run the files whose indices come from `queue`, report to `writing`, and leave the process."""
    status = 70
    try:
        reporter = Reporter(session.config, writing)
        session.config.pluginmanager.unregister(name="terminalreporter")
        session.config.pluginmanager.register(reporter)
        factory = session.config._tmp_path_factory
        factory._basetemp = factory.getbasetemp() / f"child-{number}"
        factory._basetemp.mkdir()
        items = next_file(files, queue)
        while items:
            gc.collect()
            gc.freeze()  # what earlier files left: full collections would look at it again and again
            following = next_file(files, queue)
            for item, after in zip(items, [*items[1:], *following[:1], None]):
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
            items = following
        status = 0
    except BaseException:
        reporter.write(traceback.format_exc())
    finally:
        os._exit(status)


def next_file(files, queue):
    """Return the tests of the next file, [] after the last. A read of two bytes is atomic."""
    index = os.read(queue, 2)
    return files[int.from_bytes(index, "big")] if index else []


class Reporter:
    """Write each report of a child as a line of JSON."""

    def __init__(self, config, writing):
        self.config = config
        self.stream = open(writing, "wb")  # noqa: SIM115  # open until the process ends

    def pytest_runtest_logreport(self, report):
        if report.when == "call" or not report.passed or report.duration > MIN_SECONDS:
            self.write(self.config.hook.pytest_report_to_serializable(config=self.config, report=report))

    def write(self, value):
        self.stream.write(json.dumps(value).encode("ascii") + b"\n")
        self.stream.flush()
