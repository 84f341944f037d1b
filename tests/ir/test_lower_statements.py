"""Statements and declarations: source and IR side by side."""

from __future__ import annotations

from tests.ir.lowering import check


def test_loops() -> None:
    check(
        """
        __global__ void k(float *o, int n) {
            for (int i = threadIdx.x; i < n; i += blockDim.x) o[i] = i;
            int k = n;
            while (k-- > 0) { if (k == 3) continue; if (o[k] > 1) break; } do { k++; } while (o[k] < 2);
            for (;;) { break; }
            #pragma unroll 4
            for (int a = 0, b = 9; a < b; a++, b--) o[a] = b;
        }
        """,
        """
        i = (int)threadIdx.x
        for (i < n) {
        body:
          store[4] o + {i * 4} <- (float)i
        step:
          i = (int)((unsigned int)i + blockDim.x)
        }
        k = n
        while ((k--) > 0) {
        test:
          (k--) = k
          k = k - 1
        body:
          if (k == 3) {
            continue
          }
          o[k]'5 = load[4] o + {k * 4}
          if (o[k]'5 > 1.0f) {
            break
          }
        }
        do (o[k]'6 < 2.0f) {
        test:
          o[k]'6 = load[4] o + {k * 4}
        body:
          k = k + 1
        }
        for () {
        body:
          break
        }
        a = 0
        b = 9
        for (a < b) unroll 4 {
        body:
          store[4] o + {a * 4} <- (float)b
        step:
          a = a + 1
          b = b - 1
        }
        """,
    )


def test_switch() -> None:
    check(
        """
        enum { U = 2 };
        __global__ void k(int *o, int n) {
            switch (n & 7) { case 0: o[0] = 1; case 1: case U: o[1] = 2; break; default: { int q = 3; o[2] = q; } case -1: return; } switch (o[n]) { case 'a': break; }
        }
        """,
        """
        switch (n & 7) {
        case 0:
          store[4] o + {0} <- 1
        case 1, case 2:
          store[4] o + {1 * 4} <- 2
          break
        default:
          q = 3
          store[4] o + {2 * 4} <- q
        case -1:
          return
        }
        o[n] = load[4] o + {n * 4}
        switch (o[n]) {
        case 97:
          break
        }
        """,
    )


def test_if_chains() -> None:
    check(
        """
        __global__ void k(int *o, int n) {
            if (n == 0) o[0] = 1;
            else if (n == 1) { o[1] = 2; } else if (o[n]) o[2] = 3;
            else { int n = 4; o[3] = n; } o[4] = n;
            if constexpr (sizeof(int) == 4) o[5] = 1;
            else o[6] = 1;
        }
        """,
        """
        if (n'1 == 0) {
          store[4] o + {0} <- 1
        } else {
          if (n'1 == 1) {
            store[4] o + {1 * 4} <- 2
          } else {
            o[n] = load[4] o + {n'1 * 4}
            if ((bool)o[n]) {
              store[4] o + {2 * 4} <- 3
            } else {
              n'3 = 4
              store[4] o + {3 * 4} <- n'3
            }
          }
        }
        store[4] o + {4 * 4} <- n'1
        store[4] o + {5 * 4} <- 1
        """,
    )


def test_range_for() -> None:
    check(
        """
        __global__ void k(int *o, int n) {
            int a[3] = {1, 2, 3};
            for (int x : a) o[x] = n;
            for (auto &y : a) y = 2;
        }
        """,
        """
        object a: local int[3]
        declare a
        store[4] &a + {0} <- 1
        store[4] &a + {1 * 4} <- 2
        store[4] &a + {2 * 4} <- 3
        (index)'2 = 0ul
        for ((index)'2 < 3ul) {
        body:
          x'3 = load[4] &a + {(index)'2 * 4}
          x'4 = x'3
          store[4] o + {x'4 * 4} <- n
        step:
          (index)'2 = (index)'2 + 1ul
        }
        (index)'5 = 0ul
        for ((index)'5 < 3ul) {
        body:
          store[4] &a + {(index)'5 * 4} <- 2
        step:
          (index)'5 = (index)'5 + 1ul
        }
        """,
    )


