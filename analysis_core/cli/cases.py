"""`warpcost cases FILE --kernel K`: which variant of a kernel's text fits into which machine, as a decision tree whose leaves are disjoint and cover everything."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Iterator, Mapping
from dataclasses import field
from pathlib import Path
from typing import Any

from analysis_core.case_discussion.bounds import bounds_of
from analysis_core.case_discussion.constraints import MACHINE
from analysis_core.case_discussion.discuss import STATIC_WORDS, Counted, Discussion, NotDiscussed, Registers, discussion
from analysis_core.case_discussion.header import NoHeader, header
from analysis_core.case_discussion.tree import Choice, Leaf, Node, Variant, leaves_of
from analysis_core.cli.cases_page import cases_page
from analysis_core.cli.render_text import place_text
from analysis_core.cli.runner_commands import no_command, no_command_in_json
from analysis_core.cli.statuses import BROKEN, CLEAN
from analysis_core.cli.terminal import complain, printable
from analysis_core.cli.work import one_task
from analysis_core.expressions import expression as ex
from analysis_core.expressions.bounds import MetricBound
from analysis_core.machine.block_shape import MAXIMUM_THREADS
from analysis_core.machine.description import MULTIPROCESSORS
from analysis_core.machine.gpus import gpus
from analysis_core.pipeline.checked_fixes import Place
from analysis_core.pipeline.pipeline import read
from analysis_core.support.sources import Sources
from analysis_core.support.store import Store
from analysis_core.text.records import dataclass
from analysis_core.text.span import FileId

_GPUS = Path(__file__).parents[1] / "machine" / "gpus.toml"
_LACKING = {"T": "block too large", "Z": "no variant fits the shared memory", "R": "no variant fits the registers"}


@dataclass(frozen=True, slots=True)
class Told:
    """A discussion with what is shown of it.  `asked`: the case that holds at the values of --at, if there are any."""

    found: Discussion
    bounds: Mapping[Variant, Mapping[str, MetricBound]]
    device: str
    at: Mapping[str, int] = field(default_factory=dict)

    @property
    def asked(self) -> int | None:
        """The case that holds at the values that are asked about, and at the present ones of other parameters."""
        values = {**self.found.symbols, **self.at}
        try:
            return next((n for n, c in enumerate(self.found.cases) if all(one.holds(values) for one in c.case)), None)
        except KeyError:
            return None


def cases(args: Namespace) -> int:
    """Prints the cases of one kernel; returns the exit status."""
    task = one_task(args)
    if task is None:
        return BROKEN
    machine = _machine(args)
    if machine is None:
        return BROKEN
    files = task.files()
    place = Place(task.path, files, task.settings, task.units, Store())
    sources = Sources(files)
    text = sources.index(FileId(task.path)).data
    try:
        found = discussion(place, text, task.kernel, machine, Registers(tuple(args.registers)), args.rewrite)
    except NotDiscussed as why:
        complain(f"{task.path}: {why}")
        return BROKEN
    if args.header is not None:
        return _write_header(args.header, found, place, text)
    variants = dict.fromkeys(one.variant for one in found.cases if one.variant is not None)
    bounds = {one: bounds_of(found.counted[one], task.settings, place.store) for one in variants}
    told = Told(found, bounds, args.device or "", dict(args.at))
    if args.page is not None:
        return _write_page(args.page, told, sources, text)
    if args.format == "json":
        print(no_command_in_json(json.dumps(_json(told, sources), indent=2)))
    else:
        for line in _lines(told, sources):
            print(no_command(printable(line)))
    return CLEAN


def _write_header(path: str, found: Discussion, place: Place, text: bytes) -> int:
    try:
        made = header(found, read(place.path, place.files, place.settings), text)
    except NoHeader as why:
        complain(f"{place.path}: {why}")
        return BROKEN
    with open(path, "w", encoding="utf-8") as file:
        file.write(made)
    print(
        f"{printable(path)}: {_count(sum(one.variant is not None for one in found.cases), 'case')} of {found.kernel.name}"
    )
    return CLEAN


def _machine(args: Namespace) -> Mapping[str, int | None] | None:
    """The resources that count; None if the device is not known, which is said."""
    machine: dict[str, int | None] = {name: None for name in MACHINE if name in args.resources}
    if args.device is None:
        return machine
    known = gpus(_GPUS.read_text(encoding="utf-8"))
    capability = next((one.capability for one in known if args.device.lower() in one.name.lower()), args.device)
    if capability not in MULTIPROCESSORS:
        complain(
            f"unknown device {args.device}; supported: {', '.join(one.name for one in known)}, "
            f"and compute capabilities {', '.join(MULTIPROCESSORS)}"
        )
        return None
    values = {"T": MAXIMUM_THREADS, "Z": STATIC_WORDS, "R": MULTIPROCESSORS[capability].most_registers}
    return {name: values[name] for name in machine}


# --- text -------------------------------------------------------------------------------------------------------------


def _write_page(path: str, told: Told, sources: Sources, text: bytes) -> int:
    found = told.found
    rows = [
        (
            ", ".join(c.text for c in one.case) or "always",
            _outcome(found, one),
            "" if one.variant is None else _pays(told, one.variant),
        )
        for one in found.cases
    ]
    outcome = {id(leaf): _outcome(found, leaf) for leaf in leaves_of(found.tree)}
    with open(path, "w", encoding="utf-8") as file:
        file.write(cases_page(found, list(_head(told, sources)), rows, outcome, text))
    return CLEAN


def _pays(told: Told, variant: Variant) -> str:
    return ", ".join(_bound_text(name, bound) for name, bound in told.bounds[variant].items())


def _head(told: Told, sources: Sources) -> Iterator[str]:
    """What is said of the whole."""
    found = told.found
    yield f"{place_text(found.kernel.name_span, sources)}: {found.kernel.name}: {_count(len(found.cases), 'case')}"
    yield f"Parameters (at least 1): {_values(found.symbols) or 'none'}. Variants by: {_strategies(found) or 'nothing'}."
    yield f"Machine: {_machine_text(told)}."
    if _estimated(found) and "R" in found.machine:
        yield "Registers are estimates by liveness at these values: the order of the thresholds is what counts (--registers says them)."
    yield _proved(found)
    for note in found.notes:
        yield f"Note: {note}."


def _lines(told: Told, sources: Sources) -> Iterator[str]:
    found = told.found
    yield from _head(told, sources)
    for number, one in enumerate(found.cases, 1):
        mark = "  <- asked about" if told.at and told.asked == number - 1 else ""
        mark = "  <- the text as it is" if not told.at and found.present() == number - 1 else mark
        yield f"  {number}. {', '.join(c.text for c in one.case) or 'always'}: {_outcome(found, one)}{mark}"
        if one.variant is not None:
            yield f"     each warp: {_pays(told, one.variant)}"
    if told.at and told.asked is None:
        yield f"  no case is told by {_values(told.at)}: give values for {', '.join(_symbols(found))}"
    yield "Decisions:"
    yield from _tree_lines(found, found.tree, "  ")


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"


def _values(values: Mapping[str, int]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in values.items())


def _symbols(found: Discussion) -> list[str]:
    return [limit.name for limit in found.machine.values() if isinstance(limit, ex.Symbol)]


def _strategies(found: Discussion) -> str:
    return ", ".join(f"{one.text} ({one.kind})" for one in found.strategies)


def _machine_text(told: Told) -> str:
    head = f"{told.device}, " if told.device else ""
    return head + ", ".join(f"{ex.to_text(limit)} {MACHINE[name]}" for name, limit in told.found.machine.items())


def _estimated(found: Discussion) -> bool:
    return any(one.estimated for one in found.counted.values())


def _proved(found: Discussion) -> str:
    proofs = found.proofs
    if proofs is None:
        return "Cases are not proved to be disjoint, or to cover all values."
    if proofs.disjoint and proofs.covering:
        return "Cases are disjoint and cover all values (proved by z3)."
    return f"Not proved: {'that cases are disjoint' if not proofs.disjoint else 'that cases cover all values'}."


def _outcome(found: Discussion, leaf: Leaf) -> str:
    return _LACKING[leaf.lacking] if leaf.variant is None else found.label(leaf.variant)


def _bound_text(name: str, bound: MetricBound) -> str:
    warp = bound.per_warp
    if warp.upper is None:
        return f"{name} not bounded"
    return f"{name} {'=' if warp.exact else '<='} {ex.to_text(warp.upper)}"


def _tree_lines(found: Discussion, node: Node, indent: str) -> Iterator[str]:
    if isinstance(node, Leaf):
        yield f"{indent}{_outcome(found, node)}"
        return
    yield f"{indent}{node.constraint.text}"
    yield f"{indent}yes:"
    yield from _tree_lines(found, node.accepted, indent + "  ")
    yield f"{indent}no{'' if node.strategy is None else f', {node.strategy.text}'}:"
    yield from _tree_lines(found, node.refused, indent + "  ")


# --- JSON -------------------------------------------------------------------------------------------------------------


def _json(told: Told, sources: Sources) -> dict[str, Any]:
    found = told.found
    return {
        "kernel": found.kernel.name,
        "at": place_text(found.kernel.name_span, sources),
        "program_parameters": dict(found.symbols),
        "machine_parameters": {
            ex.to_text(limit): MACHINE[name] for name, limit in found.machine.items() if isinstance(limit, ex.Symbol)
        },
        "device": None if not told.device else {"name": told.device, **_limits(found)},
        "strategies": [{"kind": s.kind, "macro": s.macro, "value": s.value} for s in found.strategies],
        "counters": [_counted_json(found, variant, one) for variant, one in found.counted.items()],
        "cases": [_case_json(told, n) for n in range(len(found.cases))],
        "proved": None
        if found.proofs is None
        else {"disjoint": found.proofs.disjoint, "covering": found.proofs.covering},
        "present": found.present(),
        "asked": told.asked if told.at else None,
        "tree": _tree_json(found, found.tree),
        "notes": list(found.notes),
    }


def _limits(found: Discussion) -> dict[str, int | None]:
    return {MACHINE[name]: ex.constant(limit) for name, limit in found.machine.items()}


def _counted_json(found: Discussion, variant: Variant, one: Counted) -> dict[str, Any]:
    return {
        "variant": found.label(variant),
        "values": dict(variant.values),
        "threads": ex.to_text(one.threads),
        "shared_words": ex.to_text(one.words),
        "registers": one.registers,
        "registers_are_estimated": one.estimated,
    }


def _case_json(told: Told, number: int) -> dict[str, Any]:
    found, leaf = told.found, told.found.cases[number]
    variant = leaf.variant
    return {
        "when": [one.text for one in leaf.case],
        "variant": None if variant is None else found.label(variant),
        "values": None if variant is None else dict(variant.values),
        "says": _outcome(found, leaf) if variant is None else None,
        "decisions": list(leaf.path),
        "example": found.witnesses[number],
        "per_warp": {
            name: {
                "upper": None if b.per_warp.upper is None else ex.to_text(b.per_warp.upper),
                "exact": b.per_warp.exact,
            }
            for name, b in (told.bounds[variant] if variant is not None else {}).items()
        },
    }


def _tree_json(found: Discussion, node: Node) -> dict[str, Any]:
    if isinstance(node, Choice):
        return {
            "asks": node.constraint.text,
            "yes": _tree_json(found, node.accepted),
            "no": _tree_json(found, node.refused),
            "strategy": None if node.strategy is None else node.strategy.text,
        }
    return {"variant": None if node.variant is None else found.label(node.variant), "says": _outcome(found, node)}
