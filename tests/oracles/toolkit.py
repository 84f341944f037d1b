"""The toolkit's own headers before clang: bytes, alignment and members of its classes, as CUDA.

    answers = ask(("cuda_fp16.h",), ["sizeof(__half2)"])

The headers are those of the packages of the extra `headers`, or the toolkit's around nvcc.  Functions of the host's library that they declare
again, and instructions that clang's own wrapper would declare, are errors to clang; classes are read whole.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from tests.ir import gpp
from tests.oracles import libclang
from tests.oracles.libclang import cindex, evaluate

MISSING_HEADERS = "the toolkit's headers are not here: `pip install -e '.[headers]'` has them"

_OF_FUNCTIONS = (
    r"__host__( __device__)? function '.*' cannot overload __host__( __device__)? function '.*'",
    r"non-constexpr declaration of '.*' follows constexpr declaration",
    r"no matching function for call to '.*'",
)
"""What clang rejects of the headers: declarations and calls of functions, which no layout depends on."""


@cache
def folders() -> tuple[Path, ...]:
    """Where the headers are; empty if some are not here."""
    compiler = shutil.which("nvcc")
    tops = [top for entry in sys.path for top in sorted(Path(entry, "nvidia").glob("cu*/include"))]
    tops += [Path(compiler).resolve().parents[1] / "include"] if compiler else []
    needed = ("cuda_fp8.h", "crt/host_defines.h", "curand_kernel.h", "cccl/cub/cub.cuh")
    found = [top for top in tops if all((top / name).exists() for name in needed)]
    return (found[0], found[0] / "cccl") if found else ()


def why_not() -> str | None:
    """Why nothing can be asked here; None if it can."""
    if not libclang.AVAILABLE:
        return libclang.MISSING
    if gpp.COMPILER is None:
        return "g++, whose headers of the standard library are read, is not installed"
    return None if folders() else MISSING_HEADERS


def ask(headers: Sequence[str], questions: Sequence[str]) -> list[int | str]:
    """The integer that each expression is after the headers; a sentence of clang where it is none.

    Raises AssertionError for an error in the headers that is none of `_OF_FUNCTIONS`."""
    head = "".join(f"#include <{name}>\n" for name in ("crt/host_defines.h", "cuda.h", *headers))
    first = head.count("\n") + 1
    text = head + "".join(f"long long answer_{i} = {question};\n" for i, question in enumerate(questions))
    unit = cindex.Index.create().parse("ask.cu", _arguments(), [("ask.cu", text)], 0)
    wrong: dict[int, str] = {}
    for found in unit.diagnostics:
        if found.severity < cindex.Diagnostic.Error:
            continue
        if found.location.file is not None and found.location.file.name == "ask.cu":
            wrong.setdefault(found.location.line - first, found.spelling)
        else:
            assert any(re.fullmatch(known, found.spelling) for known in _OF_FUNCTIONS), str(found)
    variables = {cursor.spelling: cursor for cursor in unit.cursor.get_children() if cursor.spelling[:7] == "answer_"}
    answers: list[int | str] = []
    for i in range(len(questions)):
        value = None if i in wrong else evaluate(variables[f"answer_{i}"])
        answers.append(wrong.get(i, "no constant") if value is None else value)
    return answers


def _arguments() -> list[str]:
    assert gpp.COMPILER is not None
    asked = [gpp.COMPILER, "-print-file-name=include"]
    own = subprocess.run(
        asked, check=True, capture_output=True, text=True
    ).stdout.strip()  # the package has no stddef.h
    return [
        "-x", "cuda", "-std=c++20", "-nocudainc", "-nocudalib", "--cuda-gpu-arch=sm_80", "--cuda-host-only", "-D__CUDACC__",
        *(f"-I{folder}" for folder in folders()), "-idirafter", own, "-fno-access-control", "-w", "-ferror-limit=0",
    ]  # fmt: skip
