"""Vectors of neighbouring elements in place of single ones: a quarter of the threads and of the requests, the same sectors.

    int i = blockIdx.x * 256 + threadIdx.x;                int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n) out[i] = in[i] * 2.0f;                      if (i < n / 4) {
                                                               float4 in4 = ((const float4 *)in)[i];
                                                               float4 out4;
                                                               out4.x = in4.x * 2.0f;  ..
                                                               ((float4 *)out)[i] = out4;
                                                           } else if (i == n / 4) for (int e = n - n % 4; e < n; e++) out[e] = in[e] * 2.0f;

What a thread does to its element is done to four, in the same order; the numbers of elements and of blocks decide that all of them are done.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from analysis_core.domains.symbol import Level, SymbolKind
from analysis_core.interp.core.events import AccessEvent, Events
from analysis_core.ir import nodes as ir
from analysis_core.ir.types import PointerType, ScalarKind, ScalarType, Space
from analysis_core.ir.walk import expressions_of, statements_of, subexpressions, uncast
from analysis_core.program.launch import Launch
from analysis_core.report.checks import narrow_requests
from analysis_core.report.findings.model import Edit
from analysis_core.rewrite.core.accesses import instances, not_analysed
from analysis_core.rewrite.core.action import Action, Choice, Refused, Rewritten, Site
from analysis_core.rewrite.core.launching import divided, known_launches
from analysis_core.rewrite.core.source import addressed, assigned, has_directive, step_of
from analysis_core.rewrite.core.unit import Unit
from analysis_core.rewrite.core.vector_text import Array, Guard, Work, elements_of, vector_text, vector_type
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.walk_syntax import inside
from analysis_core.text.span import Span

_WIDEST = 16
"""Bytes that one request of a thread moves at most."""


def _sites(unit: Unit, kernel: ir.Kernel, declaration: syn.FunctionDecl) -> Iterator[Site]:
    found = _index(kernel)
    if isinstance(found, Refused):
        return
    elements = [
        s for s in statements_of(kernel) if isinstance(s, ir.Load | ir.Store) and _is_element(kernel, s, found.var)
    ]
    if elements and elements[0].access.span.file == unit.file:
        yield Site(kernel, declaration, elements[0].access.span, f"`{elements[0].access.text}`")


def _rewrite(unit: Unit, site: Site, choice: Choice) -> Rewritten | Refused:
    same = instances(unit, site)
    if len(same) > 1:
        return Refused("the kernel is a template with several instantiations")
    kernel = site.kernel
    factor = choice.factor or (2 if any(_size(one) == 8 for one in _accesses(kernel)) else 4)
    if factor not in (2, 4):
        return Refused("vectors have 2 or 4 elements")
    work = _work(unit, site, factor)
    if isinstance(work, Refused):
        return work
    launches = known_launches(unit, kernel)
    if isinstance(launches, Refused):
        return launches
    blocks = {launch.block for launch in launches}
    if len(blocks) > 1 or any(block[1:] != (1, 1) for block in blocks):
        return Refused("its blocks differ, or are not one row of threads")
    ((block, _, _),) = blocks
    if reason := _contiguous(kernel, block):
        return Refused(reason)
    number = None if work.guard is None else work.guard.number
    launched = divided(unit, kernel, block, factor, number)
    if isinstance(launched, Refused):
        return launched
    assert site.declaration.body is not None
    text = vector_text(unit, work, factor, step_of(unit, site.declaration.body))
    types = sorted({vector_type(one.type, factor) for one in work.arrays})
    names = ", ".join(f"`{one.name}`" for one in work.arrays)
    return Rewritten(
        f"Move {factor} elements at a time as {' and '.join(f'`{one}`' for one in types)}",
        (Edit(work.replaced, text), *launched),
        (
            f"{names} begin at multiples of {factor * max(one.type.size for one in work.arrays)} bytes",
            "every thread has an element of its own, and all launches are in view",
        ),
        "every element is computed by the same operations from the same values",
    )


# --- conditions ---------------------------------------------------------------------------------------------------


def _work(unit: Unit, site: Site, factor: int) -> Work | Refused:
    kernel, body = site.kernel, site.declaration.body
    if not_analysed(kernel):
        return Refused("part of the kernel is not understood")
    for one in statements_of(kernel):
        if isinstance(one, ir.Barrier | ir.Fence | ir.Shuffle | ir.Vote | ir.Atomic):
            return Refused("its threads work together")
    if kernel.objects:
        return Refused(f"`{kernel.objects[0].name}` is not in global memory")
    if any(
        annotation.span.file == unit.file and site.declaration.span.encloses(annotation.span)
        for annotation in unit.tree.annotations
    ):
        return Refused("there is an annotation in the kernel")
    index = _index(kernel)
    if isinstance(index, Refused):
        return index
    assert body is not None
    at = next(
        (
            n
            for n, s in enumerate(body.body)
            if isinstance(s, syn.DeclStmt) and s.declarations and s.declarations[0].span == index.span
        ),
        None,
    )
    statement = None if at is None else body.body[at]
    if at is None or not isinstance(statement, syn.DeclStmt) or len(statement.declarations) != 1:
        return Refused("the number of a thread's element is not declared by itself")
    declared = statement.declarations[0]
    assert isinstance(declared, syn.VarDecl)
    placed = _placed(unit, kernel, index.var, declared, body.body[at + 1 :], factor)
    if isinstance(placed, Refused):
        return placed
    guard, nodes, replaced = placed
    arrays = _arrays(unit, kernel, index.var, guard, factor)
    if isinstance(arrays, Refused):
        return arrays
    if reason := _spelled(unit, kernel, declared, nodes, arrays, replaced):
        return Refused(reason)
    type_ = kernel.variables[index.var].type
    assert isinstance(type_, ScalarType)
    return Work(declared, type_.name, guard, nodes, arrays, replaced)


def _index(kernel: ir.Kernel) -> ir.Assign | Refused:
    """The assignment of a thread's number among all threads, which nothing else of the kernel asks for."""
    found = [s for s in statements_of(kernel) if isinstance(s, ir.Assign) and _strides(s.value) is not None]
    if not found:
        return Refused("no variable holds the number of a thread among all threads")
    index = found[0]
    for one in statements_of(kernel):
        if isinstance(one, ir.Assign) and one.var == index.var and one is not index:
            return Refused(f"`{kernel.variables[index.var].name}` changes")
        if one is not index and any(
            isinstance(e, ir.Builtin) and (e.kind is not ir.BuiltinKind.BLOCK_DIM)
            for expr in expressions_of(one)
            for e in subexpressions(expr)
        ):
            return Refused("threads use their place beside the number of their element")
    return index


