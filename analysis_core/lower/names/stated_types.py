"""What stands for types that nobody declares: by their names, or by how a template uses them.  Each is said as an assumption.

index_t, size_type, IdxT, id_t    an integer
T, of a template that nothing here instantiates, or with types that are not declared: float, where only its values are used
"""

from __future__ import annotations

import re

from analysis_core.ir.scalars import HALF
from analysis_core.ir.types import FLOAT, INT, LAUNCHED_WITH, LONG, UINT, ULONG, ScalarType
from analysis_core.lower.context import Lowering
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.walk_syntax import inside
from analysis_core.text.span import Span

_INTEGER = re.compile(
    r"(?:\w+_)?(u?)(index|idx|id|size|ssize|offset|stride|count|cnt|length|len|diff|difference|dim|int|long)(8|16|32|64)?(_t|_type)_?",
    re.ASCII,
)
_FIXED = re.compile(r"(u?)int(32|64)")
_WIDE = frozenset({"size", "ssize", "diff", "difference", "long"})
_UNSIGNED = frozenset({"size"})


def integer(ctx: Lowering, name: str, span: Span, why: str) -> ScalarType | None:
    """The integer that a type is taken for by its name."""
    last = name.rpartition("::")[2]
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", last).lower()  # IdxT: idx_t
    found = _INTEGER.fullmatch(words) or _FIXED.fullmatch(last)
    if found is None or ctx.substitution is not None:
        return None
    unsigned, word, bits = (found[1], "int", found[2]) if len(found.groups()) == 2 else (found[1], found[2], found[3])
    wide = bits == "64" or (bits is None and word in _WIDE)
    type = (ULONG if wide else UINT) if unsigned or (word in _UNSIGNED and bits is None) else (LONG if wide else INT)
    ctx.assume(f"`{name}` is an integer of {type.size} bytes ({why})", span)
    return type


def argument(
    ctx: Lowering, declaration: syn.FunctionDecl, parameter: syn.TemplateParameter, launched: bool = False
) -> ScalarType | None:
    """What a type parameter of a kernel is taken for that nothing instantiates, or that is `launched` with a type which is not declared; None where
    it is asked for members, or called.  The kernel at the other size has half precision."""
    name, why = parameter.name or "", LAUNCHED_WITH if launched else "no instantiation in this file"
    if parameter.type is not None or parameter.template or parameter.pack:
        return None
    found = integer(ctx, name, parameter.span, why)
    if found is not None:
        return found
    if not _holds_values(declaration, name):
        return None
    half = launched and ctx.unit.assumed_bytes == HALF.size
    ctx.assume(f"`{name}` is {'half' if half else 'float'} ({why})", parameter.span)
    return HALF if half else FLOAT


def _holds_values(declaration: syn.FunctionDecl, name: str) -> bool:
    """Whether objects of a type are only read, written and computed with."""
    nodes = list(inside(declaration))
    for node in nodes:
        if isinstance(node, syn.Name | syn.NamedType) and node.name.startswith(f"{name}::"):
            return False
    objects = {n.name for n in nodes if isinstance(n, syn.VarDecl | syn.Parameter) and _is_of(n.type, name)}
    used = [n.base for n in nodes if isinstance(n, syn.Member)] + [n.callee for n in nodes if isinstance(n, syn.Call)]
    return all(_root(node) not in objects for node in used)


def _is_of(type: syn.TypeNode, name: str) -> bool:
    while isinstance(type, syn.PointerTo | syn.ReferenceTo | syn.ArrayOf):
        type = type.element if isinstance(type, syn.ArrayOf) else type.target
    return isinstance(type, syn.NamedType) and type.name == name


def _root(node: syn.Expr) -> str | None:
    """The variable that an expression leads from: `p` in `p[i].x` and `*p`."""
    while isinstance(node, syn.Member | syn.Subscript | syn.Unary):
        node = node.operand if isinstance(node, syn.Unary) else node.base
    return node.name if isinstance(node, syn.Name) else None
