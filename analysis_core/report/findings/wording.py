"""The words of messages, in one place: each names the problem first, with its array and direction, then the numbers, then what they are a part of.

"Uncoalesced load from `a`: each warp touches 32 sectors where 4 would do (8x). Runs ceil(h/2) times per warp. 71% of this kernel's global traffic if
h = 1024." The same words stand for the same things in all rules (docs/voice.md).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from analysis_core.expressions.expression import Expression, constant, symbols, to_text
from analysis_core.ir.launch_site import is_assumed
from analysis_core.ir.types import Space
from analysis_core.machine.sizes import WORD_BYTES
from analysis_core.profile.access_profile import AccessProfile, BranchProfile
from analysis_core.profile.kernel_context import Context
from analysis_core.profile.line_shares import value_at
from analysis_core.profile.run_totals import exclude
from analysis_core.profile.sizes import Sizes, at_sizes, kind_by_name, loop_of
from analysis_core.profile.sureness import is_upper_figure, may_be_cheap, scatters_by_data
from analysis_core.profile.whole_loops import of_whole_loops
from analysis_core.program.launch import shape_text
from analysis_core.report.findings.alike import Alike
from analysis_core.requests.facts import KernelFacts, OpenSize, ReadWrite
from analysis_core.support.facts import MIXED, SHARED, Cause, as_far_as_read
from analysis_core.traffic.traffic import Reuse

NARROW = WORD_BYTES
"""Bytes of an element up to which the ways of a bank conflict are the wavefronts of its request, and need not be told again."""

LONGEST_EXPRESSION = 60
"""Characters; a longer multiplicity helps nobody in one line of text."""

_MOST_NAMED = 2
"""Arrays that decide a cost together, of which all are named."""

_OPEN = 0.1
"""The part of all that is weighed from which on others that may cost less make the share anything."""

_LOADED = re.compile(r"^(`[^`]+`) is loaded from memory$")


def factor_text(actual: float, ideal: float) -> str:
    """ "8x", "4.5x", "1.25x": actual over ideal."""
    factor = actual / ideal if ideal else float(actual)
    return f"{factor:.1f}".removesuffix(".0") + "x" if factor >= 2 else f"{factor:.2f}x"


def tells_mean(access: AccessProfile) -> bool:
    """Whether the requests of one warp differ and it is known how often each is made. Then the mean is told, and not
    only the worst."""
    return access.fact.variation.own is not None and not access.frequency.rarity


def cost_text(access: AccessProfile, unit: str, most: str) -> str:
    """ "32 sectors where 4 would do (8x)"; "2.9 wavefronts on average where 1 would do (2.9x)" where the requests of one warp differ.

    `most`: "up to ", or nothing."""
    if access.fact.variation.sized is not None:
        return sizes_text(access.fact.variation.sized, unit, most)
    if access.expected.usual is not None and access.each < access.fact.worst:
        each = round(access.each)
        return f"about {each} {unit} (up to {access.fact.worst}) {where_text(each, access.fact.ideal)}"
    if not tells_mean(access):
        return worst_text(access, unit, most)
    upper = f" (up to {access.fact.worst})" if access.fact.space is Space.GLOBAL or access.fact.bytes > NARROW else ""
    return f"{access.each:.1f} {unit} on average{upper} {where_text(access.each, access.each_ideal)}"


def worst_text(access: AccessProfile, unit: str, most: str) -> str:
    """The same of the dearest request."""
    return f"{most}{access.fact.worst} {unit} {where_text(access.fact.worst, access.fact.ideal)}"


def sizes_text(sized: OpenSize, unit: str, most: str) -> str:
    """ "32 sectors where 4 would do (8x) if `T` has 4 bytes, 32 where 2 would do (16x) if it has 2"."""
    have, they = ("has", "it has") if len(sized.types) == 1 else ("have", "they have")
    told: list[str] = []
    for one in sized.costs:
        whose = f"{they} {one.bytes}" if told else f"{types_text(sized.types)} {have} {one.bytes} bytes"
        told.append(f"{most}{one.worst}{'' if told else f' {unit}'} {where_text(one.worst, one.ideal)} if {whose}")
    return ", ".join(told)


def types_text(types: Sequence[str]) -> str:
    """ "`A` and `B`"; of more than two what they have in common."""
    return (
        " and ".join(f"`{name}`" for name in types) if len(types) <= _MOST_NAMED else "types that are not declared here"
    )


def where_text(actual: float, ideal: float) -> str:
    """ "where 4 would do (8x)"."""
    return f"where {f'{ideal:.1f}'.removesuffix('.0')} would do ({factor_text(actual, ideal)})"


_DOES: Mapping[ReadWrite, str] = MappingProxyType(
    {
        ReadWrite.READ: "load from",
        ReadWrite.WRITE: "store to",
        ReadWrite.BOTH: "update of",
        ReadWrite.ATOMIC: "atomic on",
    }
)


def access_text(access: AccessProfile) -> str:
    """ "load from `a`", "store to `a`", "atomic on `a`"."""
    return f"{_DOES[access.fact.rw]} {array_text(access)}"


def array_text(access: AccessProfile) -> str:
    """ "`a`", or the memory where it is not known which array is meant."""
    if access.fact.base != "?":
        return f"`{access.fact.base}`"
    return "shared memory" if access.fact.space is Space.SHARED else "global memory"


def decider(cause: Cause | None) -> str | None:
    """ "`order[i]`": what is loaded from memory and decides a cost, as it is written; None where that is not short, or many things are."""
    match = None if cause is None else _LOADED.match(cause.reason)
    return match[1] if match is not None and len(match[1]) <= LONGEST_EXPRESSION else None


def by_data_text(branch: BranchProfile) -> str:
    """ " (depends on data: `keys[loc]`)"."""
    named = decider(branch.fact.why.cause)
    return f" (depends on data{'' if named is None else f': {named}'})"


def rests_on_values(access: AccessProfile) -> bool:
    """Whether the loaded values make the cost what it is at worst. They do not if lanes share one value, mix its bits,
    or are apart whatever they load, as in rows of their own."""
    if not scatters_by_data(access.fact) or tells_mean(access):
        return False
    if access.fact.variation.pitched or access.traffic.reuse is Reuse.OWN_ROW:
        return False
    return access.fact.why.cause is None or not access.fact.why.cause.reason.endswith((SHARED, MIXED))


def if_text(access: AccessProfile, they: str) -> str:
    """ " if the values of `row[i]` and `column[i]` scatter": what a cost rests on, if on that; of two arrays the one that takes lanes furthest apart
    comes first."""
    if not rests_on_values(access):
        return ""
    first = decider(access.fact.why.cause)
    each = {name.partition("[")[0]: name for name in map(decider, reversed(access.expected.decided_by)) if name}
    named = [*reversed(each.values())] if len(each) == _MOST_NAMED else [] if first is None else [first]
    return f" if the values {'of ' + ' and '.join(named) if named else 'in memory'} {they}"


def times_text(times: Expression | None, sizes: Sizes, requests: int = 1, at_most: bool = False) -> str:
    """ "runs ceil(h/2) times per warp"; "runs at most once per warp" where data decides which lanes get there, or others do less; "" for once."""
    each = f" ({requests} requests each)" if requests > 1 else ""
    if times is None:
        return f"runs an unknown number of times{each}"
    number = constant(times)
    most = "at most " if at_most else ""
    if number == 1 and not each and not at_most:
        return ""
    if number is not None:
        return f"runs {most}{'once' if number == 1 else f'{number} times'} per warp{each}"
    times = of_whole_loops(times, at_most)
    text = to_text(times)
    if len(text) > LONGEST_EXPRESSION:
        return f"runs {_at_one_size(times, sizes, most) or 'in loops'}{each}"
    if kind_by_name(text) == "trip":
        return f"runs {most}once per iteration of the {loop_of(text)}{each}"
    return f"runs {most}{text} times per warp{each}{_trips_text(times)}"


def _trips_text(times: Expression) -> str:
    """ ", where T28 counts the iterations of the loop at line 28": what the names of trip counts in a multiplicity mean."""
    named = [
        f"{name} counts the iterations of the {loop_of(name)}"
        for name in symbols(times)
        if kind_by_name(name) == "trip"
    ]
    return f", where {' and '.join(named)}" if named else ""


def times_words(times: Expression | None) -> str:
    """How often a card says that something is done: "once", "5 times", "`ceil(n/256)` times"."""
    if times is None:
        return "an unknown number of times"
    number = constant(times)
    if number is not None:
        return "once" if number == 1 else f"{number} times"
    return f"`{to_text(times)}` times"


def is_most(access: AccessProfile) -> bool:
    """Whether some warps make the access less often than is told: memory decides, or some stay away (`if (tid < d)`)."""
    return (
        access.frequency.rarity + access.frequency.alternatives > 0 or access.frequency.ends or access.fact.block.uneven
    )


def _at_one_size(times: Expression, sizes: Sizes, most: str) -> str | None:
    """ "45 times per warp if n = 1024": what is too long to be told is told for one size, if no more than one decides it."""
    names = symbols(times)
    number = value_at(times, sizes.values) if [kind_by_name(name) for name in names] == ["parameter"] else None
    return None if number is None else f"{most}{number} times per warp{at_sizes((times,), sizes)}"


def share_text(context: Context, share: float, metric: str, sizes: str, company: str = "", most: str = "") -> str:
    """ "71% of this kernel's global traffic if h = 1024", "with 3 more accesses to `a`: 36% of ..".  `most`: what stands before the share ("up to ",
    "about "), or nothing."""
    read = as_far_as_read(context.kernel.unknowns)
    return f"{company}{': ' if company else ''}{most}{round(100 * share)}% of this kernel's {metric}{sizes}{read}"


def assuming_text(facts: KernelFacts) -> str:
    """ "assumes block 256" where the shape is a guess, else ""."""
    return f"assumes block {shape_text(facts.block)}" if is_assumed(facts.source) else ""


def sentences(*parts: str) -> str:
    """The parts that say something, as sentences."""
    return " ".join(f"{capitalised(part)}{'' if part.endswith('.') else '.'}" for part in parts if part)


def capitalised(text: str) -> str:
    """The text as the beginning of a sentence."""
    return text[:1].upper() + text[1:]


def ideal_cases_text(access: AccessProfile) -> str:
    """ "4 when width % 8 == 0": the cases in which the ideal is met, else ""."""
    if access.fact.variation.sized is not None:
        return ""
    met = [
        case.when
        for case in access.fact.cases
        if case.cost <= access.fact.ideal and len(case.when) <= LONGEST_EXPRESSION
    ]
    return f"{access.fact.ideal} when {' or '.join(met[:2])}" if met else ""


def word_of_share(context: Context, found: Alike) -> str:
    """Which word stands before a share: "up to " where memory decides what only its group of accesses costs, "about " where that of others as well, so that
    the share is a bound of nothing; else nothing."""
    if not may_be_cheap(found.access.fact) or tells_mean(found.access):
        return ""
    group = {id(one) for one in (found.access, *found.others)}
    weighed = [
        (access, cost)
        for access, cost in zip(context.profile.accesses, context.weights.accesses, strict=True)
        if access.fact.space is found.access.fact.space
        and not exclude(access.frequency.sides, found.access.frequency.sides)
    ]
    open_cost = sum(cost for access, cost in weighed if id(access) not in group and _may_cost_less(access))
    return "about " if open_cost > _OPEN * sum(cost for _, cost in weighed) else "up to "


def _may_cost_less(access: AccessProfile) -> bool:
    return is_upper_figure(access) or is_most(access)
