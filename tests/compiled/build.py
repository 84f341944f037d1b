"""Programs of many kernels, made by g++: the runtime once, then one file of C++ for each batch."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from tests.compiled.unit import Texts, Unit

_RUNTIME = Path(__file__).parent / "runtime"
# What C++ leaves undefined ends a run.  Without optimisation every access that the text has is there, and it compiles sooner.
_CHECKED = ("signed-integer-overflow", "shift", "integer-divide-by-zero", "bounds")
_FLAGS = ("-std=c++17", "-w", "-fpermissive", f"-I{_RUNTIME}")


class NotCompiled(Exception):
    """What g++ said."""


def compiler() -> str | None:
    """The path of g++, if the machine has one."""
    return shutil.which("g++")


def runtime(folder: Path) -> Path:
    """The runtime as an object file in `folder`; made where it is not there."""
    target = folder / "runtime.o"
    if not target.exists():
        _run("-O1", *_FLAGS, "-c", str(_RUNTIME / "runtime.cpp"), "-o", str(target))
    return target


def program(units: Sequence[tuple[Unit, Texts]], folder: Path, name: str) -> Path:
    """An executable that runs the kernels of `units` (`runtime/runtime.cpp` reads its jobs)."""
    source, target = folder / f"{name}.cpp", folder / name
    source.write_text(_source(units), encoding="utf-8")
    checks = f"-fsanitize={','.join(_CHECKED)}"
    _run("-O0", *_FLAGS, checks, "-fsanitize-recover=all", "-c", str(source), "-o", f"{target}.o")
    _run(f"{target}.o", str(runtime(folder)), "-o", str(target))
    return target


def _source(units: Sequence[tuple[Unit, Texts]]) -> str:
    texts, table = ['#include "dialect.h"\n'], []
    for unit, text in units:
        texts.append(f"namespace {unit.name} {{\n{text.cpp}\n}}\n{_launcher(unit)}")
        table.append(f'{{"{unit.name}", launch_{unit.name}}}')
    texts.append(f"const wc::Kernel wc_kernels[] = {{{', '.join(table)}}};\nconst int wc_count = {len(table)};\n")
    return "".join(texts)


def _launcher(unit: Unit) -> str:
    arguments = [f"({a.type} *)arrays[{i}]" for i, a in enumerate(unit.arrays)]
    arguments += [f"({n.type})values[{i}]" for i, n in enumerate(unit.numbers)]
    return (
        f"static void launch_{unit.name}(const i64 *values, void *const *arrays) {{\n"
        f"  using namespace {unit.name}; {unit.name}::k({', '.join(arguments)});\n}}\n"
    )


def _run(*arguments: str) -> None:
    found = compiler()
    assert found is not None
    done = subprocess.run([found, *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        raise NotCompiled(done.stderr[:4000])
