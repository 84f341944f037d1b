"""Numbers that the host makes of the words that its program is run with: sizes of parameters, and nothing else of launches."""

from __future__ import annotations

import pytest

from analysis_core.pipeline.pipeline import load
from analysis_core.program.launch import choose_launches
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings

_KERNEL = b"""#include <cstdlib>
__global__ void turn(float *out, const float *in, int rows) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i * rows] = in[i];
}
"""
_MAIN = b"int main(int argc, char **argv) { float *p; int n = 8; %s turn<<<n, 128>>>(p, p, n); }"


def size(body: str, given: str | None, main: bytes = _MAIN, kernel: bytes = _KERNEL) -> int | None:
    """What is seen of the parameter where the program is run with these words."""
    words = None if given is None else tuple(given.split())
    files = MemoryFiles({"k.cu": kernel + main % body.encode()})
    _, module = load("k.cu", files, Settings(run_arguments=words), strict=True)
    (site,) = module.kernels[0].launches
    return next((one.most for one in site.arguments.ranges if one.name == "rows" and one.least == one.most), None)


_LOOP = "for (int i = 1; i < argc; i++) { %s }"
_GETOPT = (
    "int c; while ((c = getopt(argc, argv, \"n:v\")) != -1) switch (c) { case 'n': %s break; case 'v': n = 7; break; }"
)


@pytest.mark.parametrize(
    ("body", "given", "seen"),
    [
        ("n = atoi(argv[1]);", "512 9", 512),
        ("n = std::stoi(std::string(argv[2]));", "512 -9", -9),
        ("n = strtol(argv[1], nullptr, 10);", "64k", 64),
        ("n = strtol(argv[1], nullptr, 16);", "64", None),
        ("n = (int)(atof(argv[1]) * 2);", "2.5e2", 500),
        ("n = atoi(argv[3]);", "512 9", None),
        ("n = atoi(argv[1]);", "fast", None),
        ("n = atoi(argv[1]);", "9" * 5000, None),
        ("n = atof(argv[1]);", "9" * 5000, None),
        ("n = atoi(argv[1]);", "3000000000", None),
        ("n = atol(argv[1]) / 1000;", "3000000000", 3000000),
        (f"n = atoi(argv[{'9' * 5000}]);", "5", None),
        ("n = atoi(argv[1]);", None, None),
        ("if (argc > 1) n = atoi(argv[1]); else n = 5;", "", 5),
        ("if (argc > 1) n = atoi(argv[1]); else n = 5;", "6", 6),
        ("n = argc == 2 ? atoi(argv[1]) : 16;", "6 7", 16),
        ("if (strcmp(argv[1], \"big\") == 0) n = 4096;", "big", 4096),
        ("if (strcmp(argv[1], \"big\") == 0) n = 4096;", "small", 8),
        ("n = std::stoi(options.get(\"-rows\", true));", "-rows 77 -v", 77),
        ("argc--; argv++; n = atoi(argv[1]);", "5 6", None),
        (_LOOP % "if (!strcmp(argv[i], \"-n\")) n = atoi(argv[++i]);", "-v -n 512", 512),
        (_LOOP % "if (!strcmp(argv[i], \"-n\")) n = atoi(argv[++i]);", "-v", 8),
        (_LOOP % "if (!strcmp(argv[i], \"-n\")) n = atoi(argv[++i]);", None, None),
        (_LOOP % "if (std::string(argv[i]) == \"-n\" && i + 1 < argc) n = atoi(argv[i + 1]);", "-n 3", 3),
        (_LOOP % "if (!strcmp(argv[i], \"-m\")) {} else if (!strcmp(argv[i], \"-n\")) n = atoi(argv[i + 2]);", "-n 3 4", 4),
        (_LOOP % "if (strcmp(argv[i], \"-n\") == 0) { i++; n = atoi(argv[i]); }", "-n 3", 3),
        (_LOOP % "if (strcmp(argv[i], \"-n\") == 0) { n = atoi(argv[++i]); n += 2; }", "-n 3", None),
        (_LOOP % "if (strcmp(argv[i], \"-n\")) n = atoi(argv[i]);", "-n 3", None),
        (_LOOP % "if (argv[i][0] == '-') n = 4;", "-n 3", None),
        ("if (has(argc, (const char **)argv, \"big\")) n = 4096;", "--big -v", 4096),
        ("if (has(argc, (const char **)argv, \"big\")) n = 4096;", "--bigger", 8),
        ("if (has(argc, (const char **)argv, \"big\")) n = 4096;", None, None),
        ("if (has(argc, argv, \"n\") && argc > 1) { n = whole(argc, argv, \"n\"); }", "-n=24", 24),
        ("if (has(argc, argv, \"n\")) { get(argc, argv, \"n\", &n); }", "-n=24", None),
        ("n = log2(atoi(argv[1])) + ceil(3 / 2.f);", "64", 8),
        ("n = log2(atoi(argv[1]));", "63", None),
        (_GETOPT % "n = atoi(optarg);", "-n 24", 24),
        (_GETOPT % "n = atoi(optarg);", "-n24", 24),
        (_GETOPT % "n = atoi(optarg);", "", 8),
        (_GETOPT % "n = atoi(optarg);", "--rows 24", None),
        (_GETOPT % "read(&n);", "-n 24", None),
        (_GETOPT % "n = atoi(optarg);", "-v", 7),
    ],
)  # fmt: skip
def test_what_the_run_says_is_the_size(body: str, given: str | None, seen: int | None) -> None:
    assert size(body, given) == seen


