"""A program that takes too long is ended with those that it has started, in whatever group they are."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.editors.processes import output_of
from tests.server.raw import gone

STARTS = """
import subprocess, sys, time
other = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
print(other.pid, flush=True)
time.sleep(float(sys.argv[1]))
other.kill()
"""


def test_what_takes_too_long_is_ended_with_what_it_has_started(tmp_path: Path) -> None:
    status, said = output_of([sys.executable, "-c", STARTS, "600"], tmp_path, {}, 3)
    pid, *more = said.splitlines()
    assert status != 0 and more == ["", "ended after 3 s"] and gone([int(pid)])
    status, said = output_of([sys.executable, "-c", STARTS, "0"], tmp_path, {}, 60)
    assert status == 0 and gone([int(said)])
