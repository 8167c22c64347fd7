"""Measure whether work grows linearly with its input, also on a busy machine."""

import time

MIN_SECONDS = 0.02  # a shorter time is too inaccurate and counts as this
PAUSES = (0, 0, 0, 1, 3, 9, 15)  # seconds before each measurement, as a busy neighbour slows some of them
STEP = 12  # how many times larger the second input of a look is
LOOKS = ((10, 1.5), (5, 2.0))  # (part of the size that a look begins with, how far the work may exceed linear work)


def growth(cost, size):
    """Return "" if `cost`, in seconds, grows linearly with the size, else a message.

    Two looks with small inputs clear most work. What they do not clear is measured with `size` and `4 * size`: linear
    work takes 4 times as long, quadratic work 16 times. Up to 8 times is accepted, because overflowing processor caches
    can double the time. The fastest of several measurements counts.
    """
    if any(is_linear(cost, max(2, size // part), excess) for part, excess in LOOKS):
        return ""
    small = large = float("inf")
    for pause in PAUSES:
        time.sleep(pause)
        large = min(large, cost(4 * size))
        if large < 8 * MIN_SECONDS:
            return ""
        small = min(small, cost(size))
        if large < 8 * small:
            return ""
    return f"{small:.3f} s for size {size}, and {large:.3f} s for four times as many"


def is_linear(cost, size, excess):
    """Compare the size with STEP times as much, less what an input of one costs.

    The looks are as strict as `size` and `4 * size`, and take a third of the time. Where n things cost
    n + n * n / q, that comparison finds a q below 2 sizes. A look that begins with a tenth of the size finds a q below
    2.1 sizes: 1.2 + 1.2 * 1.2 / 2.1 is 1.5 * STEP times 0.1 + 0.1 * 0.1 / 2.1. With a fifth it finds 2 sizes.
    """
    rest = min(cost(1), cost(1))  # the first call may import modules
    small = min(cost(size), cost(size)) - rest
    return cost(STEP * size) - rest < excess * STEP * small
