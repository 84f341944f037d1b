"""The table of instruction sequences (machine/instructions.py) beside what nvcc makes of one operator or call in a kernel."""

from __future__ import annotations

import re
import subprocess
from collections import deque
from collections.abc import Mapping

import pytest

from analysis_core.machine.instructions import BY_CONSTANTS, DIVISIONS, FAST, FUNCTIONS
from tests.oracles.ptx import command, compiler
from tests.oracles.sass import MISSING, is_there

pytestmark = pytest.mark.skipif(not is_there(), reason=MISSING)

_TYPES = {"i32": "int", "u32": "unsigned", "i64": "long long", "u64": "unsigned long long"}
_OF_TWO = frozenset({"pow", "atan2", "fmod", "hypot", "fmax", "fmin", "div"})
_LATER = frozenset({"sincos", "fmax", "fmin"})
"""Of which no kernel of one call tells: two results, and what is one instruction for `float`."""


def _expressions() -> dict[str, tuple[str, str, bool]]:
    """Type, expression and whether it has two operands, by the name of a kernel."""
    found = {}
    for key in DIVISIONS:
        name = ("div_" if key[0] == "/" else "rem_") + key[1:]
        found[name] = (_TYPES[key[1:]], f"a {key[0]} b", True)
        found[f"{name}_32"], found[f"{name}_7"] = ((_TYPES[key[1:]], f"a {key[0]} {n}", False) for n in (32, 7))
    for name in FUNCTIONS.keys() - _LATER:
        for of, type in (("f32", "float"), ("f64", "double")):
            args = "a, b" if name in _OF_TWO else "a"
            called = {"div": "a / b", "rcp": "1 / a"}.get(name, f"{name}{'f' if of == 'f32' else ''}({args})")
            found[f"{name}_{of}"] = (type, called, name in _OF_TWO)
    for name in FAST.keys() - {"tanhf"}:
        found[f"fast_{name}"] = (
            "float",
            f"__{name}({'a, b' if name in ('powf', 'fdividef') else 'a'})",
            name in ("powf", "fdividef"),
        )
    found |= {f"none_{of}": (type, "a", False) for of, type in (*_TYPES.items(), ("f32", "float"), ("f64", "double"))}
    return found | {
        f"both_{of}": (type, "a + b", True) for of, type in (*_TYPES.items(), ("f32", "float"), ("f64", "double"))
    }


@pytest.fixture(scope="module")
def counted(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, tuple[int, int, int]]:
    """Of each kernel the shortest way, the code up to its end and all code with what it calls, without what moves operands."""
    folder = tmp_path_factory.mktemp("instructions")
    kernels = [
        f'extern "C" __global__ void {name}({type} *o, const {type} *p{f", const {type} *q" if two else ""})'
        f" {{ {type} a = p[threadIdx.x]{', b = q[threadIdx.x]' if two else ''}; o[threadIdx.x] = {expression}; }}\n"
        for name, (type, expression, two) in _expressions().items()
    ]
    source, target = folder / "one.cu", folder / "one.cubin"
    source.write_text("".join(kernels))
    nvcc, nvdisasm = compiler(), command("nvdisasm")
    assert nvcc is not None and nvdisasm is not None
    subprocess.run([nvcc, "-cubin", "-arch=sm_80", "-O3", "-w", "-o", str(target), str(source)], check=True)
    listing = subprocess.run([nvdisasm, "-c", str(target)], capture_output=True, text=True, check=True).stdout
    raw = {name: _lengths(text) for name, text in _sections(listing)}
    found = {}
    for name, (type, _, two) in _expressions().items():
        of = next(o for o, t in (*_TYPES.items(), ("f32", "float"), ("f64", "double")) if t == type)
        base = raw[f"both_{of}"][0] - (2 if of[1:] == "64" and of[0] != "f" else 1) if two else raw[f"none_{of}"][0]
        found[name] = tuple(number - base for number in raw[name])
    return found  # type: ignore[return-value]


def _sections(listing: str) -> list[tuple[str, str]]:
    parts = re.split(r"^\s*\.section\s+\.text\.", listing, flags=re.MULTILINE)[1:]
    return [(part.split(",")[0], part) for part in parts]


def _lengths(text: str) -> tuple[int, int, int]:
    code, labels = list[tuple[bool, str, str]](), dict[str, int]()
    for row in text.splitlines():
        if (label := re.match(r"(\.L\w+):", row)) is not None:
            labels[label[1]] = len(code)
        elif (
            one := re.match(r"\s*/\*[0-9a-f]{4,}\*/\s+\{?\s*(@!?U?P\w+\s+)?([A-Z]\w*)[^;`]*(?:`\((\.L\w+)\))?", row)
        ) is not None:
            code.append((one[1] is not None, one[2], one[3] or ""))
    while code and code[-1][1] in ("NOP", "BRA"):
        code.pop()
    end = next(i for i, (_, name, _) in enumerate(code) if name == "EXIT")
    way, pending = {0: 0}, deque([0])
    while pending:
        at = pending.popleft()
        guarded, name, target = code[at]
        onward = [labels[target]] if name == "BRA" else []
        onward += [at + 1] if guarded or name not in ("BRA", "EXIT", "RET") else []
        for other in onward:
            if other < len(code) and other not in way:
                way[other] = way[at] + 1
                pending.append(other)
    return min(way[i] for i, (_, name, _) in enumerate(code) if name == "EXIT" and i in way), end, len(code) - 1


def _near(figure: int, least: int, most: int) -> bool:
    return 0.8 * least - 3 <= figure <= 1.2 * most + 3


def test_divisions(counted: Mapping[str, tuple[int, int, int]]) -> None:
    for key, (least, most) in DIVISIONS.items():
        name = ("div_" if key[0] == "/" else "rem_") + key[1:]
        shortest, main, whole = counted[name]
        assert _near(least, shortest, main), (key, counted[name])
        # The long way of 64 bits: all that is called, without the short way beside it.
        assert _near(most, *((whole - shortest,) * 2 if key.endswith("64") else (main, main))), (key, counted[name])
        for number, divisor in zip(BY_CONSTANTS[key], (32, 7)):
            assert abs(number - counted[f"{name}_{divisor}"][1]) <= 1, (key, divisor)


def test_functions(counted: Mapping[str, tuple[int, int, int]]) -> None:
    for name in FUNCTIONS.keys() - _LATER:
        for number, of in zip(FUNCTIONS[name], ("f32", "f64")):
            shortest, main, _ = counted[f"{name}_{of}"]
            assert _near(number, shortest, main), (name, of, number, counted[f"{name}_{of}"])
    for name, number in FAST.items():
        if name != "tanhf":
            assert _near(number, *counted[f"fast_{name}"][:2]), (name, number, counted[f"fast_{name}"])
