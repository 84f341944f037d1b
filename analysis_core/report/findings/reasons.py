"""The lines of a hover card that say why: the way from threadIdx into the index or the condition, causes, assumptions.

Why: `x` follows threadIdx.x (line 5) and is multiplied by `h` (here)
Assumes: block (32, 8) from main.cu:88 · `out` is 256-byte aligned
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise

from analysis_core.ir.launch_site import SizeRange
from analysis_core.profile.access_profile import AccessProfile
from analysis_core.program.launch import DEFAULT_SHAPE
from analysis_core.report.findings.model import Asked
from analysis_core.requests.facts import Factor, Hop, IndexStory, KernelFacts
from analysis_core.support.facts import STANDING, Cause
from analysis_core.text.span import Span

Where = Callable[[Span], str]

COLUMNS = 100

STANDING_TEXT = "the standing assumptions"
"""Stands for those that nearly every kernel rests on; reports and the JSON list them."""

_DOT = " · "
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_WHOLE = re.compile(r"\[[^\]]*\]\([^)]*\)|(?<!`)(`+)(?!`).{1,200}?(?<!`)\1(?!`)")


def wrapped(parts: Sequence[str], head: str = "") -> str:
    """The parts with middle dots between, broken between parts, or between words where one part is too long, so that no
    line exceeds `COLUMNS`.  Of a link only what is seen counts."""
    lines = [head]
    for number, part in enumerate(parts):
        more = 0 if number == len(parts) - 1 else len(_DOT.rstrip())
        if number and seen(lines[-1]) + len(_DOT) + seen(part) + more > COLUMNS:
            lines[-1] += _DOT.rstrip()
            lines.append("")
        elif number:
            lines[-1] += _DOT
        for word in _words(part):
            blank = " " if lines[-1] and not lines[-1].endswith(" ") else ""
            if lines[-1] and seen(lines[-1]) + len(blank) + seen(word) + more > COLUMNS:
                lines.append(word)
            else:
                lines[-1] += blank + word
    return "\n".join(line.rstrip() for line in lines)


def with_hard_breaks(markdown: str) -> str:
    """The card with its lines kept apart where Markdown would join them: all but those that `wrapped` broke.

    `wrapped` goes on to a new line only where the next word has no room; after it, an editor may break lines as it likes."""
    lines = markdown.split("\n")
    fenced = False
    for number, (line, following) in enumerate(pairwise(lines)):
        fenced ^= line.startswith("```")
        if fenced or not line or not following or following.startswith("```") or line.startswith(("|", "```")):
            continue
        word = next(_words(following.lstrip()), "")
        if not line.endswith(_DOT.rstrip()) and seen(line) + 1 + seen(word) + len(_DOT.rstrip()) <= COLUMNS:
            lines[number] = f"{line}  "
    return "\n".join(lines)


def _words(text: str) -> Iterator[str]:
    """Words, of which a link is one, however many it shows, and a code span too, since it is there to be copied."""
    start = 0
    while start <= len(text):
        end = _end_of_word(text, start)
        for whole in _WHOLE.finditer(text, start):
            if whole.start() >= end:
                break
            end = _end_of_word(text, whole.end())
        yield text[start:end]
        start = end + 1


def _end_of_word(text: str, start: int) -> int:
    end = text.find(" ", start)
    return len(text) if end < 0 else end


def seen(text: str) -> int:
    """The columns that a text takes when its links are shown as links."""
    return len(_LINK.sub(r"\1", text))


def why(story: IndexStory | None, origin: Span | None, causes: Sequence[Cause | None], where: Where) -> str:
    """The line "Why: ..", or "" if there is nothing to say. `origin` is used where there is no story."""
    parts = (
        [] if story is None else [text for hops, factors in story.sources if (text := _source(hops, factors, where))]
    )
    if not parts and origin is not None:
        parts.append(f"differs between threads from {where(origin)} on")
    for cause in dict.fromkeys(c for c in causes if c is not None):
        parts.append(cause.reason + _at(cause.span, where))
    return wrapped(parts, "Why: ") if parts else ""


def _source(hops: Sequence[Hop], factors: Sequence[Factor], where: Where) -> str:
    """One name's way to threadIdx; a component of threadIdx that is the whole index tells nothing."""
    first = hops[0] if hops else None
    if first is None:
        return ""
    doings = [factor.text + (_at(factor.span, where) or " (here)") for factor in factors]
    if first.follows is None:
        return f"{first.name} {' and '.join(doings)}" if doings else ""
    steps = [f"{quoted(hop.name)} is computed from {quoted(hop.follows or '')}{_at(hop.span, where)}" for hop in hops]
    told = ", ".join(steps)
    return told + (f" and {' and '.join(doings)}" if doings else "")


def sizes_passed(access: AccessProfile, ranges: Iterable[SizeRange]) -> str:
    """ "`w` = `h` = 128, which launches pass": the values of parameters that a figure is for, and who says so."""
    why = "which launches pass"
    if any(one.run and one.name in access.traffic.seen for one in ranges):
        why += " as the program is run (run-arguments)"
    values = {one.name: one.least for one in ranges}
    groups: dict[int | None, list[str]] = {}
    for name in access.traffic.seen:
        groups.setdefault(values.get(name), []).append(quoted(name))
    return ", ".join([*(f"{' = '.join(names)} = {value}" for value, names in groups.items()), why])


def quoted(name: str) -> str:
    """A name as code; components of threadIdx are words of their own."""
    return name if name.startswith("threadIdx.") else f"`{name}`"


def _at(span: Span | None, where: Where) -> str:
    return "" if span is None else f" ({where(span)})"


def through(via: Sequence[Span], where: Where) -> str:
    """ "Through line 8 · line 5": the calls that lead here, outermost first; "" if there are none."""
    return f"Through {' · '.join(where(span) for span in via)}" if via else ""


def why_this_level(asked: Iterable[Asked]) -> str:
    """ "Why this level? WC101 silent: only the analysis ..", by what rules asked about a place; "" where nothing was asked."""
    parts = []
    for one in asked:
        level = "silent" if one.level is None else one.level.value
        because = "; ".join(reason.text for reason in one.reasons if reason.holds) or "certain, and large"
        parts.append(f"{one.code} {level}: {because}")
    return wrapped(list(dict.fromkeys(parts)), "Why this level? ") if parts else ""


def assumes(facts: KernelFacts, where: Where) -> str:
    """The line about the launch configuration and what else the figures rest on."""
    source = f"from {where(facts.launch_span)}" if facts.launch_span is not None else f"({facts.source})"
    return wrapped([f"{block_text(facts)} {source}", *assumed(facts)], "Assumes: ")


def assumed(facts: KernelFacts) -> Iterator[str]:
    """What figures rest on: what is particular to the kernel, then that what every kernel assumes is assumed (docs/decisions/09).
    That a block has the default shape is said with the block."""
    shape = f"{block_text(facts)}, "
    said = (one.text.removeprefix(shape) for one in facts.assumptions if one.text not in STANDING)
    yield from (text for text in said if text != DEFAULT_SHAPE)
    if any(one.text in STANDING for one in facts.assumptions):
        yield STANDING_TEXT


def block_text(facts: KernelFacts) -> str:
    """ "block 256", "block (32, 8)"."""
    x, y, z = facts.block
    if (y, z) == (1, 1):
        return f"block {x}"
    return f"block ({x}, {y})" if z == 1 else f"block ({x}, {y}, {z})"
