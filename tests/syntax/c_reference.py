"""pycparser as an independent reader: both trees of a C-only kernel are brought to one form and compared.

The form is nested tuples; parentheses, places and storage words are left out, everything else is kept.  The text for
pycparser is the kernel's expanded tokens with CUDA's words dropped.  Names of types come from a fixed list and from
the declarations of the file, never from how our reader took a name inside of the kernel.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from pycparser import c_ast
from pycparser.c_parser import CParser, ParseError

from analysis_core.syntax.lex.tokens import Token, TokenKind
from analysis_core.syntax.read import tree as t

DROPPED = frozenset(
    [
        "__global__",
        "__device__",
        "__host__",
        "__forceinline__",
        "__noinline__",
        "__shared__",
        "__constant__",
        "__restrict__",
        "__restrict",
        "__inline__",
        "__inline",
        "inline",
        "static",
        "extern",
        "register",
    ]
)
CPP_ONLY = frozenset(
    [
        "template",
        "typename",
        "class",
        "operator",
        "new",
        "delete",
        "throw",
        "try",
        "catch",
        "auto",
        "this",
        "static_cast",
        "reinterpret_cast",
        "const_cast",
        "dynamic_cast",
        "constexpr",
        "using",
        "namespace",
        "nullptr",
        "asm",
        "__asm__",
        "asm__",
        "decltype",
        "__cluster_dims__",
        "__align__",
        "alignas",
        "<<<",
        "::",
        "&&",
        "...",
    ]
) - {"&&"}
C_TYPES = frozenset(["void", "char", "short", "int", "long", "float", "double", "signed", "unsigned", "bool"])
PRELUDE = [
    f"{base}{n}"
    for base in [
        "char",
        "uchar",
        "short",
        "ushort",
        "int",
        "uint",
        "long",
        "ulong",
        "longlong",
        "ulonglong",
        "float",
        "double",
    ]
    for n in (1, 2, 3, 4)
] + [
    "size_t",
    "uint",
    "ushort",
    "ulong",
    "uchar",
    "dim3",
    "half",
    "half2",
    "__half",
    "__half2",
    "clock_t",
    "cudaTextureObject_t",
    "cudaSurfaceObject_t",
    "int8_t",
    "int16_t",
    "int32_t",
    "int64_t",
    "uint8_t",
    "uint16_t",
    "uint32_t",
    "uint64_t",
    "ptrdiff_t",
    "bool",
    "curandState",
    "curandState_t",
]

Form = Any


class NotC(Exception):
    """The kernel uses more than C."""


# --- the text for pycparser -----------------------------------------------------------------------------------------


def c_text(tokens: Sequence[Token], types: Iterable[str]) -> str:
    """The kernel as C, behind typedefs for the names of types; raises `NotC`."""
    known = set(PRELUDE) | set(types)
    words: list[str] = []
    i = 0
    while i < len(tokens):
        token = tokens[i]
        following = tokens[i + 1].text if i + 1 < len(tokens) else ""
        if token.kind is TokenKind.PRAGMA or token.text in DROPPED:
            i += 1
            if token.text == "extern" and tokens[i].kind is TokenKind.STRING:
                i += 1
            continue
        if token.text in CPP_ONLY:
            raise NotC(token.text)
        if token.text in {"__launch_bounds__", "__attribute__"}:
            i = _after_group(tokens, i + 1)
            continue
        declarator = i + 2 < len(tokens) and tokens[i + 2].text == "*"
        if following == "(" and not declarator and (token.text in known or token.text in C_TYPES):
            raise NotC("functional cast")
        if following == "&" and (token.text in known or token.text in C_TYPES):
            raise NotC("reference")
        words.append('"s"' if token.kind is TokenKind.STRING else token.text)
        i += 1
    typedefs = "".join(f"typedef int {name};\n" for name in sorted(known) if name.isidentifier())
    return typedefs + " ".join(words)


def _after_group(tokens: Sequence[Token], i: int) -> int:
    depth = 0
    while i < len(tokens):
        depth += (tokens[i].text == "(") - (tokens[i].text == ")")
        i += 1
        if depth == 0:
            break
    return i


def declared_types(tree: t.SyntaxTree) -> set[str]:
    """The names of types that the unit declares at its top level."""
    return {
        d.name
        for d in tree.declarations
        if isinstance(d, t.RecordDef | t.EnumDef | t.TypeAlias) and d.name.isidentifier()
    }


def reference_form(text: str) -> Form:
    """pycparser's tree of the last function in `text`; raises `NotC` where pycparser fails."""
    try:
        unit = CParser().parse(text)
    except ParseError as error:
        raise NotC(f"pycparser: {error}") from error
    function = unit.ext[-1]
    if not isinstance(function, c_ast.FuncDef):
        raise NotC("no function")
    args = function.decl.type.args
    parameters = tuple(_c_decl(p) for p in args.params) if args is not None else ()
    if parameters == (("decl", None, ("named", "void", ()), None),):
        parameters = ()
    return parameters, _c_stmt(function.body)


