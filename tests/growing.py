"""Measure whether work grows linearly with its input, also on a busy machine."""

import time

MIN_SECONDS = 0.02  # a shorter time is too inaccurate and counts as this
PAUSES = (0, 0, 0, 1, 3, 9, 15)  # seconds before each measurement, as a busy neighbour slows some of them


def growth(cost, size):
    """Compare `cost(size)` and `cost(4 * size)`, in seconds; return "" for linear work, else a message.

    Linear work takes 4 times as long, quadratic work 16 times. Up to 8 times is accepted, because overflowing processor
    caches can double the time. The fastest of several measurements counts.
    """
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
