"""The case discussion of one kernel: which variant of its text fits into which machine.

    text -> parameters -> variants -> counters (threads, words of shared memory, registers) -> decision tree -> cases, proved disjoint and covering

Threads and words are read off the text (symbolic.py); words are held against what the kernel's own lowering makes of each shared array at the present
values.  Registers are those that somebody declares, or an estimate by liveness at the present values; then the order of the thresholds is what counts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from analysis_core.advice.knobs import Launched
from analysis_core.advice.registers import estimated_registers
from analysis_core.advice.trials import trial
from analysis_core.case_discussion.constraints import MACHINE, NoSolver, Solver, witness
from analysis_core.case_discussion.parameters import Parameter, Readings
from analysis_core.case_discussion.rewrites import LAUNCH_BOUNDS, REWRITES, SUBEXPRESSIONS, subexpressions
from analysis_core.case_discussion.symbolic import Said, Symbols
from analysis_core.case_discussion.tree import (
    Leaf,
    Node,
    Proofs,
    Strategy,
    TooManyCases,
    Tree,
    Variant,
    cases_of,
    leaves_of,
    proofs_of,
)
from analysis_core.expressions import expression as ex
from analysis_core.expressions.expression import Expression
from analysis_core.ir.launch_site import is_assumed
from analysis_core.ir.layout import size_of
from analysis_core.ir.nodes import Kernel
from analysis_core.ir.types import Space
from analysis_core.machine.description import KIB
from analysis_core.pipeline.checked_fixes import Place
from analysis_core.pipeline.pipeline import lower, read
from analysis_core.program.launch import Launch, choose_launches
from analysis_core.report.findings.model import Edit
from analysis_core.text.records import dataclass

MOST_STRATEGIES = 8
"""Further ones are not applied, which is said."""

WORD = 4

STATIC_WORDS = 48 * KIB // WORD
"""The most that a block may declare; more is to be asked for as the kernel is launched."""


class NotDiscussed(Exception):
    """Why there is no case discussion, as a sentence."""


@dataclass(frozen=True, slots=True)
class Registers:
    """What somebody declares: `of`: macros with values, and the registers of a thread of all variants that have them; what is said later wins."""

    of: tuple[tuple[Mapping[str, int], int], ...] = ()

    def declared(self, values: Mapping[str, int]) -> int | None:
        found = [count for asked, count in self.of if all(values.get(name) == value for name, value in asked.items())]
        return found[-1] if found else None


@dataclass(frozen=True, slots=True)
class Counted:
    """What a variant takes, with the kernel and the launch that it is at the present values of its symbols.  `words`: of shared memory in all, `declared`: without
    what the launch adds.  `edits`: what rewrites do to the text."""

    threads: Expression
    words: Expression
    declared: Expression
    registers: int
    estimated: bool
    kernel: Kernel
    launch: Launch
    edits: tuple[Edit, ...] = ()


@dataclass(frozen=True, slots=True)
class Discussion:
    """`parameters`: the macros that matter; `symbols`: those that stay open, with their present values.  `machine`: resources by symbol, as symbols or as numbers of a
    device.  `tree` and its leaves put together (`cases`), each with values under which it is reached.  `proofs` None: there is no solver.
    `notes`: what is not taken into account."""

    kernel: Kernel
    parameters: tuple[Parameter, ...]
    symbols: Mapping[str, int]
    strategies: tuple[Strategy, ...]
    machine: Mapping[str, Expression]
    counted: Mapping[Variant, Counted]
    tree: Node
    cases: tuple[Leaf, ...]
    witnesses: tuple[Mapping[str, int] | None, ...]
    proofs: Proofs | None
    notes: tuple[str, ...] = ()

    def label(self, variant: Variant) -> str:
        """ "S kept, CACHE=1"."""
        return label(variant, self.strategies)

    def present(self) -> int | None:
        """The case in which the text is with its present values, on a device; None where the machine is open."""
        if any(ex.constant(limit) is None for limit in self.machine.values()):
            return None
        return next((n for n, one in enumerate(self.cases) if all(c.holds(self.symbols) for c in one.case)), None)


def label(variant: Variant, strategies: Sequence[Strategy]) -> str:
    values = dict(variant.values)
    names = dict.fromkeys(s.macro for s in strategies if s.kind != "rewrite")
    told = [f"{name}={values[name]}" if name in values else f"{name} kept" for name in names]
    return ", ".join([*told, *variant.rewrites]) or "as it is"


class Variants:
    """The variants of one kernel, each read and counted once."""

    def __init__(self, place: Place, text: bytes, kernel: str | None, registers: Registers) -> None:
        self.readings, self.registers = Readings(place, text), registers
        self.all = {one.name: one for one in self.readings.parameters}
        self.present = {name: one.value for name, one in self.all.items()}
        self.kernel = self._chosen(kernel)
        self.launch = self._launched(self.kernel)
        self.counted: dict[Variant, Counted] = {}
        self.notes: dict[str, None] = {}

    def _chosen(self, name: str | None) -> Kernel:
        kernels = self._kernels(self.present)
        found = [one for one in kernels if name is None or name in (one.name, one.instantiation)]
        if not found:
            raise NotDiscussed(
                f"there is no kernel `{name}`" if kernels and name else "there is no kernel in this file"
            )
        if len(found) > 1 and name is None:
            names = ", ".join(dict.fromkeys(one.name for one in found))
            raise NotDiscussed(f"there are several kernels; choose one with --kernel: {names}")
        return found[0]

    def _kernels(self, values: Mapping[str, int], edits: Sequence[Edit] = ()) -> Sequence[Kernel]:
        place = self.readings.with_values(values, edits)
        tree = read(place.path, place.files, place.settings)
        return lower(tree, place.settings).kernels

    def _launched(self, kernel: Kernel) -> Launch:
        place = self.readings.place
        for launch in choose_launches(kernel, place.settings):
            if launch.span is not None and not is_assumed(launch.source):
                return launch
        raise NotDiscussed("no launch in view says which block the kernel has; write `//@ launch block=(..)` before it")

    def symbols_of(self, variant: Variant, switches: frozenset[str]) -> Symbols:
        values = {name: value for name, value in self.present.items() if name in switches} | dict(variant.values)
        place = self.readings.with_values({name: value for name, value in values.items() if name in switches})
        tree = read(place.path, place.files, place.settings)
        return Symbols(tree, frozenset(self.all) - switches)

    def said(self, symbols: Symbols, launch: Launch) -> Said:
        assert launch.span is not None
        return symbols.launch(launch.span)

    def count(self, variant: Variant, switches: frozenset[str]) -> Counted:
        """Raises `NotDiscussed` where the text does not say how many threads a block has."""
        if variant not in self.counted:
            self.counted[variant] = self._counted(variant, switches)
        return self.counted[variant]

    def _counted(self, variant: Variant, switches: frozenset[str]) -> Counted:
        values = {**self.present, **dict(variant.values)}
        kernel = next((k for k in self._kernels(values) if k.name_span == self.kernel.name_span), None)
        if kernel is None:
            raise NotDiscussed(f"there is no kernel `{self.kernel.name}` with {_values_text(dict(variant.values))}")
        launch = self._launched(kernel)
        symbols = self.symbols_of(variant, switches)
        reduced = {name: ex.integer(value) for name, value in variant.values if name not in switches}
        said = self.said(symbols, launch)
        threads = self._checked(said.block, values, launch.block[0] * launch.block[1] * launch.block[2], "the block")
        bytes_ = declared_bytes = self._shared(kernel, symbols, values)
        if said.dynamic is None:
            self.notes["shared memory that the launch adds is not counted: its size is no expression of macros"] = None
        else:
            bytes_ = ex.add(bytes_, said.dynamic)
        declared = self.registers.declared(values)
        kernel, edits = self._rewritten(kernel, launch, symbols, values, variant.rewrites)
        registers = estimated_registers(kernel) if declared is None else declared
        return Counted(
            ex.substitute(threads, reduced),
            words_of(ex.substitute(bytes_, reduced)),
            words_of(declared_bytes),
            0 if LAUNCH_BOUNDS in variant.rewrites else registers,
            declared is None,
            kernel,
            launch,
            edits,
        )

    def _rewritten(
        self, kernel: Kernel, launch: Launch, symbols: Symbols, values: Mapping[str, int], rewrites: Sequence[str]
    ) -> tuple[Kernel, tuple[Edit, ...]]:  # fmt: skip
        """The kernel with each index computed once, if that is asked for and a run finds nothing against it."""
        declaration = symbols.function(kernel.name_span)
        if SUBEXPRESSIONS not in rewrites or declaration is None:
            return kernel, ()
        edits = subexpressions(declaration, self.readings.text, frozenset(self.all))
        found = next((k for k in self._kernels(values, edits) if k.name_span == kernel.name_span), None)
        if not edits or found is None:
            return kernel, ()
        if trial(Launched(kernel, launch), Launched(found, launch)).same is False:
            self.notes["computing indices once is left out: a run differs"] = None
            return kernel, ()
        return found, edits

    def _shared(self, kernel: Kernel, symbols: Symbols, values: Mapping[str, int]) -> Expression:
        """Bytes of all shared arrays."""
        total: Expression = ex.ZERO
        for one in kernel.objects:
            if one.space is Space.SHARED and (size := size_of(one.type)) is not None:
                elements = symbols.elements(one.span)
                count = None if elements is None else _evaluated(elements, values)
                bytes_ = None if not count or elements is None or size % count else ex.scale(size // count, elements)
                total = ex.add(total, self._checked(bytes_, values, size, f"`{one.name}`"))
        return total

    def _checked(self, expression: Expression | None, values: Mapping[str, int], actual: int, what: str) -> Expression:
        """The expression if it is worth what the kernel's lowering has at the present values, else that number."""
        if expression is not None and _evaluated(expression, values) == actual:
            return expression
        self.notes[f"{what} is not followed as an expression of macros: taken to be {actual}, as it is now"] = None
        return ex.integer(actual)


