"""Classify characters alike on every Python. In: a character. Out: a verdict. And mend lone surrogates of a text.

Python 3.9 knows Unicode 13, and each later Python a later version. Only characters that no version up to 13 has can be
classified differently: U+31350 is a letter for Python 3.12 and unassigned for 3.9. Here they are never letters, so that
equal bytes give equal text everywhere.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate

# Runs of code points without a character in Unicode 13. Each run is two numbers in base 36: how many code points come
# between the run before and this one, and how many it has. "154,8": a run of 8 begins at U+05C8, 154 is 1480. A run of
# at most seven is listed only if Unicode 14 to 16 put a character there, so a later version may still fill one.
_RUNS = (
    "154,8 11,b t,1 b8,e 4r,1h l,1 i,b 70,8 4g,a 28,f 48,a 2e,e 2c,3 u,5 3b,7 l,d 6t,c 2j,11 25,2 g,w 63,11 1e5,1 7,b "
    "n,9 k,c k,c 3z,1 6e,a 39,b 8x,1r 24,4 19,3 38,8 3x,7 1k,8 8a,1 jp,g x,f mf,p b,l 1jj,1 1b,1 7l,e o,9 4z,19 38,c "
    "5y,q c,4 dg,c lql,3 xz,9 9o,k 54,8 5c,2 9,16 3n,8 1y,8 3q,b 60,9 3n,o s,a m,9 8sk,c 6y2,12 7,c 4v,h a5,g 3c,8 "
    "1a,2 dr,a 2t,y 81,1b 1a,3m 29,f 1w,9 4p,16 88,8 1g,b 1,40 8n,9 m,a 8,48 4f,8 9,1c 2o,1s 80,w 1j,9 4d,c 7,28 "
    "21,1j 1f,d 2w,8 a,86 2a,26 14,8 16,2e s,k n,9 34,f 1v,b 3f,8 13,9 39,b 1r,1t 6t,3v 2q,u 20,8 a,4m 2m,y 1x,b t,j "
    "1l,7 a,1i 1s,5c 1o,2s 2b,c 20,9 a,1y 1x,r 20,8 2b,t 1l,7b 1y,a 2v,21 20,8 2i,8m p,53 1,f 1e,d pn,2u 39,b 5g,24c "
    "tr,1 9,347 g7,6nt hc,2o 12,a 1y,a 1s,j4 2j,2t 4g,1s 5,b 2,e 4qg,8 ye,16 9,6wn 7z,1d 3,h 4,8 b0,1s4 4k,3to 6u,a "
    "6h,n 1y,4a k,c 2f,9 p,3r 1ak,f l,11s 17,5x 28,a8 1s,zk 5z,15 2o,lt 1w,24 1p,5e 58,1g 2,7i 44,c 2e,a 4u,1k t,d "
    "1u,e 6,4a rc,8 44,c 2h,7 c,k 20,8 1k,8 y,26 3d,1 2a,1 3r,c l,3 3,5 7,9 p,7 7,9 3,d 7,15 5n,11 a,sk wyo,y 379,b "
    "4ma,e 5rl,2e7 f2,15s 3t9,1ar7 2,1eke 2,1eke 2,1eke 2,1eke 2,1eke 2,1eke 2,1eke 2,1eke 2,1eke 2,1eke"
)
_FIRST = "\u0530"  # characters below it, most of a European page, are answered without the table
_borders: list[int] = []  # code points at which runs begin and end, in turn; filled at the first call


def is_new(char: str) -> bool:
    """Return whether a character came with Unicode 14 to 16, or lies in a long run that a later version may fill."""
    if char < _FIRST:
        return False
    if not _borders:
        lengths = (int(number, 36) for number in _RUNS.replace(",", " ").split())
        _borders[:] = accumulate(lengths)  # all at once: another thread sees none of them, or all
    return bisect_right(_borders, ord(char)) % 2 == 1  # after an odd number of borders: inside a run


def is_alnum(char: str) -> bool:
    """Return whether a character is a letter or a digit in every version of Unicode from 13 on."""
    return char.isalnum() and not is_new(char)


def without_surrogates(text: str) -> str:
    """Replace lone surrogates, which UTF-8 lacks, by U+FFFD, and join pairs: JSON, RTF and scripts make both."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text
