"""`python -m tests.editors.repeat N [neovim|vscode]`: N consecutive runs of a suite, with their times; stops at a failure."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time

from tests.editors.tools.places import ROOT

SUITES = {
    "neovim": ("tests/editors/test_neovim.py", "tests/editors/test_neovim_screen.py"),
    "vscode": ("tests/editors/test_vscode.py", "tests/editors/test_page.py"),
}


def main(count: int, names: list[str]) -> int:
    """Prints one line per run; ends with 1 if one failed."""
    for name in names or list(SUITES):
        times: list[float] = []
        for number in range(1, count + 1):
            start = time.monotonic()
            command = [sys.executable, "-m", "pytest", "-q", "-m", "not nightly", *SUITES[name]]
            done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
            times.append(time.monotonic() - start)
            print(f"{name} {number}: {times[-1]:.0f} s, {done.stdout.strip().splitlines()[-1]}", flush=True)
            if done.returncode != 0:
                print(done.stdout)
                return 1
        print(
            f"{name}: {count} runs without a failure, median {statistics.median(times):.0f} s, max {max(times):.0f} s"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), sys.argv[2:]))
