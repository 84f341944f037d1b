"""Syntax to IR: every kernel of the file, once per instantiation that the unit launches.

A kernel may be lowered more than once.  Whether the address of a local variable escapes is known only when it is
used; so `&x` starts as a compile-time pointer to a register (`RegisterPointer`), and where that turns out to be not
enough the declaration is marked and the kernel is lowered again with that variable in local memory.  The set
of marked declarations only grows, so this ends; two rounds are the rule.

Tested by tests/ir/test_lower_*.py; share of public kernels that are read: tests/bench/lowering_share.py.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from analysis_core.ir.launch_site import LaunchSite
from analysis_core.ir.nodes import Const, IrModule, Kernel, UnknownStmt, VarId
from analysis_core.ir.types import StructType, unsized_in
from analysis_core.lower import relowering
from analysis_core.lower.context import Frame, Instance, Lowering
from analysis_core.lower.names import resolve
from analysis_core.lower.names.scope import Scope, Unit, types_of
from analysis_core.lower.names.unit_tables import index
from analysis_core.lower.objects import destructors
from analysis_core.lower.observer import Observer
from analysis_core.lower.relowering import Bodies
from analysis_core.lower.statements import lower_expressions, lower_statements, parameters
from analysis_core.program import launches, templates
from analysis_core.program.annotations import Attached, annotations_of, attach
from analysis_core.program.launch_coverage import LaunchCoverage
from analysis_core.support.facts import Assumption, Cause, CauseKind
from analysis_core.support.fuel import LOWERING, REPEATED_KERNELS, WHOLE_KERNELS, Fuel, OutOfFuel
from analysis_core.support.recursion import deep_recursion
from analysis_core.support.settings import Settings
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.annotation_tree import ClaimAnnotation, Misstatement
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

_ROUNDS = 8
"""Escapes that show up only after others have moved to memory are chased this often."""

OnBug = Callable[[syn.FunctionDecl, Exception], None]


@dataclass(frozen=True, slots=True, eq=False)
class AllLaunches:
    """The launches of a file, and how far they were read."""

    unit: Unit
    found: tuple[launches.FoundLaunch, ...]
    coverage: LaunchCoverage

    def by_kernel(self) -> list[tuple[Span, tuple[LaunchSite, ...] | None]]:
        """Where each kernel is launched; None for those of which there may be more than one instance."""
        plain = [(d, not d.template and d.specialisation is None) for d in _kernels(self.unit)]
        return [(d.span, _instances(self.unit, d, None, self.found)[0].launches if one else None) for d, one in plain]


_Asked = tuple[syn.FunctionDecl, Instance]
Wanted = Callable[[syn.FunctionDecl], bool]
Launched = Callable[[syn.FunctionDecl], tuple[LaunchSite, ...] | None]


def lower(
    tree: syn.SyntaxTree,
    settings: Settings,
    on_bug: OnBug | None = None,
    wanted: Wanted | None = None,
    constants: frozenset[str] | None = None,
    launched: Launched = lambda declaration: None,
    bodies: Bodies | None = None,
    observer: Observer | None = None,
    all_launches: AllLaunches | None = None,
) -> IrModule:
    """The kernels whose text lies in `tree.main`, in source order; `wanted`: only these.  `constants`: names that stand in
    constant positions of the unit (`names.constant_positions`), where the tree is only a part of it; `launched` says where a
    kernel (no template) is launched, where that is known already.  `bodies`: those of long kernels that were lowered before, of which
    as much as possible is taken over; the numbers of variables and accesses may then have gaps.  `observer` is told what is decided;
    `all_launches`: those of the tree, if they were sought before.

    `on_bug`: told of a kernel that could not be lowered because of an error of ours; the kernel is kept as one
    unknown statement.  Without it (in tests) the error is raised."""
    unit = index(tree, settings) if all_launches is None else all_launches.unit
    unit.constant_positions = constants
    unit.observer = observer
    kernels: list[Kernel] = []
    with deep_recursion():
        stated = attach(unit)
        chosen = [d for d in _kernels(unit) if wanted is None or wanted(d)]
        known = {id(d): sites for d in chosen if (sites := launched(d)) is not None}
        if all_launches is None:
            none = AllLaunches(unit, (), LaunchCoverage())
            all_launches = none if len(known) == len(chosen) else _sought(unit)
        asked = [
            (declaration, instance)
            for declaration in chosen
            for instance in _instances(unit, declaration, known.get(id(declaration)), all_launches.found)
        ]
        left = dict.fromkeys(_left_out(asked))
        for number, (declaration, instance) in enumerate(asked):
            if number in left:
                if number == next(iter(left)):
                    kernels.append(_not_lowered(declaration, instance, _too_many(len(left), len(asked))))
                continue
            try:
                kernel = _lowered(unit, declaration, instance, stated, bodies)
                unread = all_launches.coverage.unread
                kernels.append(replace(kernel, assumptions=(*kernel.assumptions, *unread)))
            except Exception as error:
                if on_bug is None:
                    raise
                on_bug(declaration, error)
                kernels.append(_not_lowered(declaration, instance, "an internal error of the analysis"))
    also = f"; {_too_many(len(left), len(asked))}" if left else ""  # one finding is shown for all that one text makes
    kernels[WHOLE_KERNELS:] = (_without_bounds(kernel, also) for kernel in kernels[WHOLE_KERNELS:])
    return IrModule(
        tuple(kernels), tree.dependencies, tuple(stated.stray), all_launches.coverage.crowded or is_crowd(len(asked))
    )


def all_launches_of(tree: syn.SyntaxTree, settings: Settings) -> AllLaunches:
    """The launches of a file, for `lower`."""
    with deep_recursion():
        return _sought(index(tree, settings))


def _sought(unit: Unit) -> AllLaunches:
    coverage = LaunchCoverage()
    try:
        return AllLaunches(unit, launches.find_launches(unit, coverage), coverage)
    except OutOfFuel as error:
        unread = Assumption(f"not analysed: the launches of this file, since {error}", None)
        return AllLaunches(unit, (), LaunchCoverage([unread], True))


def is_crowd(kernels: int) -> bool:
    """Whether so many kernels are more than a file has analysed as a whole."""
    return kernels > WHOLE_KERNELS


def _instances(
    unit: Unit,
    declaration: syn.FunctionDecl,
    sites: tuple[LaunchSite, ...] | None,
    found: Sequence[launches.FoundLaunch],
) -> tuple[Instance, ...]:
    """What a kernel is lowered for.  `sites`: where it is launched, if that is known already."""
    return templates.instances_of(unit, declaration, found) if sites is None else (Instance(None, {}, sites),)


def _left_out(asked: Sequence[_Asked]) -> list[int]:
    """The numbers of kernels that are not analysed: of very many, those of a text that is that of others before."""
    seen: set[Span] = set()
    left = []
    for number, (declaration, _) in enumerate(asked):
        if number >= REPEATED_KERNELS and declaration.span in seen:
            left.append(number)
        seen.add(declaration.span)
    return left


def _too_many(left: int, asked: int) -> str:
    """What the first kernel that is left out says of all."""
    many = f"{left} kernels that a text makes once more" if left > 1 else "a kernel that a text makes once more"
    return f"{many}, of {asked} in this file"


def _without_bounds(kernel: Kernel, also: str) -> Kernel:
    """The kernel, for which nobody will look for bounds, with the reason."""
    reason = f"bounds, since {WHOLE_KERNELS} kernels of this file stand before it{also}"
    cause = Cause(CauseKind.ANALYSIS, reason, kernel.name_span)
    return replace(kernel, bounded=False, unknowns=(*kernel.unknowns, cause))


def _lowered(
    unit: Unit, declaration: syn.FunctionDecl, instance: Instance, stated: Attached, bodies: Bodies | None
) -> Kernel:
    """The kernel, which says so if it takes too much to be read."""
    try:
        kernel = lower_kernel(unit, declaration, instance, stated, bodies)
        if not unsized_in(one.text for one in kernel.assumptions):
            return kernel
        from analysis_core.program.other_sizes import with_other_size

        return with_other_size(unit, instance, kernel, lambda other: lower_kernel(other, declaration, instance, stated))
    except OutOfFuel as error:
        return _not_lowered(declaration, instance, f"not read: {error}")
    except RecursionError:
        return _not_lowered(declaration, instance, "not read: what is instantiated for it is nested too deeply")


def _kernels(unit: Unit) -> list[syn.FunctionDecl]:
    """The kernels with a body in the main file, in source order; explicit specialisations stand for themselves.  A text that is
    included more often than once is a kernel for each name, scope and list of types that it has there."""
    found = [
        declaration
        for overloads in unit.functions.values()
        for declaration in overloads
        if declaration.is_kernel and declaration.body is not None and declaration.span.file == unit.tree.main
    ]
    texts: dict[Span, list[syn.FunctionDecl]] = {}
    for one in sorted(found, key=lambda declaration: declaration.span.start):
        others = texts.setdefault(one.span, [])
        if not any(_defines_again(one, other) for other in others):
            others.append(one)
    return [one for others in texts.values() for one in others]


def _defines_again(one: syn.FunctionDecl, other: syn.FunctionDecl) -> bool:
    """Whether one and the same text defines one and the same function."""
    said = [(d.name, d.scope, d.template, [p.type for p in d.parameters]) for d in (one, other)]
    return said[0] == said[1]


def lower_kernel(
    unit: Unit,
    declaration: syn.FunctionDecl,
    instance: Instance,
    stated: Attached | None = None,
    bodies: Bodies | None = None,
) -> Kernel:
    """One instantiation of one kernel."""
    work = None
    if bodies is not None and not instance.bindings and bodies.concerns(declaration):
        work = bodies.begin(unit, declaration)
    escaped: frozenset[Span] = frozenset()
    rounds, fuel = 0, Fuel.of_reading(LOWERING, unit.settings)
    while True:
        ctx = _begin(unit, declaration, instance, escaped, fuel)
        variables = parameters.declare_parameters(ctx, declaration)
        if declaration.body is not None:
            with destructors.block_scope(ctx, declaration.body):
                if work is None:
                    lower_statements.body(ctx, declaration.body.body)
                else:
                    relowering.body(ctx, declaration.body.body, work)
        rounds += 1
        if ctx.escapes <= escaped or rounds == _ROUNDS or ctx.fuel is not fuel:
            kernel = _finished(ctx, declaration, instance, variables)
            if unit.observer is not None:
                unit.observer.lowered(ctx, kernel)
            if bodies is not None and work is not None:
                bodies.end(unit.tree.main, work)
                kernel = replace(kernel, left_out=tuple(work.left_out))
            if stated is None:
                return kernel
            kernel = replace(kernel, annotations=annotations_of(ctx, declaration.span, stated))
            return _with_claims(unit, declaration, instance, stated, escaped, kernel)
        escaped |= ctx.escapes


def _with_claims(
    unit: Unit,
    declaration: syn.FunctionDecl,
    instance: Instance,
    stated: Attached,
    escaped: frozenset[Span],
    kernel: Kernel,
) -> Kernel:
    """The kernel, and the same with what is claimed in it."""
    comments = stated.kernels.get(declaration.span, ())
    if stated.claims is None and not any(isinstance(comment.said, ClaimAnnotation) for comment in comments):
        return kernel
    from analysis_core.program.claims import claimed_kernel

    observer, unit.observer = unit.observer, None  # it has been told all of this
    try:
        claimed, rejected = claimed_kernel(
            lambda: _begin(unit, declaration, instance, escaped, Fuel.of_reading(LOWERING, unit.settings)),
            lambda ctx, variables: _finished(ctx, declaration, instance, variables),
            declaration,
            stated.claims,
            comments,
        )
    except (OutOfFuel, RecursionError):
        claimed = None
        rejected = (Misstatement("what is claimed here takes too much to be read", declaration.name_span),)
    finally:
        unit.observer = observer
    known = kernel.annotations
    if claimed is not None:
        claimed = replace(claimed, launches=(), annotations=known)
    return replace(kernel, claimed=claimed, annotations=replace(known, rejected=(*known.rejected, *rejected)))


def _begin(
    unit: Unit, declaration: syn.FunctionDecl, instance: Instance, escaped: frozenset[Span], fuel: Fuel
) -> Lowering:
    scope = Scope(None, unit.body_scope(declaration), dict(instance.bindings))
    ctx = Lowering(unit, Frame("", declaration, scope), scope, escaped=escaped)
    ctx.fuel = fuel
    ctx.instances.update(instance.instances)
    ctx.assume_macros(declaration)
    for assumption in instance.assumptions:
        ctx.assume(assumption.text, assumption.span)
    parameters.bind_opaque_template(ctx, declaration, instance.undeclared)
    for type in types_of(instance.bindings.values()):
        if isinstance(type, StructType):  # whose layout was settled when its launch was read
            resolve.assume_size(ctx, type)
    return ctx


def _finished(ctx: Lowering, declaration: syn.FunctionDecl, instance: Instance, variables: tuple[VarId, ...]) -> Kernel:
    body = tuple(ctx.blocks[0])
    bounds = _launch_bounds(ctx, declaration)
    return Kernel(
        name=declaration.name,
        instantiation=instance.name,
        span=declaration.span,
        name_span=declaration.name_span,
        parameters=variables,
        variables=tuple(ctx.variables),
        objects=tuple(ctx.objects),
        body=body,
        launches=instance.launches,
        launch_bounds=bounds,
        requested_axes=frozenset(ctx.requested_axes),
        unknowns=tuple(sorted(ctx.unknowns, key=_place)),
        assumptions=tuple(ctx.assumptions),
        asserted=tuple(dict.fromkeys(ctx.asserted)),
        asserted_extents=tuple(ctx.asserted_extents),
        asserted_sizes=tuple(ctx.asserted_sizes),
        guessed=instance.guessed,
    )


def _place(cause: Cause) -> tuple[bool, str, int, str]:
    if cause.span is None:
        return True, "", 0, cause.reason
    return False, cause.span.file, cause.span.start, cause.reason


def _launch_bounds(ctx: Lowering, declaration: syn.FunctionDecl) -> int | None:
    """The most threads of a block that `__launch_bounds__` promises, where that is a constant."""
    if not declaration.launch_bounds:
        return None
    value: Const | None = lower_expressions.constant(ctx, declaration.launch_bounds[0])
    return value.value if value is not None and isinstance(value.value, int) and value.value > 0 else None


def _not_lowered(declaration: syn.FunctionDecl, instance: Instance, reason: str) -> Kernel:
    """The kernel as one unknown statement."""
    cause = Cause(CauseKind.ANALYSIS, reason, declaration.name_span)
    body = (UnknownStmt(cause, (), memory=True, leaves=True, span=declaration.span),)
    return Kernel(
        name=declaration.name,
        instantiation=instance.name,
        span=declaration.span,
        name_span=declaration.name_span,
        parameters=(),
        variables=(),
        objects=(),
        body=body,
        launches=instance.launches,
        launch_bounds=None,
        requested_axes=frozenset(),
        unknowns=(cause,),
        assumptions=instance.assumptions,
    )
