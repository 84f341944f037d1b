"""What is no more than a hint: that memory may make a kernel pay, where nothing in the program says that it does.

The figure of such a finding is a condition's ("if the values of `order[i]` scatter"), and whether that is met is not in the text.  Of 72
that were judged by hand in public code, with the data of their programs at hand, 39 were right; of 78 others 68 (tests/bench/README.md).
So they are at a level of their own, which is reported to those who ask for it.  The text says enough where

  - the values that are loaded are mixed by a hash, or lanes are apart whatever they load;
  - each lane goes through a row of its own (traffic/next_rounds.py);
  - keys that are searched for are known to be in order, or not the words of memory but the requests of one warp differ.
"""

from __future__ import annotations

from analysis_core.profile.access_profile import AccessProfile, Searched
from analysis_core.profile.sureness import scatters_by_data
from analysis_core.report.findings.wording import rests_on_values, tells_mean


def is_by_memory(access: AccessProfile) -> bool:
    """Whether only what memory holds makes an access cost more than its ideal."""
    if isinstance(access.expected.searched, Searched):
        return scatters_by_data(access.fact) and not tells_mean(access) and access.expected.searched.span is None
    return rests_on_values(access)
