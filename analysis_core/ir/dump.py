"""The IR as text, with the source line beside each statement: `warpcost explain --stage ir`.

Reading the notation:

- constants carry their type: `4` int, `4u` unsigned int, `4l` / `4ul` 64 bits, `4.0f` float, `4.0` double, `4:short`;
- `p + {i * 4 + 8}` is the pointer `p` moved by that many *bytes* (the factor is the element size);
- `load[4]`, `store[4]`, `atomic.add[4]` move that many bytes per lane; the text after `<-` is what is stored;
- `?(data: ...)` is a value about which only its cause is known.

A name is followed by `'` and its number where two variables of the kernel share it.  The output is stable: it
depends on the kernel alone.
"""

from __future__ import annotations

from collections import Counter
from typing import Callable, Iterator, Sequence, assert_never

from analysis_core.ir.nodes import (
    AddressOf,
    Assign,
    Atomic,
    Barrier,
    Binary,
    Block,
    Break,
    Builtin,
    Cast,
    Claim,
    Const,
    Continue,
    Declare,
    Expr,
    Fence,
    If,
    IfKind,
    Inlined,
    Intrinsic,
    Kernel,
    Load,
    Local,
    Loop,
    PtrAdd,
    Return,
    Select,
    Shuffle,
    Stmt,
    Store,
    Switch,
    Unary,
    UnknownExpr,
    UnknownStmt,
    Variable,
    VarId,
    Vote,
)
from analysis_core.ir.types import ArrayType, OpaqueType, PointerType, ScalarKind, ScalarType, StructType, Type
from analysis_core.ir.walk import fold, span_of
from analysis_core.support.facts import Cause
from analysis_core.text.span import Span

_SOURCE_COLUMN = 72
_PRIMARY = 20
_UNARY = 15
_PRECEDENCE = {
    "*": 14, "/": 14, "%": 14, "+": 13, "-": 13, "<<": 12, ">>": 12, "<": 11, "<=": 11, ">": 11, ">=": 11,
    "==": 10, "!=": 10, "&": 9, "^": 8, "|": 7, "&&": 6, "||": 5,
}  # fmt: skip
_SUFFIX = {(4, True): "", (4, False): "u", (8, True): "l", (8, False): "ul"}
_INDENT = "  "


def dump(kernel: Kernel, source_line: Callable[[Span], str]) -> str:
    """The whole kernel; `source_line` gives the text shown at the right of a statement (once for equal neighbours)."""
    names = variable_names(kernel)
    lines = [_signature(kernel, names)]
    lines += [f"  object {o.name}: {o.space.value} {format_type(o.type, kernel)}" for o in kernel.objects]
    lines += [f"  launch block=({s.block_text}) grid=({s.grid_text})" for s in kernel.launches]
    lines += [f"  assume {a.text}" for a in kernel.assumptions]
    shown = ""
    for text, span in _block_lines(kernel.body, kernel, names, 1):
        source = "" if span is None else source_line(span).strip()
        if source and source != shown:
            shown = source
            text = f"{text:<{_SOURCE_COLUMN}}| {source}"
        lines.append(text)
    lines.append("}")
    return "\n".join(lines) + "\n"


def format_block(block: Block, kernel: Kernel) -> str:
    """The statements of `block` without source, one a line, ending without a newline."""
    return "\n".join(text for text, _ in _block_lines(block, kernel, variable_names(kernel), 0))


def format_stmt(stmt: Stmt, kernel: Kernel) -> str:
    """One statement (several lines if it is a structured one)."""
    return format_block((stmt,), kernel)


def format_expr(expr: Expr, kernel: Kernel) -> str:
    """An expression in C's spelling with the fewest parentheses."""
    return _expr(expr, kernel, variable_names(kernel))


def variable_names(kernel: Kernel) -> tuple[str, ...]:
    """A unique printable name for each variable, indexed by VarId."""
    return _unique_names(kernel.variables)


def _unique_names(variables: Sequence[Variable]) -> tuple[str, ...]:
    count = Counter(v.name for v in variables)
    return tuple(v.name if count[v.name] == 1 else f"{v.name}'{v.id}" for v in variables)


def format_type(type: Type, kernel: Kernel | None = None) -> str:
    """A type as a C programmer reads it; extents that are not constant need the kernel for their names."""
    match type:
        case ScalarType():
            return type.name
        case PointerType():
            words = [word for word, on in (("const", type.const), ("volatile", type.volatile)) if on]
            return " ".join([*words, format_type(type.target, kernel)]) + "*"
        case ArrayType():
            extents = ""
            element: Type = type
            while isinstance(element, ArrayType):
                extents += f"[{_extent(element.extent, kernel)}]"
                element = element.element
            return format_type(element, kernel) + extents
        case StructType():
            return type.name or "struct"
        case OpaqueType():
            return f"{type.name}?"
        case _:
            assert_never(type)


