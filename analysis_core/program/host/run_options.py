"""Loops of the host that go through the words of its command line, as they are when these are known.

    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "-n")) n = atoi(argv[++i]);           run with -n 512: 512
        else if (std::string(argv[i]) == "-m") m = atoi(argv[i + 1]);   without -m: what m was before
    }
    while ((c = getopt(argc, argv, "n:")) != -1)
        switch (c) { case 'n': n = atoi(optarg); break; }          the same

What stands under a test for one option is done if that is among the words, and then behind the loop; a variable that it sets
more than once, or to anything but a number made of a word behind the option, is unknown there.  The rest of the loop stays.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from analysis_core.lower.names.scope import Unit
from analysis_core.program.host import host_flow
from analysis_core.program.host.host_calls import bare_name
from analysis_core.program.host.host_cases import cases_of
from analysis_core.program.host.run_words import Words
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.rewrite_syntax import rewritten
from analysis_core.syntax.read.walk_syntax import inside, uncast
from analysis_core.text.records import dataclass

_COMPARING = frozenset({"strcmp", "strcasecmp", "strncmp"})
_GETTING = frozenset({"getopt", "getopt_long", "getopt_long_only"})
_VALUE = "optarg"

_Inner = Callable[[syn.Node], syn.Node | None]


@dataclass(frozen=True, slots=True)
class _Part:
    """What is done for any of these options."""

    options: tuple[str, ...]
    done: tuple[syn.Stmt, ...]


def loop_as_run(unit: Unit, words: Words, loop: syn.For | syn.While | syn.DoWhile, inner: _Inner) -> syn.Stmt | None:
    """The loop without what it does for single options, and behind it what it does for those that are given; None where it does not go through
    the words.  `inner`: what becomes of nodes of other loops."""
    nodes = list(inside(loop))
    gets = any(isinstance(node, syn.Call) and bare_name(node.callee) in _GETTING for node in nodes)
    if not gets and not any(_is_word(words, node) for node in nodes):
        return None
    if gets and any(word.startswith("--") for word in words.given):
        return None  # which letter is meant is said elsewhere
    parts: list[_Part] = []
    rest = rewritten(loop.body, lambda node: _without(node, gets, parts, inner))
    behind = [stmt for part in parts for stmt in _done(unit, words, part, gets)]
    return syn.Compound(span=loop.span, body=(replace(loop, body=rest), *behind))


def text_of(expr: syn.Expr, kind: syn.LiteralKind = syn.LiteralKind.STRING) -> str | None:
    """What is between the quotes of a literal."""
    if not isinstance(expr, syn.Literal) or expr.kind is not kind or expr.text[:1] not in ('"', "'"):
        return None
    return expr.text[1:-1]


def _is_word(words: Words, node: syn.Node) -> bool:
    """Whether this is a word that a variable picks."""
    if not isinstance(node, syn.Subscript) or isinstance(node.index, syn.Literal):
        return False
    return isinstance(node.base, syn.Name) and node.base.name == words.name


def _without(node: syn.Node, gets: bool, parts: list[_Part], inner: _Inner) -> syn.Node | None:
    """A statement of the loop without what is done for single options, which goes to `parts`."""
    match node:
        case syn.If(condition=condition) if options := tuple(_options(condition)):
            parts.append(_Part(options, (node.then,)))
            rest = node.otherwise
            if rest is not None:
                rest = rewritten(rest, lambda below: _without(below, gets, parts, inner))
            return replace(node, then=syn.Compound(span=node.then.span, body=()), otherwise=rest)
        case syn.Switch(body=syn.Compound() as body) if gets:
            kept: list[syn.Stmt] = []
            for labels, done, _ in cases_of(body.body):
                if letters := _letters(labels):
                    parts.append(_Part(tuple(f"-{letter}" for letter in letters), tuple(done)))
                else:
                    kept += done
            return replace(node, body=replace(body, body=tuple(kept)))
        case _:
            return None


def _options(condition: syn.Expr) -> Iterator[str]:
    """The texts of which a word is one where the condition holds; none where that is not what it asks."""
    match condition:
        case (
            syn.Unary(op="!", operand=syn.Call() as call)
            | syn.Binary(op="==", left=syn.Call() as call, right=syn.Literal(text="0"))
        ):
            if bare_name(call.callee) in _COMPARING:
                yield from (text for arg in call.args if (text := text_of(arg)) is not None)
        case syn.Binary(op="==", left=left, right=right):
            yield from (text for side in (left, right) if (text := text_of(uncast(side))) is not None)
        case syn.Binary(op="||", left=left, right=right):
            one, other = list(_options(left)), list(_options(right))
            yield from (*one, *other) if one and other else ()
        case syn.Binary(op="&&", left=left, right=right):
            yield from list(_options(left)) or _options(right)
        case _:
            pass


def _letters(labels: Iterable[syn.CaseLabel]) -> list[str]:
    """The letters that lead to a case; none where a label is none."""
    found = [None if one.value is None else text_of(uncast(one.value), syn.LiteralKind.CHAR) for one in labels]
    return [letter for letter in found if letter is not None] if None not in found else []


def _done(unit: Unit, words: Words, part: _Part, gets: bool) -> Iterator[syn.Stmt]:
    """What is done for an option that is given."""
    given = [word[:2] for word in words.given] if gets else []
    option = next((o for o in part.options if words.has(o) or o in given), None)
    if option is None:
        return
    nodes = [node for stmt in part.done for node in inside(stmt)]
    often = Counter(name for node in nodes for name in host_flow.assigned_by(unit, "", node))
    values = dict(_values(words, option, nodes))
    for node in nodes:
        for name in host_flow.assigned_by(unit, "", node):
            if often.pop(name, 0) == 1 and isinstance(node, syn.Assign) and node.op == "=":
                value = values.get(id(node), node.value)
            else:
                value = syn.Name(span=node.span, name=words.name)  # nobody knows
            target = syn.Name(span=node.span, name=name)
            made = syn.Assign(span=node.span, op="=", target=target, value=value)
            if isinstance(node, syn.Assign) and not isinstance(node.target, syn.Name):
                made = node  # sets a part of the variable
            yield syn.ExprStmt(span=node.span, expr=made)


def _values(words: Words, option: str, nodes: Iterable[syn.Node]) -> Iterator[tuple[int, syn.Expr]]:
    """By identity of an assignment the number that it sets, made of a word behind the option."""
    passed = 0  # words that a counter has gone on by
    counted: set[int] = set()
    for node in nodes:
        if isinstance(node, syn.IncDec) and node.op == "++" and id(node) not in counted:
            passed += 1
        call = uncast(node.value) if isinstance(node, syn.Assign) else None
        if not isinstance(call, syn.Call) or not call.args:
            continue
        word: str | None = None
        match uncast(call.args[0]):
            case syn.Name(name=name) if name == _VALUE:
                word = words.after(option) or next((w[2:] for w in words.given if w[:2] == option and w[2:]), None)
            case syn.Subscript(base=syn.Name(name=name), index=index) if name == words.name:
                offset = _offset(index)
                word = None if offset is None else words.after(option, passed + offset)
                if isinstance(index, syn.IncDec):
                    counted.add(id(index))
                    passed += 1
            case _:
                pass
        value = None if word is None else words.number(call, word)
        if value is not None:
            yield id(node), value


def _offset(index: syn.Expr) -> int | None:
    """How far behind the counter a word is that is picked so."""
    match index:
        case syn.Name():
            return 0
        case syn.IncDec(op="++", prefix=prefix):
            return int(prefix)
        case syn.Binary(
            op="+", left=syn.Name() | syn.Member(), right=syn.Literal(text=("1" | "2" | "3" | "4") as text)
        ):
            return int(text)
        case _:
            return None
