"""The function `main` as it is when the program is run with words that are known (`Settings.run_arguments`): for sizes of findings only.

    int n = atoi(argv[1]);                                         run with 4096: 4096
    int r = argc > 2 ? atoi(argv[2]) : 100;                        100
    int m = std::stoi(options.get("-m"));                          run with -m 5: 5
    if (has_flag(argc, argv, "big")) m = 4096;                     without --big: m stays
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "-k")) k = atoi(argv[++i]);           see run_options.py

Numbers stand in the text where words are made into them, and everything else is read as ever: so what holds of constants of the host holds of
them.  A run is one of many: launches are as they are without it, and nothing is proved by its words (`launch_sizes`, which alone asks).  Where nobody says what it is run with,
a run without words tells the blocks that are not constant, and nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from analysis_core.lower.names.scope import Unit
from analysis_core.program.host import host_flow, run_options
from analysis_core.program.host.host_calls import Calls, bare_name
from analysis_core.program.host.run_words import Words, literal, real_number, whole_number, word_of
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.rewrite_syntax import rewritten
from analysis_core.syntax.read.walk_syntax import inside, uncast

_COMPARING = frozenset({"strcmp", "strcasecmp"})
_OPTION = re.compile("-{0,2}[A-Za-z][A-Za-z0-9_-]*")


def as_run(
    unit: Unit, hosts: Sequence[syn.FunctionDecl], calls: Calls, words: tuple[str, ...] | None
) -> tuple[Sequence[syn.FunctionDecl], Calls, frozenset[int]]:
    """The host functions with `main` as it is run with these words, what each calls, and the identity of that `main`."""
    changed: list[syn.FunctionDecl] = []
    found: list[syn.FunctionDecl] = []
    for declaration in hosts:
        run = declaration
        if words is not None and declaration.name == "main" and not declaration.owner:
            run = _main(unit, declaration, words)
        if run is not declaration:
            changed.append(run)
            calls = {**calls, id(run): calls[id(declaration)]}
        found.append(run)
    return found, calls, frozenset(map(id, changed))


def _main(unit: Unit, declaration: syn.FunctionDecl, given: tuple[str, ...]) -> syn.FunctionDecl:
    """`main` with numbers for words; itself where it takes none, or moves through them by itself."""
    names = [parameter.name for parameter in declaration.parameters[:2]]
    if declaration.body is None or len(names) < 2 or names[0] is None or names[1] is None:
        return declaration
    words = Words(names[0], names[1], given)
    for node in inside(declaration.body):
        if words.count in (assigned := set(host_flow.assigned_by(unit, "", node))) or words.name in assigned:
            return declaration
    body = rewritten(declaration.body, lambda node: _as_run(unit, words, node))
    return declaration if body is declaration.body else replace(declaration, body=body)


def _as_run(unit: Unit, words: Words, node: syn.Node) -> syn.Node | None:
    match node:
        case syn.Name(name=name) if name == words.count:
            return literal(node.span, len(words.given) + 1)
        case syn.Call(args=args) if args:
            return _call(words, node)
        case syn.If(condition=condition) if (asked := rewritten(condition, lambda e: _flag(words, e))) is not condition:
            return rewritten(replace(node, condition=asked), lambda inner: _as_run(unit, words, inner))
        case syn.For() | syn.While() | syn.DoWhile():
            return run_options.loop_as_run(unit, words, node, lambda inner: _as_run(unit, words, inner))
        case _:
            return None


def _call(words: Words, call: syn.Call) -> syn.Expr | None:
    """The number that a call makes of a word; 0 or 1 for what it compares."""
    if bare_name(call.callee) in _COMPARING and len(call.args) == 2:
        text, word = run_options.text_of(call.args[1]), word_of(words, call.args[0])
        return None if text is None or word is None else literal(call.span, int(text != word))
    if (option := _asked(words, call)) is not None:
        value = words.named(option)[1]
        return None if value is None else _number(call, value)
    word = word_of(words, call.args[0])
    if word is None and isinstance(call.args[0], syn.Call):
        asked = (run_options.text_of(arg) for arg in call.args[0].args)
        word = next((words.after(text) for text in asked if text is not None and text.startswith("-")), None)
    return None if word is None else words.number(call, word)


def _flag(words: Words, expr: syn.Node) -> syn.Expr | None:
    """Whether the words have the option that a call asks them for."""
    option = _asked(words, expr) if isinstance(expr, syn.Call) else None
    return None if option is None else literal(expr.span, int(words.named(option)[0]))


def _asked(words: Words, call: syn.Call) -> str | None:
    """The option for which a call looks through all words: `has_flag(argc, argv, "big")`."""
    through = [arg for arg in map(uncast, call.args[:-1]) if isinstance(arg, syn.Name) and arg.name == words.name]
    option = run_options.text_of(call.args[-1]) if through else None
    return option if option is not None and _OPTION.fullmatch(option) else None


def _number(call: syn.Call, word: str) -> syn.Expr | None:
    return (whole_number if word.lstrip("+-").isdigit() else real_number)(call.span, word)
