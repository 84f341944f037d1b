"""Turns tree-sitter's statement nodes into syntax nodes: one small function per kind, found in a table."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from analysis_core.support.facts import CauseKind
from analysis_core.syntax.read import (
    expression_parser,
    read_assembly,
    read_declarations,
    read_declarators,
    read_expressions,
    read_functions,
    read_types,
)
from analysis_core.syntax.read.concrete import Concrete, read_concrete
from analysis_core.syntax.read.read_pragmas import with_pragmas
from analysis_core.syntax.read.reader import MAX_DEPTH, TOO_DEEP, Reader
from analysis_core.syntax.read.rendering import Mask, MaskKind, render
from analysis_core.syntax.read.tree import (
    Break,
    Call,
    CaseLabel,
    Compound,
    Continue,
    DeclStmt,
    DoWhile,
    Empty,
    Expr,
    ExprStmt,
    For,
    If,
    Lambda,
    Loop,
    Name,
    OpaqueStmt,
    RangeFor,
    Return,
    Stmt,
    Switch,
    VarDecl,
    While,
)


def read_statement(reader: Reader, node: Concrete) -> Stmt:
    """The statement that `node` stands for; never fails.  Several statements (a `case` with its body) give a Compound."""
    if reader.depth >= MAX_DEPTH:
        return reader.opaque_stmt(node.start, node.end, TOO_DEEP)
    handler = _HANDLERS.get(node.kind)
    reader.depth += 1
    if handler is not None:
        result = handler(reader, node)
        result = with_pragmas(reader, result, node.start) if isinstance(result, Loop) else result
    else:
        body = read_block(reader, [node])
        result = body[0] if len(body) == 1 else _compound_of(reader, node, body)
    reader.depth -= 1
    return result


def _compound_of(reader: Reader, node: Concrete, body: tuple[Stmt, ...]) -> Stmt:
    return Compound(span=reader.span(node.start, node.end), expansion=reader.expansion(node.start), body=body)


def read_block(reader: Reader, nodes: Iterable[Concrete]) -> tuple[Stmt, ...]:
    """The statements of a list of nodes: `case` bodies are flattened, dropped declarations are left out."""
    body: list[Stmt] = []
    for node in nodes:
        if node.kind in _HANDLERS:
            statement = read_statement(reader, node)
            if isinstance(statement, Compound) and _follows_macro(reader, node, body):
                last = body[-1]
                assert isinstance(last, OpaqueStmt)
                body[-1] = replace(last, inner=(statement,))
            else:
                body.append(statement)
        elif node.kind == "case_statement":
            _case(reader, node, body)
        elif node.kind in read_declarations.DECLARATIONS:
            body.extend(_declaration(reader, node))
        elif node.kind == "ERROR":
            body.append(_error(reader, node))
        elif node.named and node.kind != "comment":
            body.append(_bare(reader, node))
        if node.broken:
            body.extend(_unaccounted(reader, node))
    return tuple(body)


def _unaccounted(reader: Reader, node: Concrete) -> list[Stmt]:
    """Opaque statements for the syntax errors in `node` that left no trace in what was read from it."""
    found: list[Stmt] = []
    for error in node.walk():
        if error.kind != "ERROR" and (not error.broken or error.children):
            continue
        start, end = error.start, max(error.end, error.start + 1)
        if not any(low <= start and error.end <= high for low, high in reader.accounted):
            missing = error.kind != "ERROR"
            found.append(reader.opaque_stmt(start, end, f"`{error.kind}` is missing" if missing else "syntax error"))
    return found


def _follows_macro(reader: Reader, node: Concrete, body: list[Stmt]) -> bool:
    """Whether a block is the body of the unknown macro that was read directly before."""
    if not body or not isinstance(body[-1], OpaqueStmt):
        return False
    return any(m.kind is MaskKind.MACRO and m.end == node.start for m in reader.rendered.masks.values())


def _bare(reader: Reader, node: Concrete) -> Stmt:
    """An expression that lost its semicolon, or something that no table knows."""
    value = expression_parser.read_tokens(reader, node.start, node.end)
    reader.accounted.append((node.start, node.end))
    if value is None:
        return reader.opaque_stmt(node.start, node.end, f"statement not understood ({node.kind})")
    return ExprStmt(span=reader.span(node.start, node.end), expansion=reader.expansion(node.start), expr=value)


def _error(reader: Reader, node: Concrete) -> Stmt:
    inner = read_block(reader, [child for child in node.children if child.kind in _HANDLERS and not child.broken])
    return reader.opaque_stmt(node.start, node.end, "syntax error", inner=inner)


def _case(reader: Reader, node: Concrete, body: list[Stmt]) -> None:
    value = node.child("value")
    colon = node.of_kind(":")
    label_end = colon.end if colon is not None else node.end
    body.append(
        CaseLabel(
            span=reader.span(node.start, label_end),
            expansion=reader.expansion(node.start),
            value=read_expressions.read_expression(reader, value) if value is not None else None,
        )
    )
    body.extend(read_block(reader, [child for child in node.children if child.named and child is not value]))


def _declaration(reader: Reader, node: Concrete) -> tuple[Stmt, ...]:
    statement = read_declarations.declaration_as_expression(reader, node)
    span, expansion = reader.span(reader.rendered.lead_in(node.start), node.end), reader.expansion(node.start)
    if statement is not None:
        return (ExprStmt(span=span, expansion=expansion, expr=statement),)
    declarations = read_declarations.read_declarations(reader, node, local=True)
    if not declarations:
        return ()
    return (DeclStmt(span=span, expansion=expansion, declarations=declarations),)


def read_compound(reader: Reader, node: Concrete) -> Compound:
    """A `{ ... }` block."""
    return Compound(
        span=reader.span(node.start, node.end),
        expansion=reader.expansion(node.start),
        body=read_block(reader, node.children),
    )


def _expression(reader: Reader, node: Concrete) -> Stmt:
    span, expansion = reader.span(node.start, node.end), reader.expansion(node.start)
    named = node.named_children()
    if not named:
        return Empty(span=span, expansion=expansion)
    mask = reader.rendered.masks.get(node.start)
    if mask is not None and mask.kind is MaskKind.ASM:
        return read_assembly.assembly(reader, mask)
    if mask is not None and mask.kind is MaskKind.MACRO:
        reason = f"`{reader.text(mask.start)}` is not declared: a macro of a file that was not found?"
        return reader.opaque_stmt(mask.start, mask.end, reason, CauseKind.MISSING)
    if mask is not None and mask.kind is MaskKind.GAP:
        return _gap(reader, mask)
    if len(named) != 1 or named[0].kind == "ERROR":
        stop = node.end - 1 if reader.text(node.end - 1) == ";" else node.end
        value = expression_parser.read_tokens(reader, node.start, stop)
        if value is None:
            return reader.opaque_stmt(node.start, node.end, "syntax error")
        reader.accounted.append((node.start, node.end))
        return ExprStmt(span=span, expansion=expansion, expr=value)
    return ExprStmt(span=span, expansion=expansion, expr=read_expressions.read_expression(reader, named[0]))


def _gap(reader: Reader, mask: Mask) -> Stmt:
    """A line that was blanked; or, where the gap reaches back over what was closed before it, the rest of that."""
    tokens, typing = reader.tokens, reader.unit.typing
    own, before = tokens[mask.start].span, tokens[mask.start - 1].span
    line = "the rest of this line" if before.file == own.file and own.start < before.end <= own.end else "this line"
    reason = f"{line} is being typed" if typing else f"{line} could not be read"
    return replace(reader.opaque_stmt(mask.start, mask.end, reason), typing=typing)


def _condition(reader: Reader, node: Concrete | None, owner: Concrete) -> tuple[Stmt | None, Expr]:
    """`(c)`, `(init; c)` or `(T x = e)`: what comes before the test, and the test."""
    if node is None:
        return None, reader.opaque(owner.start, owner.start + 1, "condition missing")
    init: Stmt | None = None
    value = node.child("value")
    holder = node.child("initializer")
    if holder is not None:
        body = read_block(reader, holder.children)
        init = body[0] if body else None
    if value is None and node.kind == "parenthesized_expression":
        return init, read_expressions.read_expression(reader, node)
    if value is None or (node.broken and not value.broken):
        return init, read_expressions.reread(reader, _inside(node))
    if value.kind == "declaration":
        declared = read_declarations.read_condition_declaration(reader, value)
        span = reader.span(value.start, value.end)
        init = DeclStmt(span=span, declarations=(declared,))
        return init, Name(span=declared.name_span, name=declared.name)
    return init, read_expressions.read_expression(reader, value)


def _inside(node: Concrete) -> Concrete:
    """The node without its parentheses, as a node to read again."""
    return Concrete(node.kind, node.start + 1, max(node.start + 1, node.end - 1), None, True, True)


def _if(reader: Reader, node: Concrete) -> Stmt:
    init, condition = _condition(reader, node.child("condition"), node)
    then = node.child("consequence")
    other = node.child("alternative")
    other_body = [c for c in other.children if c.named] if other is not None else []
    return If(
        span=reader.span(node.start, node.end),
        expansion=reader.expansion(node.start),
        condition=condition,
        then=_body(reader, then, node),
        otherwise=_body(reader, other_body[-1] if other_body else None, other) if other is not None else None,
        is_constexpr=node.of_kind("constexpr") is not None,
        init=init,
    )


def _body(reader: Reader, node: Concrete | None, owner: Concrete) -> Stmt:
    if node is None:
        return reader.opaque_stmt(owner.end - 1, owner.end, "statement missing")
    return read_statement(reader, node)


def _while(reader: Reader, node: Concrete) -> Stmt:
    init, condition = _condition(reader, node.child("condition"), node)
    if init is not None:
        return reader.opaque_stmt(
            node.start,
            node.end,
            "declaration in a loop condition",
            CauseKind.UNSUPPORTED,
            (init, _body(reader, node.child("body"), node)),
        )
    return While(
        span=reader.span(node.start, node.end),
        expansion=reader.expansion(node.start),
        condition=condition,
        body=_body(reader, node.child("body"), node),
    )


def _do(reader: Reader, node: Concrete) -> Stmt:
    _, condition = _condition(reader, node.child("condition"), node)
    return DoWhile(
        span=reader.span(node.start, node.end),
        expansion=reader.expansion(node.start),
        body=_body(reader, node.child("body"), node),
        condition=condition,
    )


def _for(reader: Reader, node: Concrete) -> Stmt:
    init_node, condition, step = node.child("initializer"), node.child("condition"), node.child("update")
    init: Stmt | None = None
    if init_node is not None:
        if init_node.kind in read_declarations.DECLARATIONS:
            body = _declaration(reader, init_node)
            init = body[0] if body else None
        else:
            value = read_expressions.read_expression(reader, init_node)
            init = ExprStmt(span=value.span, expansion=value.expansion, expr=value)
    if any(child.kind == "ERROR" for child in node.children):
        inner = _body(reader, node.child("body"), node)
        return reader.opaque_stmt(node.start, node.end, "syntax error in a loop head", inner=(inner,))
    return For(
        span=reader.span(node.start, node.end),
        expansion=reader.expansion(node.start),
        init=init,
        condition=read_expressions.read_expression(reader, condition) if condition is not None else None,
        step=read_expressions.read_expression(reader, step) if step is not None else None,
        body=_body(reader, node.child("body"), node),
    )


def _range_for(reader: Reader, node: Concrete) -> Stmt:
    declarator, value = node.child("declarator"), node.child("right")
    body = _body(reader, node.child("body"), node)
    if declarator is None or value is None:
        return reader.opaque_stmt(node.start, node.end, "range-for not understood", inner=(body,))
    head = read_types.read_specifiers(reader, node.start + 2, declarator.start)
    base = head[0] if head is not None else read_types.unknown_type(reader, node.start + 2, declarator.start)
    declared = read_declarators.read_declarator(reader, declarator, base, node.start + 2)
    if declared.name is None or declared.name.kind == "structured_binding_declarator":
        return reader.opaque_stmt(node.start, node.end, "structured binding", CauseKind.UNSUPPORTED, (body,))
    name_span = reader.span(declared.name.start, declared.name.end)
    variable = VarDecl(
        span=reader.span(node.start + 2, declarator.end),
        name=reader.text(declared.name.start),
        name_span=name_span,
        type=declared.type,
        storage=frozenset(),
    )
    return RangeFor(
        span=reader.span(node.start, node.end),
        expansion=reader.expansion(node.start),
        variable=variable,
        range=read_expressions.read_expression(reader, value),
        body=body,
    )


def _switch(reader: Reader, node: Concrete) -> Stmt:
    init, selector = _condition(reader, node.child("condition"), node)
    body = _body(reader, node.child("body"), node)
    switch = Switch(
        span=reader.span(node.start, node.end), expansion=reader.expansion(node.start), selector=selector, body=body
    )
    if init is None:
        return switch
    return Compound(span=switch.span, expansion=switch.expansion, body=(init, switch))


def _return(reader: Reader, node: Concrete) -> Stmt:
    named = node.named_children()
    span, expansion = reader.span(node.start, node.end), reader.expansion(node.start)
    if len(named) > 1:
        stop = node.end - 1 if reader.text(node.end - 1) == ";" else node.end
        value = expression_parser.read_tokens(reader, node.start + 1, stop)
        reader.accounted.append((node.start, node.end))
        if value is None:
            value = reader.opaque(node.start + 1, stop, "syntax error")
        return Return(span=span, expansion=expansion, value=value)
    return Return(
        span=span,
        expansion=expansion,
        value=read_expressions.read_expression(reader, named[0]) if named else None,
    )


def _break(reader: Reader, node: Concrete) -> Stmt:
    return Break(span=reader.span(node.start, node.end), expansion=reader.expansion(node.start))


def _continue(reader: Reader, node: Concrete) -> Stmt:
    return Continue(span=reader.span(node.start, node.end), expansion=reader.expansion(node.start))


def _unsupported(reason: str) -> Callable[[Reader, Concrete], Stmt]:
    """A statement outside of the analysed language; its readable parts are kept for their effects."""

    def read(reader: Reader, node: Concrete) -> Stmt:
        parts = [c for c in node.children if c.kind in _HANDLERS or c.kind in read_declarations.DECLARATIONS]
        for clause in node.children:
            if clause.kind == "catch_clause":
                parts.extend(c for c in clause.children if c.kind == "compound_statement")
        return reader.opaque_stmt(node.start, node.end, reason, CauseKind.UNSUPPORTED, read_block(reader, parts))

    return read


def _attributed(reader: Reader, node: Concrete) -> Stmt:
    named = node.named_children()
    return _body(reader, named[-1] if named else None, node)


_HANDLERS: dict[str, Callable[[Reader, Concrete], Stmt]] = {
    "compound_statement": read_compound,
    "expression_statement": _expression,
    "if_statement": _if,
    "while_statement": _while,
    "do_statement": _do,
    "for_statement": _for,
    "for_range_loop": _range_for,
    "switch_statement": _switch,
    "return_statement": _return,
    "break_statement": _break,
    "continue_statement": _continue,
    "attributed_statement": _attributed,
    "goto_statement": _unsupported("goto"),
    "labeled_statement": _unsupported("label"),
    "try_statement": _unsupported("try"),
    "seh_try_statement": _unsupported("try"),
    "throw_statement": _unsupported("throw"),
    "co_return_statement": _unsupported("coroutine"),
    "co_yield_statement": _unsupported("coroutine"),
}


def read_lambda(reader: Reader, node: Concrete) -> Expr:
    """`[captures](parameters) { body }`."""
    captures, body, declarator = node.child("captures"), node.child("body"), node.child("declarator")
    if captures is None or body is None:
        return reader.opaque(node.start, node.end, "lambda not understood")
    ranges = read_types.split_at_commas(reader, captures.start + 1, captures.end - 1)
    parameters = declarator.child("parameters") if declarator is not None else None
    trailing = declarator.of_kind("trailing_return_type") if declarator is not None else None
    return Lambda(
        span=reader.span(node.start, node.end),
        expansion=reader.expansion(node.start),
        captures=tuple(reader.joined(low, high).replace(" ", "") for low, high in ranges),
        parameters=read_declarators.read_parameters(reader, parameters),
        body=read_compound(reader, body),
        made=tuple(made for low, high in ranges if (made := _made_capture(reader, low, high)) is not None),
        result=read_types.read_type_id(reader, trailing.start + 1, trailing.end) if trailing is not None else None,
        template=read_functions.template_parameters(reader, node.of_kind("template_parameter_list")),
        mutable=any(word.text == "mutable" for word in reader.decorations(captures.end, body.start)),
    )


def _made_capture(reader: Reader, start: int, end: int) -> tuple[str, Expr] | None:
    """`x = e`, `&x = e`, `x{e}` in a capture list: the name and what it is initialised with."""
    at = start + (reader.text(start) == "&")
    if end - at < 3 or not reader.text(at).isidentifier() or reader.text(at + 1) not in {"=", "{", "("}:
        return None
    low, high = (at + 2, end) if reader.text(at + 1) == "=" else (at + 2, end - 1)
    value = expression_parser.read_tokens(reader, low, high)
    name = reader.text(at) if at == start else "&" + reader.text(at)
    return name, value if value is not None else reader.opaque(low, high, "capture not understood")


def read_lambda_tokens(reader: Reader, start: int, end: int, prefix: bytes = b"auto l = ") -> Lambda | None:
    """A lambda among tokens that only the expression parser could read: rendered and parsed on its own."""
    rendered = render(reader.tokens, start, end, reader.scope)
    suffix = b" ;"
    rendered.text = prefix + rendered.text + suffix
    rendered.shift(len(prefix))
    root = read_concrete(reader.parser, rendered)
    inner = Reader(reader.unit, reader.scope, rendered, reader.parser, reader.namespace, reader.depth + 1)
    for node in root.walk():
        if node.kind == "lambda_expression" and not node.broken and inner.depth < MAX_DEPTH:
            result = read_lambda(inner, node)
            reader.problems.extend(inner.problems)
            return result if isinstance(result, Lambda) else None
    return None


def read_block_expression(reader: Reader, start: int, end: int) -> Expr | None:
    """GNU C's `({ ...; value; })`: the call of a lambda that captures by reference and returns the last value."""
    block = read_lambda_tokens(reader, start + 1, end - 1, b"auto l = [ & ] ( ) ")
    if block is None:
        return None
    body = block.body.body
    if body and isinstance(body[-1], ExprStmt):
        last = body[-1]
        body = (*body[:-1], Return(span=last.span, expansion=last.expansion, value=last.expr))
    span, expansion = reader.span(start, end), reader.expansion(start)
    inside = Compound(span=block.body.span, expansion=expansion, body=body)
    callee = Lambda(span=span, expansion=expansion, captures=("&",), parameters=(), body=inside)
    return Call(span=span, expansion=expansion, callee=callee, args=())