def _strides(value: ir.Expr) -> ir.Expr | None:
    """What blockIdx.x is multiplied by in `blockIdx.x * 256 + threadIdx.x`; None for anything else."""
    value = uncast(value)
    if not isinstance(value, ir.Binary) or value.op != "+":
        return None
    for one, other in ((value.left, value.right), (value.right, value.left)):
        one, other = uncast(one), uncast(other)
        if _is_builtin(one, ir.BuiltinKind.THREAD_IDX) and isinstance(other, ir.Binary) and other.op == "*":
            parts = uncast(other.left), uncast(other.right)
            for block, extent in (parts, parts[::-1]):
                if _is_builtin(block, ir.BuiltinKind.BLOCK_IDX) and (
                    isinstance(extent, ir.Const) or _is_builtin(extent, ir.BuiltinKind.BLOCK_DIM)
                ):
                    return extent
    return None


def _is_builtin(expr: ir.Expr, kind: ir.BuiltinKind) -> bool:
    return isinstance(expr, ir.Builtin) and expr.kind is kind and expr.axis == 0


def _contiguous(kernel: ir.Kernel, block: int) -> str | None:
    index = _index(kernel)
    extent = None if isinstance(index, Refused) else _strides(index.value)
    if isinstance(extent, ir.Const) and extent.value != block:
        return f"blocks of {block} threads begin {extent.value} elements apart"
    return None


