"""web_extract: three strategies, and answers that fit."""

import pytest

from webtool.tools import web_extract

HTML = "<title>Tides</title><main><h1>Tides</h1>{}</main>"
BODY = "".join(
    f"<p>The sea rises and falls twice a day in harbour number {n}; <a href='/{n}'>more</a>.</p>" for n in range(200)
)


@pytest.mark.parametrize("strategy", ["readability", "dom_smoothie", "plain_text"])
def test_each_strategy_finds_the_text(ctx, strategy):
    data = web_extract.run(ctx, html=HTML.format(BODY), base_url="https://e.example/a", strategy=strategy).data
    assert "harbour number 199" in data["markdown"]
    assert "harbour number 199" in data["text"]
    assert data["strategy_used"]
    text = web_extract.run(ctx, html=HTML.format(BODY), strategy=strategy, to_markdown=False)
    assert text.data["markdown"] == ""
    assert "harbour number 199" in text.text


@pytest.mark.parametrize("max_tokens", [500, 4000, 8000])
def test_a_long_answer_is_cut_and_says_so(ctx, max_tokens):
    data = web_extract.run(ctx, html=HTML.format(BODY), max_tokens=max_tokens).data
    assert len(str(data)) <= 4.2 * max_tokens
    if "harbour number 199" not in data["markdown"]:
        assert "max_tokens" in data["note"]


def test_links_are_absolute_if_the_base_is_known(ctx):
    data = web_extract.run(ctx, html=HTML.format(BODY), base_url="https://e.example/a").data
    assert {"text": "more", "href": "https://e.example/5"} in data["links"]
