"""`warpcost diff`: what is said of changed kernels, which of them are the same, and what ends with what."""

from __future__ import annotations

import copy
import json
import random
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from analysis_core.changes.bounds import Direction, compared
from analysis_core.changes.difference import Difference, difference
from analysis_core.changes.sides import Amount, BadSide, Case, Side, side_of
from analysis_core.changes.words import sentences
from analysis_core.cli.diff.as_json import difference_json
from analysis_core.cli.diff.as_markdown import difference_markdown
from analysis_core.cli.diff.text import difference_text
from analysis_core.cli.render_json import file_json
from analysis_core.cli.terminal import Style
from analysis_core.expressions.expression_people import from_python
from analysis_core.main import main
from analysis_core.pipeline.pipeline import analyse_file
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from analysis_core.support.sources import Sources
from tests.cli.changed_kernels import CHANGES, ROWS, STRIDED, TILED, TRANSPOSE, Changed


def side(*texts: tuple[str, str]) -> Side:
    held = MemoryFiles({path: text.encode() for path, text in texts})
    reports = [analyse_file(path, held, Settings(), strict=True) for path, _ in texts]
    return side_of([file_json(report, Sources(held), Settings()) for report in reports])


def between(before: str, after: str) -> Difference:
    return difference(side(("a.cu", before)), side(("a.cu", after)), one_file=True)


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.name)
def test_what_a_reviewer_would_say(change: Changed) -> None:
    found = between(change.before, change.after)
    assert [text for kernel in found.kernels for text in sentences(kernel)] == list(change.said)
    assert ([one.code for one in found.came], [one.code for one in found.went]) == (
        list(change.came),
        list(change.went),
    )
    assert found.is_worse == change.worse and not (found.added or found.removed)


def amount(text: str | None, *cases: tuple[str, str], exact: bool = True) -> Amount:
    read = None if text is None else from_python(text)
    return Amount(read, exact, tuple(Case(when, when, from_python(upper), True) for when, upper in cases))


@pytest.mark.parametrize(
    ("before", "after", "direction", "larger"),
    [
        ("ceil_div(n, 32)", "ceil_div(n, 32)", Direction.EQUAL, ""),
        ("n", "8*ceil_div(n, 8)", Direction.LARGER, ""),
        ("4*ceil_div(n, 8)", "4*ceil_div(n, 16)", Direction.SMALLER, ""),
        ("40", "3*n", Direction.MIXED, "n >= 14"),
        ("3*n", "40", Direction.MIXED, "n < 14"),
        ("2*n + m", "n + 2*m", Direction.MIXED, "m = 1025, n = 3: 1031 before, 2053 after"),
        ("n", "m", Direction.UNKNOWN, ""),
    ],
)
def test_bounds_are_compared_for_all_sizes(before: str, after: str, direction: Direction, larger: str) -> None:
    found = compared(amount(before), amount(after), {})
    assert found.direction is direction
    if larger:
        assert [region.larger_when for region in found.regions] == [larger]


def test_cases_are_compared_with_their_own() -> None:
    even = "n % 32 == 0"
    found = compared(amount("18", (even, "16")), amount("18", (even, "32")), {})
    assert [(one.when, one.direction) for one in found.regions] == [((even,), Direction.LARGER), ((), Direction.EQUAL)]
    assert found.direction is Direction.LARGER
    launched = compared(amount("18", ("n == 576", "16")), amount("17", ("n == 640", "17")), {})
    assert launched.direction is Direction.SMALLER  # neither number is passed on the other side
    assert compared(amount(None), amount("1"), {}).direction is Direction.GAINED
    assert compared(amount("1"), amount(None), {}).direction is Direction.LOST


def test_kernels_are_known_again_in_renamed_files_and_under_new_names() -> None:
    moved = difference(side(("a.cu", TILED), ("b.cu", STRIDED)), side(("c.cu", TILED), ("b.cu", STRIDED)))
    assert moved.is_empty and moved.renamed == (("a.cu", "c.cu"),)
    swapped = difference(side(("a.cu", TILED + STRIDED)), side(("a.cu", STRIDED.replace("run", "go") + TILED)))
    assert swapped.is_empty
    renamed = difference(
        side(("a.cu", TILED + STRIDED)), side(("a.cu", TILED.replace("product", "gemm") + STRIDED.replace("run", "go")))
    )
    assert not renamed.came and not renamed.went and not renamed.added
    assert [(k.before.name, k.after.name) for k in renamed.kernels if k.is_renamed] == [("product", "gemm")]


def test_kernels_come_and_go() -> None:
    found = difference(side(("a.cu", TILED)), side(("a.cu", ROWS)))
    assert [k.name for k in found.added] == ["sums"] and [k.name for k in found.removed] == ["product"]
    assert [one.code for one in found.came] == ["WC101"] and [one.code for one in found.went] == ["WC201", "WC201"]


