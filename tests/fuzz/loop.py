"""Coverage-guided fuzzing with the standard library: inputs that reach new edges are changed further.

    python3 tests/fuzz/loop.py [TARGET...] --seconds 600 [--seed N]

Oracles: nothing but WebtoolError is raised; an input takes less than SLOW seconds of CPU time and less than MEMORY.
What breaks one is written to tests/cases/fuzz/<target>/, where test_fuzz.py runs it for ever after.
"""

import argparse
import hashlib
import os
import random
import sys
import time
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
CASES = os.path.join(ROOT, "tests", "cases", "fuzz")
if __name__ == "__main__":
    sys.path[:0] = [ROOT, os.path.dirname(HERE)]

from fuzz import targets  # noqa: E402

SLOW = 5.0  # seconds of CPU time for an input of at most LONGEST bytes, under a tracer
MEMORY = 700 << 20
LONGEST = 65536
PACKAGE = os.path.join(ROOT, "webtool") + os.sep
TOKENS = [
    b"\x00", b"\xff", b"\r\n", b"\n\n", b"0", b"-1", b"99999999999999999999", b"1e999", b"%00", b"\xe2\x80\xae",
    b"\xed\xa0\x80",
    b"[" * 50, b"(" * 50, b"<div>" * 20, b"]]>", b"<!--", b"&#x0;", b"//", b"::", b"*", b"$", b";", b",", b'"', b"'",
    b"chunked", b"gzip", b"max-age=", b"no-store", b"ancestor::*", b"count(//*)", b"concat(", b"null", b"{}", b"[]",
    b"<<", b">>", b" R", b"stream\n", b"endobj", b"/Length ", b"colspan=999999", b"href=", b"<table><tr><td>",
    b"<base href=",
]  # fmt: skip


class Coverage:
    """Edges between lines of webtool that one call goes over."""

    def __init__(self):
        self.edges = set()
        self._last = 0

    def __enter__(self):
        self.edges = set()
        sys.settrace(self._calls)
        return self

    def __exit__(self, *exc):
        sys.settrace(None)

    def _calls(self, frame, event, argument):
        return self._lines if frame.f_code.co_filename.startswith(PACKAGE) else None

    def _lines(self, frame, event, argument):
        here = hash((frame.f_code.co_filename, frame.f_lineno))
        self.edges.add(here ^ self._last)
        self._last = here >> 1
        return self._lines


def changed(draw, data, corpus):
    """The input with one to eight changes."""
    data = bytearray(data)
    for _ in range(draw.choice((1, 1, 2, 3, 8))):
        at = draw.randrange(len(data) + 1)
        kind = draw.randrange(7)
        if kind == 0 and data:
            data[at % len(data)] ^= 1 << draw.randrange(8)
        elif kind == 1 and data:
            data[at % len(data)] = draw.randrange(256)
        elif kind == 2:
            data[at:at] = draw.choice(TOKENS)
        elif kind == 3:
            del data[at : at + draw.choice((1, 2, 8, 64, 512))]
        elif kind == 4:
            piece = data[at : at + draw.choice((1, 4, 16, 128))]
            data[at:at] = piece * draw.choice((1, 2, 20, 300))
        elif kind == 5:
            other = draw.choice(corpus)
            begin = draw.randrange(len(other) + 1)
            data[at : at + draw.choice((0, 16, 64))] = other[begin : begin + draw.choice((4, 32, 256))]
        else:
            digits = str(draw.choice((0, 1, 255, 65536, 2**31, 2**63, -1))).encode()
            data[at : at + draw.choice((0, 1, 4))] = digits
    return bytes(data[:LONGEST])


def problem_of(target, data):
    """Return what an input breaks ("" if nothing) and the edges that it went over."""
    began = time.process_time()
    coverage = Coverage()
    problem = ""
    try:
        with coverage:
            target(data)
    except targets.EXPECTED:
        pass
    except BaseException:
        problem = traceback.format_exc()
        if isinstance(sys.exc_info()[1], KeyboardInterrupt):
            raise
    seconds = time.process_time() - began
    if not problem and seconds > SLOW:
        problem = f"{seconds:.1f} s of CPU time for {len(data)} bytes"
    return problem, coverage.edges


def fuzz(target, seconds, seed):
    """Run one target; the number of inputs, of edges, and what was found: (input, problem)."""
    draw, seen, problems = random.Random(seed), set(), []
    corpus = list(targets.SEEDS[target]())
    for data in corpus:
        problem, edges = problem_of(target, data)
        seen |= edges
        problems += [(data, problem)] if problem else []
    known = {problem.splitlines()[-1] + problem.splitlines()[-3] for _, problem in problems if "\n" in problem}
    end, count = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        count += 1
        data = changed(draw, draw.choice(corpus[-200:] if draw.random() < 0.7 else corpus), corpus)
        problem, edges = problem_of(target, data)
        if problem:
            lines = problem.splitlines()
            kind = lines[-1] + (lines[-3] if len(lines) > 2 else "")
            if kind not in known:
                known.add(kind)
                problems.append((data, problem))
        if edges - seen:
            seen |= edges
            corpus.append(data)
    return count, len(seen), problems


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("targets", nargs="*", default=list(targets.TARGETS))
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args()
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    except ImportError:
        pass
    status = 0
    for name in options.targets:
        count, edges, problems = fuzz(targets.TARGETS[name], options.seconds, options.seed)
        print(f"{name}: {count} inputs, {edges} edges, {len(problems)} problems", flush=True)
        for data, problem in problems:
            status = 1
            folder = os.path.join(CASES, name)
            os.makedirs(folder, exist_ok=True)
            path = os.path.join(folder, hashlib.sha256(data).hexdigest()[:16])
            with open(path, "wb") as file:
                file.write(data)
            print(f"{path}\n{problem}", flush=True)
    return status


if __name__ == "__main__":
    sys.exit(main())
