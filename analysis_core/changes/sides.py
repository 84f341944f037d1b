"""One side of a comparison: kernels with their bounds, loops and findings, read from the JSON of `warpcost check`.

Symbols have the names that the source gives them, so that those of two sides are the same where they are spelled the same.  What
comes from a file of the user's may be anything: `BadSide` says what is wrong with it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from typing import Any

from analysis_core.expressions.expression import Expression, substitute, symbol
from analysis_core.expressions.expression_people import condition_text, from_python
from analysis_core.expressions.rational import Atoms, rational
from analysis_core.text.records import dataclass

Json = Mapping[str, Any]

SCHEMA = 1

_TRIP = re.compile(r"T(\d+)[a-z]*$")


class BadSide(Exception):
    """Raised if a document is not what `check --format json` prints; the text says why, in one line."""


@dataclass(frozen=True, slots=True)
class Case:
    """A case of a bound.  `when`: its condition in Python's words; `shown`: the same as C spells it, with the names of the source."""

    when: str
    shown: str
    upper: Expression | None
    exact: bool


@dataclass(frozen=True, slots=True)
class Amount:
    """A bound: the first case whose condition holds, else `upper`.  `because`: why there is none."""

    upper: Expression | None
    exact: bool
    cases: tuple[Case, ...] = ()
    because: str = ""


@dataclass(frozen=True, slots=True)
class Place:
    """What one place of the text contributes to a metric, per warp."""

    line: int
    text: str
    cost: Expression | None


@dataclass(frozen=True, slots=True)
class Loop:
    """A loop; `head`: the text of `for (..; ..; ..)` or `while (..)` without white space.  `rounds`: the product of sizes that its iterations of a warp are, where they are one product."""

    line: int
    head: str
    rounds: Atoms | None


@dataclass(frozen=True, slots=True)
class Metric:
    """The bounds of one metric."""

    name: str
    warp: Amount
    block: Amount
    launch: Amount
    places: tuple[Place, ...] = ()


@dataclass(frozen=True, slots=True)
class Launch:
    """A kernel under one launch configuration.  `names`: of symbols, as the conditions of cases have them, to those of the source; `parameters`: of these, the
    kernel's own."""

    block: tuple[int, ...]
    grid: tuple[str, ...] | None
    metrics: Mapping[str, Metric]
    loops: tuple[Loop, ...]
    names: Mapping[str, str]
    parameters: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Found:
    """A finding.  `subject`: the text of the access or branch there, "" where it is about neither."""

    path: str
    code: str
    level: str
    line: int
    column: int
    message: str
    fingerprint: str
    subject: str


@dataclass(frozen=True, slots=True)
class KernelSide:
    """`texts`: of its accesses and branches, by which it is known again under another name."""

    path: str
    name: str
    instantiation: str | None
    line: int
    launches: tuple[Launch, ...]
    findings: tuple[Found, ...]
    texts: tuple[str, ...]

    @property
    def shown(self) -> str:
        """Its name, with the arguments of a template."""
        return self.instantiation or self.name


@dataclass(frozen=True, slots=True)
class Side:
    """All that was analysed of one side; `findings`: those of files, which belong to no kernel."""

    kernels: tuple[KernelSide, ...]
    findings: tuple[Found, ...]


def side_of(files: Sequence[Json]) -> Side:
    """A side from the elements of `files` in a document.  Raises `BadSide`."""
    try:
        kernels = [_kernel(kernel, str(file["path"])) for file in files for kernel in file["kernels"]]
        strays = [_found(one, str(file["path"]), {}) for file in files for one in file["findings"]]
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise BadSide(
            f"it is not what `warpcost check --format json` prints ({type(error).__name__}: {error})"
        ) from None
    return Side(tuple(kernels), tuple(strays))


def files_of(document: object) -> Sequence[Json]:
    """The elements of `files` of a document.  Raises `BadSide`."""
    files = document.get("files") if isinstance(document, dict) else None
    if not isinstance(document, dict) or not isinstance(files, list):
        raise BadSide("it is not what `warpcost check --format json` prints")
    if document.get("schema") != SCHEMA:
        raise BadSide(f"it has another schema than {SCHEMA}")
    return files


