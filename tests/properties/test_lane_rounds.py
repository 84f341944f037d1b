"""What lanes wait for in loops, in rounds, against loops that are gone through in Python.

Random loops are left at their test, by a `break` or by a `return`, at rounds that depend on the lane, a constant or a size.  `spread` is no
less than the rounds by which two lanes of a warp leave apart, and what that says where all is decided; the part of the rounds that lanes
wait is what is counted, wherever it is told.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

import pytest

from analysis_core.interp.interpret import interpret
from analysis_core.ir.nodes import LoopKind
from analysis_core.pipeline.pipeline import lower, read
from analysis_core.profile.leaving import waited
from analysis_core.program.launch import Launch
from analysis_core.requests.evaluate import evaluate
from analysis_core.requests.facts import BranchFact
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings

BLOCK, WARP, MOST = 64, 32, 400
LANES = ("t", "(t & 31)", "(t & 1)", "(t % 4)", "(t % 32 / 8)", "(31 - t % 32)", "(t / 32)", "(t & 15)")
SETTINGS = Settings(kernel_seconds=20.0)


@dataclass(frozen=True)
class Loop:
    """`for (int i = 0; test; i += step)`, with ways out in each round: conditions, and whether they stand before what the round does."""

    test: str
    step: int
    exits: tuple[str, ...]
    words: tuple[str, ...]

    def text(self) -> str:
        ways = "".join(f"        if ({e}) {w};\n" for e, w in zip(self.exits, self.words, strict=True))
        return (
            "__global__ void k(float *a, int n, int m) {\n    int t = threadIdx.x;\n    float s = 0.0f;\n"
            f"    for (int i = 0; {self.test}; i += {self.step}) {{\n{ways}        s += a[i];\n    }}\n    a[t] = s;\n}}\n"
        )

    def rounds(self, t: int, n: int, m: int) -> int | None:
        """How many rounds a lane begins; None for too many."""
        made, i = 0, 0
        while _holds(self.test, t, i, n, m):
            made += 1
            if made > MOST:
                return None
            if any(_holds(e, t, i, n, m) for e in self.exits):
                break
            i += self.step
        return made


def _holds(condition: str, t: int, i: int, n: int, m: int) -> bool:
    text = condition.replace("/", "//").replace("&&", " and ").replace("||", " or ")
    if "?" in text:
        bound, rest = text[len("i < (") : -1].split("?")
        yes, no = rest.split(":")
        text = f"i < (({yes}) if ({bound}) else ({no}))"
    return bool(eval(text, {}, {"t": t, "i": i, "n": n, "m": m}))  # our own text


def _length(rng: random.Random) -> str:
    kinds = (
        str(rng.randrange(0, 90)),
        "n",
        "m",
        f"n + {rng.randrange(1, 5)}",
        f"{rng.randrange(1, 6)} * {rng.choice(LANES)}",
    )
    return rng.choice(kinds)


def some_loop(rng: random.Random) -> Loop:
    """Of any kind."""
    test = f"i < {_length(rng)}"
    if rng.random() < 0.35:
        test = f"i < ({rng.choice(LANES)} {rng.choice(('==', '<', '>='))} {rng.randrange(4)} ? {_length(rng)} : {_length(rng)})"
    elif rng.random() < 0.2:
        test += f" && i < {_length(rng)}"
    step, exits = rng.choice((1, 1, 2, 4)), []
    for _ in range(rng.choice((0, 0, 1, 1, 2))):
        end = f"{rng.randrange(1, 6)} * {rng.choice(LANES)}" if rng.random() < 0.8 else _length(rng)
        exits.append(f"i {rng.choice(('==', '>', '>='))} {end}")
    return Loop(test, step, tuple(exits), tuple(rng.choice(("break", "return")) for _ in exits))


def _facts(loop: Loop) -> tuple[BranchFact, ...]:
    kernel = lower(read("k.cu", MemoryFiles({"k.cu": loop.text().encode()}), SETTINGS), SETTINGS).kernels[0]
    launch = Launch((BLOCK, 1, 1), (None, None, None), "option", None, ())
    return evaluate(kernel, launch, interpret(kernel, launch, SETTINGS)).facts.branches


def broken(loop: Loop) -> str | None:
    """What is claimed of the loop and does not hold."""
    facts = _facts(loop)
    tests = [fact for fact in facts if isinstance(fact.kind, LoopKind)]
    told = [fact for fact in facts if fact.leaving.waiting is not None or fact.leaving.lane_rounds]
    for n, m in ((0, 0), (1, 7), (3, 40), (5, 5), (33, 2), (64, 90), (121, 17)):
        made = [loop.rounds(t, n, m) for t in range(BLOCK)]
        rounds = [number for number in made if number is not None]
        if len(rounds) < BLOCK:
            continue
        warps = [rounds[at : at + WARP] for at in range(0, BLOCK, WARP)]
        apart = max(max(warp) - min(warp) for warp in warps)
        for fact in tests:
            if fact.leaving.spread is not None and fact.leaving.spread < apart:
                return f"n={n} m={m}: {fact.leaving.spread} rounds apart, not {apart}\n{loop.text()}"
        kept = sum(WARP * max(warp) for warp in warps)
        idle = sum(max(warp) - number for warp in warps for number in warp) / kept if kept else 0.0
        for fact in told:
            said = waited(fact, {"n": n, "m": m})
            if kept and said is not None and abs(said - idle) > 1e-9:
                return f"n={n} m={m}: idle {said}, not {idle}\n{loop.text()}"
    return None


def check(seeds: range) -> None:
    """Loops of these seeds; of those in which nothing but lanes and constants decides, all are told exactly."""
    for seed in seeds:
        loop = some_loop(random.Random(seed))
        assert (wrong := broken(loop)) is None, f"seed {seed}: {wrong}"


def test_some_loops() -> None:
    check(range(24))


@pytest.mark.nightly
def test_many_loops() -> None:
    check(range(1000, 3000))


@pytest.mark.parametrize(
    ("loop", "spread", "idle"),
    [
        (Loop("i < ((t & 3) == 0 ? 50 : 10)", 1, (), ()), 40, 0.6),
        (Loop("i < 64", 1, ("i == 2 * (t & 31)",), ("break",)), 62, None),
        (Loop("i < 64", 1, ("i >= 31 - (t & 31)",), ("return",)), 31, None),
        (Loop("i < 6", 1, ("i == n",), ("break",)), 0, None),
    ],
)
def test_decided_loops_are_told_exactly(loop: Loop, spread: int, idle: float | None) -> None:
    (test,) = (fact for fact in _facts(loop) if isinstance(fact.kind, LoopKind))
    assert test.leaving.spread == spread
    assert idle is None or test.leaving.waiting == pytest.approx(idle)
    assert broken(loop) is None