def _evaluated(expression: Expression, values: Mapping[str, int]) -> int | None:
    try:
        return ex.evaluate(expression, values)
    except (KeyError, ZeroDivisionError):
        return None


def words_of(bytes_: Expression) -> Expression:
    return ex.ceil_div(bytes_, ex.integer(WORD))


def _values_text(values: Mapping[str, int]) -> str:
    return ", ".join(f"{name}={value}" for name, value in values.items())


def discussion(
    place: Place,
    text: bytes,
    kernel: str | None,
    machine: Mapping[str, int | None],
    registers: Registers | None = None,
    rewrites: Sequence[str] = (),
) -> Discussion:
    """The case discussion of a kernel of the file.  `machine`: the resources that count, each a number or None for a symbol; `rewrites`: those of `REWRITES` that are
    strategies, too.  Raises `NotDiscussed` with the reason."""
    variants = Variants(place, text, kernel, registers or Registers())
    names = _machine_names(machine, variants.all)
    limits = {
        r: ex.symbol(names[r]) if machine[r] is None else ex.integer(machine[r] or 0) for r in MACHINE if r in machine
    }
    plan = _plan(variants, rewrites)
    try:
        solver = Solver(frozenset(names.values()))
    except NoSolver:
        solver = None

    def counters(variant: Variant) -> Mapping[str, Expression]:
        found = variants.count(variant, plan.switches)
        taken = {"T": found.threads, "Z": found.words, "R": ex.integer(found.registers)}
        return {name: taken[name] for name in limits}

    try:
        tree = Tree(counters, limits, solver).grow(plan.root, plan.strategies)
    except TooManyCases:
        raise NotDiscussed("there are too many cases; leave out resources with --resources") from None
    leaves = list(leaves_of(tree))
    cases = leaves if solver is None else cases_of(leaves, solver)
    cases.sort(key=lambda one: one.variant is None)
    counted = variants.counted.values()
    used = plan.used.union(*(ex.symbols(one.threads) | ex.symbols(one.words) for one in counted)) & set(variants.all)
    open_ = {name: variants.present[name] for name in sorted(used - plan.switches)}
    machine_symbols = frozenset(limit.name for limit in limits.values() if isinstance(limit, ex.Symbol))
    return Discussion(
        variants.kernel,
        tuple(one for name, one in variants.all.items() if name in used),
        open_,
        plan.strategies,
        limits,
        variants.counted,
        tree,
        tuple(cases),
        tuple(witness(one.case, open_, machine_symbols) for one in cases),
        None if solver is None else proofs_of(cases, solver),
        (*variants.notes, *plan.notes, *(() if solver is not None else (_NO_SOLVER,))),
    )


