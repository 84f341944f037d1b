"""What launches are over, and how often they are made, as sums of products of sizes (host/size_products.py), in the words of a function that
leads to them.

    void step(float *p, int w, int h) {            // in the words of main: n rounds of w * h threads, and of h
        inside(p, w, h);
        border(p, h);
    }
    void inside(float *p, int a, int b) { all<<<a * b / 256, 256>>>(p); }
    void border(float *p, int m) { side<<<m / 256, 256>>>(p); }
    int main() { for (int i = 0; i < n; i++) step(p, w, h); }

Loops that count up make as many rounds as they count to, at most; how many others make is not known (None).
"""

from __future__ import annotations

from collections.abc import Collection, Container, Hashable, Iterator, Mapping, Sequence
from dataclasses import field, replace

from analysis_core.program.host.held_sizes import Held, settings_in
from analysis_core.program.host.host_calls import bare_name
from analysis_core.program.host.host_flow import assigned_base, targets_of
from analysis_core.program.host.size_products import (
    Names,
    Sizes,
    Steps,
    constant_of,
    extents_of,
    itself,
    number_of,
    product_of,
    quotient,
    sizes_of,
    substituted,
)
from analysis_core.program.launch_choices import Choices, Choosing, handed
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.walk_syntax import inside, uncast
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

DEEP = 4
"""Calls that are followed from a function that nobody calls."""

MOST = 48
"""Launches that one function leads to which are compared with each other."""

Rounds = Mapping[Span, Sizes | None]
"""By loop: how many rounds it makes at most, None where that is not known."""


@dataclass(frozen=True, slots=True)
class Launched:
    """A launch in the text of a function. `kernel`: its bare name; `blocks`: their number, `threads`: of all blocks
    together, None where they cannot be read; `rounds`: of the loops around it; `choices`: the sides of tests on which
    it stands and of which a run takes one; `handed`: the values of its arguments; `extents`: of the grid, x first."""

    span: Span
    kernel: str
    blocks: Sizes | None
    rounds: Rounds
    threads: Sizes | None = None
    choices: Choices = field(default_factory=dict)
    handed: Sequence[Sizes | None] = ()
    extents: Sequence[Sizes | None] = ()


@dataclass(frozen=True, slots=True)
class Called:
    """A call of a function that leads to launches. `handed`: the values of its arguments; `rounds`: of the loops
    around it; `names`: the arguments that are variables which no loop around it changes; `choices`: as in `Launched`.
    """

    name: str
    span: Span
    handed: Sequence[Sizes | None]
    rounds: Rounds
    names: Sequence[str] = ()
    choices: Choices = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Leading:
    """A function, at `span`, that leads to launches. `parameters`: their names; `own`: the names of its variables;
    `launches`, `calls`: those in its text. `hot`: its loops that may make many rounds, for all that their text says;
    `changed`: the names that each loop sets."""

    name: str
    span: Span
    parameters: Sequence[str]
    own: Collection[str]
    launches: Sequence[Launched]
    calls: Sequence[Called]
    hot: frozenset[Span] = frozenset()
    changed: Mapping[Span, frozenset[str]] = field(default_factory=dict)

    @staticmethod
    def of(function: syn.FunctionDecl, leading: Container[str], names: Names) -> Leading:
        """What the text of one function says. `leading`: names of functions that lead to launches; `names`: what is
        known outside of the function."""
        assert function.body is not None
        nodes = list(inside(function.body))
        places = Places(nodes, names)
        loops = [node for node in nodes if isinstance(node, syn.Loop)]
        return Leading(
            function.name,
            function.name_span,
            [parameter.name or "" for parameter in function.parameters],
            places.locals,
            tuple(places.launches()),
            tuple(places.calls(leading)),
            frozenset(loop.span for loop in loops if _may_be_hot(loop)),
            {loop.span: _changed_in(loop) for loop in loops},
        )


