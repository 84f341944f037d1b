"""What the server's process loads before it answers: the analysis is the worker's."""

from __future__ import annotations

import subprocess
import sys


def test_the_server_does_not_load_the_analysis() -> None:
    code = "import sys, lsp_server.server; print(*sorted(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "analysis_core.report.model" in loaded
    heavy = (
        "numpy",
        "analysis_core.interp.",
        "analysis_core.lp.",
        "analysis_core.pipeline",
        "analysis_core.syntax.parse",
    )
    assert not [module for module in loaded if module.startswith(heavy)]
