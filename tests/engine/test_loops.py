"""Summarised loops: what round k sees, how many rounds there are, and what holds after the last."""

from __future__ import annotations

import pytest

from analysis_core.domains import polynomial as pl
from analysis_core.domains.symbol import Level, SymbolKind
from analysis_core.support.facts import SUMMARISED
from analysis_core.support.settings import Settings
from tests.engine.interpreted import accesses, address, events_of, times

_TOP = "__global__ void k(int *a, int *b, const int *c, int n, int m, unsigned u) {\n"


def _seen(body: str, text: str) -> list[tuple[str, str]]:
    return [(address(e), times(e)) for e in accesses(events_of(_TOP + body + "\n}\n"), text)]


@pytest.mark.parametrize(
    ("body", "rounds"),
    [
        ("for (int s = 1; s < n; s *= 2) a[s] = 0;", "1 + floor(log2(n - 1))"),
        ("for (int s = 3; s <= n; s <<= 1) a[s] = 0;", "1 + floor(log2(floor(n/3)))"),
        ("for (int s = 1; s < n; s *= 10) a[s] = 0;", "1 + floor(log10(n - 1))"),
        ("for (int s = n; s > 0; s >>= 1) a[s] = 0;", "1 + floor(log2(n))"),
        ("for (int s = n / 2; s; s /= 2) a[s] = 0;", "1 + floor(log2(floor(n/2)))"),
        ("for (unsigned s = u; s > 32; s >>= 1) a[s] = 0;", "1 + floor(log2(floor(u/33)))"),
        ("for (int s = c[0] & 0xffff; s >= 4; s /= 4) a[s] = 0;", "7"),
        ("for (int s = n; s != 4 * m; s++) a[s] = 0;", "max(0, 4*m - n)"),
        ("for (int s = n; s != 4 * m; s++) { a[s] = 0; if (s > 99) break; }", "T2"),
        ("for (int s = 0; s != 4 * n; s += 4) a[s] = 0;", "n"),
        ("for (int s = 0; s != n; s += 4) a[s] = 0;", "ceil(n/4)"),
        ("for (int s = 0; s < n && s < m; s++) a[s] = 0;", "min(m, n)"),
        ("for (int s = 0; s < n || s < m; s++) a[s] = 0;", "T2"),
        ("for (int s = 0; s < min(n, 64); s++) a[s] = 0;", "min(64, n)"),
        ("for (int s = threadIdx.x; s < n; s += m) a[s] = 0;", "ceil(n/m)"),
        ("for (int s = 0;; s += 2) { if (s >= n) break; a[s] = 0; }", "ceil(n/2)"),
        ("for (int s = 0, t = n; s < t; s++, t--) a[s] = 0;", "ceil(n/2)"),
        ("for (unsigned char s = 0; s < n; s++) a[s] = 0;", "n"),
        ("for (unsigned char s = 0; s != n; s++) a[s] = 0;", "T2"),
        ("int s = n; while (s--) a[s] = 0;", "n"),
        ("for (int s = 0; s < n; s += c[s] & 3) a[s] = 0;", "T2"),
        ("for (int s = 0; s < n; s += 1 + (m > 3)) a[s] = 0;", "n"),
        ("for (int s = 0; s < n; s++) { if (c[s]) continue; a[s] = 0; }", "n"),
        ("for (int s = 0; s < n; s++) { if (c[s]) s = 0; a[s] = 0; }", "T2"),
        ("for (int s = 0; s < n; s++) { if (c[s]) s++; a[s] = 0; }", "T2"),
    ],
)
def test_rounds(body: str, rounds: str) -> None:
    (seen,) = _seen(body, "a[s]")
    assert seen[1].replace("@" + seen[1].partition("@")[2], "2") == rounds


@pytest.mark.parametrize(
    ("body", "after"),
    [
        ("int s; for (s = 0; s < n; s += 4) ;", "16*quo + &b"),
        ("int s; for (s = 0; s < n; s++) ;", "4*n + &b"),
        ("int s = n; while (s--) ;", "&b + -4"),
        ("int s = n; for (; s > 0; s >>= 1) ;", "&b"),
        ("int s; for (s = threadIdx.x; s < n + 256; s++) ;", "4*n + &b + 1024"),
        ("int s = 0; for (int i = 0; i < n; i++) { s += 2; if (c[i]) break; }", "&b + 8*rounds"),
        ("int s = 0; for (int i = 0; i < n; i++) { if (threadIdx.x < 16) s += 2; }", None),
        ("int s = 0; for (int i = 0; i < n; i++) s = s == 0 ? 5 : 0;", None),
        ("int s = 3; for (int i = 0; i < n; i++) s ^= 1;", "&b + -4*parity + 12"),
        ("int r = 0; for (int i = 0; i < n; i++) r ^= 1; int s = r ^ 3;", "&b + -4*parity + 12"),
        ("int s = 0; for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) s++;", "4*n*m + &b"),
        ("int s = 0, i = 0; while (i++ < n) { if (c[i]) break; i++; } s = i;", None),
    ],
)
def test_values_after_a_loop(body: str, after: str | None) -> None:
    seen = [address for address, _ in _seen(body + " b[s] = 1;", "b[s]")]
    terms = sorted(seen[0].replace(" - ", " + -").split(" + "))
    if after is None:
        assert terms != ["&b"]
    else:
        assert terms == sorted(after.split(" + "))


