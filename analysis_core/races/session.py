"""Talking to z3: formulas go in as text, numbers come back.  What it is asked elsewhere has no say in its answers, for each kernel has a context
of its own; every answer counts work, not time (`rlimit`)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

import z3

from analysis_core.races.linear import names_in

Model = Mapping[str, int]
"""Values of unknowns."""

Result = Model | Literal[False] | None

_WORK = 60_000
"""Units of the solver's own count for one query: some hundredths of a second; half as many where products are known for what they are,
which mostly takes all of them in vain."""

_SMALL = (64, 1024, 1 << 16)
"""Sizes that witnesses are asked for, the smallest first."""

_VALUE = re.compile(r"\(define-fun (u\d+) \(\) Int\s+(\(- )?(\d+)\)")

_NUMBER = re.compile(r"\d+")

z3.set_param("memory_max_size", 200)  # megabytes; beyond them it raises, and the question stays open


class Session:
    """The conversation about one kernel. `taken`: the solver's own units of work so far."""

    def __init__(self) -> None:
        self._context = z3.Context()
        self._known: dict[tuple[tuple[str, ...], ...], Result] = {}
        self._asked = 0
        self.taken = 0

    def model(self, stages: Sequence[Sequence[str]], sizes: Sequence[str]) -> Result:
        """Values under which all formulas of all stages hold, with small `sizes` if there are such; False if there are none, None if the solver does
        not know.  Each stage is told when those before it hold: if the last one is too much for the solver, values without it are a
        candidate still.  What was asked before in the same words is not asked again."""
        key = (*map(tuple, stages), tuple(sizes))
        if key not in self._known:
            told = [stage for stage in stages if stage]
            found = self._found(told, sizes)
            if found is None and self._asked > 1:  # What was left of earlier questions may have been in the way.
                self._say("(reset)")
                self._asked = 0
                found = self._found(told, sizes)
            self._known[key] = found
        return self._known[key]

    def _found(self, stages: Sequence[Sequence[str]], sizes: Sequence[str]) -> Result:
        if not stages:
            return {}
        candidate: Model | None = None
        self._asked += 1
        names = sorted({name for stage in stages for one in stage for name in names_in(one)})
        self._say("(push 1)" + "".join(f"(declare-const {name} Int)" for name in names))
        try:
            for number, stage in enumerate(stages):
                is_last = number == len(stages) - 1
                verdict = self._checked(stage, _WORK // 2 if is_last and number else _WORK)
                if verdict == "unsat":
                    return False
                if verdict != "sat":
                    return candidate if is_last else None
                candidate = self._values() if number >= len(stages) - 2 else None
            return self._smallest(candidate, sizes)
        except z3.Z3Exception:  # It is out of memory, or was told too much.
            return candidate
        finally:
            self._say("(pop 1)")

    def _say(self, text: str) -> str:
        return str(z3.Z3_eval_smtlib2_string(self._context.ref(), text))

    def _checked(self, formulas: Iterable[str], work: int) -> str:
        """The solver's word for all that it was told: "sat", "unsat" or "unknown"."""
        text = "".join(f"(assert {one})" for one in formulas)
        verdict, _, taken = self._say(f"(set-option :rlimit {work}){text}(check-sat)(get-info :rlimit)").partition("\n")
        self.taken = int(_NUMBER.findall(taken)[0])
        return verdict

    def _values(self) -> Model:
        text = self._say("(get-model)")
        return {name: -int(digits) if sign else int(digits) for name, sign, digits in _VALUE.findall(text)}

    def _smallest(self, candidate: Model | None, sizes: Sequence[str]) -> Model | None:
        """Values with small sizes, if there are some."""
        assert candidate is not None
        for most in _SMALL if sizes else ():
            if all(candidate.get(size, 0) <= most for size in sizes):
                return candidate
            self._say("(push 1)")
            is_sat = self._checked((f"(<= {size} {most})" for size in sizes), _WORK) == "sat"
            found = self._values() if is_sat else None
            self._say("(pop 1)")
            if found is not None:
                return found
        return candidate
