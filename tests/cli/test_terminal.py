"""What a person sees: the command line on a real (pseudo-)terminal, its width, its colours, its progress bar."""

from __future__ import annotations

import os
import re
import struct
from pathlib import Path

import pytest

pytest.importorskip("termios", reason="pseudo-terminals are a POSIX matter")

import fcntl
import pty
import termios

from tests.harness import copied

ROOT = Path(__file__).resolve().parents[2]

CODE = """__global__ void every_eighth(float *out, const float *in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[8 * i] + 1.0f + 2.0f + 3.0f + 4.0f + 5.0f + 6.0f + 7.0f + 8.0f + 9.0f + 10.0f + 11.0f + 12.0f;
}
void run(float *out, const float *in, int n) { every_eighth<<<(n + 255) / 256, 256>>>(out, in, n); }
"""

_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def shown(columns: int, folder: Path, *args: str, **environment: str) -> str:
    """All that `warpcost` writes on a terminal that is so wide."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    env = {**os.environ, "TERM": "xterm", "NO_COLOR": "", **environment}
    if "COLUMNS" not in environment:
        env.pop("COLUMNS", None)  # The terminal tells.
    status = copied.started("analysis_core", args, folder, env, [slave] * 3)
    os.close(slave)
    parts = []
    while True:
        try:
            part = os.read(master, 65536)
        except OSError:  # Linux says so once the other side is closed.
            break
        if not part:
            break
        parts.append(part)
    os.close(master)
    assert status() == 1
    return b"".join(parts).decode()


@pytest.mark.parametrize("columns", [60, 100])
def test_text_fits_and_is_in_colour(tmp_path: Path, columns: int) -> None:
    (tmp_path / "strided.cu").write_text(CODE)
    text = shown(columns, tmp_path, "check", "strided.cu")
    assert "\x1b[1;33mwarning[WC101]\x1b[0m" in text
    lines = _COLOUR.sub("", text).replace("\r\n", "\n").splitlines()
    assert max(map(len, lines)) <= columns
    assert lines[0].startswith("strided.cu:3:")
    words = " ".join(line.strip() for line in lines)
    assert "each warp touches 32 sectors where 4 would do (8x)." in words
    assert any(set(line.strip()) == {"^"} for line in lines)
    assert "\x1b[" not in shown(columns, tmp_path, "check", "strided.cu", NO_COLOR="1")


def test_a_bar_is_drawn_and_taken_away(tmp_path: Path) -> None:
    for number in range(12):
        (tmp_path / f"k{number:02}.cu").write_text(CODE if number == 11 else "int x;\n")
    text = shown(80, tmp_path, "check", ".")
    assert re.search(r"\r\x1b\[K\[=* *\] [0-9]+/12 k[0-9]+\.cu", text)
    assert text.rindex("\r\x1b[K") < text.rindex("in 1 kernel of 12 files")
    findings = text[text.rindex("\r\x1b[K") :]
    assert "1 warning" in findings or "warnings" in findings


def test_the_hook_runs_on_cuda_files_with_a_command_that_there_is() -> None:
    hook = (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
    pattern = re.search(r"^  files: (.*)$", hook, re.MULTILINE)
    entry = re.search(r"^  entry: (\w+) (\w+)$", hook, re.MULTILINE)
    assert pattern is not None and entry is not None
    assert re.search(pattern[1], "a/b.cu") and re.search(pattern[1], "b.cuh") and not re.search(pattern[1], "b.cpp")
    assert f'{entry[1]} = "analysis_core.main:main"' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert entry[2] == "check"