_NO_SOLVER = "z3 is not installed: impossible cases are not left out, and nothing is proved"


@dataclass(frozen=True, slots=True)
class _Plan:
    """What a discussion starts from: `used` are the parameters that matter, `switches` those that have values, also where they do not."""

    root: Variant
    strategies: tuple[Strategy, ...]
    used: frozenset[str]
    switches: frozenset[str]
    notes: tuple[str, ...]


def _plan(variants: Variants, rewrites: Sequence[str]) -> _Plan:
    switches = frozenset(one.name for one in variants.all.values() if one.is_switch)
    root = Variant(())
    said = variants.said(variants.symbols_of(root, switches), variants.launch)
    of_grid = said.of_grid | variants.said(variants.symbols_of(root, frozenset()), variants.launch).of_grid
    used = _mentioned(variants, of_grid)
    every = _strategies(variants, said, of_grid, used)
    left_out = ", ".join(s.text for s in every[MOST_STRATEGIES:])
    own = tuple(Strategy("rewrite", one) for one in REWRITES if one in rewrites)
    return _Plan(
        Variant(tuple(sorted((name, variants.present[name]) for name in switches & used))),
        (*every[:MOST_STRATEGIES], *own),
        used,
        switches,
        (f"not applied, as there are too many: {left_out}",) if left_out else (),
    )


