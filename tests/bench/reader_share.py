"""Measures how much of public CUDA code the reader understands.

    python tests/bench/reader_share.py DIRECTORY ... [--limit N] [--seconds S] [--list]

For every directory: kernels found, the share whose body holds nothing opaque for which the reader is to blame, and
the ten most frequent causes of the rest.  Files are taken in sorted order, every n-th if `--limit` is given.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from analysis_core.support.facts import Cause, CauseKind
from analysis_core.support.settings import Settings
from analysis_core.syntax.parse import parse
from analysis_core.syntax.read.tree import FunctionDecl, Node, SyntaxTree


class Disk:
    """The disk, read-only."""

    def read(self, path: str) -> bytes | None:
        try:
            return Path(path).read_bytes()
        except OSError:
            return None


def causes(node: Node) -> Iterator[Cause]:
    """Every cause below `node`."""
    stack: list[object] = [node]
    while stack:
        item = stack.pop()
        if isinstance(item, tuple):
            stack.extend(item)
        elif isinstance(item, Cause):
            yield item
        elif isinstance(item, Node):
            stack.extend(getattr(item, field.name) for field in fields(item))


def functions(tree: SyntaxTree) -> Iterator[FunctionDecl]:
    """The functions of the main file that have a body, methods included."""
    stack: list[object] = list(tree.declarations)
    while stack:
        item = stack.pop()
        if isinstance(item, FunctionDecl) and item.body is not None and item.span.file == tree.main:
            yield item
        stack.extend(getattr(item, "methods", ()))
        stack.extend(getattr(item, "nested", ()))


def cuda_files(directory: Path, limit: int) -> list[Path]:
    found = sorted(p for p in directory.rglob("*") if p.suffix in {".cu", ".cuh"} and p.is_file())
    return found[:: max(1, len(found) // limit)] if limit else found


def measure(directory: Path, limit: int, budget: float, listing: bool) -> None:
    kernels = clean = files = device = device_clean = 0
    reasons: Counter[str] = Counter()
    started = time.perf_counter()
    worst = (0.0, "")
    for path in cuda_files(directory, limit):
        if budget and time.perf_counter() - started > budget:
            break
        files += 1
        before = time.perf_counter()
        try:
            tree = parse(str(path), Disk(), Settings())
        except Exception:
            traceback.print_exc()
            print("crash:", path)
            continue
        worst = max(worst, (time.perf_counter() - before, str(path)))
        for function in functions(tree):
            bad = [c for c in causes(function) if c.kind is CauseKind.READER]
            if not function.is_kernel:
                if "__device__" in function.qualifiers:
                    device += 1
                    device_clean += not bad
                    if bad and listing:
                        report(path, function, bad[0])
                continue
            kernels += 1
            clean += not bad
            for cause in bad:
                reasons[cause.reason] += 1
            if bad and listing:
                report(path, function, bad[0])
    seconds = time.perf_counter() - started
    share = 100 * clean / kernels if kernels else 100.0
    print(
        f"{directory.name}: {files} files, {kernels} kernels, {share:.2f}% without reader causes; "
        f"device functions {device_clean}/{device}; {seconds:.1f} s; slowest {worst[0]:.2f} s {worst[1]}"
    )
    for reason, count in reasons.most_common(10):
        print(f"  {count:5d}  {reason}")


def report(path: Path, function: FunctionDecl, cause: Cause) -> None:
    text = b""
    line = 0
    if cause.span is not None:
        data = Disk().read(cause.span.file) or b""
        text = data[cause.span.start : cause.span.end][:100]
        line = data[: cause.span.start].count(b"\n") + 1
    print(f"    {path}:{line} {function.name}: {cause.reason} :: {text!r}")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("directories", nargs="+", type=Path)
    arguments.add_argument("--limit", type=int, default=0)
    arguments.add_argument("--seconds", type=float, default=0)
    arguments.add_argument("--list", action="store_true")
    given = arguments.parse_args()
    for directory in given.directories:
        measure(directory, given.limit, given.seconds, given.list)


if __name__ == "__main__":
    main()
