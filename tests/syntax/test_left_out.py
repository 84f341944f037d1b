"""What conditionals leave out by macros in view, whatever the command line says."""

from __future__ import annotations

import pytest

from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from analysis_core.syntax.lex.left_out import as_written, outside_of_conditionals
from analysis_core.syntax.lex.mentions import code_of, mentions_in
from analysis_core.syntax.lex.preprocessor import preprocess

HEADER = b"""#ifndef SIZES_H  // a guard
#define SIZES_H
#define VOLUME 1
#define COUNTED (VOLUME + 2)
#ifndef MAY_BE_GIVEN
#define MAY_BE_GIVEN 0
#endif
#ifdef NOBODY_KNOWS
#define OFTEN 1
#undef VOLUME_IS_OPEN
#endif
#endif
"""


def kept(text: str, **defines: str) -> frozenset[str]:
    """Those of f, g and h that stand in what may be compiled."""
    data = text.encode()
    code = code_of(data)
    written = as_written("p/a.cu", data, code, defines, (), {"p/sizes.h": HEADER}.get)
    assert len(written) == len(code) and written.count(b"\n") == code.count(b"\n")
    return mentions_in(written) & {"f", "g", "h"}


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("#if 0", "g"),
        ("#if 1 // always", "f"),
        ("#if VOLUME", "f"),
        ("#if !VOLUME", "g"),
        ("#if COUNTED * 2 == 6", "f"),
        ("#if COUNTED > 3 || \\\n  VOLUME > 1", "g"),
        ("#ifdef VOLUME", "f"),
        ("#ifndef VOLUME", "g"),
        ("#if !defined(VOLUME) && !defined(UNKNOWN)", "g"),
        ("#if !defined(UNKNOWN) && !defined VOLUME", "g"),
        ("#if (UNKNOWN > 3) || (VOLUME && 1)", "f"),
        ("#undef VOLUME\n#ifdef VOLUME", "g"),
        ("#undef VOLUME\n#if VOLUME", "g"),
        ("#if UNKNOWN", "fg"),
        ("#ifdef UNKNOWN", "fg"),
        ("#if !UNKNOWN", "fg"),
        ("#if defined(UNKNOWN) && VOLUME", "fg"),
        ("#if UNKNOWN ? 0 || 0 : 1", "fg"),
        ("#if MAY_BE_GIVEN", "fg"),
        ("#if OFTEN", "fg"),
        ("#if __CUDA_ARCH__ >= 900", "fg"),
        ("#if __has_include(<cub>)", "fg"),
        ("#define SUM(a) a\n#if SUM(0)", "fg"),
        ("#define LOOP LOOP\n#if LOOP", "fg"),
        ("#if VOLUME +", "fg"),
    ],
)
def test_conditions(condition: str, expected: str) -> None:
    assert kept(f'#include "sizes.h"\n{condition}\nf();\n#else\ng();\n#endif\n') == set(expected)


def test_branches_in_order() -> None:
    branches = "#if {}\nf();\n#elif {}\ng();\n#else\nh();\n#endif\n"
    assert kept(branches.format(1, 1)) == {"f"}
    assert kept(branches.format(0, 1)) == {"g"}
    assert kept(branches.format(0, 0)) == {"h"}
    assert kept(branches.format("UNKNOWN", 1)) == {"f", "g"}
    assert kept(branches.format("UNKNOWN", 0)) == {"f", "h"}
    assert kept(branches.format(0, "UNKNOWN")) == {"g", "h"}


def test_conditionals_in_others() -> None:
    assert kept("#ifdef UNKNOWN\n#if 0\nf();\n#else\ng();\n#endif\n#endif\nh();") == {"g", "h"}
    assert kept("#if 0\n#if 1\nf();\n#else\ng();\n#endif\n#endif\nh();") == {"h"}
    assert kept("#ifdef UNKNOWN\n#define ONE 1\n#endif\n#if ONE\nf();\n#else\ng();\n#endif") == {"f", "g"}


def test_what_is_no_directive() -> None:
    assert kept("/*\n#if 0\n*/ f();\n/*\n#endif\n*/") == {"f"}
    assert kept("#if 0\nf();") == {"f"}
    assert kept("#endif\n#else\nf();\n#elif 1\n") == {"f"}


def test_the_command_line_may_be_known() -> None:
    assert kept("#ifdef FAST\nf();\n#else\ng();\n#endif", FAST="1") == {"f"}


def test_headers_that_include_each_other() -> None:
    texts = {"p/one.h": b'#include "two.h"\n#define ONE 1\n', "p/two.h": b'#include "one.h"\n#define TWO 0\n'}
    data = b'#include "one.h"\n#if ONE && TWO\nf();\n#endif\n'
    assert "f" not in mentions_in(as_written("p/a.cu", data, code_of(data), {}, (), texts.get))


def test_nothing_is_left_out_that_a_compiler_reads() -> None:
    data = b'#include "sizes.h"\n#if COUNTED == 3 && !MAY_BE_GIVEN\nf();\n#elif VOLUME\ng();\n#endif\n'
    read = preprocess("p/a.cu", MemoryFiles({"p/a.cu": data, "p/sizes.h": HEADER}), Settings())
    words = {token.text for token in read.tokens} & {"f", "g", "h"}
    assert words == {"f"} and words <= kept(data.decode())


def test_outside_of_conditionals() -> None:
    def outside(text: bytes) -> frozenset[str]:
        return mentions_in(outside_of_conditionals(text)) & {"f", "g"}

    assert outside(b"f();\n#if 1\ng();\n#endif\n") == {"f"}
    assert outside(b"#ifndef A\n#define A\nf();\n#ifdef B\ng();\n#endif\n#endif\n") == {"f"}
    assert outside(b"#ifndef A\n#define A\nf();\n#endif\n#ifdef B\ng();\n#endif\n") == frozenset()
