"""The lane picture: which sector (bank, constant address) each lane of the worst request touches, one letter per sector.

    lane     0        8        16       24     31
    sector   ABCDEFGH IJKLMNOP QRSTUVWX YZabcdef
    each sector: 4 of 32 bytes used; neighbours are 4*h bytes apart

Lanes that share a sector share a letter; inactive lanes are `.`.  At most 72 columns wide.
"""

from __future__ import annotations

import string
from collections import Counter
from collections.abc import Iterator

from analysis_core.machine.sizes import SECTOR_BYTES, WORD_BYTES
from analysis_core.requests.facts import AccessFact, LanePicture

_LETTERS = string.ascii_uppercase + string.ascii_lowercase
_COLUMNS = 72
_HEAD = 9  # columns before lane 0
_RULER = "0        8        16       24     31"


def picture_lines(access: AccessFact) -> tuple[str, ...]:
    """The picture of an access as lines without indentation; empty if it has none."""
    picture = access.picture
    if picture is None or not picture.group:
        return ()
    letters = [_letter(group) for group in picture.group]
    runs = " ".join("".join(letters[start : start + 8]) for start in range(0, len(letters), 8))
    below = _banks(access, picture) if picture.unit == "bank" else _places(access, picture)
    return (f"{'lane':<{_HEAD}}{_RULER}", f"{picture.unit:<{_HEAD}}{runs}", *below)


def _letter(group: int | None) -> str:
    if group is None:
        return "."
    return _LETTERS[group] if group < len(_LETTERS) else "#"


def _banks(access: AccessFact, picture: LanePicture) -> Iterator[str]:
    """ "all 32 lanes on bank (threadIdx.y + j) % 32", "32 different words -> 32 wavefronts (ideal 1)"."""
    lanes = Counter(group for group in picture.group if group is not None)
    if not lanes:
        return
    most, total = max(lanes.values()), sum(lanes.values())
    name = access.why.story.bank if access.why.story is not None else None
    costs = f"{access.worst} wavefront{'s' * (access.worst != 1)} (ideal {access.ideal})"
    if most == 1:
        yield f"every lane on a bank of its own -> {costs}"
        return
    if most == total:
        named = f"all {total} lanes on bank {name}"
        yield named if name is not None and len(named) <= _COLUMNS else f"all {total} lanes on one bank"
    else:
        yield f"up to {most} lanes on one bank"
    if access.bytes > WORD_BYTES:
        yield f"-> {costs}"
        return
    # A wavefront serves one word of every bank, so the busiest bank's words are what is counted.
    words = f"{access.worst} different words" if access.worst != 1 else "one word"
    yield f"{words}{'' if most == total else ' on the busiest bank'} -> {costs}"


def _places(access: AccessFact, picture: LanePicture) -> Iterator[str]:
    """What the letters mean in bytes."""
    lanes = Counter(group for group in picture.group if group is not None)
    if not lanes:
        return
    if picture.stride == "0":
        yield "all at one address"
        return
    apart = f"neighbours are {picture.stride} bytes apart" if picture.stride else ""
    alone = set(lanes.values()) == {1} and len(lanes) > 1
    if picture.unit == "sector" and alone and access.bytes <= SECTOR_BYTES:
        used = f"each sector: {access.bytes} of {SECTOR_BYTES} bytes used"
        yield "; ".join(part for part in (used, apart) if part and len(used) + len(apart) + 2 <= _COLUMNS)
    elif apart:
        yield apart
