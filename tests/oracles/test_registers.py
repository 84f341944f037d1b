"""The estimate of registers (advice/registers.py) beside what ptxas gives the same kernels: every sixth fixture, those of its kernels whose name is there once."""

from __future__ import annotations

import re
import statistics
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from analysis_core.advice.knobs import Variants
from analysis_core.advice.registers import MEDIAN_ERROR, estimated_registers
from analysis_core.pipeline.checked_fixes import Place
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from analysis_core.support.store import Store
from tests.oracles.ptx import MISSING, compiler

pytestmark = pytest.mark.skipif(compiler() is None, reason=MISSING)

ROOT = Path(__file__).resolve().parents[2]
FIXTURES = sorted(p for p in (ROOT / "tests" / "kernels").rglob("*.cu") if "incremental" not in p.parts)[2::6]

_FLAGS = ("-cubin", "-std=c++20", "-w", "-arch=sm_80", "-O3", "--expt-relaxed-constexpr", "-Xptxas", "-v")


def counted(source: Path, folder: Path) -> dict[str, int]:
    """Registers by the name of a kernel, of those that are there once; empty where the file does not compile."""
    nvcc = compiler()
    assert nvcc is not None
    command = ["nice", "-n", "5", nvcc, *_FLAGS, "-o", str(folder / "one.cubin"), str(source)]
    said = subprocess.run(command, capture_output=True, text=True).stderr
    found = re.findall(r"Compiling entry function '(\w+)'.*?Used (\d+) registers", said, re.DOTALL)
    names = [_name(mangled) for mangled, _ in found]
    return {name: int(n) for name, (_, n) in zip(names, found, strict=True) if names.count(name) == 1}


def _name(mangled: str) -> str:
    """Of `_Z7reducedPfi`, or of a function in a namespace: the last of its names."""
    parts = re.match(r"_Z(?:N\w*?)?(\d+)", mangled)
    return mangled[parts.end() : parts.end() + int(parts[1])] if parts else mangled


def estimated(source: Path) -> dict[str, int]:
    files = MemoryFiles({source.name: source.read_bytes()})
    variants = Variants(Place(source.name, files, Settings(), (), Store()), source.read_bytes())
    kernels = variants.kernels()
    names = [kernel.name for kernel in kernels]
    return {k.name: estimated_registers(k) for k in kernels if names.count(k.name) == 1}


def pairs(folder: Path) -> Iterator[tuple[str, int, int]]:
    """Kernel, registers by ptxas, and the estimate."""
    for source in FIXTURES:
        known = counted(source, folder)
        guessed = estimated(source) if known else {}
        for name in known.keys() & guessed.keys():
            yield f"{source.stem}: {name}", known[name], guessed[name]


def ranks(values: Sequence[int]) -> list[float]:
    """From 0; of equals their mean."""
    return [sum(v < one for v in values) + (sum(v == one for v in values) - 1) / 2 for one in values]


@pytest.mark.nightly
def test_the_estimate_is_near(tmp_path: Path) -> None:
    found = list(pairs(tmp_path))
    assert len(found) > 40
    errors = sorted(abs(guess - known) / known for _, known, guess in found)
    rank = statistics.correlation(ranks([known for _, known, _ in found]), ranks([guess for _, _, guess in found]))
    median, most = statistics.median(errors), errors[len(errors) * 9 // 10]
    print(f"{len(found)} kernels: median {median:.0%}, 90th percentile {most:.0%}, rank correlation {rank:.2f}")
    assert round(100 * median) <= MEDIAN_ERROR
    assert most <= 0.5 and rank >= 0.7
