"""Names of trip counts for readers: `T17` counts the iterations of the loop at line 17.

The analysis knows no lines, so its trip counts are numbered as their loops are.  Here they get the
name that messages, hovers and JSON show; a second loop on a line is `T17b`.  Everything that mentions a trip count is
rewritten, once per file, where lines are known.

The analysis counts the rounds that are left when the first ones have been executed one by one, and says in a name how many these were:
`T@3after9` where all threads made nine, `T@3upto9` where they may have left in one of them, or not have come to the loop.  Readers know one number, all
rounds of the loop, of which these are the rest.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from analysis_core.bounds.bounds_walk import rewritten
from analysis_core.expressions.expression import (
    ZERO,
    Expression,
    integer,
    maximum,
    safe_name,
    substitute,
    subtract,
    symbol,
    to_text,
)
from analysis_core.requests.facts import AccessFact, CostCase, Kept, KernelFacts, LanePicture, SymbolInfo
from analysis_core.text.span import Span

_REST = re.compile(r"(after|upto)(\d+)$")


def named_by_line(facts: KernelFacts, line: Callable[[Span], int]) -> KernelFacts:
    """The facts with trip counts named after lines; `line` gives the 1-based line on which a span starts."""
    names = _names(facts, line)
    if not names:
        return facts
    spelled = _spelled(names)
    pattern = re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in spelled))
    symbols = {name: _left(name, new) for name, new in names.items()}

    def text(old: str) -> str:
        return pattern.sub(lambda match: spelled[match[0]], old)

    made: dict[int, Expression] = {}  # by identity: most events of a loop share one expression, which the facts hold

    def expression(old: Expression | None) -> Expression | None:
        if old is None:
            return None
        if id(old) not in made:
            made[id(old)] = substitute(old, symbols)
        return made[id(old)]

    def picture(old: LanePicture | None) -> LanePicture | None:
        return old if old is None or old.stride is None else replace(old, stride=text(old.stride))

    def access(old: AccessFact) -> AccessFact:
        return replace(
            old,
            times=expression(old.times),
            spread=expression(old.spread),
            total=expression(old.total),
            executed=expression(old.executed),
            kept=_kept(old.kept, expression),
            merged=None if old.merged is None else access(old.merged),
            cases=tuple(CostCase(text(case.when), case.cost) for case in old.cases),
            picture=picture(old.picture),
        )

    return replace(
        facts,
        accesses=tuple(map(access, facts.accesses)),
        branches=tuple(
            replace(
                branch,
                times=expression(branch.times),
                rounds=expression(branch.rounds),
                splits_upper=expression(branch.splits_upper) or ZERO,
                splits_lower=expression(branch.splits_lower) or ZERO,
                splits=tuple(replace(row, times=expression(row.times) or ZERO) for row in branch.splits),
            )
            for branch in facts.branches
        ),
        symbols=_renamed(facts.symbols, names),
        ranges=tuple(dict.fromkeys(replace(seen, name=names.get(seen.name, seen.name)) for seen in facts.ranges)),
        halving=tuple(dict.fromkeys((names.get(name, name), extent) for name, extent in facts.halving)),
        assumptions=tuple(replace(assumption, text=text(assumption.text)) for assumption in facts.assumptions),
        bounds=None if facts.bounds is None else rewritten(facts.bounds, lambda e: substitute(e, symbols), text),
    )


def _kept(old: Kept | None, expression: Callable[[Expression | None], Expression | None]) -> Kept | None:
    if old is None:
        return None
    times, total, executed = (expression(e) or ZERO for e in (old.times, old.total, old.executed))
    return Kept(times, total, executed, old.loop, old.leaving)


def _names(facts: KernelFacts, line: Callable[[Span], int]) -> Mapping[str, str]:
    """Old name -> new name for every trip count with a place, in source order."""
    trips = [(info.span, info.name) for info in facts.symbols if info.kind == "trip" and info.span is not None]
    taken = {info.name for info in facts.symbols if info.kind != "trip"}
    names: dict[str, str] = {}
    loops: dict[str, str] = {}
    for span, old in sorted(trips):
        loop = _REST.split(old)[0]
        if loop in loops:
            names[old] = loops[loop]
            continue
        plain = f"T{line(span)}"
        new, number = plain, 1
        while new in taken:
            new, number = f"{plain}{'abcdefghijklmnopqrstuvwxyz'[number % 26]}{number // 26 or ''}", number + 1
        taken.add(new)
        names[old] = loops[loop] = new
    return names


def _renamed(infos: Iterable[SymbolInfo], names: Mapping[str, str]) -> tuple[SymbolInfo, ...]:
    """Each name once, with as many rounds done as in any loop that is entered."""
    found: dict[str, SymbolInfo] = {}
    for info in infos:
        new = names.get(info.name)
        if new is None:
            found.setdefault(info.name, info)
            continue
        rest = _REST.search(info.name)
        done = 0 if rest is None else int(rest[2])
        first = found.get(new, info)
        found[new] = replace(info, name=new, source=new, span=first.span, done=max(done, first.done))
    return tuple(found.values())


def _spelled(names: Mapping[str, str]) -> Mapping[str, str]:
    """Text for the names in every spelling."""
    shown = {name: to_text(_left(name, new)) for name, new in names.items()}
    shown = {name: new if new == names[name] or new.startswith("max") else f"({new})" for name, new in shown.items()}
    return {**{safe_name(name): new for name, new in shown.items()}, **shown}


def _left(old: str, new: str) -> Expression:
    """What is left of all rounds of the loop."""
    rest = _REST.search(old)
    if rest is None:
        return symbol(new)
    left = subtract(symbol(new), integer(int(rest[2])))
    return left if rest[1] == "after" else maximum(ZERO, left)