# --- pycparser's tree -----------------------------------------------------------------------------------------------


def _c_type(node: Any) -> Form:
    match node:
        case c_ast.Typename() | c_ast.TypeDecl():
            inner = _c_type(node.type)
            quals = tuple(sorted(set(node.quals or ()) - {"restrict"}))
            return (*inner[:2], tuple(sorted(set(inner[2]) | set(quals)))) if inner[0] == "named" else inner
        case c_ast.IdentifierType():
            return "named", " ".join(node.names), ()
        case c_ast.PtrDecl():
            return "pointer", _c_type(node.type), tuple(sorted(set(node.quals or ()) - {"restrict"}))
        case c_ast.ArrayDecl():
            return "array", _c_type(node.type), _c_expr(node.dim)
        case c_ast.Struct() | c_ast.Union() | c_ast.Enum():
            return "named", node.name, ()
        case _:
            raise NotC(f"type {type(node).__name__}")


def _c_decl(node: Any) -> Form:
    if not isinstance(node, c_ast.Decl | c_ast.Typename):
        raise NotC(type(node).__name__)
    init = node.init if isinstance(node, c_ast.Decl) else None
    return "decl", node.name, _c_type(node.type), _c_expr(init)


def _c_expr(node: Any) -> Form:
    match node:
        case None:
            return None
        case c_ast.BinaryOp():
            return "binary", node.op, _c_expr(node.left), _c_expr(node.right)
        case c_ast.UnaryOp(op="sizeof"):
            if isinstance(node.expr, c_ast.Typename):
                return "sizeof", _c_type(node.expr)
            return "sizeof", _c_expr(node.expr)
        case c_ast.UnaryOp(op="p++" | "p--" | "++" | "--"):
            return "step", node.op[-2:], not node.op.startswith("p"), _c_expr(node.expr)
        case c_ast.UnaryOp():
            return "unary", node.op, _c_expr(node.expr)
        case c_ast.Assignment():
            return "assign", node.op, _c_expr(node.lvalue), _c_expr(node.rvalue)
        case c_ast.TernaryOp():
            return "conditional", _c_expr(node.cond), _c_expr(node.iftrue), _c_expr(node.iffalse)
        case c_ast.ArrayRef():
            return "subscript", _c_expr(node.name), _c_expr(node.subscript)
        case c_ast.StructRef():
            return "member", _c_expr(node.name), node.field.name, node.type == "->"
        case c_ast.FuncCall():
            args = tuple(_c_expr(a) for a in node.args.exprs) if node.args is not None else ()
            return "call", _c_expr(node.name), args
        case c_ast.Cast():
            return "cast", _c_type(node.to_type), _c_expr(node.expr)
        case c_ast.Constant():
            return "literal", '"s"' if node.type == "string" else node.value
        case c_ast.ID():
            return ("literal", node.name) if node.name in {"true", "false", "NULL"} else ("name", node.name)
        case c_ast.ExprList():
            result = _c_expr(node.exprs[0])
            for item in node.exprs[1:]:
                result = ("binary", ",", result, _c_expr(item))
            return result
        case c_ast.InitList():
            return "list", tuple(_c_expr(e) for e in node.exprs)
        case _:
            raise NotC(f"expression {type(node).__name__}")


def _c_stmt(node: Any) -> Form:
    match node:
        case None:
            return None
        case c_ast.Compound():
            return "block", tuple(_flat(node.block_items or []))
        case c_ast.If():
            return "if", _c_expr(node.cond), _c_stmt(node.iftrue), _c_stmt(node.iffalse)
        case c_ast.For():
            init = tuple(_c_decl(d) for d in node.init.decls) if isinstance(node.init, c_ast.DeclList) else None
            return (
                "for", init if init is not None else _c_expr(node.init), _c_expr(node.cond), _c_expr(node.next),
                _c_stmt(node.stmt),
            )  # fmt: skip
        case c_ast.While():
            return "while", _c_expr(node.cond), _c_stmt(node.stmt)
        case c_ast.DoWhile():
            return "do", _c_stmt(node.stmt), _c_expr(node.cond)
        case c_ast.Switch():
            return "switch", _c_expr(node.cond), _c_stmt(node.stmt)
        case c_ast.Break():
            return ("break",)
        case c_ast.Continue():
            return ("continue",)
        case c_ast.Return():
            return "return", _c_expr(node.expr)
        case c_ast.EmptyStatement():
            return ("empty",)
        case c_ast.Decl():
            return _c_decl(node)
        case c_ast.Goto() | c_ast.Label() | c_ast.Typedef():
            raise NotC(type(node).__name__)
        case _:
            return "expression", _c_expr(node)


