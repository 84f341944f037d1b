"""`warpcost report`: one page that holds everything, in a file or on standard output."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

from analysis_core.cli.render_page import page
from analysis_core.pipeline.pipeline import analyse_file
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from analysis_core.support.sources import Sources
from tests.harness import copied

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "examples" / "transpose.cu"


def run(*words: str) -> subprocess.CompletedProcess[str]:
    done = copied.done("analysis_core", "report", *words, cwd=ROOT)
    return subprocess.CompletedProcess(words, done.returncode, done.stdout.decode(), done.stderr.decode())


def test_the_page_goes_where_it_is_asked_to(tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    done = run(str(SOURCE), "-o", str(page))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert run(str(SOURCE)).stdout == page.read_text(encoding="utf-8")


def test_the_page_asks_nobody_for_anything() -> None:
    text = run(str(SOURCE)).stdout
    assert text.startswith("<!DOCTYPE html>") and "default-src 'none'" in text
    assert not re.search(r"\b(src|href)=|@import|url\(|\bfetch\(|XMLHttpRequest|import\(", text)
    addresses = set(re.findall(r"https?://[^\s'\"<]+", text))
    assert addresses <= {"http://www.w3.org/2000/svg"}  # a name, not a place


def test_the_data_has_pictures_and_sizes() -> None:
    text = run(str(SOURCE), "--kernel", "transpose_tiled").stdout
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
    assert found is not None
    (kernel,) = json.loads(found[1])["kernels"]
    (launch,) = kernel["launches"]
    assert set(launch["sizes"]) == set(launch["symbols"])
    banks = [access["picture"] for access in launch["accesses"] if access["space"] == "shared"]
    assert [picture["unit"] for picture in banks] == ["bank", "bank"]
    assert [len(set(picture["group"])) for picture in banks] == [32, 1]


def test_a_page_has_what_places_launches_under_the_roofline(tmp_path: Path) -> None:
    source = tmp_path / "scale.cu"
    source.write_text(
        "//@ launch block=(256) grid=(n/256)\n//@ assume n % 256 == 0 && n >= 256\n"
        "__global__ void scale(double *p, double s, int n) { p[blockIdx.x * 256 + threadIdx.x] *= s; }"
    )
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', run(str(source)).stdout, re.DOTALL)
    assert found is not None
    data = json.loads(found[1])
    bounds = data["kernels"][0]["launches"][0]["bounds"]
    assert {m: bounds[m]["per_block"]["upper"] for m in ("flops", "flops_f64", "bytes")} == {
        "flops": "256",
        "flops_f64": "256",
        "bytes": "4096",
    }
    assert all(gpu["source"] and gpu["bandwidth"] > 0 for gpu in data["gpus"])


def test_each_access_that_is_counted_has_its_lanes() -> None:
    text = run(str(ROOT / "tests" / "editors" / "pages" / "gathers.cu")).stdout
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
    assert found is not None
    opened = {}
    for kernel in json.loads(found[1])["kernels"]:
        for access in kernel["launches"][0]["accesses"]:
            assert (access["picture"] is None) != (access["open"] is None)
            lanes = access["open"]
            if lanes is not None:
                assert len(lanes["active"]) == 32
                ends = (sum(lanes["active"]), lanes["worst"], lanes["best"])
                opened[kernel["name"], access["text"]] = (*ends, lanes["reach"] if lanes["reach"] < 2**30 else None)
    assert opened == {
        ("gather", "in[idx[i]]"): (32, 32, 1, None),
        ("histogram", "part[data[threadIdx.x]]"): (32, 8, 1, 1024),
        ("few", "weights[idx[threadIdx.x] & 63]"): (8, 8, 1, 256),
        ("few", "a[idx[threadIdx.x]]"): (8, 8, 1, None),
        ("few", "a[idx[threadIdx.x] & 7]"): (32, 1, 1, 32),
        ("wide", "a[idx[threadIdx.x]].x"): (32, 32, 1, None),
    }


def test_a_race_has_its_two_threads() -> None:
    text = run(str(ROOT / "tests" / "kernels" / "rules" / "data_race.cu"), "--kernel", "neighbours").stdout
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
    assert found is not None and "function meetingPicture(race)" in text
    (race,) = json.loads(found[1])["kernels"][0]["launches"][0]["races"]["list"]
    assert race["verdict"] == "certain" and len(race["witness"]["threads"]) == 2


def test_what_is_wrong_is_said() -> None:
    missing = run("no-such-file.cu")
    assert missing.returncode == 2 and "no-such-file.cu" in missing.stderr and missing.stdout == ""
    nowhere = run(str(SOURCE), "-o", "/no/such/folder/report.html")
    assert nowhere.returncode == 2 and "/no/such/folder/report.html" in nowhere.stderr


LOSSES = """\
__global__ void good(float *out, const float *in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i];
}
__global__ void strided(float *out, const float *in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[8 * i] = in[i];
}
void launch(float *out, const float *in, int n) {
    good<<<(n + 255) / 256, 256>>>(out, in, n);
    strided<<<n / 256, 256>>>(out, in, n);
}
"""


def test_the_data_says_what_there_is_to_gain_and_where_the_page_opens() -> None:
    files = MemoryFiles({"a.cu": LOSSES.encode()})
    report = analyse_file("a.cu", files, Settings())
    text = page(report, Sources(files), Settings(), line=7)
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
    assert found is not None
    data = json.loads(found[1])
    assert data["line"] == 7
    good, strided = data["kernels"]
    assert good["worst"] == 0 and good["launches"][0]["unreported"] == []
    first = strided["launches"][0]["gains"][0]
    assert (first["line"], first["metric"], first["unreported"]) == (7, "sectors", "")
    assert first["what"] == "32 sectors, ideal 4" and first["share"].endswith("of the work")


def test_a_page_has_the_map_of_block_shapes(tmp_path: Path) -> None:
    source = tmp_path / "k.cu"
    source.write_text(
        "__global__ void k(float *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[3 * i] = 1; }\n"
        "__global__ void other(float *a) { a[threadIdx.x] = 1; }\n"
        "void run(float *a, int n) { k<<<(n + 255) / 256, 256>>>(a, n); }\n"
    )
    target = tmp_path / "k.html"
    assert run(str(source), "-o", str(target), "--no-config").returncode == 0
    found = re.search(r'id="data">(.*?)</script>', target.read_text(), re.DOTALL)
    assert found is not None
    one, other = json.loads(found[1])["kernels"]
    assert other["shapes"] is None
    assert one["shapes"]["rows"][0]["block"] == [256, 1, 1]
    assert len(one["shapes"]["rows"]) == 16
    assert all(row["score"] > 0 and 0 < row["share"] <= 1 for row in one["shapes"]["rows"])
    assert one["shapes"]["said"].startswith("Independent of the block in all of these shapes")
