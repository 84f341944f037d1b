"""Structures of arrays: kernels with their host code, run before and after on memory in both layouts; and what is refused, with the reason."""

from __future__ import annotations

import pytest

from analysis_core.rewrite.actions.soa import ACTION as SOA
from analysis_core.rewrite.checks import Checked
from tests.rewrite.harness import tried
from tests.rewrite.memory import after, reason

PARTICLES = """#include <cstdlib>
struct Particle { float x, y, z; float mass; };
__global__ void move(Particle *p, int n, float dt) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        p[i].x += dt * p[i].mass; // forward
        p[i].y = p[i].z;
    }
}
int main() {
    int n = 1000;
    Particle *h = (Particle *)malloc(n * sizeof(Particle));
    Particle *d;
    for (int i = 0; i < n; i++) { h[i].x = i; h[i].mass = 1; h[i].z = h[i + 0].y = 2; }
    cudaMalloc(&d, n * sizeof(Particle));
    cudaMemcpy(d, h, n * sizeof(Particle), cudaMemcpyHostToDevice);
    move<<<(n + 255) / 256, 256>>>(d, n, 0.5f);
    cudaMemcpy(h, d, n * sizeof(Particle), cudaMemcpyDeviceToHost);
    cudaFree(d);
    free(h);
}
"""

PAIRS = """struct Pair { double re; double im; };
__global__ void fill(Pair *out, const int n) {
    for (int i = threadIdx.x; i < n; i += 128) { out[i].re = i; out[i].im = -i; }
}
__global__ void turn(double *sums, const struct Pair *__restrict__ in, int n) {
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i >= n) return;
    sums[i] = in[i].re * in[i].re + in[i].im * in[i].im;
}
void run(double *sums, int n) {
    Pair *a = NULL;
    cudaMalloc((void **)&a, sizeof(Pair) * n);
    fill<<<1, 128>>>(a, n);
    turn<<<(n + 127) / 128, 128>>>(sums, a, n);
    cudaFree(a);
}
"""

FIXED = """struct Cell { int alive; int age; int kind; };
__global__ void age(Cell *cells, int *out) {
\tint i = blockIdx.x * 64 + threadIdx.x;
\tif (cells[i].alive)
\t\tout[i] = cells[i].age + cells[(i + 1) % 256].kind;
}
void run(int *out) {
    Cell *cells, *copy;
    cudaMalloc(&cells, 256 * sizeof(Cell));
    cudaMallocManaged(&copy, 256 * sizeof(Cell));
    cudaMemcpy(cells, copy, 256 * sizeof(Cell), cudaMemcpyDeviceToDevice);
    age<<<4, 64>>>(cells, out);
}
"""

TWO = PAIRS.replace("    fill<<<1, 128>>>(a, n);\n", "    fill<<<1, 128>>>(a, n);\n    fill<<<1, 128>>>(a, n);\n")
SET = PARTICLES.replace(
    "Particle *h = (Particle *)malloc(n * sizeof(Particle));",
    "Particle *h;\n    h = (Particle *)malloc(sizeof(Particle) * n);",
)
LINES = PARTICLES.replace("\n", "\r\n")


@pytest.mark.parametrize("text", [PARTICLES, PAIRS, FIXED, TWO, SET, LINES])
def test_it_is_accepted_and_cheaper(text: str) -> None:
    found = tried(text, SOA)
    assert isinstance(found, Checked), found
    assert "sectors" in found.title
    assert found.gain > 0
    assert found.ran.equal >= 3


def test_host_code_goes_along() -> None:
    made = after(PARTICLES, SOA)
    assert "__global__ void move(float *p, int n, float dt)" in made
    assert "p[i] += dt * p[3 * n + i]; // forward" in made
    assert "float *h = (float *)malloc(n * sizeof(Particle));" in made
    assert "h[i] = i; h[3 * n + i] = 1; h[2 * n + i] = h[n + (i + 0)] = 2;" in made
    made = after(FIXED, SOA)
    assert "float" not in made
    assert "cells[256 + i] + cells[2 * 256 + ((i + 1) % 256)]" in made
    assert "int *cells, *copy;" in made
    assert "const double *__restrict__ in" in after(PAIRS, SOA)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("float x, y, z; float mass;", "float x, y, z; int mass;", None),
        ("        p[i].y = p[i].z;", "        Particle q = p[i];", "an element is used as a whole in line 7"),
        ("        p[i].y = p[i].z;", "        p->y = 1;", "`p` is used as a whole in line 7"),
        ("        p[i].y = p[i].z;", "        float *q = &(p + i)->y;", "`p` is used as a whole in line 7"),
        ("    free(h);", "    save(h);", "`h` is used in line 20 in a way that is not understood"),
        ("cudaMemcpy(h, d, n *", "cudaMemcpy(h, d, 10 *", "`d` is used in line 18"),
        ("cudaMalloc(&d, n * sizeof(Particle));", "cudaMalloc(&d, bytes);", "the size in line 15 is not a number of `Particle`"),
        ("    cudaMalloc(&d, n * sizeof(Particle));", "", "`d` is not allocated in `main`"),
        ("(d, n, 0.5f)", "(d, 1000, 0.5f)", "no parameter of `move` is the number of elements, `n`"),
        ("(d, n, 0.5f)", "(d + 1, n, 0.5f)", "does not pass a pointer by its name"),
        ("    free(h);", "    n++;\n    free(h);", "`n` is changed in `main`"),
        ("    free(h);", "#ifdef A\n    h[0].x = 1;\n#endif\n    free(h);", "there are directives of the preprocessor in `main`"),
        ("int main() {", "int main(Particle *h) {", None),
        ("    move<<<(n + 255) / 256, 256>>>(d, n, 0.5f);", "", "no launch of it is in view"),
        ("__global__", "template <typename T>\n__global__", None),
    ],
)  # fmt: skip
def test_what_is_refused(old: str, new: str, said: str | None) -> None:
    text = PARTICLES.replace(old, new, 1)
    if said is not None:
        assert said in reason(text, SOA)
    elif "int mass" in new:
        with pytest.raises(StopIteration):
            reason(text, SOA)
    elif "main" in new:
        text = text.replace("    Particle *h = (Particle *)malloc(n * sizeof(Particle));\n", "")
        assert "`h` is no variable of `main` itself" in reason(text, SOA)
    else:
        text = text.replace("move<<<", "move<int><<<")
        assert "`move` is a template" in reason(text, SOA)