class Places:
    """The sizes that variables hold at places of a function. `names`: what names stand for outside of it."""

    def __init__(self, nodes: Sequence[syn.Node], names: Names) -> None:
        self._nodes, self._settings = nodes, settings_in(nodes)
        variables = [node for node in nodes if isinstance(node, syn.VarDecl)]
        own = {node.name: node.init for node in variables if node.name not in self._settings.made}
        self._names = replace(names, values={**names.values, **own})
        # The body of a lambda runs as often as somebody calls it.
        self._loops = [node for node in nodes if isinstance(node, syn.Loop | syn.Lambda) and not _is_once(node)]
        self._choosing = Choosing(nodes)
        self.locals = frozenset(node.name for node in variables)

    def launches(self) -> Iterator[Launched]:
        """The launches, in source order."""
        for node in self._nodes:
            if isinstance(node, syn.KernelLaunch) and node.config:
                grid, block = node.config[0], node.config[1] if len(node.config) > 1 else None
                within = self._at(node.span)
                blocks = sizes_of(grid, within)
                threads = None if block is None else product_of((blocks, sizes_of(block, within)))
                rounds = self._rounds_around(node.span, within)
                choices = self._choosing.at(node.span)
                passed = tuple(sizes_of(arg, within) for arg in node.args)
                extents = extents_of(grid, within)
                name = bare_name(uncast(node.callee))
                yield Launched(node.span, name, blocks, rounds, threads, choices, passed, extents)

    def calls(self, wanted: Container[str]) -> Iterator[Called]:
        """The calls of these functions."""
        for node in self._nodes:
            if isinstance(node, syn.Call) and (name := bare_name(node.callee)) in wanted:
                within = self._at(node.span)
                passed = tuple(sizes_of(arg, within) for arg in node.args)
                rounds, names = self._rounds_around(node.span, within), self._choosing.names(node)
                yield Called(name, node.span, passed, rounds, names, self._choosing.at(node.span))

    def _at(self, place: Span) -> Names:
        names = replace(self._names, steps=Steps())
        return replace(names, known=Held(self._settings, place, names))

    def _rounds_around(self, place: Span, names: Names) -> dict[Span, Sizes | None]:
        return {loop.span: _rounds(loop, names) for loop in self._loops if loop.span.encloses(place)}


def _rounds(loop: syn.Node, names: Names) -> Sizes | None:
    """How many rounds a loop makes that counts up, at most."""
    match loop:
        case syn.For(condition=syn.Binary(op="<" | "<=" | "!=", right=end), step=syn.IncDec(op="++")):
            return sizes_of(end, names)
        case syn.For(condition=syn.Binary(op="<" | "<=" | "!=", right=end), step=syn.Assign(op="+=", value=step)):
            by, most = sizes_of(step, names), sizes_of(end, names)
            return None if by is None or most is None or constant_of(by) is None else quotient(most, by)
        case _:
            return None


def _is_once(loop: syn.Node) -> bool:
    """`do { .. } while (0)`, as macros are written."""
    return isinstance(loop, syn.DoWhile) and number_of(loop.condition) == 0


def _may_be_hot(loop: syn.Stmt) -> bool:
    """Whether a loop of which nobody knows how long it is may make many rounds: not one that counts down, or by factors."""
    if not isinstance(loop, syn.For) or loop.step is None or not isinstance(loop.condition, syn.Binary):
        return not _is_once(loop)
    return isinstance(loop.step, syn.Assign | syn.IncDec) and loop.step.op in ("++", "+=")


def _changed_in(loop: syn.Stmt) -> frozenset[str]:
    """The names that a loop sets, its counter among them."""
    targets = (target for node in inside(loop) for target in targets_of(node))
    return frozenset(name for target in targets for name in assigned_base(target))


def launches_below(function: Leading, by_name: Mapping[str, Leading], deep: int = DEEP) -> list[Launched]:
    """The launches that a function makes, itself and through the functions that it calls, in the function's own words.
    Calls that make a launch alike give it once."""
    found = {_made(one): one for one in function.launches}
    for call in function.calls:
        below = by_name.get(call.name)
        if below is not None and deep > 0 and len(found) <= MOST:
            said = (_in_callers_words(one, call, below, deep) for one in launches_below(below, by_name, deep - 1))
            found.update((_made(one), one) for one in said)
    return list(found.values())


def _in_callers_words(launch: Launched, call: Called, below: Leading, deep: int) -> Launched:
    """A launch in the words of a caller.  Variables that are the function's own have other names there."""
    meant: dict[str, Sizes | None] = {name: itself(f"{name}'{deep}") for name in below.own}
    meant |= dict(zip(below.parameters, call.handed, strict=False))

    def said(sizes: Sizes | None) -> Sizes | None:
        return None if sizes is None else substituted(sizes, meant)

    rounds = {loop: said(sizes) for loop, sizes in launch.rounds.items()}
    choices = {**call.choices, **handed(launch.choices, below.parameters, call.names)}
    return replace(
        launch,
        blocks=said(launch.blocks),
        threads=said(launch.threads),
        rounds={**call.rounds, **rounds},
        choices=choices,
        handed=tuple(map(said, launch.handed)),
        extents=tuple(map(said, launch.extents)),
    )


def _made(launch: Launched) -> Hashable:
    """The launch, and how often it is made over how many threads: calls may hand other sizes to it."""
    rounds = frozenset((loop, _read(sizes)) for loop, sizes in launch.rounds.items())
    sizes = (launch.blocks, launch.threads, *launch.handed)
    return launch.span, tuple(map(_read, sizes)), rounds, frozenset(launch.choices.items())


def _read(sizes: Sizes | None) -> Hashable:
    return None if sizes is None else frozenset(sizes.items())