def _extent(extent: Expr | None, kernel: Kernel | None) -> str:
    if extent is None:
        return ""
    if isinstance(extent, Const):
        return str(extent.value)
    return "?" if kernel is None else format_expr(extent, kernel)


def _signature(kernel: Kernel, names: Sequence[str]) -> str:
    parameters = ", ".join(f"{format_type(kernel.variables[p].type, kernel)} {names[p]}" for p in kernel.parameters)
    return f"kernel {kernel.instantiation or kernel.name}({parameters}) {{"


# --- expressions ------------------------------------------------------------------------------------------------


def _expr(expr: Expr, kernel: Kernel, names: Sequence[str]) -> str:
    return fold(expr, lambda node, args: _spell(node, args, kernel, names))[0]


def _wrap(operand: tuple[str, int], least: int) -> str:
    text, precedence = operand
    return text if precedence >= least else f"({text})"


def _spell(node: Expr, args: Sequence[tuple[str, int]], kernel: Kernel, names: Sequence[str]) -> tuple[str, int]:
    """The text of `node` and its precedence, from those of its operands."""
    match node:
        case Const():
            text = _constant(node)
            return text, _PRIMARY if not text.startswith("-") else _UNARY
        case Local():
            return _name(node.var, names), _PRIMARY
        case Builtin():
            return f"{node.kind.value}.{'xyz'[node.axis]}", _PRIMARY
        case Unary():
            return node.op + _wrap(args[0], _UNARY + 1), _UNARY
        case Binary():
            level = _PRECEDENCE.get(node.op, 0)
            return f"{_wrap(args[0], level)} {node.op} {_wrap(args[1], level + 1)}", level
        case Cast():
            return f"({format_type(node.type, kernel)}){_wrap(args[0], _UNARY)}", _UNARY
        case Select():
            return f"{_wrap(args[0], 4)} ? {_wrap(args[1], 4)} : {_wrap(args[2], 3)}", 3
        case Intrinsic():
            return f"{node.name}({', '.join(text for text, _ in args)})", _PRIMARY
        case AddressOf():
            name = kernel.objects[node.object].name if node.object < len(kernel.objects) else f"object{node.object}"
            return f"&{name}", _UNARY
        case PtrAdd():
            return _pointer_sum(node, args), _PRECEDENCE["+"]
        case UnknownExpr():
            return f"?({_cause(node.cause)})", _PRIMARY
        case _:
            assert_never(node)


def _pointer_sum(node: PtrAdd, args: Sequence[tuple[str, int]]) -> str:
    terms = []
    if not (isinstance(node.index, Const) and node.index.value == 0):
        terms.append(f"{_wrap(args[1], 14)} * {_bytes(node.scale, args[2])}")
    if node.offset or not terms:
        terms.append(str(node.offset))
    return f"{_wrap(args[0], 13)} + {{{' + '.join(terms)}}}"


def _bytes(scale: Expr, spelled: tuple[str, int]) -> str:
    return str(scale.value) if isinstance(scale, Const) else _wrap(spelled, 15)


def _constant(node: Const) -> str:
    match node.type:
        case ScalarType(kind=ScalarKind.BOOL):
            return "true" if node.value else "false"
        case ScalarType(kind=ScalarKind.FLOAT, size=size, name=name):
            text = repr(float(node.value))
            return text if size == 8 else f"{text}f" if size == 4 else f"{text}:{name}"
        case ScalarType(kind=ScalarKind.INT, size=size, signed=signed, name=name):
            suffix = _SUFFIX.get((size, signed))
            return f"{node.value}{suffix}" if suffix is not None else f"{node.value}:{name}"
        case PointerType():
            return "null" if node.value == 0 else f"address {node.value}"
        case _:
            return f"{node.value}:{format_type(node.type)}"


def _cause(cause: Cause) -> str:
    return f"{cause.kind.value}: {cause.reason}"


def _name(var: VarId, names: Sequence[str]) -> str:
    return names[var] if var < len(names) else f"v{var}"


# --- statements -------------------------------------------------------------------------------------------------

_Line = tuple[str, Span | None]
_Item = tuple[int, "Stmt | str", Span | None]


