"""The pipeline's edge: a bug in one kernel costs that kernel, and reports are put together per file.

The stages before the report are replaced here; `tests/cli/test_commands.py` runs the real ones.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

import pytest

from analysis_core.ir.nodes import IrModule, Kernel
from analysis_core.pipeline import pipeline
from analysis_core.pipeline.pipeline import analyse_file
from analysis_core.profile.access_profile import KernelProfile
from analysis_core.program.launch import Launch
from analysis_core.report.findings.model import LaunchReport, Verdict
from analysis_core.report.judge import judge
from analysis_core.support.files import MemoryFiles
from analysis_core.support.never import never
from analysis_core.support.settings import Settings
from analysis_core.syntax.read.tree import SyntaxTree
from tests.report.samples import FILE, access, facts, good, kernel, span

TEXT = b"\n" * 90 + b"  /* ten */ { a[i] = b[8*i] + b[16*i]; } // warpcost: ignore[WC201]\n" + b" " * 800


def stub(
    monkeypatch: pytest.MonkeyPatch, kernels: tuple[Kernel, ...], known: Callable[[Kernel], KernelProfile]
) -> None:
    def launch_report(k: Kernel, launch: Launch, settings: Settings, *others: object) -> LaunchReport:
        found = known(k)
        return LaunchReport(found, judge(k, found, settings).findings)

    tree = SyntaxTree(FILE, (), ("a.h",), ("a.h",), ())
    monkeypatch.setattr(pipeline, "read", lambda *_: tree)
    monkeypatch.setattr(pipeline, "lower", lambda *_: IrModule(kernels, ("a.h",)))
    monkeypatch.setattr(pipeline, "analyse_launch", launch_report)


def files(text: bytes = TEXT) -> MemoryFiles:
    return MemoryFiles({FILE: text})


def test_a_bug_in_one_kernel_costs_that_kernel_only(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def known(k: Kernel) -> KernelProfile:
        if k.name == "bad":
            never("a state\nthat cannot be")
        return facts(access(101), good(310))

    stub(monkeypatch, (kernel(name="bad"), kernel(name="fine")), known)
    logging.getLogger("warpcost").propagate = True
    with caplog.at_level(logging.ERROR, logger="warpcost"):
        report = analyse_file(FILE, files(b""), Settings())
    assert [k.failure for k in report.kernels] == ["InternalError: a state that cannot be", None]
    assert report.has_failed and not report.is_complete
    (failure,) = report.kernels[0].findings
    assert (failure.check, failure.verdict) == ("WC900", Verdict.GAVE_UP)
    assert "InternalError" in failure.message and "report it" in failure.message
    assert [f.check for f in report.kernels[1].findings] == ["WC101"]
    assert caplog.records[0].exc_info is not None
    with pytest.raises(AssertionError):
        analyse_file(FILE, files(), Settings(), strict=True)


def test_a_bug_in_the_reader_is_a_finding_of_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RecursionError("maximum recursion depth exceeded")

    monkeypatch.setattr(pipeline, "read", broken)
    report = analyse_file(FILE, files(), Settings())
    assert report.kernels == ()
    assert report.failure == "RecursionError: maximum recursion depth exceeded"
    assert [f.check for f in report.findings] == ["WC900"]
    with pytest.raises(RecursionError):
        analyse_file(FILE, files(), Settings(), strict=True)


def test_instantiations_share_their_findings_in_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = kernel(instantiation="k<1>"), kernel(instantiation="k<2>")

    def known(k: Kernel) -> KernelProfile:
        return facts(access(113, worst=32 if k is one else 16), good(310))

    stub(monkeypatch, (one, two), known)
    report = analyse_file(FILE, files(b""), Settings())
    assert [len(k.findings) for k in report.kernels] == [1, 1]
    (shown,) = report.findings
    assert shown.message.startswith("Uncoalesced load from `b`: each warp touches 32 sectors")
    only = analyse_file(FILE, files(b""), Settings(), kernel="k<2>")
    assert [k.instantiation for k in only.kernels] == ["k<2>"]


def test_one_finding_per_statement_and_suppressions(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = TEXT.index(b"b[8*i]"), TEXT.index(b"b[16*i]")
    stub(monkeypatch, (kernel(span=span(0, 400)),), lambda _: facts(access(first), access(second, worst=31), good(310)))
    report = analyse_file(FILE, files(), Settings())
    assert [(f.check, f.span.start) for f in report.findings] == [
        ("WC101", first),
        ("WC902", TEXT.index(b"// warpcost")),
    ]
    text = TEXT.replace(b"ignore[WC201]", b"ignore[WC101]")
    silenced = analyse_file(FILE, files(text), Settings())
    assert silenced.findings == () and silenced.kernels[0].findings == ()
    assert silenced.is_clean and silenced.is_complete and silenced.is_unconditional
    assert (silenced.dependencies, silenced.missing) == (("a.h",), ("a.h",))


def test_times_are_measured_per_stage(monkeypatch: pytest.MonkeyPatch) -> None:
    stub(monkeypatch, (kernel(),), lambda _: facts(good()))
    report = analyse_file(FILE, files(), Settings())
    assert {"syntax", "ir", "launch", "report"} <= {time.stage for time in report.times}
    assert all(time.seconds >= 0 for time in report.times)