def _placed(
    unit: Unit, kernel: ir.Kernel, var: ir.VarId, index: syn.VarDecl, rest: tuple[syn.Stmt, ...], factor: int
) -> tuple[Guard | None, tuple[syn.Stmt, ...], Span] | Refused:
    """The guard, the statements of the work, and the span of both."""
    tests = [n for n, one in enumerate(rest) if isinstance(one, syn.If)]
    if not tests:
        return (None, rest, rest[0].span.hull(rest[-1].span)) if rest else Refused("nothing is done to an element")
    test = rest[tests[0]]
    assert isinstance(test, syn.If)
    if any(not isinstance(one, syn.DeclStmt) or _names(one, index.name) for one in rest[: tests[0]]):
        return Refused("something is done to an element outside of the test")
    if test.otherwise is not None or test.init is not None or test.is_constexpr:
        return Refused("the test has another branch")
    leaves = _only(test.then) if isinstance(_only(test.then), syn.Return) else None
    guard = _guard(unit, kernel, var, test, leaves is not None, factor)
    if isinstance(guard, Refused):
        return guard
    behind = rest[tests[0] + 1 :]
    if leaves is not None:
        return (guard, behind, test.span.hull(behind[-1].span)) if behind else Refused("nothing is done to an element")
    if behind:
        return Refused("something is done to an element outside of the test")
    return guard, test.then.body if isinstance(test.then, syn.Compound) else (test.then,), test.span


def _only(stmt: syn.Stmt) -> syn.Stmt:
    return stmt.body[0] if isinstance(stmt, syn.Compound) and len(stmt.body) == 1 else stmt


def _guard(unit: Unit, kernel: ir.Kernel, var: ir.VarId, test: syn.If, leaves: bool, factor: int) -> Guard | Refused:
    refused = Refused(f"`{unit.spelled(test.condition.span)}` is not a test of the element's number against a size")
    found = next((s for s in kernel.body if isinstance(s, ir.If) and s.whole == test.span), None)
    condition = None if found is None else uncast(found.condition)
    spelled = test.condition
    if (
        not isinstance(condition, ir.Binary)
        or not isinstance(spelled, syn.Binary)
        or any(one.expansion for one in inside(spelled.left))
    ):
        return refused
    left, limit = uncast(condition.left), uncast(condition.right)
    if (
        condition.op != (">=" if leaves else "<")
        or spelled.op != condition.op
        or not isinstance(left, ir.Local)
        or left.var != var
    ):
        return refused
    if any(isinstance(one, ir.Const) and isinstance(one.value, float) for one in (limit,)):
        return refused
    words = unit.spelled(spelled.right.span)
    if isinstance(limit, ir.Const):
        return Guard(test, words if words.isalnum() else f"({words})", None, int(limit.value) % factor == 0)
    if not isinstance(limit, ir.Local) or limit.var not in kernel.parameters or not isinstance(spelled.right, syn.Name):
        return refused
    type_ = kernel.variables[limit.var].type
    if not isinstance(type_, ScalarType) or type_.kind is not ScalarKind.INT:
        return refused
    if any(isinstance(s, ir.Assign) and s.var == limit.var for s in statements_of(kernel)):
        return Refused(f"`{words}` changes")
    whole = all(
        any(p.name == words and p.modulus % factor == 0 == p.residue % factor for p in events.parameters)
        for _, events in _runs(unit, kernel)
    )
    return Guard(test, words, (words, kernel.parameters.index(limit.var)), whole)


def _runs(unit: Unit, kernel: ir.Kernel) -> list[tuple[Launch, Events]]:
    return [(launch, unit.events(kernel, launch)) for launch in unit.launches(kernel)]


