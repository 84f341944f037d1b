"""What the server's process loads before it answers: the analysis is the worker's."""

from __future__ import annotations

import subprocess
import sys


def test_the_server_does_not_load_the_analysis() -> None:
    code = "import sys, lsp_server.server; print(*sorted(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "analysis_core.report.findings.model" in loaded
    assert len(loaded) < 360  # Each takes a third of a millisecond, those of the protocol apart.
    heavy = (
        "importlib.metadata",
        *(f"lsp_server.features.{name}" for name in ("code", "exported", "hover", "inlay", "kernel")),
        "numpy",
        "pathspec",
        "analysis_core.cli.render_",
        "analysis_core.interp.",
        "analysis_core.lp.",
        "analysis_core.pipeline.pipeline",
        "analysis_core.report.checks.",
        "analysis_core.syntax.parse",
    )
    assert not [module for module in loaded if module.startswith(heavy)]


def test_the_first_document_waits_for_no_module() -> None:
    code = """
import sys
from analysis_core.support.interrupts import Interrupts
from lsp_server.analyse import Job, make_analyst
from lsp_server.options import EditorOptions
work, text = make_analyst(), b'''
__global__ void scale(float *a, const float *b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] = 2 * b[8 * i];
}
void run(float *a, float *b, int n) { scale<<<(n + 255) / 256, 256>>>(a, b, n); }
'''
before = set(sys.modules)
work(Job("first.cu", {"first.cu": text}, EditorOptions()), lambda message: None, Interrupts())
print(*sorted(set(sys.modules) - before))
"""
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not loaded