def test_it_goes_through_calls() -> None:
    run = _KERNEL + b"void run(float *p, int n) { turn<<<n / 2, 128>>>(p, p, n / 2); }\n"
    main = b"int main(int argc, char **argv) { float *p; int n = 8; %s run(p, n); }"
    assert size("n = atoi(argv[1]);", "512", main, run) == 256


def test_it_tells_how_many_warps_there_are() -> None:
    main = _MAIN.replace(b"<<<n,", b"<<<(n + 127) / 128,") % b"n = atoi(argv[1]);"
    _, module = load("k.cu", MemoryFiles({"k.cu": _KERNEL + main}), Settings(run_arguments=("200",)), strict=True)
    (site,) = module.kernels[0].launches
    assert (site.profile.warps, site.grid) == (8, (None, 1, 1))
    assert [one.run for one in site.arguments.ranges] == [True]


def test_another_file_may_be_the_one_that_is_run() -> None:
    kernel = _KERNEL + b"void run(float *p, int n) { turn<<<n, 128>>>(p, p, n); }\n"
    main = b"void run(float *p, int n);\nint main(int argc, char **argv) { float *p = 0; run(p, atoi(argv[1])); }\n"
    files = MemoryFiles({"p/k.cu": kernel, "p/main.cpp": main})
    _, module = load("p/k.cu", files, Settings(run_arguments=("96",)), strict=True)
    (site,) = module.kernels[0].launches
    assert [(one.name, one.least, one.most) for one in site.arguments.ranges] == [("rows", 96, 96)]


@pytest.mark.parametrize(
    ("given", "body", "usual"),
    [
        ("64", "n = atoi(argv[1]);", (64, 1, 1)),
        ("64", "n = read();", None),
        (None, "n = atoi(argv[1]);", None),
        (None, "if (argc > 1) n = atoi(argv[1]);", (8, 1, 1)),
        (None, _LOOP % 'if (!strcmp(argv[i], "-n")) n = atoi(argv[++i]);', (8, 1, 1)),
        (None, 'if (has(argc, argv, "n")) n = read();', (8, 1, 1)),
        ("-n=5", 'if (has(argc, argv, "n")) n = read();', None),
    ],
)
def test_a_block_is_guessed_from_it(given: str | None, body: str, usual: tuple[int, int, int] | None) -> None:
    words = None if given is None else tuple(given.split())
    run = b"void run(float *p, int n) { turn<<<4, n>>>(p, p, 5); }\n"
    main = b"int main(int argc, char **argv) { float *p; int n = 8; %s run(p, n); }" % body.encode()
    _, module = load("k.cu", MemoryFiles({"k.cu": _KERNEL + run + main}), Settings(run_arguments=words), strict=True)
    (kernel,) = module.kernels
    (site,) = kernel.launches
    assert (site.block, site.usual) == (None, usual)
    (launch,) = choose_launches(kernel, Settings(run_arguments=words))
    assert launch.source == ("default" if usual is None else "shape")
    if usual is not None:
        how = " without arguments" if given is None else ""
        assert launch.block == usual
        assert launch.assumptions[0].text == f"block {usual[0]}, which `n` is as the program is run{how}"


def test_launches_are_what_they_are_without_it() -> None:
    body = "n = atoi(argv[1]); if (n > 100) return 0;"
    sites = []
    for words in (None, ("512",), ("64",)):
        files = MemoryFiles({"k.cu": _KERNEL + (_MAIN % body.encode()).replace(b"<<<n, 128", b"<<<n, n")})
        _, module = load("k.cu", files, Settings(run_arguments=words), strict=True)
        sites += [(site.block, site.grid, site.dead) for site in module.kernels[0].launches]
    assert sites == [(None, (None, 1, 1), False)] * 3
