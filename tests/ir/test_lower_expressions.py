"""Operators, conversions, order of evaluation: source and IR side by side."""

from __future__ import annotations

from tests.ir.lowering import check


def test_arith_conversions() -> None:
    check(
        """
        __global__ void k(float *f, int i, unsigned u, long long l, char c, short s, bool b, double d) {
            f[0] = i + u;
            f[1] = c + s;
            f[2] = l * u;
            f[3] = d + i;
            f[4] = b + b;
            f[5] = c << u;
            f[6] = -c;
            f[7] = ~u;
        }
        """,
        """
        store[4] f + {0} <- (float)((unsigned int)i + u)
        store[4] f + {1 * 4} <- (float)((int)c + (int)s)
        store[4] f + {2 * 4} <- (float)(l * (long long)u)
        store[4] f + {3 * 4} <- (float)(d + (double)i)
        store[4] f + {4 * 4} <- (float)((int)b + (int)b)
        store[4] f + {5 * 4} <- (float)((int)c << u)
        store[4] f + {6 * 4} <- (float)-((int)c)
        store[4] f + {7 * 4} <- (float)~u
        """,
    )


def test_literals() -> None:
    check(
        """
        __global__ void k(double *d, long long *l) {
            d[0] = 1.5f;
            d[1] = 2.5;
            l[0] = 0xFFFFFFFF;
            l[1] = 4294967296;
            l[2] = 'a';
            l[3] = 010;
            l[4] = 1ull << 40;
            l[5] = '\\n';
            l[6] = true;
        }
        """,
        """
        store[8] d + {0} <- 1.5
        store[8] d + {1 * 8} <- 2.5
        store[8] l + {0} <- 4294967295l
        store[8] l + {1 * 8} <- 4294967296l
        store[8] l + {2 * 8} <- 97l
        store[8] l + {3 * 8} <- 8l
        store[8] l + {4 * 8} <- (long long)(1ul << 40)
        store[8] l + {5 * 8} <- 10l
        store[8] l + {6 * 8} <- 1l
        """,
    )


def test_compare_and_logic_pure() -> None:
    check(
        """
        __global__ void k(int *a, int x, int y) {
            a[0] = x < y && y > 3 || !x;
            a[1] = (x != 0) == (y >= 2);
        }
        """,
        """
        store[4] a + {0} <- (int)(x < y && y > 3 || !((bool)x))
        store[4] a + {1 * 4} <- (int)((int)(x != 0) == (int)(y >= 2))
        """,
    )


def test_logic_with_load() -> None:
    check(
        """
        __global__ void k(int *a, int x) {
            if (x > 0 && a[x] > 1) a[0] = 1;
            if (x < 0 || a[1]) a[2] = 0;
            x > 5 && (a[3] = 1);
        }
        """,
        """
        if.and (x > 0) {
          a[x] = load[4] a + {x * 4}
          (&&) = a[x] > 1
        } else {
          (&&) = false
        }
        if ((&&)) {
          store[4] a + {0} <- 1
        }
        if.or (x < 0) {
          (||) = true
        } else {
          a[1] = load[4] a + {1 * 4}
          (||) = (bool)a[1]
        }
        if ((||)) {
          store[4] a + {2 * 4} <- 0
        }
        if.and (x > 5) {
          store[4] a + {3 * 4} <- 1
        }
        """,
    )


def test_select() -> None:
    check(
        """
        __global__ void k(int *a, int x) {
            int y = x ? 1 : 2;
            int z = x ? a[0] : 3;
            a[1] = y + z;
            float f = x > 0 ? 1 : 2.5f;
            a[2] = f;
        }
        """,
        """
        y = (bool)x ? 1 : 2
        if.select ((bool)x) {
          a[0] = load[4] a + {0}
          (?:) = a[0]
        } else {
          (?:) = 3
        }
        z = (?:)
        store[4] a + {1 * 4} <- y + z
        f = x > 0 ? 1.0f : 2.5f
        store[4] a + {2 * 4} <- (int)f
        """,
    )


def test_comma_and_incdec() -> None:
    check(
        """
        __global__ void k(int *a, int i) {
            int j = (i++, i + 1);
            a[i++] = j;
            a[--i] += 2;
            a[0]++;
            ++a[1];
            int k = a[2]--;
            a[3] = k + i--;
            i--;
        }
        """,
        """
        i = i + 1
        j = i + 1
        (i++) = i
        i = i + 1
        store[4] a + {(i++) * 4} <- j
        i = i - 1
        a[--i] = load[4] a + {i * 4}
        store[4] a + {i * 4} <- a[--i] + 2
        a[0] = load[4] a + {0}
        store[4] a + {0} <- a[0] + 1
        a[1] = load[4] a + {1 * 4}
        store[4] a + {1 * 4} <- a[1] + 1
        a[2] = load[4] a + {2 * 4}
        store[4] a + {2 * 4} <- a[2] - 1
        k = a[2]
        (i--) = i
        i = i - 1
        store[4] a + {3 * 4} <- k + (i--)
        i = i - 1
        """,
    )


