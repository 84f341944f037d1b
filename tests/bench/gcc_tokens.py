"""Compares our preprocessor's tokens with those of `gcc -E` on whole folders.

    python -m tests.bench.gcc_tokens FOLDER...  [--show N]

Both see the same files: `-nostdinc`, the main file's folder as the only include path, and an empty stand-in for every
header that we sought and did not find.  Both have the same predefined macros (`-undef`).  GCC's output is cut into
tokens by our lexer and the spellings are compared; pragmas by their first word, because GCC leaves their operands
unexpanded.  Files that GCC itself rejects (exit status) are not counted.
"""

from __future__ import annotations

import argparse
import os
import posixpath
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from analysis_core.support.settings import Settings
from analysis_core.syntax.lex.lexer import lex
from analysis_core.syntax.lex.macros_predefined import command_line
from analysis_core.syntax.lex.preprocessor import Preprocessed, preprocess
from analysis_core.syntax.lex.tokens import Token, TokenKind
from analysis_core.text.source import SourceText
from analysis_core.text.span import FileId

GCC = "gcc"


class Disk:
    """The file system, read only."""

    def read(self, path: str) -> bytes | None:
        try:
            return Path(path).read_bytes()
        except OSError:
            return None


@dataclass(frozen=True, slots=True)
class Comparison:
    """`readable`: GCC accepts the file.  `difference`: the first one, with some tokens around it; "" if equal."""

    path: str
    readable: bool
    difference: str
    message: str = ""


def compare(path: str) -> Comparison:
    """Preprocesses a file with both and compares."""
    ours = preprocess(path, Disk(), Settings(), toolkit=False)
    with tempfile.TemporaryDirectory() as stubs:
        _write_stubs(ours, path, Path(stubs))
        folder = str(Path(path).parent)
        command = [GCC, "-E", "-P", "-x", "c++", "-std=gnu++17", "-nostdinc", "-undef", "-w", *command_line(Settings())]
        done = subprocess.run(
            [*command, "-I", folder, "-I", stubs, path],
            capture_output=True,
            check=False,
            env={**os.environ, "SOURCE_DATE_EPOCH": "0"},
        )
    if done.returncode != 0:
        return Comparison(path, False, "", done.stderr.decode("utf-8", "replace")[:300])
    theirs = lex(SourceText(FileId("gcc"), done.stdout))
    return Comparison(path, True, _difference(_words(ours.tokens), _words(_merged_pragmas(theirs))))


def _write_stubs(ours: Preprocessed, path: str, folder: Path) -> None:
    for header in ours.missing_headers:
        name = header[1:-1].strip()
        if name.startswith("/"):
            continue
        # A header such as "../x.h" has to appear below the stub folder all the same.
        target = folder / name.replace("../", "")
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.is_dir():
            target.touch()
        if "../" in name:
            deeper = folder / name
            if not deeper.resolve().is_relative_to(folder.resolve()):
                continue
            deeper.touch()


def _merged_pragmas(lexed: object) -> list[Token]:
    """GCC's output with each `#pragma` line as one token."""
    from analysis_core.syntax.lex.lexer import Lexed

    assert isinstance(lexed, Lexed)
    out: list[Token] = []
    place = 0
    for start, end in lexed.directives:
        out.extend(lexed.tokens[place:start])
        text = " ".join(token.text for token in lexed.tokens[start + 2 : end])
        out.append(Token(TokenKind.PRAGMA, text, lexed.tokens[start].span))
        place = end
    out.extend(lexed.tokens[place:])
    return out


def _words(tokens: tuple[Token, ...] | list[Token]) -> list[str]:
    """The spellings, CUDA's `<<<` and `>>>` in C++'s pieces."""
    words: list[str] = []
    for token in tokens:
        if token.kind is TokenKind.PRAGMA:
            words.append("#pragma " + (token.text.split() or [""])[0].split("(")[0])
        elif token.kind is TokenKind.OTHER and len(token.text) > 1:
            words.append(" ".join(token.text.split()))
        elif token.text in ("<<<", ">>>"):
            words.extend((token.text[:2], token.text[2]))
        elif token.kind is TokenKind.STRING and "/../" in token.text:
            words.append(f'"{posixpath.normpath(token.text[1:-1])}"')  # __FILE__: GCC does not normalise paths
        else:
            words.append(token.text)
    return words


def _difference(ours: list[str], theirs: list[str]) -> str:
    if ours == theirs:
        return ""
    place = next((i for i, (a, b) in enumerate(zip(ours, theirs)) if a != b), min(len(ours), len(theirs)))
    begin = max(place - 6, 0)
    return f"at token {place}: ours {ours[begin : place + 6]} gcc {theirs[begin : place + 6]}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--show", type=int, default=20)
    options = parser.parse_args()
    status = 0
    for folder in options.folders:
        paths = sorted(str(path) for ext in ("*.cu", "*.cuh") for path in Path(folder).rglob(ext) if path.is_file())
        with ThreadPoolExecutor(2) as pool:
            results = list(pool.map(compare, paths))
        readable = [result for result in results if result.readable]
        unequal = [result for result in readable if result.difference]
        sys.stdout.write(
            f"{folder}: {len(results)} files, gcc reads {len(readable)}, equal {len(readable) - len(unequal)}\n"
        )
        for result in unequal[: options.show]:
            sys.stdout.write(f"  {result.path}\n    {result.difference}\n")
        for result in [result for result in results if not result.readable][: options.show]:
            sys.stdout.write(f"  gcc rejects {result.path}\n    {result.message.splitlines()[:2]}\n")
        status |= bool(unequal)
    return status


if __name__ == "__main__":
    sys.exit(main())
