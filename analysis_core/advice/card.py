"""The advisor on a kernel's card: the best shapes beside the present one, and what turns the text to each.

    **Block shapes** · per 1,000 threads, compute capability 9.0

    | block | sectors | conflicts | divergences | occupancy            |
    | 32x8  |   402.3 |         0 |       156.2 | 100% (warps)         |  present
    | 64x16 |   357.0 |         0 |       126.2 | 100% (warps, blocks) |  same results in a run

Only what a run holds equal, or what is proved, can be had by an edit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from analysis_core.advice.account import SPENT
from analysis_core.advice.advisor import Advice, Costs, Row
from analysis_core.advice.offers import Offer
from analysis_core.advice.registers import MEDIAN_ERROR
from analysis_core.program.launch import shape_text
from analysis_core.report.block_shapes import BlockShapes, OfferedShape
from analysis_core.report.findings.reasons import wrapped
from analysis_core.support.sources import Sources

_HEAD = ("block", "sectors", "conflicts", "divergences", "occupancy", "results")


def shapes_told(one: Advice, found: Sequence[Offer], capability: str, sources: Sources) -> BlockShapes:
    """What an editor shows of it; no card where the kernel's block is not made of numbers of the file."""
    at = None if one.found is None else one.found.launch.span
    if not one.rows:
        return BlockShapes(one.place, at, "")
    made = [offer for offer in found if offer.trial.same is not False]
    text = "\n\n".join(_paragraphs(one, made, capability, sources)) + "\n"
    return BlockShapes(one.place, at, text, tuple(_offered(offer, one.rows[0]) for offer in made))


def figure_text(figure: Fraction) -> str:
    """ "402.3", "12,000": what is lost is no more than what nobody reads."""
    return f"{float(figure):,.4g}" if figure < 10000 else f"{float(figure):,.0f}"


def independence_text(one: Advice, sources: Sources) -> str:
    """Whether a thread does the same in any block, or the statement that prevents it."""
    if one.depends is None:
        many = sum(row.proved for row in one.rows[1:])
        of = "all of these" if many == len(one.rows) - 1 else f"{many} of {len(one.rows) - 1}"
        return f"Independent of the block in {of} shapes (proved): each thread does what the thread of its global index does now"
    at = "" if one.depends.span is None else f" (line {sources.line(one.depends.span)})"
    return f"Not proved to be independent of the block{at}: {one.depends.why}"


def registers_text(one: Advice) -> str:
    """What occupancies rest on, where nobody said it; else nothing."""
    if not one.estimated:
        return ""
    return f"registers estimated by liveness: {one.registers} (error on fixtures: median {MEDIAN_ERROR}%)"


def _paragraphs(one: Advice, made: Sequence[Offer], capability: str, sources: Sources) -> Iterator[str]:
    yield f"**Block shapes** · per 1,000 threads of this launch, compute capability {capability}"
    present = one.rows[0]
    rows = [_HEAD, _cells(present, capability, "present"), *(_cells(o.row, capability, _result(o)) for o in made)]
    widths = [max(len(row[n]) for row in rows) for n in range(len(_HEAD))]
    lines = ["| " + " | ".join(_padded(row, widths)) + " |" for row in rows]
    rule = "|".join("-" * (width + 1) + (":" if 0 < n < 4 else "-") for n, width in enumerate(widths))
    yield "\n".join((lines[0], f"|{rule}|", *lines[1:]))
    said = [f"{independence_text(one, sources)}."]
    if present.costs is None:
        said.append(f"No costs of the present block: {present.why}.")
    elif any(row.why == SPENT for row in one.rows):
        said.append("Not all shapes were looked at.")
    elif not made:
        said.append("No other shape is clearly better.")
    if one.estimated:
        said.append(f"{registers_text(one).capitalize()}.")
    if not one.covered:
        said.append("That the grid follows the block is taken for granted.")
    yield wrapped([" ".join(said)])


def _padded(row: Sequence[str], widths: Sequence[int]) -> Iterator[str]:
    return (c.rjust(w) if 0 < n < 4 else c.ljust(w) for n, (c, w) in enumerate(zip(row, widths, strict=True)))


def _cells(row: Row, capability: str, result: str) -> tuple[str, ...]:
    paid = ("?",) * 3 if row.costs is None else tuple(figure_text(one) for one in _paid(row.costs))
    held = row.occupancies.get(capability)
    share = "?" if held is None else f"{held.share:.0%} ({', '.join(held.limits)})"
    return (shape_text(row.block), *paid, share, result)


def _paid(costs: Costs) -> tuple[Fraction, ...]:
    return costs.sectors, costs.conflicts, costs.divergences


def _result(offer: Offer) -> str:
    if offer.row.proved:
        return "proved equal"
    return "equal in a run" if offer.trial.same else "not run"


def _offered(offer: Offer, present: Row) -> OfferedShape:
    """ "Block 64x16: 402 -> 357 sectors per 1,000 threads (results equal in a run)"."""
    told = []
    if present.costs is not None and offer.row.costs is not None:
        for noun, before, after in zip(_HEAD[1:], _paid(present.costs), _paid(offer.row.costs), strict=False):
            if noun != "divergences" and before != after:
                told.append(f"{figure_text(before)} -> {figure_text(after)} {noun}")
    gain = f": {', '.join(told)} per 1,000 threads" if told else ""
    title = f"Block {shape_text(present.block)} -> {shape_text(offer.row.block)}{gain}"
    if offer.row.proved or offer.trial.same:
        return OfferedShape(f"{title} (results {_result(offer)})", offer.row.edits)
    return OfferedShape(title, offer.row.edits, f"results not compared: {offer.trial.text}")