def test_compound() -> None:
    check(
        """
        __global__ void k(float *a, char *c, int i, unsigned u) {
            i += 3;
            i <<= u;
            u >>= i;
            i *= 2.5f;
            c[i] += 1;
            a[i] -= i;
            i %= 3;
            u &= 15;
            i = i ^ 5;
        }
        """,
        """
        i = i + 3
        i = i << u
        u = u >> i
        i = (int)((float)i * 2.5f)
        c[i] = load[1] c + {i * 1}
        store[1] c + {i * 1} <- (char)((int)c[i] + 1)
        a[i] = load[4] a + {i * 4}
        store[4] a + {i * 4} <- a[i] - (float)i
        i = i % 3
        u = u & 15u
        i = i ^ 5
        """,
    )


def test_pointer_arithmetic() -> None:
    check(
        """
        __global__ void k(float *p, int n, unsigned u, double *q) {
            float *e = p + n;
            *e = 1;
            e -= u;
            *(e - 1) = 2;
            p++;
            p[-1] = 3;
            2[p] = 4;
            long d = e - p;
            q[d] = e < p;
            e += n * 2;
            if (e) *e++ = 5;
            *(p + n * 4 + 1) = 0;
        }
        """,
        """
        e = p + {n * 4}
        store[4] e <- 1.0f
        e = e + {-((long long)u) * 4}
        store[4] e + {-1 * 4} <- 2.0f
        p = p + {1 * 4}
        store[4] p + {-1 * 4} <- 3.0f
        store[4] p + {2 * 4} <- 4.0f
        d = e - p
        store[8] q + {d * 8} <- (double)(e < p)
        e = e + {n * 2 * 4}
        if ((bool)e) {
          (e++) = e
          e = e + {1 * 4}
          store[4] (e++) <- 5.0f
        }
        store[4] p + {n * 4 * 4} + {1 * 4} <- 0.0f
        """,
    )


def test_casts() -> None:
    check(
        """
        __global__ void k(float *f, int i, void *v, char *c) {
            f[0] = (float)i / 2;
            f[1] = int(f[2]);
            f[3] = static_cast<unsigned char>(i);
            ((int *)v)[i] = 1;
            *(volatile float *)f = 2;
            f[4] = *reinterpret_cast<const int *>(c + i);
            f[5] = (bool)i;
            long q = (long)f;
            f[6] = q;
            f[7] = (float &)c[4];
            f[8] = (unsigned short)(i + 1);
        }
        """,
        """
        store[4] f + {0} <- (float)i / 2.0f
        f[2] = load[4] f + {2 * 4}
        store[4] f + {1 * 4} <- (float)(int)f[2]
        store[4] f + {3 * 4} <- (float)(unsigned char)i
        store[4] (int*)v + {i * 4} <- 1
        volatile store[4] (volatile float*)f <- 2.0f
        *reinterpret_cast<const int*>(c + i) = load[4] c + {i * 1}
        store[4] f + {4 * 4} <- (float)*reinterpret_cast<const int*>(c + i)
        store[4] f + {5 * 4} <- (float)(bool)i
        q = (long)f
        store[4] f + {6 * 4} <- (float)q
        (float&)c[4] = load[4] c + {4 * 1}
        store[4] f + {7 * 4} <- (float&)c[4]
        store[4] f + {8 * 4} <- (float)(unsigned short)(i + 1)
        """,
    )


def test_order_of_evaluation() -> None:
    check(
        """
        __global__ void k(int *o, int i) {
            int j = i + (i = 5);
            o[i] = i++;
            o[0] = (i++) + i;
            int k = i;
            o[1] = k + (k += 2);
        }
        """,
        """
        (earlier)'2 = i
        i = 5
        j = (earlier)'2 + i
        (i++)'4 = i
        i = i + 1
        store[4] o + {i * 4} <- (i++)'4
        (i++)'5 = i
        i = i + 1
        store[4] o + {0} <- (i++)'5 + i
        k = i
        (earlier)'7 = k
        k = k + 2
        store[4] o + {1 * 4} <- (earlier)'7 + k
        """,
    )


def test_macro_accesses() -> None:
    check(
        """
        #define AT(m, r, c) m[(r) * W + (c)]
        #define W 16
        __global__ void k(float *m, int r, int c) {
            AT(m, r, c) = AT(m, c, r) + W;
        }
        """,
        """
        m[c * 16 + r] = load[4] m + {(c * 16 + r) * 4}
        store[4] m + {(r * 16 + c) * 4} <- m[c * 16 + r] + 16.0f
        """,
    )


def test_lambda() -> None:
    check(
        """
        __global__ void k(int *o, int i) {
            auto f = [=](int x) { return x + i; };
            int k = i;
            auto g = [&](int x) { k += x; };
            o[0] = f(2);
            g(3);
            o[1] = k;
        }
        """,
        """
        i'2 = i'1
        k = i'1
        inlined lambda {
          lambda(): x'4 = 2
          lambda(): result = lambda(): x'4 + i'2
        }
        store[4] o + {0} <- lambda(): result
        inlined lambda {
          lambda(): x'6 = 3
          k = k + lambda(): x'6
        }
        store[4] o + {1 * 4} <- k
        """,
    )
