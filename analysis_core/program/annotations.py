"""Annotations meet their kernels: which kernel or loop a `//@` comment is about, and what the names in it mean.

`assert` is about the place where it stands, in a kernel or in a device function that is inlined; it is lowered there (claims.py).
Any other comment inside of a function is about that function, any other about the next declaration, which has to be a kernel (a
prototype stands for the definition).  `loop_bound` is about the first loop after it in its function, which may be a
device function that is inlined elsewhere.  Names are the kernel's integer parameters ("n", "p.n" for a member of a
struct that is passed by value), its template arguments, constants of the file, and gridDim, blockDim, blockIdx.

What cannot be used is a `Misstatement` at its own range; everything else of the kernel's annotations still holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING

from analysis_core.ir.layout import align_of, is_guessed
from analysis_core.ir.nodes import BuiltinKind, Variable
from analysis_core.ir.stated import (
    Annotations,
    GridValue,
    ParameterValue,
    StatedAlignment,
    StatedAssumption,
    StatedContract,
    StatedLaunch,
    StatedLoopBound,
    StatedName,
)
from analysis_core.ir.types import PointerType, ScalarKind, ScalarType
from analysis_core.lower.context import Lowering
from analysis_core.lower.names.annotation_values import constant_value, is_condition
from analysis_core.lower.names.scope import Scope, Unit
from analysis_core.lower.statements import lower_expressions
from analysis_core.machine.block_shape import MAXIMUM_EXTENTS, MAXIMUM_THREADS, is_launchable
from analysis_core.support.spelling import did_you_mean
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.annotation_terms import Piece, Unread, read_term
from analysis_core.syntax.read.annotation_tree import (
    AlignedAnnotation,
    AnnotationComment,
    AssumeAnnotation,
    ClaimAnnotation,
    ContractAnnotation,
    LaunchAnnotation,
    LoopBoundAnnotation,
    Misstatement,
    Name,
    Number,
    Term,
    conjuncts,
    names_in,
)
from analysis_core.syntax.read.walk_syntax import inside
from analysis_core.text.records import dataclass
from analysis_core.text.span import FileId, Span

_LARGEST_ALIGNMENT = 1 << 20
_AXES = {"x": 0, "y": 1, "z": 2}
_GRID = {"gridDim": BuiltinKind.GRID_DIM, "blockDim": BuiltinKind.BLOCK_DIM, "blockIdx": BuiltinKind.BLOCK_IDX}


if TYPE_CHECKING:
    from analysis_core.program.claims import PlacedClaims

AnnotatedLoop = tuple[Span, LoopBoundAnnotation]


@dataclass(slots=True)
class Attached:
    """The annotations of a unit by what they are about.  `kernels`: by the span of the kernel's definition; `loops`:
    annotated loops of device functions; `own`: those of kernels, by the kernel; `stray`: what is wrong with comments of
    the main file that are about nothing; `claims`: what is asserted; `contracts`: by their spans, the statements that they are about, if any."""

    kernels: dict[Span, list[AnnotationComment]] = field(default_factory=dict)
    loops: list[AnnotatedLoop] = field(default_factory=list)
    own: dict[Span, list[AnnotatedLoop]] = field(default_factory=dict)
    stray: list[Misstatement] = field(default_factory=list)
    claims: PlacedClaims | None = None
    contracts: dict[Span, Span | None] = field(default_factory=dict)


def attach(unit: Unit) -> Attached:
    """Finds what each annotation of the unit is about."""
    attached = Attached()
    if not unit.tree.annotations:
        return attached
    functions = [f for overloads in unit.functions.values() for f in overloads]
    for comment in unit.tree.annotations:
        wrong = _attach(unit, functions, comment, attached)
        if wrong is not None and comment.span.file == unit.tree.main:
            attached.stray.append(wrong)
    return attached


def _attach(
    unit: Unit, functions: Sequence[syn.FunctionDecl], comment: AnnotationComment, attached: Attached
) -> Misstatement | None:
    """Enters one comment; what is wrong if it is about nothing."""
    around = [f for f in functions if f.span.encloses(comment.span)]
    function = min(around, key=lambda f: f.span.end - f.span.start) if around else None
    if function is None:
        following = _next_declaration(unit, comment.span)
        if isinstance(following, syn.OpaqueDecl):
            return None  # unreadable just now: nobody knows whether it is a kernel
        function = _definition(functions, following) if isinstance(following, syn.FunctionDecl) else None
    kernel = function is not None and function.is_kernel
    if function is not None and isinstance(comment.said, LoopBoundAnnotation):
        return _attach_to_loop(function, comment, comment.said, attached)
    if isinstance(comment.said, ClaimAnnotation) and comment.said.word == "assert":
        inside_of = function if around else None
        return _place_claim(attached, inside_of, comment.said)
    if function is not None and kernel:
        if isinstance(comment.said, ContractAnnotation):
            from analysis_core.program.contracts import place_of

            found = place_of(function, comment.said)
            if isinstance(found, Misstatement):
                return found
            attached.contracts[comment.said.span] = found
        attached.kernels.setdefault(function.span, []).append(comment)
        return None
    if comment.said is None:
        return comment.wrong[0] if comment.certain else None
    word = comment.said.text.split("(")[0].split()[0]
    if function is None or not around:
        return Misstatement(f"no kernel follows that this `{word}` could be about", comment.said.span)
    return Misstatement(f"`{word}` belongs to a kernel, and `{function.name}` is none", comment.said.span)


def _place_claim(attached: Attached, function: syn.FunctionDecl | None, said: ClaimAnnotation) -> Misstatement | None:
    from analysis_core.program.claims import PlacedClaims

    if attached.claims is None:
        attached.claims = PlacedClaims()
    return attached.claims.place(function, said)


def _next_declaration(unit: Unit, comment: Span) -> syn.Declaration | None:
    after = [d for d in unit.tree.declarations if d.span.file == comment.file and d.span.start >= comment.end]
    return min(after, key=lambda d: d.span.start, default=None)


def _definition(functions: Iterable[syn.FunctionDecl], found: syn.FunctionDecl) -> syn.FunctionDecl:
    """The function's definition, if the declaration that was found is a prototype."""
    if found.body is not None:
        return found
    same = (f for f in functions if f.body is not None and (f.scope, f.name) == (found.scope, found.name))
    return next(same, found)


