"""`warpcost compare-profile`: exports of the profiler's three pages, in any locale and encoding, and totals that were measured on a GPU."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from analysis_core.cli.profile_csv import Unreadable, Value, read_export
from analysis_core.cli.profiled_names import taken_apart
from analysis_core.main import main
from tests.simulate.published import RENDITIONS, request_of, rows

SCHEMA = json.loads((Path(__file__).parents[2] / "analysis_core" / "cli" / "counters_schema.json").read_text())

TILED = Path(__file__).parent / "profiles" / "tiled.cu"
PUBLISHED = Path(__file__).parents[1] / "simulate" / "kernels" / "published.cu"

LOAD, STORE = (f"l1tex__t_sectors_pipe_lsu_mem_global_op_{one}.sum" for one in ("ld", "st"))
SHARED = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"
SECTORS = "memory_l2_theoretical_sectors_global"
CONFLICTS = "derived__memory_l1_wavefronts_shared_excessive"

HEAD = ("ID", "Process ID", "Process Name", "Host Name", "Kernel Name", "Context", "Stream", "Block Size", "Grid Size")
TILES = "transpose(float *, const float *, int, int)"


def line(*cells: object, between: str = ",") -> str:
    return between.join(f'"{cell}"' for cell in cells) + "\n"


def launch(number: int, kernel: str, block: tuple[int, ...], grid: tuple[int, ...]) -> tuple[object, ...]:
    return (number, 4711, "a.out", "host", kernel, 1, 7, block, grid)


def raw(*values: str, kernel: str = TILES, between: str = ",", units: tuple[str, ...] = ("sector",) * 3) -> str:
    head = line(*HEAD, LOAD, STORE, SHARED, between=between)
    own = launch(0, kernel, (32, 32, 1), (32, 32, 1))
    return head + line(*[""] * len(HEAD), *units, between=between) + line(*own, *values, between=between)


def compare(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, *exports: str | bytes, words: tuple[str, ...] = ()
) -> Any:
    paths = []
    for number, export in enumerate(exports):
        path = tmp_path / f"{number}.csv"
        path.write_bytes(export.encode() if isinstance(export, str) else export)
        paths.append(str(path))
    status = main(["compare-profile", str(TILED), *paths, "--no-config", "--format", "json", *words])
    said = capsys.readouterr()
    assert (status, said.err) == (0, "")
    found = json.loads(said.out)
    jsonschema.validate(found, SCHEMA)
    return found


def verdicts(found: Any) -> dict[str, str]:
    (kernel,) = found["kernels"]
    return {f"{row['place']} {row['name']}" if row["place"] else row["name"]: row["verdict"] for row in kernel["rows"]}


def test_a_raw_page_behind_what_the_program_printed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    text = '==PROF== Connected to process 4711\n"hello, world\n' + raw("131,072", "1,048,576", "(!) n/a")
    found = compare(capsys, tmp_path, text)
    assert verdicts(found) == {LOAD: "as predicted", STORE: "as predicted"} and found["left_out"] == []
    (kernel,) = found["kernels"]
    assert (kernel["block"], kernel["grid"], kernel["sizes"]) == ([32, 32, 1], [32, 32, 1], {"w": 1024, "h": 1024})


@pytest.mark.parametrize(
    ("values", "between"),
    [
        (("131072", "1048576", "1048576"), ","),
        (("131,072.00", "1,048,576", "1,048,576"), "\t"),
        (("131.072", "1.048.576", "1.048.576,00"), ";"),
        (("131 072", "1 048 576", "1 048 576"), ";"),
        (("131\u00a0072", "1\u202f048\u202f576", "1'048'576"), ";"),
        (("131072", "1.048576e6", "1048576 {524288; 524288}"), ","),
    ],
)
def test_numbers_are_read_as_the_locale_writes_them(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, values: tuple[str, ...], between: str
) -> None:
    assert set(verdicts(compare(capsys, tmp_path, raw(*values, between=between))).values()) == {"as predicted"}


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le"])
def test_encodings_of_shells(capsys: pytest.CaptureFixture[str], tmp_path: Path, encoding: str) -> None:
    text = raw("131,072", "1,048,576", "1,048,576")
    if encoding == "utf-16-le":
        data = text.encode("utf-16-le")  # without its mark: letters with zeros between
    else:
        data = text.encode(encoding)
    assert set(verdicts(compare(capsys, tmp_path, data)).values()) == {"as predicted"}


def test_scaled_units_are_as_exact_as_they_are_written(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    found = compare(capsys, tmp_path, raw("131.07", "1.05", "1,048,577", units=("Ksector", "Msector", "")))
    assert verdicts(found) == {LOAD: "as predicted", STORE: "as predicted", SHARED: "more than predicted"}
    (kernel,) = found["kernels"]
    assert any("replayed" in cause for row in kernel["rows"] for cause in row["causes"])


def test_a_details_page_and_several_launches(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    text = line(*HEAD, "Section Name", "Metric Name", "Metric Unit", "Metric Value")
    for number, value in enumerate(("700", "4,608", "5,000")):
        own = launch(number, "gather(float *, const float *, const int *)", (256, 1, 1), (16, 1, 1))
        text += line(*own, "Command line profiler metrics", LOAD, "sector", value)
        text += line(*own, "SpeedOfLight", "Duration", "usecond", "4.5")
    found = compare(capsys, tmp_path, text)
    (kernel,) = found["kernels"]
    assert kernel["launches"] == 3
    assert kernel["rows"][0]["measured"] == {"low": 700, "high": 5000} and verdicts(found) == {
        LOAD: "more than predicted"
    }


def test_a_compute_capability_says_nothing_of_the_locale(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    text = line(*HEAD, "CC", LOAD, STORE, between=";")
    own = launch(0, TILES, (32, 32, 1), (32, 32, 1))
    text += line(*own, "9.0", "131.072,0", "1.048.576", between=";")
    assert set(verdicts(compare(capsys, tmp_path, text)).values()) == {"as predicted"}


def test_a_source_page_is_compared_by_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    text = (
        line("Kernel Name", TILES)
        + line("File Path", r"C:\build\tiled.cu")
        + line("Line No", "Source", "Address", "Source", "L1 Wavefronts Shared", "L2 Theoretical Sectors Global")
        + line(5, "if (x < w ..", "", "", "32,768", "131,072")
        + line("", "", "0x100", "LDG.E R2, [R4]", "0", "131,072")
        + line(7, "out[x * h + y]", "", "", "1,048,576", "1,000")
    )
    found = verdicts(compare(capsys, tmp_path, text))
    assert found[f"tiled.cu:5 {SECTORS}"] == found["tiled.cu:7 memory_l1_wavefronts_shared"] == "as predicted"
    assert found[f"tiled.cu:7 {SECTORS}"] == found[SECTORS] == "less than predicted"


def test_instructions_without_lines_are_added_up(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for between in ",;":
        text = line("Kernel Name", TILES, between=between)
        text += line("Address", "Source", "L2 Theoretical Sectors Global", between=between)
        text += line("0x0", "LDG", "131,072", between=between) + line("0x10", "STG", "1,048,576", between=between)
        assert verdicts(compare(capsys, tmp_path, text)) == {SECTORS: "as predicted"}


def test_instantiations_are_told_apart_and_shapes_are_those_of_the_export(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    name = "void scale<(int)3, float>(T2 *, const T2 *, int)"
    text = line(*HEAD, LOAD) + line(*launch(0, name, (128, 1, 1), (8, 1, 1)), "128")
    found = compare(capsys, tmp_path, text, words=("--set", "n=1024"))
    (kernel,) = found["kernels"]
    assert (kernel["kernel"], kernel["block"], kernel["grid"]) == ("scale<3, float>", [128, 1, 1], [8, 1, 1])
    assert verdicts(found) == {LOAD: "as predicted"}


def test_what_is_not_compared_is_said(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    other = line(*launch(1, "void cub::thing<(int)3>(int)", (1, 1, 1), (1, 1, 1)), "1", "2", "3")
    found = compare(capsys, tmp_path, raw("131,072", "", "-") + other)
    assert found["left_out"] == ["no kernel of tiled.cu is known as void cub::thing<(int)3>(int)"]
    bare = line(*HEAD, "gpu__time_duration.sum") + line(*launch(0, TILES, (32, 32, 1), (32, 32, 1)), "9")
    assert "none of the counters" in compare(capsys, tmp_path, bare)["left_out"][0]


@pytest.mark.parametrize(
    "data",
    [b"", b"\xff\xfe", b"a,b\n1,2\n", b"\0" * 99, b'"Kernel Name', "größe;1\n".encode("latin-1"), b"\x89PNG\r\n"],
)
def test_what_is_no_export_is_one_line_and_status_two(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, data: bytes
) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(data)
    assert main(["compare-profile", str(TILED), str(path)]) == 2
    said = capsys.readouterr()
    assert said.out == "" and said.err.startswith(f"warpcost: {path}: ") and said.err.count("\n") == 1


def test_no_mutation_of_an_export_is_an_error() -> None:
    chance = random.Random(7)
    sources = [
        raw("131,072", "1.048.576", "x").encode(),
        line("Line No", "Source", "L1 Wavefronts Shared").encode() + b"1,a,2\n",
    ]
    for _ in range(600):
        data = bytearray(chance.choice(sources) * chance.randrange(1, 3))
        for _ in range(chance.randrange(1, 12)):
            place = chance.randrange(len(data))
            data[place : place + chance.randrange(4)] = chance.choice(
                (b'"', b",", b"\n", b"\0", b"9" * 50, b"\xff", b";", b"1e99")
            )
        try:
            for one in read_export(bytes(data)):
                assert all(isinstance(value, Value) for value in one.counters.values())
        except Unreadable:
            pass


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("transpose", ("transpose", "")),
        (TILES, ("transpose", "")),
        ("void ns::scale<(int)32, float>(T2 *, int)", ("scale", "32,float")),
        ("void (anonymous namespace)::k<(bool)1, ns::A<int, 2> >(ns::A<int>)", ("k", "1,ns::A<int,2>")),
        ("scale<2, float>", ("scale", "2,float")),
        ("_Z9transposePfPKfii", ("transpose", "")),
        ("_ZN2ns5scaleILi32EfEEvPT0_", ("scale", "")),
        ("<<<", ("", "<<")),
        ("", ("", "")),
    ],
)
def test_names_are_taken_apart(name: str, expected: tuple[str, str]) -> None:
    assert taken_apart(name) == expected


TRUE_TO = 0.006
"""How far the published profiles, which are means over runs, lie from what addresses say."""

MEASURED = [
    row
    for row in rows()
    if row.total is not None
    and row.kernel in {"vectorAdd", "matrixMul", "matrixMulTranspose", "reduce0", "reduce1", "reduce2"}
    and row.metric in {"sectors", "conflicts"}
    and (row.kernel == "vectorAdd" or dict(row.parameters).get("wA", 0) % 32 == 0)
]


@pytest.mark.parametrize("kernel", sorted({row.kernel for row in MEASURED}))
def test_totals_measured_on_a_gpu_lie_within_the_figures(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, kernel: str
) -> None:
    """The published profiles of POPL 2021, as an export: two sizes of each kernel."""
    mine = [row for row in MEASURED if row.kernel == kernel]
    for parameters in list(dict.fromkeys(row.parameters for row in mine))[:2]:
        totals = {row.metric: row.total for row in mine if row.parameters == parameters}
        request = request_of(kernel, dict(parameters))
        text = line(*HEAD, SECTORS, CONFLICTS)
        own = launch(0, RENDITIONS[kernel], request.block, request.grid)
        text += line(*own, *(totals.get(metric, "n/a") for metric in ("sectors", "conflicts")))
        path = tmp_path / "report.csv"
        path.write_text(text)
        sizes = [f"{name}={value}" for name, value in request.arguments.items() if isinstance(value, int)]
        words = ["--kernel", RENDITIONS[kernel], *(word for size in sizes for word in ("--set", size))]
        assert main(["compare-profile", str(PUBLISHED), str(path), "--no-config", "--format", "json", *words]) == 0
        found = json.loads(capsys.readouterr().out)
        for row in found["kernels"][0]["rows"]:
            low, high = row["predicted"]["low"], row["predicted"]["high"]
            assert low * (1 - TRUE_TO) <= row["measured"]["low"] <= high * (1 + TRUE_TO), row


def test_digits_of_other_scripts_are_no_lines_and_less_than_nothing_is_no_count() -> None:
    name = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"
    head = f"Kernel Name,k\nLine No,Source,{name}\n"
    (found,) = read_export(f"{head}\N{SUPERSCRIPT TWO},x,3\n7,x,-4\n8,x,5\n".encode())
    assert {line for _, line in found.lines} == {8} and found.counters[name] == Value(5)


def test_no_line_is_a_command_of_a_runner(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text("__global__ void k(float *a) { a[threadIdx.x] = 0; }\n")
    export = tmp_path / "a.csv"
    row = "::error::x.cu,7,x,5\n"
    export.write_text(f"Kernel Name,k\nFile Path,Line No,Source,l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum\n{row}")
    assert main(["compare-profile", str(tmp_path / "a.cu"), str(export)]) == 0
    out = capsys.readouterr().out
    assert "error::x.cu:7" in out and not any(text.lstrip().startswith("::") for text in out.splitlines())
