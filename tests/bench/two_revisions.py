"""Two revisions of a repository of many files, and how long `warpcost diff` takes for them.

    python -m tests.bench.two_revisions [FOLDER]

The repository has 200 files of kernels in 20 folders, each with a header; the second revision changes ten kernels, a header that five
files include, and renames a file.  Printed are the seconds of the first run and of the next ones.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
import tempfile
from pathlib import Path
from time import perf_counter

from dulwich import porcelain

from analysis_core.main import main

FOLDERS, FILES = 20, 10

KERNELS = """#include "sizes.h"
__global__ void scale_{n}(float *a, const float *b, int n) {{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] = 2 * b[{stride} * i];
}}
__global__ void tiles_{n}(float *out, const float *in, int w) {{
    __shared__ float tile[32][33];
    for (int k = 0; k < w; k += 32) {{
        tile[threadIdx.y][threadIdx.x] = in[(blockIdx.y * 32 + threadIdx.y) * w + k + threadIdx.x];
        __syncthreads();
        out[(k + threadIdx.y) * w + blockIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
        __syncthreads();
    }}
}}
void run_{n}(float *a, float *b, int n) {{
    scale_{n}<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(a, b, n);
    tiles_{n}<<<dim3(1, n / 32), dim3(32, 32)>>>(a, b, n);
}}
"""


def write(top: Path) -> None:
    """The first revision."""
    for folder in range(FOLDERS):
        (top / f"part{folder}").mkdir()
        (top / f"part{folder}" / "sizes.h").write_text("#define BLOCK 256\n")
        for file in range(FILES):
            n = folder * FILES + file
            (top / f"part{folder}" / f"k{n}.cu").write_text(KERNELS.format(n=n, stride=1))


def change(top: Path) -> None:
    """The second one."""
    for n in range(0, 50, 5):
        (top / f"part{n // FILES}" / f"k{n}.cu").write_text(KERNELS.format(n=n, stride=4))
    (top / "part19" / "other.h").write_text("#define BLOCK 128\n")
    for n in range(190, 195):
        path = top / "part19" / f"k{n}.cu"
        path.write_text(path.read_text().replace("sizes.h", "other.h"))
    (top / "part18" / "k180.cu").rename(top / "part18" / "renamed.cu")


def commit(top: Path, message: bytes) -> None:
    porcelain.add(str(top), [str(path) for path in top.rglob("*") if path.is_file() and ".git" not in path.parts])
    gone = top / "part18" / "k180.cu"
    if message == b"after":
        assert not gone.exists()
        porcelain.remove(str(top), [str(gone)], cached=True)
    porcelain.commit(str(top), message=message, author=b"a <a@b>", committer=b"a <a@b>")


def made(top: Path) -> None:
    porcelain.init(str(top))
    write(top)
    commit(top, b"before")
    change(top)
    commit(top, b"after")


def run(folder: str) -> None:
    top = Path(folder)
    if not (top / ".git").exists():
        made(top)
    os.chdir(top)
    for jobs in ("1", "1", "2"):
        out, start = io.StringIO(), perf_counter()
        with contextlib.redirect_stdout(out):
            main(["diff", "HEAD~1", "HEAD", "--jobs", jobs])
        print(f"--jobs {jobs}: {perf_counter() - start:.1f} s; {out.getvalue().splitlines()[-1]}")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        run(sys.argv[1])
    else:
        with tempfile.TemporaryDirectory() as made_for_it:
            run(made_for_it)