def _attach_to_loop(
    function: syn.FunctionDecl, comment: AnnotationComment, said: LoopBoundAnnotation, attached: Attached
) -> Misstatement | None:
    loops = [
        node.span
        for node in (inside(function.body) if function.body is not None else ())
        if isinstance(node, syn.Loop) and node.span.file == comment.span.file and node.span.start >= comment.span.end
    ]
    if not loops:
        return Misstatement(f"no loop follows in `{function.name}` that this could be about", said.span)
    found = attached.own.setdefault(function.span, []) if function.is_kernel else attached.loops
    found.append((min(loops), said))
    return None


# --- one kernel ---------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Reading:
    """The annotations of one instantiation under construction.  `names`: what each name that occurs stands for."""

    ctx: Lowering
    parameters: Mapping[str, Variable]
    names: dict[str, StatedName] = field(default_factory=dict)
    rejected: list[Misstatement] = field(default_factory=list)

    def reject(self, reason: str, span: Span) -> None:
        self.rejected.append(Misstatement(reason, span))

    def knows(self, terms: Iterable[Term], grid: frozenset[BuiltinKind]) -> bool:
        """Whether every name in the terms has a meaning; what has none is rejected.  `grid`: the builtins allowed."""
        wrong = [found for term in terms for name in names_in(term) if (found := self._meaning(name, grid)) is not None]
        self.rejected += wrong
        return not wrong

    def _meaning(self, name: Name, grid: frozenset[BuiltinKind]) -> Misstatement | None:
        head, _, axis = name.name.partition(".")
        if head in _GRID or head in ("threadIdx", "warpSize"):
            return self._builtin(name, head, axis, grid)
        variable = self.parameters.get(name.name)
        if variable is not None:
            if not isinstance(variable.type, ScalarType) or variable.type.kind not in (ScalarKind.INT, ScalarKind.BOOL):
                kind = "a pointer" if isinstance(variable.type, PointerType) else "no integer"
                return Misstatement(f"`{name.name}` is {kind}; only integers can be spoken of here", name.span)
            self.names[name.name] = ParameterValue(variable.id)
            return None
        value = _constant(self.ctx, name)
        if value is not None:
            self.names[name.name] = value
            return None
        hint = did_you_mean(name.name, self.parameters)
        return Misstatement(f"`{name.name}` is neither a parameter of this kernel nor a constant{hint}", name.span)

    def _builtin(self, name: Name, head: str, axis: str, grid: frozenset[BuiltinKind]) -> Misstatement | None:
        if name.name == "warpSize":
            self.names[name.name] = 32
            return None
        if head == "threadIdx":
            return Misstatement("threadIdx differs between threads; speak of what they all share", name.span)
        if axis not in _AXES:
            return Misstatement(f"`{head}` has the components x, y and z", name.span)
        if _GRID[head] not in grid:
            return Misstatement(f"`{name.name}` is not known where this is decided", name.span)
        self.names[name.name] = GridValue(_GRID[head], _AXES[axis])
        return None