def _flat(nodes: Iterable[Any]) -> Iterable[Form]:
    for node in nodes:
        if isinstance(node, c_ast.Case | c_ast.Default):
            yield "case", _c_expr(node.expr) if isinstance(node, c_ast.Case) else None
            yield from _flat(node.stmts or [])
        else:
            yield _c_stmt(node)


# --- our tree -------------------------------------------------------------------------------------------------------


def our_form(function: t.FunctionDecl) -> Form:
    """The same form, from our tree."""
    assert function.body is not None
    parameters = tuple(("decl", p.name, _type(p.type), None) for p in function.parameters)
    return parameters, _stmt(function.body)


def _type(node: t.TypeNode) -> Form:
    quals = tuple(sorted(node.qualifiers - {"__restrict__"}))
    match node:
        case t.NamedType():
            return "named", node.name, quals
        case t.PointerTo():
            return "pointer", _type(node.target), quals
        case t.ArrayOf():
            return "array", _type(node.element), _expr(node.extent)
        case _:
            return type(node).__name__


def _expr(node: t.Expr | None) -> Form:
    match node:
        case None:
            return None
        case t.Binary():
            return "binary", node.op, _expr(node.left), _expr(node.right)
        case t.Unary():
            return "unary", node.op, _expr(node.operand)
        case t.IncDec():
            return "step", node.op, node.prefix, _expr(node.operand)
        case t.Assign():
            return "assign", node.op, _expr(node.target), _expr(node.value)
        case t.Conditional():
            return "conditional", _expr(node.condition), _expr(node.then), _expr(node.otherwise)
        case t.Subscript():
            return "subscript", _expr(node.base), _expr(node.index)
        case t.Member():
            return "member", _expr(node.base), node.name, node.arrow
        case t.Call():
            return "call", _expr(node.callee), tuple(_expr(a) for a in node.args)
        case t.Cast():
            return "cast", _type(node.type), _expr(node.operand)
        case t.SizeOf():
            return "sizeof", _type(node.operand) if isinstance(node.operand, t.TypeNode) else _expr(node.operand)
        case t.Literal():
            return "literal", '"s"' if node.kind is t.LiteralKind.STRING else node.text
        case t.Name():
            if node.template_args is not None:
                raise NotC("template arguments")  # C reads two comparisons
            return "name", node.name
        case t.InitList():
            return "list", tuple(_expr(e) for e in node.items)
        case _:
            return (type(node).__name__,)


def _stmt(node: t.Stmt | None) -> Form:
    match node:
        case None:
            return None
        case t.Compound():
            return "block", tuple(_flat_ours(node.body))
        case t.If():
            return "if", _expr(node.condition), _stmt(node.then), _stmt(node.otherwise)
        case t.For():
            return "for", _init(node.init), _expr(node.condition), _expr(node.step), _stmt(node.body)
        case t.While():
            return "while", _expr(node.condition), _stmt(node.body)
        case t.DoWhile():
            return "do", _stmt(node.body), _expr(node.condition)
        case t.Switch():
            return "switch", _expr(node.selector), _stmt(node.body)
        case t.Break():
            return ("break",)
        case t.Continue():
            return ("continue",)
        case t.Return():
            return "return", _expr(node.value)
        case t.Empty():
            return ("empty",)
        case t.ExprStmt():
            return "expression", _expr(node.expr)
        case t.CaseLabel():
            return "case", _expr(node.value)
        case _:
            return (type(node).__name__,)


def _declared(node: t.DeclStmt) -> tuple[Form, ...]:
    return tuple(
        ("decl", d.name, _type(d.type), _expr(d.init)) if isinstance(d, t.VarDecl) else (type(d).__name__,)
        for d in node.declarations
    )


def _init(node: t.Stmt | None) -> Form:
    if isinstance(node, t.DeclStmt):
        return _declared(node)
    return _expr(node.expr) if isinstance(node, t.ExprStmt) else None


def _flat_ours(body: Sequence[t.Stmt]) -> Iterable[Form]:
    for node in body:
        if isinstance(node, t.DeclStmt):
            yield from _declared(node)
        else:
            yield _stmt(node)


def first_difference(left: Form, right: Form, path: str = "") -> str | None:
    """Where two forms differ first, for people."""
    if isinstance(left, tuple) and isinstance(right, tuple) and len(left) == len(right):
        for index, (a, b) in enumerate(zip(left, right, strict=True)):
            found = first_difference(a, b, f"{path}.{left[0] if left and isinstance(left[0], str) else ''}{index}")
            if found is not None:
                return found
        return None
    return None if left == right else f"{path[-80:]}: {str(left)[:150]} != {str(right)[:150]}"
