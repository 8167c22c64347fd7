"""Draw F1 against time as an SVG scatter plot. In: figures by name. Out: SVG text for light and dark pages."""

from __future__ import annotations

import math

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 400, 64, 24, 40, 52
MIN_F1, MAX_F1 = 0.65, 0.90  # the ends of the axis; figures outside are drawn there
_STYLE = (
    "text{font:13px sans-serif;fill:#555}.name{font-weight:bold;fill:#333}.own{fill:#c2410c}"
    "@media(prefers-color-scheme:dark){text{fill:#aaa}.name{fill:#ddd}.own{fill:#fb923c}}"
)


def scatter(means: dict[str, float], milliseconds: dict[str, float]) -> str:
    """Return a plot with a dot per extractor: further up is better, further left is faster (logarithmic)."""
    low = math.floor(math.log10(min(milliseconds.values())))
    high = math.ceil(math.log10(max(milliseconds.values())))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">',
        "<title>Main content: word F1 against milliseconds per page</title>",
        f"<style>{_STYLE}</style>",
        f'<text x="{LEFT}" y="20">Word F1 on WCXB dev, and CPU milliseconds per page (median)</text>',
    ]
    for step in range(int(MIN_F1 * 100), int(MAX_F1 * 100) + 1, 5):
        y = _y(step / 100)
        parts.append(f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="#8884"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{step / 100:.2f}</text>')
    for power in range(low, high + 1):
        x = _x(10.0**power, low, high)
        parts.append(f'<path d="M{x:.1f} {TOP}V{HEIGHT - BOTTOM}" stroke="#8884"/>')
        parts.append(f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 20}" text-anchor="middle">{10.0**power:g} ms</text>')
    for name, mean in means.items():
        x, y = _x(milliseconds[name], low, high), _y(mean)
        kind = "own" if name == "webtool" else "name"
        anchor, shift = ("end", -10) if x > WIDTH - 180 else ("start", 10)
        parts.append(f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="5"/>')
        parts.append(
            f'<text class="{kind}" x="{x + shift:.1f}" y="{y + 4:.1f}" text-anchor="{anchor}">{name} {mean:.3f}</text>'
        )
    return "\n".join([*parts, "</svg>", ""])


def _x(value: float, low: int, high: int) -> float:
    return LEFT + (math.log10(value) - low) / max(1, high - low) * (WIDTH - LEFT - RIGHT)


def _y(value: float) -> float:
    share = (min(MAX_F1, max(MIN_F1, value)) - MIN_F1) / (MAX_F1 - MIN_F1)
    return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)
