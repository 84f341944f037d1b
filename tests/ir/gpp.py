"""Asks g++ what a constant is: the independent reader for layouts and constant expressions."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

COMPILER = shutil.which("g++")


def integers(prelude: str, expressions: Sequence[str], folder: Path, include: Sequence[Path] = ()) -> list[int]:
    """The values of integer constant expressions after `prelude`, as long long.  `include`: where headers are looked for."""
    assert COMPILER is not None
    printed = "\n".join(f'std::printf("%lld\\n", (long long)({e}));' for e in expressions)
    text = f"#include <cstddef>\n#include <cstdio>\n{prelude}\nint main() {{\n{printed}\n}}\n"
    source, program = folder / "ask.cpp", folder / "ask"
    source.write_text(text)
    command = [
        COMPILER,
        "-std=c++17",
        "-w",
        "-O0",
        "-fwrapv",
        "-Winvalid-offsetof",
        *(f"-I{path}" for path in include),
        "-o",
        str(program),
        str(source),
    ]
    subprocess.run(command, check=True, capture_output=True, text=True)
    done = subprocess.run([str(program)], check=True, capture_output=True, text=True)
    return [int(line) for line in done.stdout.split()]
