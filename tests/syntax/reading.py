"""Short notation for syntax trees, so that a test can say what a text is read as."""

from __future__ import annotations

from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from analysis_core.syntax.parse import parse
from analysis_core.syntax.read import tree as t


def read(text: str, last_good: str | None = None) -> t.SyntaxTree:
    """The tree of one file without includes."""
    good = last_good.encode() if last_good is not None else None
    return parse("a.cu", MemoryFiles({"a.cu": text.encode()}), Settings(), good)


def functions(tree: t.SyntaxTree) -> dict[str, t.FunctionDecl]:
    """The functions with a body, by name."""
    return {d.name: d for d in tree.declarations if isinstance(d, t.FunctionDecl) and d.body is not None}


def body(text: str, before: str = "") -> tuple[t.Stmt, ...]:
    """The statements of a kernel with that body, which must be read without problems."""
    tree = read(f"{before}\n__global__ void k(float *a, const int *p, int n, int w, int h) {{ {text} }}")
    assert not tree.problems, [p.reason for p in tree.problems]
    function = functions(tree)["k"]
    assert function.body is not None
    return function.body.body


def expression(text: str, before: str = "") -> str:
    """The notation of an expression statement."""
    (statement,) = body(text + ";", before)
    assert isinstance(statement, t.ExprStmt), statement
    return say(statement.expr)


def say(node: t.Expr | t.TypeNode | None) -> str:
    """Fully parenthesised C-like notation; casts are `(type:style)operand`, constructions `type{...}`."""
    match node:
        case None:
            return ""
        case t.Binary():
            return f"({say(node.left)} {node.op} {say(node.right)})"
        case t.Assign():
            return f"({say(node.target)} {node.op} {say(node.value)})"
        case t.Unary():
            return f"({node.op}{say(node.operand)})"
        case t.IncDec():
            return f"({node.op}{say(node.operand)})" if node.prefix else f"({say(node.operand)}{node.op})"
        case t.Conditional():
            return f"({say(node.condition)} ? {say(node.then)} : {say(node.otherwise)})"
        case t.Subscript():
            return f"{say(node.base)}[{say(node.index)}]"
        case t.Member():
            return f"{say(node.base)}{'->' if node.arrow else '.'}{node.name}{_template(node.template_args)}"
        case t.Call():
            return f"{say(node.callee)}({_list(node.args)})"
        case t.KernelLaunch():
            return f"{say(node.callee)}<<<{_list(node.config)}>>>({_list(node.args)})"
        case t.Cast():
            return f"({say(node.type)}:{node.style}){say(node.operand)}"
        case t.Construct():
            return f"{say(node.type)}{{{_list(node.args)}}}"
        case t.InitList():
            items = (f"{d}={say(i)}" if d else say(i) for d, i in zip(node.designators, node.items, strict=True))
            return "{" + ", ".join(items) + "}"
        case t.SizeOf():
            kind = "type" if isinstance(node.operand, t.TypeNode) else "value"
            return f"{node.operator}({kind} {say(node.operand)})"
        case t.Literal():
            return node.text
        case t.Name():
            return node.name + _template(node.template_args)
        case t.Lambda():
            return f"lambda[{','.join(node.captures)}]"
        case t.OpaqueExpr():
            return f"<{node.cause.kind.value}>"
        case t.NamedType():
            return "".join(q + " " for q in sorted(node.qualifiers)) + node.name + _template(node.template_args)
        case t.PointerTo():
            return say(node.target) + "*" + "".join(" " + q for q in sorted(node.qualifiers))
        case t.ReferenceTo():
            return say(node.target) + ("&&" if node.rvalue else "&")
        case t.ArrayOf():
            return f"[{say(node.extent)}]{say(node.element)}"
        case t.FunctionOf():
            return f"{say(node.result)}({', '.join(say(p.type) for p in node.parameters)})"
        case _:
            return type(node).__name__


def _list(args: tuple[t.Expr, ...]) -> str:
    return ", ".join(say(a) for a in args)


def _template(args: tuple[t.TemplateArg, ...] | None) -> str:
    return "" if args is None else "<" + ", ".join(say(a) for a in args) + ">"
