"""What a request to shared memory may be expected to cost where memory decides which words its lanes pick.

The bound is for the worst contents: all lanes on one bank.  Lanes that pick words of a table at random do better.  Each of n lanes
picks one of the table's m words; a word is picked by some lane with probability q = 1 - (1 - 1/m)^n, and the wavefronts are the words
of the fullest bank.  Taking words for independent of each other, a bank of r words has at most k that are picked with the
probability P(Bin(r, q) <= k), and

    expected = sum over k >= 0 of (1 - product over the banks of P(Bin(r, q) <= k))

32 lanes in a large table: 3.5 (32 balls in 32 bins).  A table of 46 words: 1.98, as no bank has more than two.
"""

from __future__ import annotations

from math import comb, factorial

import numpy as np

from analysis_core.ir.types import Space
from analysis_core.machine.sizes import BANKS, WORD_BYTES
from analysis_core.profile.access_profile import AccessProfile
from analysis_core.profile.sureness import rests_on_data

_MANY = 4096
"""Words from which on a table is as good as endless."""

_SURE = 0.9999


def groups(width: int) -> int:
    """In how many groups a full warp is served for elements of `width` bytes (docs/hardware.md, Shared memory)."""
    return 4 if width >= 16 else 2 if width >= 8 else 1


def expected_wavefronts(access: AccessProfile) -> float | None:
    """The wavefronts to expect of a request where memory or a size decides them and nobody knows how; None for other
    accesses."""
    return access.fact.variation.mean.cost if access.fact.variation.mean is not None else random_wavefronts(access)


def random_wavefronts(access: AccessProfile) -> float | None:
    """The wavefronts of a request whose lanes pick words at random, at most `worst`; None where memory does not decide, or leaves
    lanes their distances."""
    if access.fact.space is not Space.SHARED or access.fact.open is None or not rests_on_data(access.fact):
        return None
    turns = groups(access.fact.bytes)
    width = max(WORD_BYTES, access.fact.bytes)
    lanes, banks = -(-sum(access.fact.open.active) // turns), BANKS * WORD_BYTES // width
    if access.expected.usual is not None:
        return access.expected.usual
    reach = access.fact.open.reach
    words = _MANY if reach is None else min(_MANY, reach // width + 1)
    return min(access.fact.worst, turns * fullest_bank(lanes, words, banks))


def most_on_one(lanes: int, words: int) -> float:
    """The lanes on the word with the most of them on average, where each lane picks one of the words: the sum over m of 1 - P(no word has more
    than m).  That is lanes! times the coefficient of x^lanes in (sum over j <= m of (x / words)^j / j!)^words."""
    total = 0.0
    for most in range(lanes):
        one = np.array([words**-j / factorial(j) if j <= most else 0.0 for j in range(lanes + 1)])
        power, left = np.eye(1, lanes + 1)[0], words
        while left:
            power = np.convolve(power, one)[: lanes + 1] if left & 1 else power
            one, left = np.convolve(one, one)[: lanes + 1], left >> 1
        at_most = factorial(lanes) * float(power[lanes])
        total += 1 - at_most
        if at_most > _SURE:
            break
    return total


def fullest_bank(lanes: int, words: int, banks: int) -> float:
    """The words of the fullest bank on average, where each lane picks one of the words."""
    return most_picked(1 - (1 - 1 / words) ** lanes, words, banks)


def most_picked(picked: float, words: int, banks: int) -> float:
    """The words of the fullest bank on average, where each word is picked with this probability."""
    each, more = divmod(words, banks)  # `more` banks hold a word more than the others
    total, most = 0.0, 0.0
    at_most, at_most_longer = 0.0, 0.0  # the probabilities that a bank has no more words than counted
    for count in range(each + 2):
        at_most = min(1.0, at_most + _exactly(count, each, picked))
        at_most_longer = min(1.0, at_most_longer + _exactly(count, each + 1, picked))
        most = at_most ** (banks - more) * at_most_longer**more
        if most > _SURE:
            break
        total += 1 - most
    return total


def _exactly(count: int, words: int, picked: float) -> float:
    return comb(words, count) * picked**count * (1 - picked) ** (words - count) if count <= words else 0.0
