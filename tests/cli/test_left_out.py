"""What a search through folders leaves out, and what it finds: git's rules, folders of builds, repositories of others, ends of names."""

from __future__ import annotations

from pathlib import Path

import pytest
from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

from analysis_core.cli.collect import collect
from analysis_core.cli.options import parser
from analysis_core.cli.work import tasks_for
from analysis_core.support.settings import Settings
from analysis_core.workspace.ignore_rules import MOST_RULES, rules_of
from analysis_core.workspace.left_out import Globs
from analysis_core.workspace.project import Folders
from analysis_core.workspace.scan import scan

KERNEL = "__global__ void k(float *a) { a[threadIdx.x] = 1; }\n"


def made(top: Path, *paths: str) -> None:
    for path in paths:
        (top / path).parent.mkdir(parents=True, exist_ok=True)
        (top / path).write_text(KERNEL)


def found(top: Path, *exclude: Globs, named: str = ".") -> list[str]:
    paths, _ = collect([str(top / named)], exclude)
    return [Path(path).relative_to(top).as_posix() for path in paths]


def test_cuda_code_under_all_its_names(tmp_path: Path) -> None:
    made(tmp_path, "a.cu", "b.cuh", "c.hip", "d.cu.cc", "e.h", "f.inl", "g.cc", "h.txt", "i.cu.cpp", "j.hpp")
    (tmp_path / "j.hpp").write_text("int no_kernel;\n")
    assert found(tmp_path) == ["a.cu", "b.cuh", "c.hip", "d.cu.cc", "e.h", "f.inl", "i.cu.cpp"]


@pytest.mark.parametrize(
    ("rules", "left"),
    [
        ("gen/\n", ["a.cu", "src/a.cu", "src/b.gen.cu"]),
        ("*.gen.cu\n", ["a.cu", "gen/a.cu", "src/a.cu"]),
        ("*.cu\n!/src/a.cu\n", ["src/a.cu"]),
        ("/a.cu\n", ["gen/a.cu", "src/a.cu", "src/b.gen.cu"]),
        ("src/**/b.*\n# a comment\n\n", ["a.cu", "gen/a.cu", "src/a.cu"]),
        ("bad\\\n/a.cu\n", ["gen/a.cu", "src/a.cu", "src/b.gen.cu"]),
    ],
)
def test_rules_of_git_hold(rules: str, left: list[str], tmp_path: Path) -> None:
    made(tmp_path, "a.cu", "gen/a.cu", "src/a.cu", "src/b.gen.cu")
    (tmp_path / ".gitignore").write_text(rules)
    assert found(tmp_path) == left


def test_rules_hold_from_the_repository_down_and_the_inner_ones_decide(tmp_path: Path) -> None:
    made(tmp_path, "p/src/a.cu", "p/src/b.cu", "p/src/in/a.cu")
    (tmp_path / "p" / ".git").mkdir()
    (tmp_path / "p" / ".gitignore").write_text("a.cu\n")
    (tmp_path / "p" / "src" / "in" / ".gitignore").write_text("!a.cu\n")
    (tmp_path / ".gitignore").write_text("b.cu\n")  # above the repository
    assert found(tmp_path, named="p/src") == ["p/src/b.cu", "p/src/in/a.cu"]


def test_what_is_named_is_searched(tmp_path: Path) -> None:
    made(tmp_path, "build/a.cu", "build/deep/a.cu", "node_modules/x/a.cu", "a.cu")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".gitignore").write_text("build/\n")
    assert found(tmp_path) == ["a.cu"]
    assert found(tmp_path, named="build") == ["build/a.cu", "build/deep/a.cu"]
    assert found(tmp_path, named="node_modules/x/a.cu") == ["node_modules/x/a.cu"]


def test_builds_and_other_repositories_are_left_out_and_said(tmp_path: Path) -> None:
    made(tmp_path, "a.cu", "build/a.cu", "cmake-build-debug/a.cu", "third_party/cub/a.cu", "third_party/own/a.cu")
    (tmp_path / "third_party" / "cub" / ".git").write_text("gitdir: elsewhere\n")
    paths, problems = collect([str(tmp_path)])
    assert [Path(path).relative_to(tmp_path).as_posix() for path in paths] == ["a.cu", "third_party/own/a.cu"]
    (problem,) = problems
    assert not problem.fatal and problem.text.startswith("not searched: ") and "third_party/cub" in problem.text
    assert found(tmp_path, named="third_party/cub") == ["third_party/cub/a.cu"]


