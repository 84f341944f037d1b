"""Draws docstrings for a reviewer who has not seen the code: each should be understood at first reading.

    python -m tests.bench.draw_docstrings SEED N [--without FOLDER ..]

prints N docstrings of public functions, methods and classes of the product, each with its place and its signature.  The same seed draws the
same ones from the same tree.
"""

from __future__ import annotations

import argparse
import ast
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TOPS = ("analysis_core", "lsp_server")

Documented = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def public(nodes: Sequence[ast.stmt], around: str = "") -> Iterator[tuple[str, Documented]]:
    """Definitions that have a docstring and no underscore in front, with their dotted names; methods as well."""
    for node in nodes:
        if isinstance(node, Documented) and not node.name.startswith("_"):
            name = f"{around}{node.name}"
            if ast.get_docstring(node):
                yield name, node
            if isinstance(node, ast.ClassDef):
                yield from public(node.body, f"{name}.")


def signature(name: str, node: Documented) -> str:
    """How the definition begins: `def name(a: int) -> int`, `class Name`."""
    if isinstance(node, ast.ClassDef):
        return f"class {name}"
    result = "" if node.returns is None else f" -> {ast.unparse(node.returns)}"
    return f"def {name}({ast.unparse(node.args)}){result}"


def docstrings(without: Sequence[str] = ()) -> list[str]:
    """All of them, as they are printed, in a fixed order."""
    found = []
    for path in sorted(path for top in TOPS for path in (ROOT / top).rglob("*.py")):
        place = path.relative_to(ROOT).as_posix()
        if any(place.startswith(folder) for folder in without):
            continue
        for name, node in public(ast.parse(path.read_text(encoding="utf-8")).body):
            found.append(f"{place}:{node.lineno}\n    {signature(name, node)}\n    {ast.get_docstring(node)}")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("seed", type=int)
    parser.add_argument("count", type=int)
    parser.add_argument("--without", nargs="*", default=(), metavar="FOLDER")
    options = parser.parse_args()
    drawn = random.Random(options.seed).sample(docstrings(options.without), options.count)
    print("\n\n".join(drawn))


if __name__ == "__main__":
    main()
