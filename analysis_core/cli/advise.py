"""`warpcost advise FILE`: what the kernels of a file would pay with other block shapes, and which of these give the same results."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from analysis_core.advice.account import SPENT, Account
from analysis_core.advice.advisor import Advice, Row, advice
from analysis_core.advice.card import figure_text, independence_text, registers_text, shapes_told
from analysis_core.advice.independence import Depends
from analysis_core.advice.knobs import Variants
from analysis_core.advice.offers import Offer, offers
from analysis_core.cli.advise_classes import Classes, class_lines, classes_json, classes_of
from analysis_core.cli.render_text import place_text
from analysis_core.cli.runner_commands import no_command, no_command_in_json
from analysis_core.cli.statuses import BROKEN, CLEAN
from analysis_core.cli.terminal import complain, printable
from analysis_core.cli.work import Task, one_task, unknown_kernel
from analysis_core.machine.description import MULTIPROCESSORS
from analysis_core.pipeline.checked_fixes import Place
from analysis_core.program.launch import shape_text
from analysis_core.report.block_shapes import BlockShapes
from analysis_core.support.sources import Sources
from analysis_core.support.store import Store
from analysis_core.text.span import FileId, Span

_WORK, _STATEMENTS = 2_000_000, 20_000
"""Of an `Account`, for one kernel of an editor, which has one worker: a part of what a run may take."""

_HEAD = ("block", "sectors", "conflicts", "divergences", "shared bytes", "occupancy", "limited by", "results")


def advise(args: Namespace) -> int:
    """Prints a table for each kernel; returns the exit status."""
    task = one_task(args)
    if task is None:
        return BROKEN
    if args.kernel is not None and (unknown := unknown_kernel((task,))):
        complain(unknown)
        return BROKEN
    capability = task.settings.compute_capability
    if capability not in MULTIPROCESSORS:
        complain(_no_occupancy(capability))
        return BROKEN
    told = list(_told(task, capability, args.registers))
    sources = Sources(task.files())
    if args.format == "json":
        kernels = [
            {**_kernel_json(one, found, sources, capability), "classes": classes_json(classes, sources)}
            for one, found, classes in told
        ]
        print(no_command_in_json(json.dumps({"compute_capability": capability, "kernels": kernels}, indent=2)))
        return CLEAN
    for one, found, classes in told:
        for line in (*advice_lines(one, found, sources, capability, args.all), *class_lines(classes, sources)):
            print(no_command(printable(line)))
    if not told:
        print(f"{printable(task.path)}: no kernel")
    return CLEAN


def _told(task: Task, capability: str, registers: int | None) -> Iterator[tuple[Advice, list[Offer], Classes]]:
    files = task.files()
    place = Place(task.path, files, task.settings, task.units, Store())
    variants = Variants(place, Sources(files).index(FileId(task.path)).data)
    for kernel in variants.kernels():
        if task.kernel is None or task.kernel in (kernel.name, kernel.instantiation):
            one = advice(variants, kernel, registers)
            found = list(offers(one, variants, capability))
            yield one, found, Classes() if variants.account.is_spent() else classes_of(kernel, task.settings)


def compared(place: Place, name: Span, alive: Callable[[], None]) -> tuple[BlockShapes, str]:
    """What editors show of the block shapes of the kernel with that name, and its table with all shapes.  `alive`: called between steps."""
    capability, sources = place.settings.compute_capability, Sources(place.files)
    if capability not in MULTIPROCESSORS:
        return BlockShapes(name, None, ""), _no_occupancy(capability)
    variants = Variants(place, sources.index(FileId(place.path)).data, Account(_WORK, _STATEMENTS))
    found = variants.launched(name)
    if found is None:
        return BlockShapes(name, None, ""), "No launch in view says which block this kernel has."
    alive()
    one = advice(variants, found.kernel)
    alive()
    made = list(offers(one, variants, capability))
    return shapes_told(one, made, capability, sources), "\n".join(advice_lines(one, made, sources, capability, True))


def maps(task: Task, names: Iterable[Span]) -> dict[Span, dict[str, Any]]:
    """What the report page draws of the shapes of kernels with these names, as far as there are some."""
    capability, files = task.settings.compute_capability, task.files()
    if capability not in MULTIPROCESSORS:
        return {}
    place, sources = Place(task.path, files, task.settings, task.units, Store()), Sources(files)
    variants = Variants(place, sources.index(FileId(task.path)).data)
    told: dict[Span, dict[str, Any]] = {}
    for name in dict.fromkeys(names):
        found = variants.launched(name)
        if found is not None and (one := advice(variants, found.kernel)).rows:
            better = {offer.row.block for offer in offers(one, variants, capability) if offer.trial.same}
            rows = [_map_row(row, capability, row.block in better) for row in one.rows]
            told[name] = {
                "capability": capability,
                "said": f"{independence_text(one, sources)}. {registers_text(one).capitalize()}.",
                "rows": rows,
            }
    return told


def _map_row(row: Row, capability: str, offered: bool) -> dict[str, Any]:
    costs, held, score = row.costs, row.occupancies.get(capability), row.score(capability)
    return {
        "block": list(row.block),
        "score": None if score is None else float(score),
        "sectors": None if costs is None else float(costs.sectors),
        "conflicts": None if costs is None else float(costs.conflicts),
        "divergences": None if costs is None else float(costs.divergences),
        "share": None if held is None else held.share,
        "limits": [] if held is None else list(held.limits),
        "proved": row.proved,
        "offered": offered,
        "why": row.why,
    }


def _no_occupancy(capability: str) -> str:
    return f"there is no occupancy for compute capability {capability}; there is for {', '.join(MULTIPROCESSORS)}"


def advice_lines(one: Advice, found: Sequence[Offer], sources: Sources, capability: str, every: bool) -> Iterator[str]:
    """The table of a kernel: the present shape, those that are offered, and with `every` all others."""
    head = f"{place_text(one.place, sources)}: {one.kernel}"
    if one.why:
        yield f"{head}: {one.why}"
        return
    knobs = ", ".join(
        f"{knob.name or 'a number'} = {knob.value} (line {sources.line(knob.span)})" for knob in one.knobs
    )
    yield f"{head}: block {shape_text(one.rows[0].block)} by {knobs}"
    follows = "" if one.covered else "; that the grid follows the block is taken for granted"
    rests = f"; {registers_text(one)}" if one.estimated else ""
    yield f"Costs per 1,000 threads of this launch at representative sizes; compute capability {capability}{follows}{rests}."
    tried = {offer.row.block: offer for offer in found}
    rows = [one.rows[0], *(offer.row for offer in found if offer.trial.same is not False)]
    if every:
        rows += [row for row in one.rows if row not in rows and row.costs is not None]
    if one.depends is None:
        yield '"proved": each thread does what the thread with the same global index does with the present block.'
    else:
        yield f"Not proved to be independent of the block{_at(one.depends, sources)}: {one.depends.why}."
    table = [_HEAD, *(_cells(row, tried.get(row.block), capability, row is one.rows[0]) for row in rows)]
    widths = [max(len(row[n]) for row in table) for n in range(len(_HEAD))]
    for cells in table:
        padded = (c.rjust(w) if 0 < n < 6 else c.ljust(w) for n, (c, w) in enumerate(zip(cells, widths, strict=True)))
        yield "  " + "  ".join(padded).rstrip()
    for offer in found:
        if offer.trial.same is False:
            yield f"  not {shape_text(offer.row.block)}: {offer.trial.text}"
    for row in one.rows:
        if row.costs is None and row.why != SPENT and (every or row is one.rows[0]):
            yield f"  nothing for {shape_text(row.block)}: {row.why}"
    skipped = sum(row.why == SPENT for row in one.rows)
    if skipped:
        yield f"  {skipped} shape{'s' * (skipped != 1)} {SPENT}."
    elif len(rows) == 1 and not every:
        yield "  No other shape is better."
    yield ""


def _at(depends: Depends, sources: Sources) -> str:
    return "" if depends.span is None else f" (line {sources.line(depends.span)})"


def _cells(row: Row, offer: Offer | None, capability: str, present: bool) -> tuple[str, ...]:
    costs: tuple[str, ...] = ("?", "?", "?")
    if row.costs is not None:
        figures = (row.costs.sectors, row.costs.conflicts, row.costs.divergences)
        costs = tuple(map(figure_text, figures))
    held = row.occupancies.get(capability)
    share = ("?", "") if held is None else (f"{held.share:.0%}", ", ".join(held.limits))
    return (shape_text(row.block), *costs, f"{row.shared_bytes:,}", *share, "present" if present else _result(offer))


def _result(offer: Offer | None) -> str:
    if offer is None:
        return ""
    proof = "proved; " if offer.row.proved else ""
    return f"{proof}the same ({offer.trial.text})" if offer.trial.same else f"{proof}not tried: {offer.trial.text}"


def _kernel_json(one: Advice, found: Sequence[Offer], sources: Sources, capability: str) -> dict[str, Any]:
    tried = {offer.row.block: offer.trial for offer in found}

    def row_json(row: Row) -> dict[str, Any]:
        trial = tried.get(row.block)
        costs = row.costs
        return {
            "block": list(row.block),
            "values": {place_text(e.span, sources): int(e.text) for e in row.edits},
            "per_1000_threads": None
            if costs is None
            else {
                "sectors": float(costs.sectors),
                "conflicts": float(costs.conflicts),
                "divergences": float(costs.divergences),
            },
            "shared_bytes": row.shared_bytes,
            "occupancy": {
                name: {"blocks": held.blocks, "share": held.share, "limits": list(held.limits)}
                for name, held in row.occupancies.items()
            },
            "why": row.why or None,
            "proved": row.proved,
            "same_results": None if trial is None else trial.same,
            "tried": None if trial is None else trial.text,
        }

    ranked = [list(row.block) for row in one.ranked(capability)]
    knobs = [
        {"name": k.name, "value": k.value, "axes": ["xyz"[n] for n in k.axes], "at": place_text(k.span, sources)}
        for k in one.knobs
    ]
    return {
        "kernel": one.kernel,
        "at": place_text(one.place, sources),
        "why": one.why or None,
        "knobs": knobs,
        "registers": {"value": one.registers, "estimated": one.estimated} if one.registers else None,
        "grid_follows": one.covered,
        "depends_on_block": None
        if one.depends is None
        else {
            "why": one.depends.why,
            "at": None if one.depends.span is None else place_text(one.depends.span, sources),
        },
        "ranked": ranked,
        "rows": [row_json(row) for row in one.rows],
    }