@pytest.mark.parametrize(
    ("glob", "left"),
    [
        ("src/*.cu", ["a.cu"]),  # a star stands for slashes, too
        ("src", ["a.cu"]),
        ("b.cu", ["a.cu", "src/c.cu"]),
        ("src/in/", ["a.cu", "src/c.cu"]),
    ],
)
def test_globs_count_from_their_folder_however_the_search_is_spelled(
    glob: str, left: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made(tmp_path, "a.cu", "src/c.cu", "src/in/b.cu")
    globs = Globs(str(tmp_path), (glob,))
    assert found(tmp_path, globs) == left
    monkeypatch.chdir(tmp_path)
    for spelling in (".", "./", f"../{tmp_path.name}"):
        paths, _ = collect([spelling], [globs])
        assert [Path(path).resolve().relative_to(tmp_path.resolve()).as_posix() for path in paths] == left


@pytest.mark.parametrize(
    ("rule", "path"),
    [
        ("*a" * 30 + "*b", "a" * 250),
        ("*?" * 30 + "*b", "a" * 250),
        ("*[!b]" * 30 + "*b", "a" * 250),
        (r"*\(" * 30 + "*b", "(" * 250),
        ("*/" * 400 + "b", "/".join(["aaa"] * 1000)),
        ("a/**/*a*/**/*a*b", "/".join("a" * 500)),
    ],
)
def test_a_rule_of_many_stars_takes_no_time(rule: str, path: str) -> None:
    spec = rules_of([rule])
    assert spec.check_file(path).include is None
    last = spec.patterns[0]
    assert isinstance(last, GitIgnoreSpecPattern)
    assert last.regex is not None


@pytest.mark.parametrize(
    ("rule", "meant", "other"),
    [
        ("*a*b*.c", "x/aabb.c", "baa.c"),
        ("*a?*?b", "axxb", "axb"),
        ("[!a]*x*y", "bxxy", "axxy"),
        ("/*x[ab]*[!c]d", "1xxa1d", "xacd"),
        ("a*b/*c*d", "aab/ccdd", "aab/x/ccdd"),
        ("x?[!a]z", "xxbz", "xx/z"),
    ],
)
def test_stars_mean_what_git_has_them_mean(rule: str, meant: str, other: str) -> None:
    spec = rules_of([rule])
    assert spec.match_file(meant)
    assert not spec.match_file(other)


def test_only_so_many_rules_hold() -> None:
    assert len(rules_of(["# one", "", *(f"x{n}" for n in range(10 * MOST_RULES))]).patterns) == MOST_RULES
    assert not rules_of(["a/" + "**/b/" * 3 + "c"]).patterns


def test_a_link_out_of_the_project_is_read_if_it_is_named(tmp_path: Path) -> None:
    (tmp_path / "secret.cu").write_text(KERNEL)
    top = tmp_path / "p"
    made(top, ".git/config", "a.cu")
    for name in ("link.cu", "link.h"):
        (top / name).symlink_to(tmp_path / "secret.cu")
    paths, (problem,) = collect([str(top)])
    assert [Path(path).name for path in paths] == ["a.cu"]
    assert "link.cu, a link that leads out of the project" in problem.text
    paths, problems = collect([str(top / "link.cu")])
    assert [Path(path).name for path in paths] == ["link.cu"]
    assert not problems
    (task,) = tasks_for(paths, None, parser().parse_args(["check", *paths]))[0]
    assert task.files().read(task.path) == KERNEL.encode()
    assert task.files().read(str(tmp_path / "secret.h")) is None


def test_a_look_through_a_project_reads_no_link_out_of_it(tmp_path: Path) -> None:
    (tmp_path / "secret.cu").write_text('#include "word.h"\n')
    made(tmp_path / "p", ".git/config", "a.cu")
    (tmp_path / "p" / "link.cu").symlink_to(tmp_path / "secret.cu")
    includes = scan(Folders((str(tmp_path / "p"),), ()), Settings()).includes
    assert [Path(path).name for path in includes] == ["a.cu"]
