"""The gate before each hop: what is fetched, kept, trusted, and for how long."""

import pytest
from fakes import Clock

from webtool import robots
from webtool.errors import FetchTimeout, FetchTooLarge, NetworkError, RobotsDisallowed, SsrfBlocked, TlsError
from webtool.net.messages import Headers, Response
from webtool.net.redirects import RedirectError
from webtool.robots.gate import FAILURE_LIFETIME, LIFETIME, RobotsGate, product_token
from webtool.settings import Settings

DENY = b"User-agent: *\nDisallow: /secret\n"
SITE = "https://site.example"


class Web:
    """A client that answers from a list, the last answer again and again."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.asked = []

    def fetch(self, request, **options):
        self.asked.append(request.url)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer


class Rows:
    """A cache of robots.txt rows."""

    def __init__(self):
        self.rows = {}

    def get_robots(self, origin):
        return self.rows.get(origin)

    def put_robots(self, origin, body, status, fetched_at):
        self.rows[origin] = (body, status, fetched_at)


def answer(status=200, body=DENY, *fields):
    return Response(f"{SITE}/robots.txt", status, "", Headers(fields), body)


def allows(gate, path, site=SITE):
    try:
        gate.check(site + path, 0.0)
    except RobotsDisallowed:
        return False
    return True


def test_the_file_decides_and_is_asked_once():
    web = Web(answer())
    gate = RobotsGate(web, Settings())
    assert allows(gate, "/public")
    assert not allows(gate, "/secret/x")
    assert web.asked == [f"{SITE}/robots.txt"]


def test_a_refusal_tells_path_file_and_what_to_do():
    gate = RobotsGate(Web(answer()), Settings())
    with pytest.raises(RobotsDisallowed) as caught:
        gate.check(f"{SITE}/secret?token=hunter2", 0.0)
    error = caught.value.to_dict()
    assert error["path"] == "/secret?token=***"
    assert error["robots_url"] == f"{SITE}/robots.txt"
    assert error["hint"]
    assert "hunter2" not in str(error)


def test_each_origin_has_its_own_file():
    web = Web(answer(), answer(404, b""))
    gate = RobotsGate(web, Settings())
    assert not allows(gate, "/secret")
    assert allows(gate, "/secret", "https://site.example:8443")
    assert web.asked[1] == "https://site.example:8443/robots.txt"


def test_the_file_itself_may_always_be_fetched():
    web = Web(answer(200, b"User-agent: *\nDisallow: /\n"))
    assert allows(RobotsGate(web, Settings()), "/robots.txt")
    assert web.asked == []


@pytest.mark.parametrize(("agent", "allowed"), [("", False), ("Mine/2.0 (x)", True), ("webtool/9", False)])
def test_the_product_token_of_the_user_agent_counts(agent, allowed):
    web = Web(answer(200, b"User-agent: webtool\nDisallow: /\n"))
    assert allows(RobotsGate(web, Settings(user_agent=agent)), "/x") is allowed


STATUSES = [(401, True), (403, True), (404, True), (410, True), (429, True), (300, True), (500, False), (503, False)]


@pytest.mark.parametrize(("status", "allowed"), STATUSES)
def test_status_decides_where_there_is_no_file(status, allowed):
    assert allows(RobotsGate(Web(answer(status)), Settings()), "/x") is allowed


@pytest.mark.parametrize("error", [RedirectError("loop"), SsrfBlocked("private")])
def test_redirects_that_lead_nowhere_leave_everything_allowed(error):
    assert allows(RobotsGate(Web(error), Settings()), "/secret")


def test_a_rule_that_a_long_file_is_cut_in_does_not_count():
    beginning, rule = b"User-agent: *\nDisallow: /b\n#", b"\nDisallow: /a"
    padding = b"x" * (robots.MAX_BYTES - len(beginning + rule))
    web, rows = Web(answer(200, beginning + padding + rule + b"bc\n")), Rows()
    for _ in ("from the site", "from the cache"):
        gate = RobotsGate(web, Settings(), rows)
        assert allows(gate, "/a")
        assert not allows(gate, "/b")


def test_a_file_without_end_forbids():
    assert not allows(RobotsGate(Web(FetchTooLarge("big")), Settings()), "/x")


@pytest.mark.parametrize("error", [NetworkError("refused"), TlsError("expired"), FetchTimeout("late")])
def test_a_host_that_cannot_be_reached_is_its_own_error(error):
    with pytest.raises(type(error)):
        RobotsGate(Web(error), Settings()).check(f"{SITE}/x", 0.0)


def test_a_file_is_kept_for_a_day_in_the_cache():
    web, rows, clock = Web(answer()), Rows(), Clock()
    assert not allows(RobotsGate(web, Settings(), rows, clock), "/secret")
    clock.time += LIFETIME - 1
    assert not allows(RobotsGate(web, Settings(), rows, clock), "/secret")
    assert len(web.asked) == 1
    clock.time += 2
    assert not allows(RobotsGate(web, Settings(), rows, clock), "/secret")
    assert len(web.asked) == 2


AGES = [
    ("max-age=600", 600), ("public, MAX-AGE=600", 600), ("max-age=99999999", LIFETIME), ("s-maxage=5", LIFETIME),
    ("", LIFETIME), ("max-age=x", LIFETIME), ("no-store", 0), ("max-age=600, no-cache", 0),
]  # fmt: skip


@pytest.mark.parametrize(("control", "seconds"), AGES)
def test_cache_control_is_followed(control, seconds):
    web, rows, clock = Web(answer(200, DENY, ("Cache-Control", control))), Rows(), Clock()
    for step in (0, seconds - 1, seconds + 2):
        clock.time = 1_000_000.0 + max(0, step)
        allows(RobotsGate(web, Settings(), rows, clock), "/secret")
    assert len(web.asked) == (2 if seconds else 3)


def test_a_failure_is_remembered_for_a_minute_and_not_stored():
    web, rows, clock = Web(answer(503), answer()), Rows(), Clock()
    gate = RobotsGate(web, Settings(), rows, clock)
    with pytest.raises(RobotsDisallowed, match="cannot be read") as caught:
        gate.check(f"{SITE}/public", 0.0)
    assert caught.value.retryable
    assert not allows(gate, "/public")
    assert len(web.asked) == 1
    assert rows.rows == {}
    clock.time += FAILURE_LIFETIME + 1
    assert allows(gate, "/public")


@pytest.mark.parametrize("failure", [answer(500), NetworkError("refused")])
def test_an_old_file_stands_in_while_the_server_fails(failure):
    web, rows, clock = Web(answer(), failure), Rows(), Clock()
    allows(RobotsGate(web, Settings(), rows, clock), "/x")
    clock.time += LIFETIME + 10
    gate = RobotsGate(web, Settings(), rows, clock)
    assert allows(gate, "/public")
    assert not allows(gate, "/secret")


def test_a_clock_that_was_set_back_does_not_keep_a_file_for_years():
    web, clock = Web(answer()), Clock()
    gate = RobotsGate(web, Settings(), None, clock)
    allows(gate, "/x")
    clock.time -= 10 * LIFETIME
    allows(gate, "/x")
    assert len(web.asked) == 2


def test_memory_has_a_bound():
    web = Web(answer())
    gate = RobotsGate(web, Settings())
    for number in range(600):
        allows(gate, "/x", f"https://s{number}.example")
    assert len(gate._memory) <= 256


@pytest.mark.parametrize(
    ("text", "token"), [("webtool/1 (x)", "webtool"), ("My-Bot", "My-Bot"), ("", "webtool"), ("9", "webtool")]
)
def test_the_product_token_is_the_first_word_of_the_user_agent(text, token):
    assert product_token(text) == token