def test_pointers_that_take_turns_point_to_either() -> None:
    body = "int *p = a, *q = b; for (int i = 0; i < n; i++) { p[0] = q[0]; int *t = p; p = q; q = t; }"
    ((store, _),) = _seen(body, "p[0]")
    assert store == "&a - &a*parity + &b*parity"


def test_a_step_under_a_condition_keeps_the_array() -> None:
    (seen,) = accesses(
        events_of(_TOP + "int *p = a; for (int i = 0; i < n; i++) { if (c[i]) p += 4; *p = 1; }\n}"), "*p"
    )
    assert seen.base == "a"
    moved = next(s for s in seen.address.poly.symbols() if s.name == "moved")
    assert (moved.low, moved.kind, seen.address.poly.terms[(moved,)]) == (0, SymbolKind.DATA, 16)


def test_powers_say_their_values() -> None:
    (seen,) = accesses(events_of(_TOP + "for (int s = 1; s < (n & 127); s *= 2) a[s] = 1;\n}"), "a[s]")
    (power,) = (s for s in seen.address.poly.symbols() if s.values is not None)
    assert power.values == (1, 2, 4, 8, 16, 32, 64)


_SHARED = "__shared__ int s; if (threadIdx.x == 0) s = c[0]; "


@pytest.mark.parametrize(
    ("body", "level"),
    [
        (_SHARED + "__syncthreads(); a[s] = 1;", Level.BLOCK),
        (_SHARED + "__syncwarp(); a[s] = 1;", Level.WARP),
        (_SHARED + "a[s] = 1;", Level.WARP),
        (_SHARED + "if (n > 3) __syncthreads(); a[s] = 1;", Level.WARP),
        (_SHARED + "__syncthreads(); if (threadIdx.x == n) s = 2; a[s] = 1;", Level.WARP),
        (_SHARED + "__syncthreads(); for (int i = 0; i < n; i++) a[s] = 1;", Level.BLOCK),
        (_SHARED + "__syncthreads(); for (int i = 0; i < n; i++) { a[s] = 1; atomicAdd(&s, 1); }", Level.WARP),
        (_SHARED + "for (int i = 0; i < n; i++) { __syncthreads(); a[s] = 1; __syncthreads(); s = i; }", Level.BLOCK),
        ("__shared__ int t[64]; int *p = t; t[threadIdx.x] = 1; __syncthreads(); *p = 2; a[t[3]] = 1;", Level.WARP),
    ],
)
def test_shared_memory_is_uniform_after_a_barrier(body: str, level: Level) -> None:
    text = "a[t[3]]" if "a[t[3]]" in body else "a[s]"
    events = events_of(_TOP + body + "\n}")
    (seen,) = accesses(events, text)
    assert pl.level(seen.address.poly) is level
    races = [a.text for a in events.assumptions if "race" in a.text]
    assert bool(races) == (level is Level.BLOCK)


def test_tests_that_read_memory_are_made_once_more_than_rounds() -> None:
    (seen,) = accesses(events_of(_TOP + "int i = 0; while (i < n && c[i]) i++;\n}"), "c[i]")
    assert times(seen) == "1 + n"


@pytest.mark.parametrize("settings", [Settings(exact_iterations=10), Settings(kernel_megabytes=0)])
def test_small_budgets_are_sound_and_said(settings: Settings) -> None:
    text = _TOP + "for (int i = 0; i < 1000; i++) a[i * 4] = 1;\n}"
    events = events_of(text, settings)
    assert events.coarse
    *exact, rest = accesses(events, "a[i * 4]")
    assert exact and times(rest) == str(1000 - len(exact))


def test_a_kernel_of_very_many_symbols_has_its_loops_summarised() -> None:
    text = """__global__ void k(int *a, const int *b) {
        for (int i = 0; i < 100; i++) a[b[i * 32 + threadIdx.x]] = i;
    }"""
    full = events_of(text)
    small = events_of(text, Settings(kernel_symbols=50))
    assert len(accesses(full, "b[i * 32 + threadIdx.x]")) == 100 and not full.coarse
    assert len(accesses(small, "b[i * 32 + threadIdx.x]")) < 60
    assert any(cause.reason == SUMMARISED for cause in small.coarse)
