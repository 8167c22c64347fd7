"""Whether work grows with the size of what it is given and not faster, told on machines that others use too."""

import time

LEAST = 0.02  # seconds: less than this says nothing


def growth(cost, size, times=4):
    """What `cost`, which gives seconds, tells for `size` and for `times` as many, where that is too much; else nothing.

    Linear work takes `times` as long, work for every pair `times` squared; twice what is linear is let pass, as caches
    that overflow and memory that is far away cost that much. A busy neighbour has the machine's caches for a while and
    not for ever: the least of several measurements counts, with pauses between them that grow (seconds).
    """
    least = [cost(size), cost(times * size)]
    for pause in (0, 0, 1, 3, 9, 15):
        if least[1] < 2 * times * max(least[0], LEAST):
            return ""
        time.sleep(pause)
        least = [min(least[0], cost(size)), min(least[1], cost(times * size))]
    if least[1] < 2 * times * max(least[0], LEAST):
        return ""
    return f"{least[0]:.3f} s for {size} of them, and {least[1]:.3f} s for {times} times as many"
