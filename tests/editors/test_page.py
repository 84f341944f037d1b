"""The report page in Chromium: it fits, asks nobody for anything, works by keyboard, and computes what Python computes."""

from __future__ import annotations

import json
import math
import os
import random
import subprocess
from collections.abc import Iterator
from pathlib import Path

from analysis_core.cli.render_page import page, page_data
from analysis_core.pipeline.pipeline import analyse_file
from analysis_core.support.settings import Settings
from analysis_core.support.sources import Sources
from analysis_core.workspace.disk import DiskFiles
from tests.editors.tools.places import CACHE, NODE, PICTURES, ROOT

PAGES = Path(__file__).parent / "pages"
"""Files for what the page alone shows."""

WORKSPACE = ROOT / "tests" / "editors" / "workspace"
BOUNDED = ROOT / "tests" / "lp" / "bounded"
SHOWN = ("graphs", "guards", "histograms", "reductions")
"""Files of BOUNDED with bounds of every kind that are analysed fast."""

SIZES = (0, 1, 2, 7, 31, 32, 33, 1000, 1024, 123_456_789_012)


def written(paths: list[Path], folder: Path) -> list[dict[str, object]]:
    """The pages of some files, in a folder; their data."""
    found = []
    for path in paths:
        files = DiskFiles()
        report = analyse_file(str(path), files, Settings())
        (folder / f"{path.stem}.html").write_text(page(report, Sources(files), Settings()), encoding="utf-8")
        found.append(page_data(report, Sources(files), Settings()))
    return found


def expressions(data: object) -> Iterator[tuple[str, frozenset[str]]]:
    """Every expression and condition in the data of a page, with the names of its launch."""
    if isinstance(data, dict):
        if "symbols" in data:
            names = frozenset(data["symbols"])
            yield from ((text, names) for text in texts(data["bounds"]))
        for part in data.values():
            yield from expressions(part)
    elif isinstance(data, list):
        for part in data:
            yield from expressions(part)


def texts(bounds: object) -> Iterator[str]:
    """The expressions in a part of the bounds."""
    if isinstance(bounds, dict):
        for key, part in bounds.items():
            if key in {"upper", "lower", "worst_lower", "min_lower", "when", "cost", "ideal"} and isinstance(part, str):
                yield part
            else:
                yield from texts(part)
    elif isinstance(bounds, list):
        for part in bounds:
            yield from texts(part)


def floor_log(base: int, value: int) -> int:
    power = -1
    while base ** (power + 1) <= value:
        power += 1
    return power


def value_in_python(text: str, sizes: dict[str, int]) -> str | bool | None:
    """Text that Python evaluates; None where it divides by zero."""
    functions = {"ceil_div": lambda a, b: -(-a // b), "floor_log": floor_log, "max": max, "min": min}
    try:
        value = eval(text, {"__builtins__": {}, **functions}, dict(sizes))
    except ZeroDivisionError:
        return None
    return value if isinstance(value, bool) else str(value)


def questions(data: list[dict[str, object]]) -> list[tuple[str, dict[str, str], str | bool | None]]:
    """Expressions of bounds, and some with all that the notation has, at random sizes."""
    draw = random.Random(8)
    asked: dict[str, frozenset[str]] = dict(pair for one in data for pair in expressions(one))
    for text in ("-a // 3 - -b % 5", "not (a < b <= 7) or a != b and a == 1", "floor_log(2, a) * ceil_div(-b, 7)",
                 "max(a - b, 0, min(b, 3)) // (a - a)", "a % -4 + b // -3", "2*(a + 1) - (b - 3)*-2"):  # fmt: skip
        asked[text] = frozenset({"a", "b"})
    found = []
    for text, names in asked.items():
        for _ in range(math.ceil(4000 / len(asked))):
            sizes = {name: draw.choice(SIZES) for name in sorted(names)}
            found.append((text, {name: str(size) for name, size in sizes.items()}, value_in_python(text, sizes)))
    return found


def test_pages(home: Path) -> None:
    folder = home / "pages"
    folder.mkdir()
    data = written(
        [
            WORKSPACE / "transpose.cu",
            PAGES / "gathers.cu",
            PAGES / "helpers.cu",
            *(BOUNDED / f"{name}.cu" for name in SHOWN),
        ],
        folder,
    )
    asked = home / "questions.json"
    asked.write_text(json.dumps(questions(data)))
    environment = {
        "PATH": os.environ["PATH"],
        "LANG": "C.UTF-8",
        "HOME": str(home),
        "TMPDIR": str(home),
        "WARPCOST_CACHE": str(CACHE),
        "WARPCOST_OUT": str(PICTURES / "page"),
        "WARPCOST_ROOT": str(ROOT),
    }
    (PICTURES / "page").mkdir(parents=True, exist_ok=True)
    command = [str(NODE), str(Path(__file__).parent / "vscode" / "page.mjs"), str(folder), str(asked)]
    done = subprocess.run(command, cwd=home, env=environment, capture_output=True, text=True, timeout=280)
    print(done.stdout)
    assert done.returncode == 0 and "PASS" in done.stdout, done.stdout + done.stderr


def test_no_text_of_a_source_leaves_the_data(tmp_path: Path) -> None:
    """A source may hold what ends an element."""
    source = tmp_path / "end.cu"
    source.write_text('__global__ void k(float *a) { a[threadIdx.x] = 0; } // </script><img src="x">\n')
    (data,) = written([source], tmp_path)
    text = (tmp_path / "end.html").read_text()
    assert "</script><img" not in text
    assert text.count("</script>") == 2
    assert "</script><img" in json.dumps(data)