def project(folder: Path, **texts: str) -> Path:
    folder.mkdir()
    for name, text in texts.items():
        (folder / f"{name}.cu").write_text(text)
    return folder


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    project(tmp_path / "old", a=STRIDED, b=ROWS)
    project(tmp_path / "new", a=STRIDED.replace("8 * i", "i"), b=ROWS)
    assert main(["diff", "old", "new", "--fail-on", "regression"]) == 0
    said = capsys.readouterr().out
    assert "a.cu:1: scale\n  sectors 36 -> 8 per warp\n  gone: warning[WC101] line 3: Uncoalesced load" in said
    assert main(["diff", "new", "old", "--fail-on", "regression"]) == 1
    assert main(["diff", "new", "old"]) == 0
    assert main(["diff", "old", "old", "--fail-on", "change"]) == 0
    assert capsys.readouterr().out.endswith("nothing changed\n")
    assert main(["diff", "old/a.cu", "new", "--fail-on", "regression"]) == 2
    assert main(["diff", "old", "nothing"]) == 2
    assert main(["diff", "old", "new", "--kernel", "nope"]) == 2
    assert main(["diff", "old", "new", "--kernel", "sums", "--fail-on", "change"]) == 0


def test_forms(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    project(tmp_path / "old", a=STRIDED.replace("8 * i", "i"))
    project(tmp_path / "new", a=STRIDED)

    def made(form: str) -> Any:
        assert main(["diff", "old", "new", "--format", form]) == 0
        out = capsys.readouterr().out
        return out if form == "markdown" else json.loads(out)

    document = made("json")
    jsonschema.Draft202012Validator(
        json.loads((files("analysis_core") / "changes" / "schema1.json").read_text())
    ).validate(document)
    assert document["regression"] and document["kernels"][0]["sentences"] == ["sectors 8 -> 36 per warp"]
    warp = document["kernels"][0]["launches"][0]["metrics"]["sectors"]["per_warp"]
    assert warp["direction"] == "larger" and warp["cases"][0]["before"] == "8" and warp["cases"][0]["after"] == "36"
    (result,) = made("sarif")["runs"][0]["results"]
    assert result["ruleId"] == "WC101"
    assert "| `a.cu:1: scale` | `sectors 8 -> 36 per warp` |" in made("markdown")


def test_what_was_printed_before(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project(tmp_path / "here", a=STRIDED))
    main(["check", "--format", "json", "--fail-on", "never"])
    Path("base.json").write_text(capsys.readouterr().out)
    assert main(["diff", "--base-json", "base.json", "--fail-on", "change"]) == 0
    Path("a.cu").write_text(STRIDED.replace("8 * i", "2 * i"))
    assert main(["diff", "--base-json", "base.json", "--fail-on", "change"]) == 1
    for text in ("", "[]", "{}", '{"schema": 1, "files": [1]}', '{"schema": 2, "files": []}', "[" * 100_000, "\0"):
        Path("base.json").write_text(text)
        assert main(["diff", "--base-json", "base.json"]) == 2
        assert capsys.readouterr().err.startswith("warpcost: cannot use base.json: ")


JUNK = (
    None,
    0,
    -1,
    True,
    "",
    [],
    {},
    "(" * 3000,
    "n // m",
    "n % 0",
    "(n+m)" + "*(n+m)" * 12,
    "\0",
    "9" * 5000,
    "not " * 2000 + "n",
    "n == 5 or m",
)


def changed_at_random(data: Any, chance: random.Random) -> None:
    """Puts something else somewhere into a document."""
    if not isinstance(data, dict | list) or not data:
        return
    key: Any = chance.choice(list(data)) if isinstance(data, dict) else chance.randrange(len(data))
    if chance.random() < 0.1:
        data[key] = chance.choice(JUNK)
    else:
        changed_at_random(data[key], chance)


@pytest.mark.parametrize("seed", range(4))
def test_documents_that_nobody_printed(seed: int) -> None:
    """They are compared, or it is said that they cannot be."""
    chance = random.Random(seed)
    held = MemoryFiles({"a.cu": (TILED + TRANSPOSE.replace("run", "go")).encode()})
    whole = file_json(analyse_file("a.cu", held, Settings()), Sources(held), Settings())
    for _ in range(40):
        sides = copy.deepcopy(whole), copy.deepcopy(whole)
        for _ in range(chance.randrange(1, 6)):
            changed_at_random(chance.choice(sides), chance)
        try:
            found = difference(*(side_of([one]) for one in sides), one_file=chance.random() < 0.5)
        except BadSide:
            continue
        assert difference_json(found, "a", "b") and difference_text(found, Style(False))
        assert difference_markdown(found, "a", "b")