def _machine_names(machine: Mapping[str, int | None], parameters: Mapping[str, Parameter]) -> dict[str, str]:
    """What resources are called: as in `MACHINE`, unless a macro of the text has that name."""
    return {name: name if name not in parameters else f"{name}_max" for name in machine}


def _mentioned(variants: Variants, of_grid: frozenset[str]) -> frozenset[str]:
    """The parameters that the kernel's text, its launch or what these rest on name."""
    text = variants.readings.text
    kernel, launch = variants.kernel, variants.launch
    assert launch.span is not None
    pieces = [text[kernel.span.start : kernel.span.end], text[launch.span.start : launch.span.end]]
    words = {word for piece in pieces for word in _words(piece)}
    return frozenset((words & set(variants.all)) | of_grid)


def _words(piece: bytes) -> set[str]:
    return {word.decode() for word in re.findall(rb"[A-Za-z_]\w*", piece)}


def _strategies(variants: Variants, said: Said, of_grid: frozenset[str], used: frozenset[str]) -> tuple[Strategy, ...]:
    """First those that give a thread less to do, then those that leave shared memory alone, then others."""
    of_block = ex.symbols(said.block) if said.block is not None else frozenset()
    found: list[Strategy] = []
    for name, one in variants.all.items():
        if name not in used or name in of_block:
            continue
        if one.is_switch:
            kind = "granularity" if name in of_grid else "cache"
            found += [Strategy(kind, name, value) for value in one.others]
        elif name in of_grid:
            found.append(Strategy("granularity", name, 1))
    order = ("granularity", "cache", "variant")
    return tuple(sorted(found, key=lambda s: order.index(s.kind)))