def _accesses(kernel: ir.Kernel) -> list[ir.Load | ir.Store]:
    return [s for s in statements_of(kernel) if isinstance(s, ir.Load | ir.Store)]


def _size(access: ir.Load | ir.Store) -> int:
    return access.access.width


def _is_element(kernel: ir.Kernel, access: ir.Load | ir.Store, var: ir.VarId) -> bool:
    """Whether it is `p[i]` of a parameter."""
    address = uncast(access.address)
    if not isinstance(address, ir.PtrAdd) or address.offset:
        return False
    pointer, index = uncast(address.pointer), uncast(address.index)
    return (
        isinstance(pointer, ir.Local)
        and pointer.var in kernel.parameters
        and isinstance(index, ir.Local)
        and index.var == var
        and isinstance(address.scale, ir.Const)
        and address.scale.value == access.access.width
        and not any(isinstance(s, ir.Assign) and s.var == pointer.var for s in statements_of(kernel))
    )


def _arrays(
    unit: Unit, kernel: ir.Kernel, var: ir.VarId, guard: Guard | None, factor: int
) -> tuple[Array, ...] | Refused:
    """The arrays of which each thread has an element, and nothing else that depends on the thread."""
    elements = [one for one in _accesses(kernel) if _is_element(kernel, one, var)]
    stored = {_pointer(one) for one in _accesses(kernel) if isinstance(one, ir.Store)}
    straight = _straight(kernel, guard)
    for launch, events in _runs(unit, kernel):
        if launch.arguments.same:
            return Refused(f"`{launch.arguments.same[0][0]}` and `{launch.arguments.same[0][1]}` are the same array")
        for one in _accesses(kernel):
            here = [event for event in events.accesses if event.access.id == one.access.id]
            if one in elements:
                reason = _unaligned(one, here, factor) or (
                    "" if any(one is s for s in straight) else f"`{one.access.text}` is not accessed by all threads"
                )
            else:
                reason = _unlike(one, here, guard) or (
                    f"`{one.access.text}` is written, and not an element of the thread"
                    if isinstance(one, ir.Store) or _pointer(one) in stored
                    else ""
                )
            if reason:
                return Refused(reason)
    found: dict[str, Array] = {}
    for one in elements:
        name, type_ = kernel.variables[_pointer(one)].name, one.access.type
        pointer = kernel.variables[_pointer(one)].type
        if one.access.volatile:
            return Refused(f"`{name}` is volatile")
        if (
            not isinstance(type_, ScalarType)
            or not isinstance(pointer, PointerType)
            or type_.kind is ScalarKind.BOOL
            or not _is_plain(type_)
        ):
            return Refused(f"there are no vectors of the type of `{name}`")
        if type_.size * factor > _WIDEST:
            return Refused(
                f"{factor} elements of `{name}` have {type_.size * factor} bytes, of which a request moves {_WIDEST}"
            )
        old = found.get(name)
        first = isinstance(one, ir.Load)
        found[name] = Array(
            name,
            type_,
            pointer.const,
            first if old is None else old.read,
            (old is not None and old.stored) or not first,
        )
    return tuple(found.values()) if any(a.stored for a in found.values()) else Refused("no element is stored")


def _is_plain(type_: ScalarType) -> bool:
    return type_.kind is ScalarKind.INT or type_.size in (4, 8)


def _pointer(access: ir.Load | ir.Store) -> ir.VarId:
    for one in subexpressions(access.address):
        if isinstance(one, ir.Local) and isinstance(one.type, PointerType):
            return one.var
    return ir.VarId(-1)


def _straight(kernel: ir.Kernel, guard: Guard | None) -> list[ir.Stmt]:
    """The statements that all threads with an element come to."""
    found = list(kernel.body)
    for one in kernel.body:
        if isinstance(one, ir.If) and guard is not None and one.whole == guard.test.span:
            found += one.then
    return found


