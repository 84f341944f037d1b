"""The lane picture: which sector (or bank) each lane of the worst request touches, one letter per sector.

    lane     0        8        16       24     31
    sector   ABCDEFGH IJKLMNOP QRSTUVWX YZabcdef
    each sector: 4 of 32 bytes used; neighbours are 4*h bytes apart

Lanes that share a sector share a letter; inactive lanes are `.`.  At most 72 columns wide.
"""

from __future__ import annotations

import string
from collections import Counter

from analysis_core.cost.facts import AccessFact, LanePicture
from analysis_core.machine.global_memory import SECTOR_BYTES

_LETTERS = string.ascii_uppercase + string.ascii_lowercase
_HEAD = 9  # columns before lane 0
_RULER = "0        8        16       24     31"


def picture_lines(access: AccessFact) -> tuple[str, ...]:
    """The picture of an access as lines without indentation; empty if it has none."""
    picture = access.picture
    if picture is None or not picture.group:
        return ()
    letters = [_letter(group) for group in picture.group]
    runs = " ".join("".join(letters[start : start + 8]) for start in range(0, len(letters), 8))
    below = _below(access, picture)
    return (f"{'lane':<{_HEAD}}{_RULER}", f"{picture.unit:<{_HEAD}}{runs}", *([below] if below else []))


def _letter(group: int | None) -> str:
    if group is None:
        return "."
    return _LETTERS[group] if group < len(_LETTERS) else "#"


def _below(access: AccessFact, picture: LanePicture) -> str:
    """What the letters mean in bytes or words."""
    lanes = Counter(group for group in picture.group if group is not None)
    if not lanes:
        return ""
    apart = f"neighbours are {picture.stride} bytes apart" if picture.stride else ""
    if picture.unit == "bank":
        most = max(lanes.values())
        busy = f"{most} lanes on one bank" if most > 1 else "every lane on a bank of its own"
        return f"{busy} -> {access.worst} wavefront{'s' * (access.worst != 1)} (ideal {access.ideal})"
    if set(lanes.values()) == {1} and len(lanes) > 1 and access.bytes <= SECTOR_BYTES:
        used = f"each sector: {access.bytes} of {SECTOR_BYTES} bytes used"
        return "; ".join(part for part in (used, apart) if part)
    return apart
