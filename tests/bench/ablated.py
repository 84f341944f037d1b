"""The rules that can be switched off one by one (ablate.py): what each is asked for, and its neutral answer."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from analysis_core.profile import trip_estimates
from analysis_core.profile.null_arguments import Unreached
from analysis_core.report.checks import registry as registry  # all rules are there
from analysis_core.support.derived import derived
from analysis_core.traffic.derived_sizes import InRounds
from analysis_core.traffic.short_rounds import ShortRounds
from tools.gates_table import TABLES

Answer = Callable[..., Any]
"""Of the function that is switched off, and what it is asked."""


@dataclass(frozen=True, slots=True)
class Rule:
    """`off`: while it lasts, the rule gives its neutral answer.  `recorded`: while it lasts, what it is called with is told when the rule gives another."""

    name: str
    off: Callable[[], AbstractContextManager[Any]]
    recorded: Callable[[Callable[[], None]], AbstractContextManager[Any]]


def off(rule: Rule) -> AbstractContextManager[Any]:
    return rule.off()


@contextmanager
def recorded(every: Sequence[Rule], fired: set[str]) -> Iterator[None]:
    """Adds the names of those that answer anything."""
    with ExitStack() as stack:
        for rule in every:
            stack.enter_context(rule.recorded(partial(fired.add, rule.name)))
        yield


Places = Sequence[tuple[Callable[[Any], None], Any]]
"""What sets a function where it is kept, and what is kept there now."""


def _rule(name: str, places: Callable[[], Places], original: Answer, instead: Answer) -> Rule:
    def neutral(*args: Any, **named: Any) -> Any:
        return instead(original, *args, **named)

    def noting(before: Answer, note: Callable[[], None]) -> Answer:
        def noted(*args: Any, **named: Any) -> Any:
            answer, other = before(*args, **named), neutral(*args, **named)
            if isinstance(answer, Iterator):
                answer, other = list(answer), list(other)
                if answer != other:
                    note()
                return iter(answer)
            if answer is not other and answer != other:
                note()
            return answer

        return _standing_for(noted, original)

    @contextmanager
    def put(made: Callable[[Answer], Answer]) -> Iterator[None]:
        kept = list(places())
        try:
            for setting, _ in kept:
                setting(made(kept[0][1]))
            yield
        finally:
            for setting, before in kept:
                setting(before)

    return Rule(
        name,
        lambda: put(lambda _: _standing_for(neutral, original)),
        lambda note: put(lambda before: noting(before, note)),
    )


def _function(name: str, instead: Answer) -> Rule:
    """`folder.module:function`, or `folder.module:Class.method`."""
    path, _, rest = name.partition(":")
    module = importlib.import_module(f"analysis_core.{path}")
    owner, _, attribute = rest.rpartition(".")
    short = f"{path.rpartition('.')[2]}.{rest}"
    if owner:
        held = getattr(module, owner)
        kept = held.__dict__[attribute]
        if isinstance(kept, derived):
            return _rule(short, lambda: [(partial(setattr, kept, "_make"), kept._make)], kept._make, instead)
        if isinstance(kept, staticmethod) and isinstance(kept.__func__, derived):
            inner: Any = kept.__func__
            return _rule(short, lambda: [(partial(setattr, inner, "_make"), inner._make)], inner._make, instead)
        if isinstance(kept, staticmethod):
            return _rule(
                short, lambda: [(lambda f: setattr(held, attribute, _static(f)), kept)], kept.__func__, instead
            )
        return _rule(short, lambda: [(partial(setattr, held, attribute), held.__dict__[attribute])], kept, instead)
    function = getattr(module, attribute or rest)
    if isinstance(function, derived):
        return _rule(short, lambda: [(partial(setattr, function, "_make"), function._make)], function._make, instead)
    return _rule(short, lambda: _references(rest, function), function, instead)


def _static(function: Any) -> Any:
    return function if isinstance(function, staticmethod) else staticmethod(function)


def _standing_for(function: Any, original: Answer) -> Any:
    function.original = original
    return function


def _references(name: str, function: Answer) -> Places:
    """All modules of the analysis that have the function by its name, or what stands for it now."""
    found = []
    for module in list(sys.modules.values()):
        if getattr(module, "__name__", "").startswith("analysis_core."):
            held = vars(module).get(name)
            if held is function or getattr(held, "original", None) is function:
                found.append((partial(setattr, module, name), held))
    return found


def _field(owner: Any, name: str) -> Places:
    return [(partial(object.__setattr__, owner, name), getattr(owner, name))]


def _estimators() -> Iterator[Rule]:
    for number, (because, _, estimator) in enumerate(trip_estimates.ESTIMATORS):

        def setting(function: Any, number: int = number) -> None:
            table = list(trip_estimates.ESTIMATORS)
            table[number] = (*table[number][:2], function)
            trip_estimates.ESTIMATORS = tuple(table)

        def places(number: int = number, setting: Any = setting) -> Places:
            return [(setting, trip_estimates.ESTIMATORS[number][2])]

        yield _rule(f"rounds: {because[:38]}", places, estimator, lambda *_: None)


def _gates() -> Iterator[Rule]:
    owners: dict[int, tuple[Any, list[str]]] = {}
    for code, (module, names) in TABLES.items():
        for name in names:
            for gate in getattr(module, name):
                owners.setdefault(id(gate), (gate, []))[1].append(code)
    for gate, codes in owners.values():
        codes = list(dict.fromkeys(codes))
        yield _rule(
            f"gate {'+'.join(codes)}: {gate.name}",
            lambda gate=gate: _field(gate, "holds"),
            gate.holds,
            lambda *_: False,
        )


def _always(answer: Any) -> Answer:
    return lambda *_, **__: answer


def _first(_: Any, first: Any, *__: Any, **___: Any) -> Any:
    return first


def _second(_: Any, __: Any, second: Any, *___: Any, **____: Any) -> Any:
    return second


def _guess(*fields: str) -> Answer:
    """Nobody guesses so."""

    def other(original: Answer, profile: Any, settings: Any, guess: Any) -> Any:
        usual = {"few": False, "many": frozenset(), "large": False, "blocks": False, "long": False, "small": ""}
        return original(profile, settings, replace(guess, **{name: usual[name] for name in fields}))

    return other


no, none, nothing, empty = _always(False), _always(None), _always({}), _always(frozenset())

FUNCTIONS: tuple[tuple[str, Answer], ...] = (
    ("profile.by_rounds:is_by_rounds", no),
    ("profile.causes:cause_of_access", _first),
    ("domains.unseen:by_unseen", none),
    ("profile.lane_flow:LaneFlows.of_access", none),
    ("profile.lane_flow:LaneFlows.sides", nothing),
    ("profile.near_data:NearData.holds", no),
    ("traffic.rows_in_pieces:is_in_pieces", no),
    ("profile.causes:moves_as_a_whole", no),
    ("profile.edge_blocks:is_at_edge", no),
    ("profile.edge_blocks:axis_of_one_block", none),
    ("profile.inner_blocks:cost_inside", none),
    ("profile.left_overs:LeftOvers.holds", no),
    ("profile.null_arguments:unreached", lambda *_: Unreached()),
    ("profile.kernel_profile:_is_handed_out", no),
    ("profile.runtime_calls:beside_runtime_calls", empty),
    ("profile.runtime_calls:asserted", empty),
    ("profile.tree_levels:tree_levels", nothing),
    ("profile.branch_probability:_halvings", _always(0)),
    ("profile.branch_probability:BranchProbability.alternatives", _always(0)),
    ("profile.branch_probability:BranchProbability.may_end", no),
    ("profile.branch_probability:BranchProbability.decide", no),
    ("profile.kernel_profile:_Beside.is_scaled", no),
    ("profile.idioms.waits:waiting_loops", empty),
    ("profile.idioms.searches:begun_alike", empty),
    ("profile.idioms.matches:asked_for_matches", empty),
    ("profile.idioms.windows:windows", empty),
    ("profile.idioms.alike_sides:alike_sides", nothing),
    ("profile.idioms.else_chains:else_chains", nothing),
    ("profile.light_sides:light_sides", nothing),
    ("profile.sides_by_data:SidesByData.idle", _always(0.5)),
    ("profile.sides_by_data:SidesByData.parting", _always(1.0)),
    ("profile.random_words:expected_wavefronts", none),
    ("profile.random_words:random_wavefronts", none),
    ("profile.whole_loops:with_rests", _first),
    ("profile.sizes:_apart", _first),
    ("profile.sizes:other_sizes", _guess("few", "many")),
    ("profile.sizes:other_sizes", _guess("many")),
    ("profile.sizes:other_sizes", _guess("large")),
    ("profile.sizes:other_sizes", _guess("blocks")),
    ("profile.sizes:other_sizes", _guess("long")),
    ("profile.sizes:other_sizes", _guess("small")),
    ("profile.work:_left_by_data", empty),
    ("profile.work:_needed", _always(0.0)),
    ("profile.work:_Reckoning._part", _always(1.0)),
    ("profile.leaving:_is_strided", no),
    ("traffic.made_requests:made_requests", nothing),
    ("traffic.joined_requests:Joiner.join", none),
    ("traffic.made_requests:_Maker.part_what_some_rounds_join", none),
    ("traffic.rows_in_pieces:in_whole_rows", none),
    ("traffic.rows_in_pieces:usual_cost", none),
    ("traffic.own_arrays:own_arrays", nothing),
    ("traffic.lost_places:likely_sectors", _always(0)),
    ("traffic.seen_sizes:SeenSizes.of_groups", nothing),
    ("traffic.seen_sizes:SeenSizes.at_ends", _always(())),
    ("traffic.seen_sizes:within_room", _first),
    ("traffic.seen_sizes:_sides_taken", nothing),
    ("traffic.seen_masks:mask_at", _first),
    ("traffic.derived_sizes:with_derived", lambda _, values, __: dict(values)),
    ("traffic.at_sizes:AtSizes.traffic", nothing),
    ("traffic.short_rounds:ShortRounds.of", lambda _, kernel, events, lines: ShortRounds(InRounds(events))),
    ("traffic.short_rounds:ShortRounds.at", lambda _, rounds, *__: ShortRounds(rounds.derived)),
    ("traffic.short_rounds:ShortRounds.taken_apart", lambda _, __, event: iter([event])),
    ("traffic.remainders:Remainders.cases", lambda _, __, event: iter([((), event)])),
    ("traffic.next_rounds:are_own_rows", no),
    ("traffic.next_rounds:step_along", _always(0)),
    ("traffic.row_ends:are_row_ends", no),
    ("traffic.side_by_side:_loaded_again", _always([])),
    ("traffic.side_by_side:SideBySide.use_together", lambda *_: _together()),
    ("traffic.footprint:_cover_both", no),
    ("traffic.footprint:_lets_nearly_all", no),
    ("report.checks.divergent_branch:_is_serial", no),
    ("report.findings.alike:by_index", lambda _, found: iter(list(found))),
    ("report.uncalled:quiet_where_uncalled", lambda _, path, kernels, *__: kernels),
    ("report.findings.program_gates:beside_others", lambda _, kernels: kernels),
    ("report.findings.program_gates:as_launched", lambda _, launches, work, found: tuple(found)),
    ("report.instantiations:told_apart", lambda _, kernels, __: kernels),
)


def _together() -> Any:
    from analysis_core.traffic.side_by_side import Together

    return Together()


def rules() -> list[Rule]:
    """All of them, each with a name of its own."""
    from analysis_core.pipeline import pipeline as pipeline  # what is imported from a module is switched off there, too

    found = [*_estimators()]
    for name, instead in FUNCTIONS:
        rule = _function(name, instead)
        same = sum(one.name.startswith(rule.name) for one in found)
        found.append(replace(rule, name=f"{rule.name} {same}") if same else rule)
    return [*found, *_gates()]
