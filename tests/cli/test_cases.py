"""`warpcost cases` as its users meet it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from analysis_core.main import main

TURN = Path(__file__).parents[1] / "case_discussion" / "kernels" / "turn.cu"


def cases(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = main(["cases", *words, "--no-config"])
    out, err = capsys.readouterr()
    return status, out, err


def test_the_cases(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = cases(
        capsys,
        str(TURN),
        "--resources",
        "Z,R",
        "--registers",
        "6",
        "--registers",
        "PARTS=1:5",
        "--at",
        "Z=256",
        "--at",
        "R=5",
    )
    assert status == 0
    assert "turn: 5 cases" in out
    assert "Cases are disjoint and cover all values (proved by z3)." in out
    assert "2*PARTS*X*Y <= Z, R < 6, 5 <= R: PARTS=1, TILES=1  <- asked about" in out
    assert "estimates" not in out


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = cases(capsys, str(TURN), "--kernel", "turn", "--format", "json")
    assert status == 0
    told = json.loads(out)
    assert told["proved"] == {"disjoint": True, "covering": True}
    assert told["program_parameters"] == {"PARTS": 2, "X": 16, "Y": 4}
    assert all(one["registers_are_estimated"] for one in told["counters"])
    first = told["cases"][0]
    assert first["per_warp"]["conflicts"]["upper"] is not None
    assert first["example"]["Z"] == 256


def test_a_device(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = cases(capsys, str(TURN), "--device", "a100")
    assert "a100, 1024 threads of a block, 12288 words of shared memory of a block, 255 registers of a thread" in out
    assert "PARTS kept, TILES=1  <- the text as it is" in out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--device", "abacus"], "unknown device abacus; supported: "),
        (["--kernel", "turnip"], "no kernel `turnip`"),
    ],
)
def test_what_is_not_there_is_said(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = cases(capsys, str(TURN), *words)
    assert status == 2
    assert not out
    assert said in err


def test_a_header_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = cases(capsys, str(TURN), "--header", str(tmp_path / "turn.cuh"))
    assert status == 0
    assert "cases of turn" in out
    assert "inline int choose(const cudaDeviceProp &device)" in (tmp_path / "turn.cuh").read_text(encoding="utf-8")


def test_a_page_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "k.cu"
    path.write_text(TURN.read_text(encoding="utf-8").replace("// What was", "// <script>What was"), encoding="utf-8")
    status, _, _ = cases(capsys, str(path), "--page", str(tmp_path / "k.html"))
    assert status == 0
    page = (tmp_path / "k.html").read_text(encoding="utf-8")
    assert "default-src 'none'" in page
    assert "<code>2*PARTS*X*Y &lt;= Z</code>" in page
    assert '<span class="leaf">PARTS kept, TILES=1</span>' in page
    assert "#define PARTS 1\n" in page
    assert "<script" not in page
    assert page.count("<li>") == page.count("</li>")
    assert page.count("<ul") == page.count("</ul>")


def test_wrong_words(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["--registers", "many"], ["--resources", "Q"]):
        with pytest.raises(SystemExit) as ended:
            cases(capsys, str(TURN), *words)
        assert ended.value.code == 2
