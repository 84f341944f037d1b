"""`warpcost check --expect-only`: contracts alone, with an exit status for CI."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.test_commands import warpcost

KERNEL = """//@ launch block=(64) grid=(1)
{contract}
__global__ void every_eighth(float *out, const float *in) {{ out[threadIdx.x] = in[8 * threadIdx.x]; }}
"""


def _checked(tmp_path: Path, contract: str, *options: str) -> tuple[int, str]:
    (tmp_path / "k.cu").write_text(KERNEL.format(contract=contract), encoding="utf-8")
    done = warpcost("check", "--expect-only", "--no-config", *options, "k.cu", cwd=tmp_path)
    return done.returncode, done.stdout.decode() + done.stderr.decode()


def test_what_holds_is_listed_and_other_findings_are_not(tmp_path: Path) -> None:
    status, text = _checked(tmp_path, "//@ expect sectors <= 36")
    assert status == 0
    assert (
        "k.cu:2:5: holds: `sectors <= 36`. A warp pays `36` sectors at most, and the most expensive one does." in text
    )
    assert "WC101" not in text


def test_what_is_violated_fails(tmp_path: Path) -> None:
    status, text = _checked(tmp_path, "//@ expect sectors <= 8")
    assert status == 1
    assert "`sectors <= 8` does not hold: warp 0 of block (0, 0, 0) pays 36, as a simulated run shows" in text


def test_what_is_not_shown_fails_where_that_is_asked(tmp_path: Path) -> None:
    contract = "//@ expect sectors <= (36 | 1)"
    assert _checked(tmp_path, contract)[0] == 0
    assert _checked(tmp_path, contract, "--fail-on", "information")[0] == 1


def test_what_cannot_be_read_fails(tmp_path: Path) -> None:
    for half in ("//@ expect sectors <=", "//@ expect sectrs <= 4", "//@ expect", "//@ expect sectors <= 4 when"):
        assert _checked(tmp_path, half)[0] == 1, half


def test_no_contract_is_no_silence(tmp_path: Path) -> None:
    status, text = _checked(tmp_path, "")
    assert status == 0
    assert "no kernel has a contract" in text


def test_json_has_all_contracts(tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text(KERNEL.format(contract="//@ expect sectors <= 36\n//@ expect sectors < 36"), "utf-8")
    done = warpcost("check", "--expect-only", "--no-config", "--format", "json", "k.cu", cwd=tmp_path)
    (file,) = json.loads(done.stdout)["files"]
    first, second = file["kernels"][0]["launches"][0]["contracts"]
    assert (first["verdict"], first["upper"], first["broken"]) == ("holds", "36", None)
    assert (second["verdict"], second["broken"]["paid"], second["broken"]["warp"]) == ("violated", 36, 0)
    assert [f["code"] for f in file["findings"] + file["kernels"][0]["findings"]] == ["WC501"]
