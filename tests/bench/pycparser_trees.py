"""Compares our trees with pycparser's on every C-only kernel and device function of the given directories.

python tests/bench/pycparser_trees.py DIRECTORY ... [--limit N] [--list]
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from analysis_core.support.settings import Settings
from analysis_core.syntax.lex.preprocessor import preprocess
from analysis_core.syntax.parse import parse
from analysis_core.syntax.read.splitter import ItemKind, split
from analysis_core.syntax.read.tree import FunctionDecl
from tests.syntax.c_reference import NotC, c_text, declared_types, first_difference, our_form, reference_form


class Disk:
    """The disk, read-only."""

    def read(self, path: str) -> bytes | None:
        try:
            return Path(path).read_bytes()
        except OSError:
            return None


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("directories", nargs="+", type=Path)
    arguments.add_argument("--limit", type=int, default=0)
    arguments.add_argument("--list", action="store_true")
    given = arguments.parse_args()
    for directory in given.directories:
        equal = compared = 0
        skipped: Counter[str] = Counter()
        files = sorted(p for p in directory.rglob("*") if p.suffix in {".cu", ".cuh"} and p.is_file())
        for path in files[:: max(1, len(files) // given.limit)] if given.limit else files:
            tree = parse(str(path), Disk(), Settings())
            preprocessed = preprocess(str(path), Disk(), Settings())
            tokens = preprocessed.tokens
            functions = {
                d.name_span: d for d in tree.declarations if isinstance(d, FunctionDecl) and d.body is not None
            }
            for item in split(tokens, preprocessed.column):
                device = item.qualifiers & {"__global__", "__device__"}
                if item.kind is not ItemKind.FUNCTION or item.body is None or not device or item.name is None:
                    continue
                function = functions.get(tokens[item.name].span)
                if function is None or function.span.file != tree.main:
                    continue
                try:
                    ours = our_form(function)
                    reference = reference_form(c_text(tokens[item.start : item.end], declared_types(tree)))
                except NotC as reason:
                    skipped[str(reason).split(":")[-1][:50] if "pycparser" in str(reason) else str(reason)] += 1
                    if given.list and "pycparser" in str(reason):
                        print(f"  {path} {function.name}: {reason}")
                    continue
                compared += 1
                equal += ours == reference
                if ours != reference:
                    print(f"  {path} {function.name}: {first_difference(ours, reference)}")
        print(f"{directory.name}: {compared} compared, {equal} equal; not C: {dict(skipped.most_common(12))}")


if __name__ == "__main__":
    main()
