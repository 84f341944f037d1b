"""WC103 local-memory: an array of a thread that cannot stay in registers, because an index is not known when the code is compiled.

Registers have no addresses: one such index, and each element that is stored or loaded is a request to memory.  It is told at the declaration, once for an
array, with the index that decides.  Which loops compilers write out is taken from their text (ir/straight_lines.py), so a counter of few iterations, of
a short loop, or of one that is said to be unrolled, is known.  No warning: first caches hold small arrays, and how much of them nobody knows.  Quiet for tables of constants,
which are kept once for all threads, and for arrays whose every index is known.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from analysis_core.ir.nodes import Expr, Load, Local, Loop, Store
from analysis_core.ir.types import Space
from analysis_core.ir.walk import statements_of, subexpressions
from analysis_core.profile.access_profile import AccessProfile
from analysis_core.profile.evidence import Evidence
from analysis_core.profile.kernel_context import Context
from analysis_core.profile.shares import cost_of_block
from analysis_core.profile.sizes import at_sizes
from analysis_core.report.findings.check import Check, launch_notes
from analysis_core.report.findings.gates import Gate, asked
from analysis_core.report.findings.model import Asked, CheckId, Finding, Level, Note, Verdict
from analysis_core.report.findings.uncounted import without
from analysis_core.report.findings.wording import assuming_text, sentences, share_text
from analysis_core.text.records import dataclass
from analysis_core.traffic.own_arrays import REGISTER_BYTES, OwnArray

CODE = CheckId("WC103")


@dataclass(frozen=True, slots=True)
class Stored:
    """An array in local memory.  `access`: of those whose index decides, the one with the most traffic; `share`: what all its accesses may be expected
    to be of the kernel's global and local traffic (0 to 1)."""

    context: Context
    array: OwnArray
    access: AccessProfile
    share: float


def _is_of_unseen(stored: Stored) -> bool:
    """Whether constants that no file in view declares go into its extents, an index, or the ends of loops that indexes count: compilers know them."""
    kernel, array = stored.context.kernel, stored.array
    own = set(kernel.parameters)
    unseen = {one.id for one in kernel.variables if one.parameter and one.id not in own}
    if array.bytes is None or not unseen:
        return array.bytes is None
    numbers = {number for n in array.indexed for number in stored.context.profile.accesses[n].fact.ids}
    loops = set(array.loops.values())
    asked: list[Expr] = []
    for stmt in statements_of(kernel):
        if isinstance(stmt, (Load, Store)) and kernel.plain_number(stmt.access.id) in numbers:
            asked.append(stmt.address)
        elif isinstance(stmt, Loop) and stmt.whole in loops and stmt.condition is not None:
            asked.append(stmt.condition)
    return any(isinstance(e, Local) and e.var in unseen for expr in asked for e in subexpressions(expr))


SITES: tuple[Gate[Stored], ...] = (
    Gate(
        "unknown constants",
        Evidence.DEFAULT,
        "constants that are not declared here say how large it is, or where its index ends",
        _is_of_unseen,
    ),
    Gate(
        "left to compilers",
        Evidence.DEFAULT,
        "its index counts a loop with a constant number of iterations that is long or unrolled in part: compilers choose whether it stays a loop",
        lambda s: s.array.chosen,
        Level.HINT,
    ),
    Gate(
        "small share",
        Evidence.SEEN,
        "its requests are too small a part of the kernel's global and local traffic",
        lambda s: s.share < s.context.settings.information_share,
        Level.HINT,
    ),
)
"""Asked of each array."""


def ask(context: Context) -> Iterator[Asked]:
    """One finding per array."""
    profile = context.profile
    if not profile.own:
        return
    held = {n: sectors for array in profile.own for n, sectors in array.accesses.items()}
    paid = {n: _cost(context, n, sectors) for n, sectors in held.items()}
    weighed = zip(profile.accesses, context.weights.accesses, strict=True)
    moved = sum(cost for n, (one, cost) in enumerate(weighed) if n not in held and _is_moved(one))
    total = moved + sum(paid.values())
    for array in profile.own:
        place = max(array.indexed, key=lambda n: paid[n])
        share = sum(paid[n] for n in array.accesses) / total if total else 0.0
        stored = Stored(context, array, profile.accesses[place], share)
        level, reasons = asked(SITES, stored, CHECK.level)
        finding = None if level is None else _finding(stored, place, level)
        yield Asked(CODE, stored.access.fact.span, stored.access.fact.text, level, reasons, finding)


def _is_moved(access: AccessProfile) -> bool:
    return access.fact.space is Space.GLOBAL or access.traffic.likely > 0


def _cost(context: Context, number: int, sectors: int) -> float:
    access = context.profile.accesses[number]
    likely = replace(access, traffic=replace(access.traffic, likely=sectors))
    return cost_of_block(likely, context.profile, context.weights.sizes, context.settings)


def _finding(stored: Stored, place: int, level: Level) -> Finding:
    context, array, access = stored.context, stored.array, stored.access
    often = [context.profile.accesses[n].fact.block.executed for n in array.accesses]
    moved = f"global and local traffic{without(context.kernel)}"
    message = sentences(
        f"`{_name(array)}` lies in local memory{_bytes(array)}, not in registers: {_because(stored, place)}",
        share_text(context, stored.share, moved, at_sizes(often, context.weights.sizes), most="about "),
        assuming_text(context.facts),
    )
    return Finding(
        CODE, Verdict.MAY_FAIL, level, array.span, message, tuple(_notes(stored, place)), share=stored.share, subject=access.fact.text
    )  # fmt: skip


def _name(array: OwnArray) -> str:
    """Without the function that it is declared in, where that is inlined."""
    return array.name.rpartition(" ")[2]


def _bytes(array: OwnArray) -> str:
    return "" if array.bytes is None else f" ({array.bytes} bytes per thread)"


def _because(stored: Stored, place: int) -> str:
    text = f"the index of `{stored.access.fact.text}`"
    if place in stored.array.loops:
        return (
            f"{text} counts the iterations of a loop that {'may not be' if stored.array.chosen else 'is not'} unrolled"
        )
    if stored.access.fact.why.data_dependent:
        return f"{text} depends on data"
    return f"{text} is not known when the kernel is compiled"


def _notes(stored: Stored, place: int) -> Iterator[Note]:
    array, access = stored.array, stored.access
    yield Note("this index keeps it from registers", access.fact.span)
    if place in array.loops:
        yield Note(f"this loop {'may not be' if array.chosen else 'is not'} unrolled", array.loops[place])
    others = [stored.context.profile.accesses[n].fact.span for n in array.indexed]
    yield from Note.of_all("so does this index", [one for one in dict.fromkeys(others) if one != access.fact.span])
    if array.bytes is not None and array.bytes > REGISTER_BYTES:
        yield Note("it would not fit into the registers of a thread either")
    yield from launch_notes(stored.context)


CHECK = Check(CODE, "local-memory", "an array of a thread is not in registers", Level.INFORMATION, ask=ask)
