"""What the analysis says of a unit: the JSON of `warpcost check`, made in this process."""

from __future__ import annotations

from typing import Any

from analysis_core.cli.render_json import file_json
from analysis_core.pipeline.pipeline import analyse_file
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from analysis_core.support.sources import Sources
from tests.compiled.unit import Shape

Json = dict[str, Any]


class NotAnalysed(Exception):
    """The analysis did not understand a generated kernel: what it says."""


def claims(cuda: str, block: Shape) -> Json:
    """The one launch of the one kernel in a text."""
    settings = Settings(block=block)
    files = MemoryFiles({"k.cu": cuda.encode()})
    report = analyse_file("k.cu", files, settings, strict=True)
    found = file_json(report, Sources(files), settings)
    for kernel in found["kernels"]:
        for finding in kernel["findings"]:
            if finding["code"] == "WC900":
                raise NotAnalysed(finding["message"])
    (kernel,) = found["kernels"]
    (launch,) = kernel["launches"]
    return launch  # type: ignore[no-any-return]