def _unaligned(access: ir.Load | ir.Store, events: Sequence[AccessEvent], factor: int) -> str:
    width = access.access.width * factor
    for event in events:
        for monomial in event.address.poly.terms:
            for symbol in monomial:
                if symbol.kind is SymbolKind.BASE and (symbol.modulus % width or symbol.residue % width):
                    return f"`{access.access.text}` is not known to begin at a multiple of {width} bytes"
    return ""


def _unlike(access: ir.Load | ir.Store, events: Sequence[AccessEvent], guard: Guard | None) -> str:
    """Why an access that is no element of the thread's own is not the same for all threads; "" if it is."""
    for event in events:
        terms = event.address.poly.terms
        if event.space is not Space.GLOBAL:
            return f"`{access.access.text}` is not in global memory"
        if any(symbol.kind is SymbolKind.DATA or symbol.level is not Level.BLOCK for m in terms for symbol in m):
            return f"`{access.access.text}` does not follow the thread's number"
        constant = terms.get((), 0)
        if all(isinstance(c, int) for c in terms.values()) and not any(
            s.name == "blockIdx.x" for m in terms for s in m
        ):
            continue
        steps = (
            {(): 1}
            if isinstance(constant, int)
            else set(np.diff(constant[: max(2, int(event.mask.may.sum()))]).tolist())
        )
        if steps == {access.access.width}:
            byte = int(constant[0]) % _WIDEST  # type: ignore[index]
            if byte:
                unknown = "" if guard is None or guard.whole else f"; {guard.limit} % 4 is not known"
                return f"byte {byte} past an aligned address{unknown}"
        return f"`{access.access.text}` is another element than the thread's own"
    return ""


# --- the text ---------------------------------------------------------------------------------------------------


def _names(node: syn.Node, name: str) -> bool:
    return any(isinstance(one, syn.Name) and one.name == name for one in inside(node))


def _spelled(
    unit: Unit,
    kernel: ir.Kernel,
    index: syn.VarDecl,
    nodes: tuple[syn.Stmt, ...],
    arrays: Sequence[Array],
    whole: Span,
) -> str | None:
    """Why the text of the work cannot be repeated; None if it can."""
    names = {index.name, *(one.name for one in arrays)}
    if has_directive(unit, whole):
        return "there are directives of the preprocessor in it"
    places = {one.access.span for one in _accesses(kernel)}
    for stmt in nodes:
        if not isinstance(stmt, syn.DeclStmt | syn.ExprStmt):
            return f"line {unit.line(stmt.span)} is no plain statement"
        for one in inside(stmt):
            if one.span.file != unit.file or not whole.encloses(one.span):
                return "part of it stands elsewhere"
            if isinstance(one, syn.OpaqueExpr | syn.OpaqueStmt | syn.Lambda):
                return "part of it is not understood"
            if isinstance(one, syn.Name) and one.name in names and one.expansion is not None:
                return f"the macro `{one.expansion}` makes part of it"
            if isinstance(one, syn.VarDecl) and (one.name in names or "static" in one.storage):
                return f"`{one.name}` is declared again"
            if isinstance(one, syn.SizeOf):
                return "it asks for the size of something"
    own = {one.name for stmt in nodes for one in inside(stmt) if isinstance(one, syn.VarDecl)}
    for stmt in nodes:
        for name in (n for one in inside(stmt) for n in assigned(one)):
            if name not in own:
                return f"`{name}` is carried from one element to the next"
        asked = addressed(stmt)
        elements = {
            s.base.span for s in elements_of(stmt, index.name, arrays) if s.span in places and s.span not in asked
        }
        for one in inside(stmt):
            if isinstance(one, syn.Name) and one.name in {a.name for a in arrays} and one.span not in elements:
                return f"`{one.name}` is used otherwise in line {unit.line(one.span)}"
    return None


ACTION = Action(
    "vectorise",
    "let each thread move several elements at a time, as one vector",
    frozenset({narrow_requests.CODE}),
    _sites,
    _rewrite,
)
