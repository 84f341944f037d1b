"""What our lowering decided, in the terms of another reader: `Decisions` is an observer of `lower`.

A decision has a path: the kernel and the calls that lead to it, so that each instance of a template has its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from analysis_core.interp.interpret import interpret
from analysis_core.ir.nodes import Const, Kernel
from analysis_core.ir.types import StructType, Type
from analysis_core.lower.context import Lowering
from analysis_core.lower.names import identity
from analysis_core.lower.names.scope import Binding, PackBinding, RecordInstance, TypeBinding
from analysis_core.lower.values import FunctionName, Value
from analysis_core.program.launch import Launch
from analysis_core.program.lower import lower
from analysis_core.support.files import Files
from analysis_core.support.settings import Settings
from analysis_core.syntax.parse import parse
from analysis_core.syntax.read import tree as syn
from analysis_core.text.span import Span
from tests.oracles.libclang import Place

Path = tuple[Place, ...]


@dataclass(frozen=True)
class Called:
    """A call, operator or initialiser and the function that it means."""

    kernel: str
    path: Path
    place: Place
    kind: str  # of the syntax: "Call", "Binary", ..
    callee: Place  # the name in the function's declaration
    name: str
    arguments: tuple[str, ...] | None  # of its template
    virtual: bool


@dataclass(frozen=True)
class Folded:
    """A constant expression and its value."""

    kernel: str
    path: Path
    place: Place
    kind: str
    value: int


@dataclass(frozen=True)
class LaidOut:
    """An instance of a class: `name` is qualified, with its arguments."""

    name: str
    definition: Place
    local: bool
    type: StructType
    own: tuple[str, ...]  # members that it declares itself


@dataclass
class Decisions:
    """Everything that one run of `lower` decided."""

    calls: dict[tuple[str, Path, Place, Place], Called] = field(default_factory=dict)
    constants: dict[tuple[str, Path, Place], Folded] = field(default_factory=dict)
    layouts: dict[str, LaidOut] = field(default_factory=dict)
    kernels: list[Kernel] = field(default_factory=list)
    names: dict[int, str] = field(default_factory=dict)  # of the kernels, with arguments, by identity

    def called(
        self, ctx: Lowering, call: syn.Node, declaration: syn.FunctionDecl, bindings: Mapping[str, Binding]
    ) -> None:
        kernel, path = _where(ctx)
        if not kernel:
            return
        place, callee = place_of(call.span), place_of(declaration.name_span)
        self.calls[kernel, path, place, callee] = Called(
            kernel, path, place, type(call).__name__, callee, declaration.name, arguments_of(ctx, declaration, bindings),
            "virtual" in declaration.qualifiers,
        )  # fmt: skip

    def folded(self, ctx: Lowering, expr: syn.Expr, value: Const) -> None:
        if isinstance(value.value, int):
            kernel, path = _where(ctx)
            if not kernel:
                return
            place = place_of(expr.span)
            self.constants[kernel, path, place] = Folded(kernel, path, place, type(expr).__name__, value.value)

    def lowered(self, ctx: Lowering, kernel: Kernel) -> None:
        self.kernels.append(kernel)
        self.names[id(kernel)] = _where(ctx)[0]
        for key, instance in ctx.instances.items():
            found = ctx.types.get(key)
            if isinstance(found, StructType):
                self.layouts.setdefault(key, _laid_out(key, instance, found))


def _where(ctx: Lowering) -> tuple[str, Path]:
    """The kernel with its template arguments, and the calls that lead from it; "" in code of the host."""
    outermost = ctx.frames[0] if ctx.frames else ctx.frame
    name = outermost.declaration.name if outermost.declaration is not None else ""
    arguments = None
    if outermost.declaration is not None:
        arguments = arguments_of(ctx, outermost.declaration, outermost.scope.root().bindings)
    return name + ("" if arguments is None else f"<{', '.join(arguments)}>"), tuple(place_of(s) for s in ctx.via)


def place_of(span: Span) -> Place:
    return span.file, span.start, span.end


def arguments_of(
    ctx: Lowering, declaration: syn.FunctionDecl, bindings: Mapping[str, Binding]
) -> tuple[str, ...] | None:
    """The template arguments of a function in the order of its parameters, packs spread; None for no template."""
    if declaration.template is None or declaration.specialisation:
        return None
    found: list[str] = []
    for parameter in declaration.template:
        bound = bindings.get(parameter.name or "")
        if isinstance(bound, PackBinding):
            found += [_argument(ctx, element) for element in bound.elements]
        else:
            found.append(_argument(ctx, bound))
    return tuple(found)


def _argument(ctx: Lowering, bound: Binding | None) -> str:
    match bound:
        case TypeBinding():
            return identity.qualified_key(bound)
        case Value(expr=Const(value=value)):
            return str(value)
        case FunctionName(name=name):
            return name
        case _:
            return "?"


def type_name(type_: Type) -> str:
    """A type's name as `libclang_types.name_of` spells it."""
    return identity.type_key(type_)


def _laid_out(key: str, instance: RecordInstance, found: StructType) -> LaidOut:
    definition = instance.definition
    own = tuple(f.name for f in definition.fields if f.name and not f.storage & {"static", "constexpr"})
    return LaidOut(key, place_of(definition.span), "@" in key, found, own)


# --- values -----------------------------------------------------------------------------------------------------


def decide(path: str, files: Files, settings: Settings | None = None) -> Decisions:
    """Reads and lowers a file, and says what was decided."""
    settings = settings or Settings()
    decisions = Decisions()
    lower(parse(path, files, settings), settings, observer=decisions)
    return decisions


@dataclass(frozen=True)
class Stored:
    """Where a kernel's last store writes: from its base, and how many bytes further for each thread; or why that is no number."""

    place: tuple[int, int] | None
    reasons: tuple[str, ...]

    @property
    def value(self) -> int | None:
        """The offset of a store that is the same for all threads."""
        return None if self.place is None or self.place[1] else self.place[0]


def stored_at(kernel: Kernel) -> Stored:
    """Where `out[e] = 1`, the last store of the kernel, writes."""
    launch = Launch((32, 1, 1), (None, None, None), "option", None, ())
    events = interpret(kernel, launch, Settings())
    reasons = tuple(cause.reason for cause in kernel.unknowns)
    if not events.accesses:
        return Stored(None, (*reasons, "no access"))
    terms = events.accesses[-1].address.poly.terms
    if sum(bool(m) for m in terms) != 1:  # the base, and nothing else that is not known
        return Stored(None, (*reasons, "not a constant"))
    lanes = [int(v) for v in np.broadcast_to(next((c for m, c in terms.items() if not m), 0), 32)]
    steps = {b - a for a, b in pairwise(lanes)}
    return Stored((lanes[0], steps.pop()) if len(steps) == 1 else None, reasons)
