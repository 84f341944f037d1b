"""What variables of the host hold where launches stand."""

from __future__ import annotations

from fractions import Fraction

import pytest

from analysis_core.program.host.size_products import Names, Sizes
from analysis_core.program.launch_profile import Launched, Places
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from analysis_core.syntax.parse import parse
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.walk_syntax import inside


def launches(body: str) -> list[Launched]:
    text = f"__global__ void k(int *p);\nvoid run(int *p, int n, int w, int h) {{ {body} }}".encode()
    tree = parse("p.cu", MemoryFiles({"p.cu": text}), Settings())
    (host,) = [d for d in tree.declarations if isinstance(d, syn.FunctionDecl) and d.body is not None]
    assert host.body is not None
    return list(Places(list(inside(host.body)), Names()).launches())


def n(power: int = 1, over: int = 1) -> Sizes:
    return {(("n", power),): Fraction(1, over)}


@pytest.mark.parametrize(
    ("body", "blocks"),
    [
        ("int b = n; b = w; b = n / 2; k<<<b, 32>>>(p);", n(over=2)),
        ("dim3 g; g.x = n; k<<<g, 32>>>(p);", n()),
        ("dim3 g(4, 4, 4); g.x = n; g.y = n; g.z = 1; k<<<g, 32>>>(p);", n(2)),
        ("dim3 g(2); g.x = w; g = n; k<<<g, 32>>>(p);", n()),
        ("int b = w; for (int i = 0; i < h; i++) { b = n; k<<<b, 32>>>(p); b = h; }", n()),
        ("dim3 g(4), b(8); b.x = 2; g.x = n / (b.x + 2); k<<<g, b>>>(p);", n(over=4)),
        ("dim3 s(n, w); k<<<s.x, 32>>>(p);", n()),
        ("int m = n, b = 0; b = m; m = h; k<<<b, 32>>>(p);", n()),
    ],
)
def test_the_last_setting_counts(body: str, blocks: Sizes) -> None:
    assert [launch.blocks for launch in launches(body)] == [blocks]


@pytest.mark.parametrize(
    "body",
    [
        "int b = n; if (w) b = h; k<<<b, 32>>>(p);",
        "int b = n; for (int i = 0; i < h; i++) { k<<<b, 32>>>(p); b = h; }",
        "int b = n; while (w--) b = h; k<<<b, 32>>>(p);",
        "int b = n; b = w; choose(&b); k<<<b, 32>>>(p);",
        "int b = n; b++; k<<<b, 32>>>(p);",
    ],
)
def test_what_may_be_otherwise_stands_for_itself(body: str) -> None:
    assert [launch.blocks for launch in launches(body)] == [{(("b", 1),): 1}]


def test_rounds_of_loops_that_count_up() -> None:
    (launch,) = launches("for (int i = 0; i < n; i += 4) while (w) for (int j = 0; j != h; ++j) k<<<1, 32>>>(p);")
    assert list(launch.rounds.values()) == [n(over=4), None, {(("h", 1),): 1}]


def test_what_leads_to_itself_again_and_again_is_given_up() -> None:
    chain = "".join(f"int a{k} = n; a{k} = a{k - 1} * a{k - 1} * a{k - 1};" for k in range(1, 40))
    (launch,) = launches(f"int a0 = n; a0 = w; {chain} k<<<a39, dim3(a39, a39, a39)>>>(p);")
    assert launch.threads is None