_NOTHING: frozenset[BuiltinKind] = frozenset()
_BLOCK = frozenset({BuiltinKind.BLOCK_DIM})
_LAUNCH = frozenset({BuiltinKind.BLOCK_DIM, BuiltinKind.GRID_DIM})
_ALL = frozenset(_GRID.values())


def annotations_of(ctx: Lowering, kernel: Span, attached: Attached) -> Annotations:
    """What is stated about the kernel defined at a span, whose lowering has just ended.  Lowers nothing that stays."""
    comments, own = attached.kernels.get(kernel, ()), attached.own.get(kernel, ())
    if not comments and not own and not attached.loops and not ctx.settings.assume and not ctx.promises:
        return Annotations()
    reading = _Reading(ctx, {v.name: v for v in ctx.variables if v.parameter})
    launches: list[StatedLaunch] = []
    assumed: list[StatedAssumption] = []
    alignments: list[StatedAlignment] = []
    contracts: list[StatedContract] = []
    for comment in comments:
        reading.rejected += comment.wrong
        match comment.said:
            case LaunchAnnotation() as said:
                launches += _launch(reading, said, launches)
            case AssumeAnnotation() as said:
                assumed += _assumptions(reading, said)
            case AlignedAnnotation() as said:
                alignments += _alignment(reading, said, alignments)
            case ContractAnnotation() as said:
                contracts += _contract(reading, said, attached.contracts[said.span])
            case LoopBoundAnnotation() | ClaimAnnotation() | None:
                pass  # bounds come with their loops, claims with their statements
    assumed += _of_settings(reading)
    bounds = tuple(_loop_bounds(reading, own, attached.loops))
    names, rejected = tuple(reading.names.items()), tuple(dict.fromkeys(reading.rejected))
    return Annotations(tuple(launches), tuple(assumed), tuple(alignments), bounds, names, rejected, tuple(contracts))


def _launch(reading: _Reading, said: LaunchAnnotation, earlier: list[StatedLaunch]) -> Iterator[StatedLaunch]:
    extents = [_known(reading, term, "an extent of the block") for term in said.block]
    grid = said.grid if reading.knows(said.grid, _BLOCK) else ()
    numbers = [extent for extent in extents if extent is not None]
    if len(numbers) < len(extents):
        return
    block = (numbers[0], numbers[1] if len(numbers) > 1 else 1, numbers[2] if len(numbers) > 2 else 1)
    for extent, most, term in zip(block, MAXIMUM_EXTENTS, said.block):
        if not 1 <= extent <= most:
            reading.reject(f"a block has 1 to {most} threads here, not {extent}", term.span)
            return
    if not is_launchable(block):
        span = said.block[0].span.hull(said.block[-1].span)
        threads = block[0] * block[1] * block[2]
        reading.reject(f"a block has at most {MAXIMUM_THREADS} threads, and this has {threads}", span)
        return
    stated = StatedLaunch(block, grid, said.text, said.span)
    if any((e.block, len(e.grid), e.text) == (block, len(grid), said.text) for e in earlier):
        reading.reject("this launch is stated before", said.span)
        return
    yield stated


def _assumptions(reading: _Reading, said: AssumeAnnotation) -> Iterator[StatedAssumption]:
    for part in said.parts:
        if not is_condition(part.condition):
            reading.reject("this is no condition: compare it with something", part.condition.span)
        elif reading.knows((part.condition,), _ALL):
            yield StatedAssumption(part.condition, part.text, part.condition.span, said.required)


def _contract(reading: _Reading, said: ContractAnnotation, place: Span | None) -> Iterator[StatedContract]:
    """A contract, whose names have a table of their own: the kernel is the same without it."""
    from analysis_core.program.contracts import misnamed

    own = _Reading(reading.ctx, reading.parameters)
    wrong = misnamed(said, place, reading.ctx.settings)
    if wrong is not None:
        own.rejected.append(wrong)
    open_ = [part.condition for part in said.when if not is_condition(part.condition)]
    own.rejected += [Misstatement("this is no condition: compare it with something", one.span) for one in open_]
    whole = own.knows((said.bound, *(part.condition for part in said.when)), _LAUNCH)
    reading.rejected += own.rejected
    if whole and not own.rejected:
        when = tuple(StatedAssumption(part.condition, part.text, part.condition.span) for part in said.when)
        names = tuple(own.names.items())
        yield StatedContract(said.metric, said.op, said.bound, said.scope, when, place, names, said.text, said.span)


