"""Whether work grows with the size of what it is given and not faster, told on machines that others use too."""

import time

LEAST = 0.02  # seconds: less than this says nothing


def growth(cost, size):
    """What `cost`, which gives seconds, tells for `size` and for four times as many, where that is too much; else "".

    Linear work takes four times as long, work for every pair sixteen times; eight are let pass, as caches that overflow
    and memory that is far away cost twice as much. A busy neighbour has the machine's caches for a while and not for
    ever: the least of several measurements counts, with pauses before them that grow (seconds).
    """
    one = four = float("inf")
    for pause in (0, 0, 0, 1, 3, 9, 15):
        time.sleep(pause)
        one, four = min(one, cost(size)), min(four, cost(4 * size))
        if four < 8 * max(one, LEAST):
            return ""
    return f"{one:.3f} s for {size} of them, and {four:.3f} s for four times as many"