def _kernel(data: Json, path: str) -> KernelSide:
    launches = data["launches"]
    texts = _texts(launches[0]) if launches else {}
    spelled = {key: text for one in reversed(launches) for key, text in _texts(one).items()}
    return KernelSide(
        path,
        str(data["name"]),
        None if data["instantiation"] is None else str(data["instantiation"]),
        int(data["line"]),
        tuple(map(_launch, launches)),
        tuple(_found(one, path, spelled) for one in data["findings"]),
        tuple(sorted(texts.values())),
    )


def _texts(launch: Json) -> dict[tuple[str, int, int], str]:
    """The texts of accesses and branches by where they stand ("": in the file of the kernel)."""
    here = (*launch["accesses"], *launch["branches"])
    return {(str(one.get("path", "")), *map(int, one["span"])): str(one["text"]) for one in here}  # type: ignore[misc]


def _launch(data: Json) -> Launch:
    names = {str(safe): str(info["source"]) for safe, info in data["symbols"].items()}
    return Launch(
        tuple(map(int, data["block"])),
        None if data["grid"] is None else tuple(map(str, data["grid"])),
        {str(name): _metric(str(name), one, names) for name, one in data["bounds"].items()},
        tuple(_loop(one, names) for one in data["branches"] if one["kind"] == "loop"),
        names,
        frozenset(str(info["source"]) for info in data["symbols"].values() if info["kind"] == "parameter"),
    )


def _metric(name: str, data: Json, names: Mapping[str, str]) -> Metric:
    places = tuple(Place(int(p["line"]), str(p["text"]), _read(p["cost"], names)) for p in data["places"])
    block, launch = _amount(data["per_block"], names), _amount(data["per_launch"], names)
    return Metric(name, _amount(data["per_warp"], names), block, launch, places)


def _amount(data: Json, names: Mapping[str, str]) -> Amount:
    because = data.get("because") or {}
    reason = f"{because['reason']} (line {because['line']})" if because else ""
    cases = tuple(
        Case(str(one["when"]), _spelled(str(one["when"]), names), _read(one["upper"], names), bool(one["exact"]))
        for one in data["cases"]
        if _is_condition(str(one["when"]))
    )
    return Amount(_read(data["upper"], names), bool(data["exact"]), cases, reason)


def _read(text: object, names: Mapping[str, str]) -> Expression | None:
    expression = from_python(text) if isinstance(text, str) else None
    return expression and substitute(expression, {safe: symbol(source) for safe, source in names.items()})


def _is_condition(text: str) -> bool:
    """Whether a condition can be read, as all that were printed can."""
    try:
        ast.parse(text, mode="eval")
        return bool(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False


def _spelled(condition: str, names: Mapping[str, str]) -> str:
    return re.sub(r"\b[A-Za-z_]\w*\b", lambda match: names.get(match[0], match[0]), condition_text(condition))


def _loop(data: Json, names: Mapping[str, str]) -> Loop:
    times = _read(data["times"], names)
    terms = {} if times is None else rational(times)
    # A test runs once more than the body, each time that the loop is come to: the product of most factors is that of the rounds.
    most = max(map(len, terms), default=0)
    products = [atoms for atoms, count in terms.items() if len(atoms) == most and count == 1]
    alone = most > 0 and len(products) == 1 and sum(len(atoms) == most for atoms in terms) == 1
    head = "".join(str(data.get("head") or data["text"]).split())
    return Loop(int(data["line"]), head, products[0] if alone else None)


def _found(data: Json, path: str, texts: Mapping[tuple[str, int, int], str]) -> Found:
    elsewhere = str(data.get("path", ""))
    start, end = map(int, data["span"])
    return Found(
        elsewhere or path,
        str(data["code"]),
        str(data["level"]),
        int(data["line"]),
        int(data["column"]),
        str(data["message"]),
        str(data["fingerprint"]),
        texts.get((elsewhere, start, end), ""),
    )


def trip_line(name: str) -> int | None:
    """The line of the loop whose iterations a name counts; None for other names."""
    match = _TRIP.match(name)
    return None if match is None else int(match[1])