def _of_settings(reading: _Reading) -> Iterator[StatedAssumption]:
    """The conditions of the settings, and of `__builtin_assume`, whose names all mean something here; the others are about
    other kernels, or variables of this one."""
    for text in (*reading.ctx.settings.assume, *reading.ctx.promises):
        piece = Piece(text.encode().decode("latin-1"), 0, FileId(""))
        try:
            parts = tuple(conjuncts(read_term(piece, {})))
        except Unread:
            continue  # said where the settings were read
        for part in parts:
            probe = _Reading(reading.ctx, reading.parameters)
            if is_condition(part) and probe.knows((part,), _ALL):
                reading.names.update(probe.names)
                yield StatedAssumption(part, piece.spelling(part.span), None)


def _alignment(reading: _Reading, said: AlignedAnnotation, earlier: list[StatedAlignment]) -> Iterator[StatedAlignment]:
    name = said.pointer
    variable = reading.parameters.get(name.name)
    if variable is None:
        hint = did_you_mean(name.name, reading.parameters)
        reading.reject(f"`{name.name}` is no parameter of this kernel{hint}", name.span)
        return
    if not isinstance(variable.type, PointerType):
        reading.reject(f"`{name.name}` is no pointer", name.span)
        return
    number = _known(reading, said.bytes, "an alignment")
    if number is None:
        return
    least = 1 if is_guessed(variable.type.target) else align_of(variable.type.target) or 1
    if number < 1 or number & (number - 1) or number > _LARGEST_ALIGNMENT:
        reading.reject(f"an alignment is a power of two up to {_LARGEST_ALIGNMENT}, not {number}", said.bytes.span)
    elif number < least:
        reading.reject(f"what `{name.name}` points to is aligned to {least} bytes in any case", said.bytes.span)
    elif any(e.var == variable.id for e in earlier):
        reading.reject(f"the alignment of `{name.name}` is stated before", said.span)
    else:
        yield StatedAlignment(variable.id, number, said.text, said.span)


def _loop_bounds(
    reading: _Reading, own: Sequence[AnnotatedLoop], others: Sequence[AnnotatedLoop]
) -> Iterator[StatedLoopBound]:
    """The bounds of loops, at most one each.  In a device function (`others`) a bound is a constant of the file: its
    parameters have other values at each call, and the kernel's are not visible there."""
    ctx = reading.ctx
    seen: set[Span] = set()
    for loop, said in own:
        yield from _loop_bound(reading, loop, said, seen)
    with ctx.in_scope(Scope(None, "")):
        for loop, said in others:
            other = _Reading(ctx, {})
            yield from _constant_bound(other, loop, said, seen)
            if loop.file == ctx.unit.tree.main:
                reading.rejected += other.rejected


def _loop_bound(reading: _Reading, loop: Span, said: LoopBoundAnnotation, seen: set[Span]) -> Iterator[StatedLoopBound]:
    if not reading.knows((said.bound,), _LAUNCH):
        return
    value = constant_value(said.bound, reading.names)
    if loop in seen:
        reading.reject("a bound of this loop is stated before", said.span)
    elif value is not None and value < 0:
        reading.reject(f"a number of iterations is not negative, and this is {value}", said.bound.span)
    else:
        seen.add(loop)
        yield StatedLoopBound(loop, said.bound, said.text, said.span)


def _constant_bound(
    reading: _Reading, loop: Span, said: LoopBoundAnnotation, seen: set[Span]
) -> Iterator[StatedLoopBound]:
    """The bound of a loop in a device function, as a number."""
    value = _known(reading, said.bound, "the bound of a loop in a device function")
    if value is not None:
        number = Number(value, said.bound.span) if value >= 0 else said.bound
        yield from _loop_bound(reading, loop, replace(said, bound=number), seen)


def _known(reading: _Reading, term: Term, what: str) -> int | None:
    """The value of a term that has to be a constant."""
    before = len(reading.rejected)
    if not reading.knows((term,), _NOTHING):
        return None
    value = constant_value(term, reading.names)
    if value is None and len(reading.rejected) == before:
        reading.reject(f"{what} has to be a constant", term.span)
    return value


def _constant(ctx: Lowering, name: Name) -> int | None:
    """A template argument, an enumerator or a constant of the file."""
    if "." in name.name:
        return None
    found = lower_expressions.constant(ctx, syn.Name(span=name.span, name=name.name))
    if found is None or not isinstance(found.value, int):
        return None
    return int(found.value)
