"""`warpcost diff` with revisions of git: what they are analysed with, how they are named, and repositories that nobody should trust."""

from __future__ import annotations

import hashlib
import os
import signal
import struct
import subprocess
import sys
import tempfile
import time
import zlib
from pathlib import Path

import pytest

from analysis_core.main import main
from analysis_core.workspace import revisions
from analysis_core.workspace.git_store import largest_step
from tests.cli.changed_kernels import ROWS, STRIDED, TILED

pytest.importorskip("dulwich")
from dulwich import porcelain
from dulwich.objects import Blob, Commit, Tree
from dulwich.pack import write_pack_index_v2
from dulwich.repo import Repo

BY = b"a <a@b>"


def commit(top: Path, message: str = "change") -> bytes:
    porcelain.add(str(top), [str(p) for p in top.rglob("*") if p.is_file() and ".git" not in p.parts])
    return porcelain.commit(str(top), message=message.encode(), author=BY, committer=BY)


@pytest.fixture
def top(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with a kernel, in which one stands."""
    folder = tmp_path / "project"
    folder.mkdir()
    porcelain.init(str(folder))
    (folder / "a.cu").write_text(STRIDED)
    (folder / "b.cu").write_text(ROWS)
    commit(folder)
    monkeypatch.chdir(folder)
    return folder


def made(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    status = main(["diff", *args])
    out, err = capsys.readouterr()
    return status, out, err


def test_revisions_and_the_working_tree(top: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (top / "a.cu").write_text(STRIDED.replace("8 * i", "i"))
    for given in (["HEAD"], ["HEAD.."], ["master"], ["master..."]):
        status, out, err = made(capsys, *given, "--fail-on", "change")
        assert (status, err) == (1, "") and "a.cu:1: scale\n  sectors 36 -> 8 per warp\n" in out
    commit(top)
    assert made(capsys, "HEAD")[1] == "nothing changed\n"
    for given in (["HEAD~1", "HEAD"], ["HEAD^..HEAD"], ["HEAD~1"], ["HEAD~1...HEAD"]):
        assert "sectors 36 -> 8 per warp" in made(capsys, *given)[1]
    assert "sectors 8 -> 36 per warp" in made(capsys, "HEAD", "HEAD~1")[1]
    assert made(capsys, "HEAD~1", "--only", "b.cu")[1] == "nothing changed\n"
    assert made(capsys, "HEAD~1", "--kernel", "sums")[:2] == (0, "nothing changed\n")
    assert "did you mean" in made(capsys, "HEAD~1", "--kernel", "sum")[2]
    (top / "sub").mkdir()
    os.chdir(top / "sub")
    assert "a.cu:1: scale" in made(capsys, "HEAD~1")[1]


def test_a_revision_is_read_with_its_own_includes_and_settings(top: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (top / "step.h").write_text("#define STEP 8\n")
    (top / "a.cu").write_text('#include "step.h"\n' + STRIDED.replace("8 * i", "STEP * i"))
    (top / "c.cu").write_text(
        '#include "table.def"\n' + STRIDED.replace("8 * i", "TABLE * i").replace("scale", "other")
    )
    (top / "table.def").write_text("#define TABLE 4\n")
    commit(top)
    (top / "step.h").write_text("#define STEP 1\n")
    (top / "table.def").write_text("#define TABLE 2\n")
    (top / "warpcost.toml").write_text("[metrics.bytes]\nsectors = 32\n")
    commit(top)
    said = made(capsys, "HEAD~1", "HEAD")[1]
    assert "a.cu:2: scale\n  sectors 36 -> 8 per warp" in said and "c.cu:2: other\n  sectors 20 -> 12 per warp" in said
    (top / "warpcost.toml").write_text('default-block = [64]\nexclude = ["a.cu"]\n')
    assert "a.cu:2: scale: removed" in made(capsys, "HEAD")[1]


def test_only_what_differs_is_analysed(
    top: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from analysis_core.cli.diff import sides as diff_sides

    seen: list[str] = []
    analysed = diff_sides.analysed
    monkeypatch.setattr(diff_sides, "analysed", lambda task, store: (seen.append(task.path), analysed(task, store))[1])
    (top / "called.cu").write_text("void go(float *a, float *b) { run_scaled(a, b, 64); }\n")
    (top / "n.cu").write_text(
        STRIDED.replace("run", "run_scaled").replace("scale(", "scaled(").replace("scale<", "scaled<")
    )
    (top / "alone.cu").write_text(TILED.replace("run", "go_on"))
    commit(top)
    (top / "called.cu").write_text("void go(float *a, float *b) { run_scaled(a, b, 128); }\n")
    made(capsys, "HEAD")
    names = sorted(os.path.basename(path) for path in seen)
    assert names == ["called.cu", "called.cu", "n.cu", "n.cu"]


def test_names_of_revisions_that_are_not_there(top: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for given in (
        "nope",
        "HEAD~9",
        "HEAD^3",
        "..",
        "nope..HEAD",
        "HEAD..nope",
        "-",
        "",
        "a" * 5000,
        "\udc80",
        "~",
        "@{0}",
    ):
        status, out, err = made(capsys, f"./{given}" if given.startswith("-") else given)
        if given == "..":
            assert status == 0
            continue
        assert status == 2 and not out and err.startswith("warpcost: ") and err.count("\n") == 1, given
    os.chdir(tmp_path)
    assert "there is no git repository here" in made(capsys, "main")[2]
    assert "nothing is named" in made(capsys)[2]


def tree_of(repo: Repo, *entries: tuple[bytes, int, bytes]) -> Tree:
    tree = Tree()
    for name, mode, data in entries:
        blob = Blob.from_string(data)
        repo.object_store.add_object(blob)
        tree.add(name, mode, blob.id)
    repo.object_store.add_object(tree)
    return tree


def committed(repo: Repo, tree: bytes) -> str:
    one = Commit()
    one.tree, one.author, one.committer, one.message = tree, BY, BY, b"hostile"
    one.author_time = one.commit_time = 0
    one.author_timezone = one.commit_timezone = 0
    repo.object_store.add_object(one)
    return one.id.decode()


def test_hostile_trees_are_told_and_lead_nowhere(
    top: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    (tmp_path / "secret.h").write_text("#define STEP 8\n")
    source = STRIDED.encode()
    with Repo(str(top)) as repo:
        up = tree_of(repo, (b"a.cu", 0o100644, source))
        for name in (b"..", b".git", b"../x.cu", b"a/b.cu", b".GIT", b".git.", b"x" * 256):
            bad = Tree()
            bad.add(b"a.cu", 0o100644, up[b"a.cu"][1])
            bad.add(name, 0o040000, up.id)
            repo.object_store.add_object(bad)
            status, out, err = made(capsys, committed(repo, bad.id))
            assert status == 2 and "a name that no file may have" in err, name
            assert "b.cu:1: sums: added" in out  # the rest is compared
        links = tree_of(
            repo,
            (b"a.cu", 0o120000, b"real.cu"),
            (b"real.cu", 0o100644, source),
            (b"b.cu", 0o120000, str(tmp_path / "secret.h").encode()),
            (b"c.cu", 0o120000, b"../secret.h"),
            (b"d.cu", 0o120000, b"e.cu"),
            (b"e.cu", 0o120000, b"d.cu"),
        )
        status, out, err = made(capsys, committed(repo, links.id))
        assert status == 0 and not err and "real.cu:1: scale" in out
        module = Tree()
        module.add(b"third_party", 0o160000, b"1" * 40)
        repo.object_store.add_object(module)
        status, out, err = made(capsys, committed(repo, module.id))
        assert status == 0 and "the submodule third_party is not read" in err and "scale: added" in out
        deep = up
        for _ in range(150):
            above = Tree()
            above.add(b"d", 0o040000, deep.id)
            repo.object_store.add_object(above)
            deep = above
        assert "nested more than 100 deep" in made(capsys, committed(repo, deep.id))[2]
        wide = up
        for _ in range(30):  # 2**30 files
            above = Tree()
            above.add(b"l", 0o040000, wide.id)
            above.add(b"r", 0o040000, wide.id)
            repo.object_store.add_object(above)
            wide = above
        monkeypatch.setattr("analysis_core.workspace.revisions._MOST_ENTRIES", 1000)
        assert "more than 1000 files" in made(capsys, committed(repo, wide.id))[2]
    assert not list((tmp_path / "temporary").iterdir())  # nothing is left, nothing lies elsewhere
    assert sorted(path.name for path in tmp_path.iterdir()) == ["project", "secret.h", "temporary"]


def test_broken_objects_are_told(
    top: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with Repo(str(top)) as repo:
        first = repo.head().decode()
        number = repo[repo[repo.head()].tree][b"a.cu"][1].decode()
    stored = top / ".git" / "objects" / number[:2] / number[2:]
    whole = stored.read_bytes()
    stored.chmod(0o644)
    for data in (b"", b"x", whole[: len(whole) // 2], bytes(reversed(whole))):
        stored.write_bytes(data)
        status, out, err = made(capsys, first)
        assert status == 2 and not out and "is not read" in err and err.count("\n") == 1
    stored.unlink()
    assert "an object is missing" in made(capsys, first)[2]
    stored.write_bytes(whole)
    with Repo(str(top)) as repo:
        large = committed(repo, tree_of(repo, (b"a.cu", 0o100644, b"//" * 500)).id)
    with monkeypatch.context() as patched:
        patched.setattr("analysis_core.workspace.revisions.MOST_BYTES", 900)
        assert "a.cu is not read: it has more than 0 MB" in made(capsys, large)[2]
    (top / ".git" / "objects" / "info").mkdir(exist_ok=True)
    (top / ".git" / "objects" / "info" / "alternates").write_text("/elsewhere/objects\n")
    assert "has its objects in /elsewhere/objects, outside of it" in made(capsys, first)[2]
    (top / ".git" / "HEAD").unlink()
    (top / ".git" / "config").write_bytes(b"\0[")
    assert made(capsys, first)[0] == 2


def test_a_strangers_git_folder_leads_nowhere(
    top: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A `.git` that names another repository is followed only where that one says so."""
    stranger = tmp_path / "stranger"
    stranger.mkdir()
    (stranger / ".git").write_text(f"gitdir: {top / '.git'}\n")
    monkeypatch.chdir(stranger)
    assert "outside of it, which is not read" in made(capsys, "HEAD")[2]
    (stranger / ".git").unlink()
    (stranger / ".git").symlink_to(top / ".git")
    assert "outside of it, which is not read" in made(capsys, "HEAD")[2]
    own = top / ".git" / "worktrees" / "stranger"
    own.mkdir(parents=True)
    (own / "commondir").write_text("../..\n")
    (own / "HEAD").write_text("ref: refs/heads/master\n")
    (own / "gitdir").write_text(f"{stranger / '.git'}\n")
    (stranger / ".git").unlink()
    (stranger / ".git").write_text(f"gitdir: {own}\n")
    assert made(capsys, "HEAD")[1].endswith("0 kernels changed, 2 removed; 2 findings gone\n")


def opened_apart(top: Path) -> str:
    """What is said of the repository at HEAD, or that it is read, by a process that may be waited for."""
    code = f"""
from analysis_core.workspace.revisions import BadRevision, Repository
try:
    with Repository({str(top)!r}) as repository:
        print("read", repository.blob(repository.commit("HEAD"), "a.cu") is not None)
except BadRevision as bad:
    print(bad)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=20)
    assert not done.stderr
    return done.stdout


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names")
@pytest.mark.parametrize("name", ["HEAD", "config", "commondir", "refs/heads/master", "objects/info/alternates"])
def test_nothing_waits_at_a_file_that_is_none(top: Path, tmp_path: Path, name: str) -> None:
    path = top / ".git" / name
    path.parent.mkdir(exist_ok=True)
    path.unlink(missing_ok=True)
    if name == "refs/heads/master":
        (tmp_path / "outside").write_text("0" * 40)
        path.symlink_to(tmp_path / "outside")
    else:
        os.mkfifo(path)
    assert f"{name} is no plain file of this repository" in opened_apart(top)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names")
def test_what_settings_include_is_not_read(top: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with (top / ".git" / "config").open("a") as file:
        file.write(f"[include]\n\tpath = {tmp_path / 'pipe'}\n[core]\n\tfsmonitor = /bin/false\n")
    assert opened_apart(top) == "read True\n"


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="processes are ended otherwise")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_nothing_is_left_when_it_is_told_to_end(top: Path, tmp_path: Path, name: str) -> None:
    for k in range(40):
        (top / f"c{k}.cu").write_text(STRIDED.replace("8 * i", f"{k + 2} * i"))
    commit(top)
    (top / "a.cu").write_text(STRIDED)
    folder = tmp_path / "temporary"
    folder.mkdir()
    command = [sys.executable, "-m", "analysis_core.main", "diff", "HEAD~1", "HEAD"]
    inherited = {**os.environ, "TMPDIR": str(folder), "PYTHONPATH": str(Path(__file__).parents[2])}
    with subprocess.Popen(command, env=inherited, stdout=subprocess.DEVNULL) as process:
        while not any(folder.glob("warpcost-*/c3.cu")):
            assert process.poll() is None
            time.sleep(0.01)
        process.send_signal(getattr(signal, name))
        assert process.wait(60) == 128 + getattr(signal, name)
    assert not list(folder.iterdir())


def test_a_file_in_place_of_a_folder_is_told(top: Path) -> None:
    (top / ".git" / "objects" / "info" / "alternates").mkdir(parents=True)
    assert "is no git repository that can be read" in opened_apart(top)


def test_names_that_a_disk_does_not_tell_apart_are_told(
    top: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (top / "A.cu").write_text(ROWS)
    commit(top)
    (top / "b.cu").write_text(STRIDED.replace("scale", "more"))
    put = revisions._put
    monkeypatch.setattr(revisions, "_put", lambda path, data: put(path.replace("A.cu", "a.cu"), data))
    status, out, err = made(capsys, "HEAD", "--only", "b.cu")
    assert status == 2 and "to this disk it has the name of another file" in err
    assert "more: added" in out  # the rest is compared


def test_differences_that_double_are_not_unpacked(top: Path) -> None:
    """Nineteen of them make 34 GB of 64 KB."""
    number = stored_pack(top, doubling(19))
    with Repo(str(top)) as repo:
        assert largest_step(repo.object_store, number.hex().encode()) == 1 << 35
        tree = Tree()
        tree.add(b"a.cu", 0o100644, number.hex().encode())
        repo.object_store.add_object(tree)
        repo.refs[b"refs/heads/master"] = committed(repo, tree.id).encode()
    assert "has more than 64 MB" in opened_apart(top)


def test_sizes_are_those_of_what_is_read(top: Path) -> None:
    texts = [b"line %d\n" % n * (1000 + n) for n in range(5)]
    with Repo(str(top)) as repo:
        blobs = [Blob.from_string(text) for text in texts]
        repo.object_store.add_objects([(blob, None) for blob in blobs])
        for blob, text in zip(blobs, texts, strict=True):
            assert largest_step(repo.object_store, blob.id) >= len(text)
        assert largest_step(repo.object_store, repo.head()) == len(repo[repo.head()].as_raw_string())
        assert largest_step(repo.object_store, b"1" * 40) == 0


def in_groups(number: int) -> bytes:
    """Seven bits a byte, the lowest first."""
    return bytes([number & 127 | 128]) + in_groups(number >> 7) if number >> 7 else bytes([number])


def entry(kind: int, size: int, rest: bytes) -> bytes:
    head = kind << 4 | size & 15
    return (bytes([head | 128]) + in_groups(size >> 4) if size >> 4 else bytes([head])) + rest


def doubling(times: int) -> list[bytes]:
    """A blob, and differences by name, each of which says that it is twice what is before it."""
    size = 1 << 16
    rows = [entry(3, size, zlib.compress(bytes(size)))]
    for n in range(times):
        delta = in_groups(size) + in_groups(2 * size)
        rows.append(entry(7, len(delta), bytes([n]) * 20 + zlib.compress(delta)))
        size *= 2
    return rows


def stored_pack(top: Path, rows: list[bytes]) -> bytes:
    """A pack whose objects are called 00.., 01..; returns the number of the last."""
    body, index = b"PACK" + struct.pack(">II", 2, len(rows)), []
    for n, row in enumerate(rows):
        index.append((bytes([n]) * 20, len(body), 0))
        body += row
    body += hashlib.sha1(body).digest()
    folder = top / ".git" / "objects" / "pack"
    folder.mkdir(exist_ok=True)
    name = f"pack-{'b' * 40}"
    (folder / f"{name}.pack").write_bytes(body)
    with (folder / f"{name}.idx").open("wb") as file:
        write_pack_index_v2(file, index, body[-20:])
    return index[-1][0]