def _block_lines(block: Block, kernel: Kernel, names: Sequence[str], depth: int) -> Iterator[_Line]:
    """Lines in order.  A stack of pending statements and ready-made lines stands in for recursion."""
    pending: list[_Item] = [(depth, stmt, None) for stmt in reversed(block)]
    while pending:
        level, item, span = pending.pop()
        if isinstance(item, str):
            yield _INDENT * level + item, span
        else:
            pending.extend(reversed(list(_parts(item, kernel, names, level))))


def _parts(stmt: Stmt, kernel: Kernel, names: Sequence[str], level: int) -> Iterator[_Item]:
    match stmt:
        case If():
            keyword = "if" if stmt.kind is IfKind.IF else f"if.{stmt.kind.value}"
            yield level, f"{keyword} ({_expr(stmt.condition, kernel, names)}) {{", stmt.span
            yield from ((level + 1, inner, None) for inner in stmt.then)
            if stmt.otherwise:
                yield level, "} else {", None
                yield from ((level + 1, inner, None) for inner in stmt.otherwise)
            yield level, "}", None
        case Loop():
            condition = "" if stmt.condition is None else _expr(stmt.condition, kernel, names)
            unroll = "" if stmt.unroll is None else f" unroll {stmt.unroll}"
            yield level, f"{stmt.kind.value} ({condition}){unroll} {{", stmt.span
            for label, part in (("test", stmt.test), ("body", stmt.body), ("step", stmt.step)):
                if part:
                    yield level, f"{label}:", None
                    yield from ((level + 1, inner, None) for inner in part)
            yield level, "}", None
        case Switch():
            yield level, f"switch ({_expr(stmt.selector, kernel, names)}) {{", stmt.span
            for arm in stmt.arms:
                labels = ", ".join("default" if label is None else f"case {label}" for label in arm.labels)
                yield level, f"{labels}:", None
                yield from ((level + 1, inner, None) for inner in arm.body)
            yield level, "}", None
        case Inlined():
            yield level, f"inlined {stmt.function} {{", stmt.span
            yield from ((level + 1, inner, None) for inner in stmt.body)
            yield level, "}", None
        case Claim():
            yield from ((level, inner, None) for inner in stmt.setup)
            if stmt.condition is not None:
                yield level, f"{stmt.word} {_expr(stmt.condition, kernel, names)}", stmt.span
        case _:
            yield level, _simple(stmt, kernel, names), span_of(stmt)


def _simple(stmt: Stmt, kernel: Kernel, names: Sequence[str]) -> str:
    def spell(expr: Expr) -> str:
        return _expr(expr, kernel, names)

    def spell_all(exprs: Sequence[Expr]) -> str:
        return ", ".join(spell(e) for e in exprs)

    match stmt:
        case Declare():
            return f"declare {stmt.name}"
        case Assign():
            return f"{_name(stmt.var, names)} = {spell(stmt.value)}"
        case Load():
            targets = ", ".join(_name(v, names) for v in stmt.vars)
            return f"{targets} = {_volatile(stmt.access.volatile)}load[{stmt.access.width}] {spell(stmt.address)}"
        case Store():
            place = f"{_volatile(stmt.access.volatile)}store[{stmt.access.width}] {spell(stmt.address)}"
            return f"{place} <- {spell_all(stmt.values)}"
        case Atomic():
            result = "" if stmt.var is None else f"{_name(stmt.var, names)} = "
            operands = spell_all((stmt.address, *stmt.args))
            return f"{result}atomic.{stmt.op}[{stmt.access.width}] {operands}"
        case Break():
            return "break"
        case Continue():
            return "continue"
        case Return():
            return "return"
        case Barrier():
            return f"barrier.{stmt.scope.value} {stmt.text}"
        case Fence():
            return f"fence {stmt.text}"
        case Shuffle():
            return f"{_name(stmt.var, names)} = shuffle.{stmt.op}({spell_all((stmt.value, stmt.lane, stmt.width))})"
        case Vote():
            scope = ".block" if stmt.block else ""
            return f"{_name(stmt.var, names)} = vote{scope}.{stmt.op}({spell_all(stmt.args)})"
        case UnknownStmt():
            effects = [f"changes {', '.join(_name(v, names) for v in stmt.changes)}"] if stmt.changes else []
            effects += ["memory"] if stmt.memory else []
            effects += ["leaves"] if stmt.leaves else []
            return f"unknown ({_cause(stmt.cause)}) {'; '.join(effects)}".rstrip()
        case If() | Loop() | Switch() | Inlined() | Claim():
            raise AssertionError("structured statements are spelled by _parts")
        case _:
            assert_never(stmt)


def _volatile(volatile: bool) -> str:
    return "volatile " if volatile else ""
