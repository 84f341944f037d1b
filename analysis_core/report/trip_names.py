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
from analysis_core.profile.access_profile import AccessProfile, KernelProfile
from analysis_core.requests.facts import AccessFact, BranchFact, CostCase, Kept, KernelFacts, Splits, SymbolInfo
from analysis_core.text.span import Span

_REST = re.compile(r"(after|upto)(\d+)$")


def named_by_line(profile: KernelProfile, line: Callable[[Span], int]) -> KernelProfile:
    """The profile with trip counts named after lines; `line` gives the 1-based line on which a span starts."""
    names = _names(profile.facts, line)
    return _Naming(names).kernel(profile) if names else profile


class _Naming:
    """Puts new names of trip counts in place of the old ones, in all that mentions them."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self._names, self._spelled = names, _spelled(names)
        self._pattern = re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in self._spelled))
        self._symbols = {name: _left(name, new) for name, new in names.items()}
        # By identity: most events of a loop share one expression, which the facts hold.
        self._made: dict[int, Expression] = {}

    def text(self, old: str) -> str:
        return self._pattern.sub(lambda match: self._spelled[match[0]], old)

    def expression(self, old: Expression | None) -> Expression | None:
        if old is None:
            return None
        if id(old) not in self._made:
            self._made[id(old)] = substitute(old, self._symbols)
        return self._made[id(old)]

    def kernel(self, profile: KernelProfile) -> KernelProfile:
        facts, names = profile.facts, self._names
        accesses = tuple(map(self.access, profile.accesses))
        branches = tuple(replace(one, fact=self.branch(one.fact)) for one in profile.branches)
        bounds = facts.bounds
        named = replace(
            facts,
            accesses=tuple(one.fact for one in accesses),
            branches=tuple(one.fact for one in branches),
            symbols=_renamed(facts.symbols, names),
            assumptions=tuple(replace(assumption, text=self.text(assumption.text)) for assumption in facts.assumptions),
            bounds=bounds and rewritten(bounds, lambda e: substitute(e, self._symbols), self.text),
        )
        return replace(
            profile,
            facts=named,
            accesses=accesses,
            branches=branches,
            trips={names.get(name, name): estimate for name, estimate in reversed([*profile.trips.items()])},
        )

    def access(self, old: AccessProfile) -> AccessProfile:
        return replace(old, fact=self.fact(old.fact), merged=None if old.merged is None else self.access(old.merged))

    def fact(self, old: AccessFact) -> AccessFact:
        block, picture = old.block, old.picture
        if picture is not None and picture.stride is not None:
            picture = replace(picture, stride=self.text(picture.stride))
        return replace(
            old,
            times=self.expression(old.times),
            cases=tuple(CostCase(self.text(case.when), case.cost) for case in old.cases),
            picture=picture,
            variation=replace(old.variation, spread=self.expression(old.variation.spread)),
            block=replace(
                block,
                total=self.expression(block.total),
                executed=self.expression(block.executed),
                kept=block.kept and self.kept(block.kept),
            ),
        )

    def kept(self, old: Kept) -> Kept:
        times, total, executed = (self.expression(e) or ZERO for e in (old.times, old.total, old.executed))
        return Kept(times, total, executed, old.loop, old.leaving)

    def branch(self, old: BranchFact) -> BranchFact:
        splits = Splits(
            old.splits.active,
            tuple(replace(row, times=self.expression(row.times) or ZERO) for row in old.splits.rows),
            self.expression(old.splits.upper) or ZERO,
            self.expression(old.splits.lower) or ZERO,
        )
        leaving = replace(old.leaving, rounds=self.expression(old.leaving.rounds))
        return replace(old, times=self.expression(old.times), splits=splits, leaving=leaving)


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