def test_shadowing() -> None:
    check(
        """
        __global__ void k(int *o, int i) {
            int x = 1;
            { int x = 2; { float x = 3; o[0] = x; } o[1] = x; } o[2] = x;
            for (int i = 0; i < 3; i++) o[3] = i;
            o[4] = i;
        }
        """,
        """
        x'2 = 1
        x'3 = 2
        x'4 = 3.0f
        store[4] o + {0} <- (int)x'4
        store[4] o + {1 * 4} <- x'3
        store[4] o + {2 * 4} <- x'2
        i'5 = 0
        for (i'5 < 3) {
        body:
          store[4] o + {3 * 4} <- i'5
        step:
          i'5 = i'5 + 1
        }
        store[4] o + {4 * 4} <- i'1
        """,
    )


def test_brace_lists() -> None:
    check(
        """
        struct A { int n; float v[2]; };
        __global__ void k(float *o, int i) {
            int a[4] = {1, 2};
            float m[2][2] = {{1, 2}, {3}};
            int b[] = {7, 8, 9};
            A s = {i, {1.5f, 2}};
            o[0] = a[i] + m[1][i] + b[i] + s.v[i];
            float acc[100] = {0};
            o[1] = acc[i];
            int q{5};
            o[2] = q;
            A t = {};
            o[3] = t.n;
            float l[2][2] = {1, 2, 3, 4};
            o[4] = l[i][1];
        }
        """,
        """
        object a: local int[4]
        object m: local float[2][2]
        object b: local int[3]
        object s.v: local float[2]
        object acc: local float[100]
        object t.v: local float[2]
        object l: local float[2][2]
        declare a
        store[4] &a + {0} <- 1
        store[4] &a + {1 * 4} <- 2
        store[4] &a + {2 * 4} <- 0
        store[4] &a + {3 * 4} <- 0
        declare m
        store[4] &m + {0} + {0} <- 1.0f
        store[4] &m + {0} + {1 * 4} <- 2.0f
        store[4] &m + {1 * 8} + {0} <- 3.0f
        store[4] &m + {1 * 8} + {1 * 4} <- 0.0f
        declare b
        store[4] &b + {0} <- 7
        store[4] &b + {1 * 4} <- 8
        store[4] &b + {2 * 4} <- 9
        s.n = i
        store[4] &s.v + {0} <- 1.5f
        store[4] &s.v + {1 * 4} <- 2.0f
        a[i] = load[4] &a + {i * 4}
        m[1][i] = load[4] &m + {1 * 8} + {i * 4}
        b[i] = load[4] &b + {i * 4}
        s.v[i] = load[4] &s.v + {i * 4}
        store[4] o + {0} <- (float)a[i] + m[1][i] + (float)b[i] + s.v[i]
        declare acc
        store[4] &acc + {0} <- 0.0f
        (element) = 1
        for ((element) < 100) {
        body:
          store[4] &acc + {(element) * 4} <- 0.0f
        step:
          (element) = (element) + 1
        }
        acc[i] = load[4] &acc + {i * 4}
        store[4] o + {1 * 4} <- acc[i]
        q = 5
        store[4] o + {2 * 4} <- (float)q
        t.n = 0
        store[4] &t.v + {0} <- 0.0f
        store[4] &t.v + {1 * 4} <- 0.0f
        store[4] o + {3 * 4} <- (float)t.n
        declare l
        store[4] &l + {0} + {0} <- 1.0f
        store[4] &l + {0} + {1 * 4} <- 2.0f
        store[4] &l + {1 * 8} + {0} <- 3.0f
        store[4] &l + {1 * 8} + {1 * 4} <- 4.0f
        l[i][1] = load[4] &l + {i * 8} + {1 * 4}
        store[4] o + {4 * 4} <- l[i][1]
        """,
    )
