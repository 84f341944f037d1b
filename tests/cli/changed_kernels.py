"""Changes to kernels, each with the sentences that a reviewer would write of it: a text, edits, and what is to be said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

TILED = """__global__ void product(float *c, const float *a, const float *b, int n) {
    __shared__ float left[32][32], right[32][32];
    int row = blockIdx.y * 32 + threadIdx.y, column = blockIdx.x * 32 + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k += 32) {
        left[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x];
        right[threadIdx.x][threadIdx.y] = b[(k + threadIdx.y) * n + column];
        __syncthreads();
        for (int i = 0; i < 32; i++) sum += left[threadIdx.y][i] * right[threadIdx.x][i];
        __syncthreads();
    }
    c[row * n + column] = sum;
}
void run(float *c, float *a, float *b, int n) { product<<<dim3(n / 32, n / 32), dim3(32, 32)>>>(c, a, b, n); }
"""

TRANSPOSE = """__global__ void turned(float *out, const float *in, int w, int h) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    if (x < w && y < h) out[x * h + y] = in[y * w + x];
}
void run(float *o, float *i, int w, int h) { turned<<<dim3(w / 32, h / 32), dim3(32, 32)>>>(o, i, w, h); }
"""

TURNED_IN_A_TILE = """__global__ void turned(float *out, const float *in, int w, int h) {
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * w + x];
    __syncthreads();
    out[(blockIdx.x * 32 + threadIdx.y) * h + blockIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
void run(float *o, float *i, int w, int h) { turned<<<dim3(w / 32, h / 32), dim3(32, 32)>>>(o, i, w, h); }
"""

ROWS = """__global__ void sums(float *out, const float *in, int n) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int i = 0; i < n; i++) sum += in[row * n + i];
    out[row] = sum;
}
void run(float *o, float *i, int n) { sums<<<64, 128>>>(o, i, n); }
"""

REDUCTION = """__global__ void reduce(float *out, const float *in) {
    __shared__ float part[256];
    int t = threadIdx.x;
    part[t] = in[blockIdx.x * 256 + t];
    __syncthreads();
    for (int s = 1; s < 256; s *= 2) {
        if (t % (2 * s) == 0) part[t] += part[t + s];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = part[0];
}
void run(float *o, float *i) { reduce<<<64, 256>>>(o, i); }
"""

STRIDED = """__global__ void scale(float *a, const float *b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = 2 * b[8 * i];
}
void run(float *a, float *b, int n) { scale<<<64, 256>>>(a, b, n); }
"""

LOOPED = """__global__ void steps(float *a, const float *b, int n, int m) {
    int t = threadIdx.x;
    for (int i = 0; i < n; i++) {
        a[i * 32 + t] = b[i * 1024 + 32 * t];
    }
    for (int j = 0; j < m; j++) a[j * 32 + t] += 1;
}
void run(float *a, float *b, int n, int m) { steps<<<1, 32>>>(a, b, n, m); }
"""

LIST = """__global__ void along(float *a, const int *next, int start) {
    int t = threadIdx.x;
    for (int at = start; at >= 0; at = next[at]) a[at * 32 + t] = a[at * 1024 + 32 * t];
}
void run(float *a, int *next, int s) { along<<<1, 32>>>(a, next, s); }
"""

BRANCHED = """__global__ void halves(float *a) {
    int t = threadIdx.x;
    if (t % 2 == 0) a[t] = a[t] * 2; else a[t] = a[t + 64] + 1;
}
void run(float *a) { halves<<<8, 64>>>(a); }
"""


@dataclass(frozen=True)
class Changed:
    """`edits`: what is put in place of what.  `said`: sentences about the kernels, in order; `came`, `went`: codes of findings; `worse`: whether
    it counts as a regression."""

    name: str
    before: str
    edits: Sequence[tuple[str, str]]
    said: Sequence[str] = ()
    came: Sequence[str] = ()
    went: Sequence[str] = ()
    worse: bool = False

    @property
    def after(self) -> str:
        text = self.before
        for old, new in self.edits:
            assert old in text, old
            text = text.replace(old, new)
        return text


CHANGES: Sequence[Changed] = (
    Changed(
        "pad",
        TILED,
        [("right[32][32]", "right[32][33]")],
        ["conflicts 1023 -> 0 per iteration of the loop at line 5"],
        went=["WC201", "WC201"],
    ),
    Changed(
        "in-a-tile",
        TRANSPOSE,
        [(TRANSPOSE, TURNED_IN_A_TILE)],
        [
            "sectors <= 37 -> 8 per warp when h and w are multiples of 8, h >= 8 and w >= 8; else <= 37 -> <= 10 per warp",
            "divergences <= 1 -> 0 per warp",
        ],
        went=["WC101"],
    ),
    Changed(
        "by-columns",
        ROWS,
        [("in[row * n + i]", "in[i * 8192 + row]")],
        ["sectors <= 32 -> 4 per iteration of the loop at line 4"],
        went=["WC101"],
    ),
    Changed("wider-steps", ROWS, [("i++", "i += 2")], ["sectors <= 4 + 32*n -> <= 4 + 32*ceil(n/2) per warp"]),
    Changed(
        "sequential",
        REDUCTION,
        [("int s = 1; s < 256; s *= 2", "int s = 128; s > 0; s /= 2"), ("t % (2 * s) == 0", "t < s")],
        ["divergences 9 -> 6 per warp"],
        went=["WC301"],
    ),
    Changed("stride", STRIDED, [("8 * i", "i")], ["sectors 36 -> 8 per warp"], went=["WC101"]),
    Changed("guard", STRIDED, [("a[i] =", "if (i < n) a[i] =")], ["divergences 0 -> <= 1 per warp"], worse=True),
    Changed("larger-blocks", STRIDED, [("64, 256", "32, 512")]),
    Changed("more-blocks", STRIDED, [("64, 256", "128, 256")], ["sectors 18432 -> 36864 per launch"], worse=True),
    Changed(
        "first-loop",
        LOOPED,
        [("32 * t]", "t]")],
        ["sectors 36 -> 8 per iteration of the loop at line 3"],
        went=["WC101"],
    ),
    Changed(
        "second-loop",
        LOOPED,
        [("a[j * 32 + t]", "a[j * 1024 + 32 * t]")],
        ["sectors 8 -> 64 per iteration of the loop at line 6"],
        went=["WC101"],
        worse=True,
    ),
    Changed(
        "both-loops",
        LOOPED,
        [("32 * t]", "t]"), ("a[j * 32 + t]", "a[j * 1024 + 32 * t]")],
        ["sectors 8*m + 36*n -> 64*m + 8*n per warp, larger for some sizes (m = 1, n = 1: 44 before, 72 after)"],
        came=["WC101"],
        went=["WC101"],
        worse=True,
    ),
    Changed(
        "loop-gone",
        LOOPED,
        [("    for (int j = 0; j < m; j++) a[j * 32 + t] += 1;\n", "")],
        ["sectors 8 -> 0 per iteration of the loop that stood at line 6"],
    ),
    Changed("other-bound", LOOPED, [("i < n", "i < 2 * n")], ["sectors 8*m + 36*n -> 8*m + 72*n per warp"], worse=True),
    Changed(
        "list",
        LIST,
        [("32 * t];", "t];")],
        ["sectors <= 37 -> <= 9 per iteration of the loop at line 3"],
        went=["WC101"],
    ),
    Changed(
        "list-moved",
        LIST,
        [("32 * t];", "t];"), ("    int t", "    // a remark\n\n    int t")],
        ["sectors <= 37 -> <= 9 per iteration of the loop at line 5"],
        went=["WC101"],
    ),
    Changed(
        "list-other-head",
        LIST,
        [("at >= 0", "at > 0")],
        [
            "sectors <= 37*T3' -> <= 37*T3 per warp, not shown which is larger (T3: iterations of the loop at line 3; T3': iterations of the loop at line 3 before)"
        ],
    ),
    Changed(
        "list-counted",
        LIST,
        [("at = next[at]", "at--")],
        [
            "sectors <= 37*T3' -> 36 + 36*start per warp, not shown which is larger (T3': iterations of the loop at line 3 before)"
        ],
    ),
    Changed(
        "counted-list",
        LIST.replace("at = next[at]", "at--"),
        [("at--", "at = next[at]")],
        [
            "sectors 36 + 36*start -> <= 37*T3 per warp, not shown which is larger (T3: iterations of the loop at line 3)"
        ],
    ),
    Changed(
        "whole-warps",
        BRANCHED,
        [("t % 2", "t / 32 % 2")],
        ["sectors 16 -> 8 per warp", "divergences 1 -> 0 per warp"],
        went=["WC301"],
    ),
    Changed(
        "renamed",
        TILED,
        [("product", "multiply"), ("right[32][32]", "right[32][33]")],
        ["conflicts 1023 -> 0 per iteration of the loop at line 5"],
        went=["WC201", "WC201"],
    ),
    Changed("moved", TILED, [("    float sum", "\n    // a remark\n    float sum")], []),
    Changed("remark", STRIDED, [("b[8 * i];", "b[8 * i];  // every eighth")], []),
    Changed("edited-line", STRIDED, [("2 * b[8 * i]", "3 * b[8 * i]")], []),
    Changed("spelled", STRIDED, [("8 * i", "i << 3")], []),
    Changed("parameter", LOOPED, [("int n, int m", "int count, int m"), ("i < n", "i < count")], []),
    Changed(
        "template",
        STRIDED.replace("__global__", "template <int S> __global__")
        .replace("8 * i", "S * i")
        .replace("scale<<<", "scale<8><<<"),
        [("<8>", "<4>")],
        ["sectors 36 -> 20 per warp"],
    ),
    Changed(
        "unknown-call",
        STRIDED,
        [("2 * b[8 * i]", "helper(b, i)")],
        [
            "sectors per warp not comparable: there is no bound any more: the function 'helper' is not declared here (line 3)",
            "conflicts per warp not comparable: there is no bound any more: the function 'helper' is not declared here (line 3)",
            "divergences per warp not comparable: there is no bound any more: the function 'helper' is not declared here (line 3)",
        ],
        came=["WC900"],
        went=["WC101"],
        worse=True,
    ),
    Changed(
        "case",
        LOOPED,
        [("b[i * 1024 + 32 * t]", "b[i * m + t]")],
        [
            "sectors 36 -> 8 per iteration of the loop at line 3 when m is a multiple of 8 and m >= 8; else 36 -> <= 9 per iteration of the loop at line 3"
        ],
        went=["WC101"],
    ),
    Changed(
        "crossing",
        LOOPED,
        [
            ("for (int i = 0; i < n; i++)", "for (int i = 0; i < (n + 7) / 8; i++)"),
            (
                "a[i * 32 + t] = b[i * 1024 + 32 * t];",
                "a[i * 1024 + 32 * t] = b[i * 1024 + 32 * t]; b[i * 1024 + 32 * t] = 1; ",
            ),
        ],
        [
            "sectors 8*m + 36*n -> 8*m + 96*ceil(n/8) per warp, larger for some sizes (m = 1, n = 1: 44 before, 104 after)"
        ],
        went=["WC101"],
        worse=True,
    ),
    Changed(
        "volatile",
        BRANCHED,
        [("a[t + 64] + 1", "a[t * 32] + 1")],
        ["sectors 16 -> 28 per warp"],
        came=["WC101"],
        worse=True,
    ),
)
