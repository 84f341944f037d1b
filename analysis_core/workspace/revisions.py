"""Revisions of a git repository, as folders: what of a commit's tree an analysis may read is written to a folder of its own.

The store of objects is read by a library; nothing is run, nothing is fetched, and the working tree is left alone.  A repository may
be anybody's: names that lead out of a folder are left out, links are followed within the tree only, objects that are broken, missing or
huge are told, and so are objects that are to be taken from elsewhere (`alternates`).
"""

from __future__ import annotations

import hashlib
import io
import os
import posixpath
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import field
from typing import Any

from analysis_core.support.files import SOURCES
from analysis_core.syntax.units import spelled_includes
from analysis_core.text.records import dataclass
from analysis_core.workspace.disk import HEADERS, MOST_BYTES, SUFFIXES, Problem, read_file, real_path
from analysis_core.workspace.git_store import largest_step, odd_file
from analysis_core.workspace.workspace import is_below, repository_of

_MOST_ENTRIES = 500_000
_MOST_FOLDERS_DEEP = 100
_MOST_BYTES_IN_ALL = 1 << 30
_MOST_LINKS = 8
_LONGEST_LINK = 4096
_MOST_ROUNDS = 8

_TREE, _LINK, _MODULE = 0o040000, 0o120000, 0o160000

_NAMES = frozenset(
    {"warpcost.toml", "pyproject.toml", "compile_commands.json", "Makefile", "makefile", "GNUmakefile", ".gitignore"}
)
"""What says how a project is analysed."""

_ENDINGS = (*SOURCES, *SUFFIXES, *HEADERS, ".mk", ".mak", ".make")

_PARENTS = re.compile(r"(.+?)((?:~\d{0,6}|\^\d?)*)$", re.DOTALL)


_SIGNS = frozenset({"/", "\0"} if os.sep == "/" else {"/", "\0", "\\", ":"})
"""What the name of a file cannot have: drives and streams are told by colons elsewhere."""

_LONGEST_NAME = 255
"""In bytes: of a file, on any disk."""


class BadRevision(Exception):
    """Raised if a revision cannot be read; the text says why, in one line."""


class _Huge(BadRevision):
    """Raised if an object is larger than what is read."""


@dataclass(slots=True)
class _Tree:
    """What a commit's tree holds, by path.  `links`: where they lead; `modules`: folders that are repositories of others."""

    blobs: dict[str, bytes] = field(default_factory=dict)
    links: dict[str, bytes] = field(default_factory=dict)
    modules: list[str] = field(default_factory=list)
    odd: list[str] = field(default_factory=list)
    entries: int = 0


class Repository:
    """The repository around a folder, open.  To be used in a `with`.  Raises `BadRevision` where there is none."""

    def __init__(self, folder: str) -> None:
        top = repository_of(folder)
        if top is None:
            raise BadRevision("there is no git repository here: name two folders or files, or work within one")
        self.top = top
        self._repo: Any = _opened(top)  # of a library that an installation may lack

    def __enter__(self) -> Repository:
        return self

    def __exit__(self, *_: object) -> None:
        self._repo.close()

    def commit(self, name: str) -> bytes:
        """The number of the commit that a revision names ("main", "v1.2", "HEAD~2", "3fa9c1d"), in hexadecimal digits."""
        match = _PARENTS.match(name)
        with _Told(name):
            from dulwich.objectspec import parse_commit

            try:
                found = parse_commit(self._repo, os.fsencode(match[1] if match else name))
                for step in re.findall(r"~\d*|\^\d?", match[2] if match else ""):
                    found = self._parent(found, step)
            except (KeyError, IndexError):
                raise BadRevision(f"there is no revision {name} in {self.top}") from None
            return bytes(found.id)

    def _parent(self, commit: Any, step: str) -> Any:
        number = int(step[1:] or 1)
        if step[0] == "^":
            return commit if number == 0 else self._repo[commit.parents[number - 1]]
        for _ in range(number):
            commit = self._repo[commit.parents[0]]
        return commit

    def common(self, one: str, other: str) -> bytes:
        """The commit at which two revisions part."""
        commits: list[Any] = [self.commit(one), self.commit(other)]
        with _Told(f"{one}...{other}"):
            from dulwich.graph import find_merge_base

            found = find_merge_base(self._repo, commits)
            if not found:
                raise BadRevision(f"{one} and {other} have no commit in common (a shallow clone?)")
            return bytes(found[0])

    def blob(self, commit: bytes, path: str) -> bytes | None:
        """The bytes of one file of a commit, by its path from the top; None where there is none."""
        with _Told(commit.decode()):
            tree = self._repo[self._repo[commit].tree]
            for part in path.split("/"):
                if tree.type_name != b"tree" or os.fsencode(part) not in tree:
                    return None
                mode, number = tree[os.fsencode(part)]
                if mode & 0o170000 in (_LINK, _MODULE):
                    return None
                tree = self._repo[number]
            return self._read(tree.id) if tree.type_name == b"blob" else None

    def written(self, commit: bytes, folder: str) -> list[Problem]:
        """Writes what of a commit may matter into a folder, which is empty; returns what was left out.  Raises `BadRevision`."""
        name = commit.decode()[:9]
        tree = _Tree()
        with _Told(name):
            self._walk(self._repo[commit].tree, "", tree, 0)
            problems = [
                Problem(f"revision {name}: the submodule {path} is not read", fatal=False) for path in tree.modules[:4]
            ]
            if tree.odd:
                problems.append(Problem(f"revision {name}: not read, a name that no file may have: {tree.odd[0]!r}"))
            problems += self._write(tree, folder, name)
        with open(os.path.join(folder, ".git"), "wb"):
            pass  # The top of a repository: no settings, no includes and no rules from outside of it.
        if not os.path.exists(shield := os.path.join(folder, "warpcost.toml")) and not _has_settings(folder):
            with open(shield, "wb"):
                pass
        return problems

    def _walk(self, number: bytes, above: str, tree: _Tree, deep: int) -> None:
        if deep > _MOST_FOLDERS_DEEP:
            raise BadRevision(f"its folders are nested more than {_MOST_FOLDERS_DEEP} deep")
        for entry in self._repo[number].items():
            tree.entries += 1
            if tree.entries > _MOST_ENTRIES:
                raise BadRevision(f"it has more than {_MOST_ENTRIES} files")
            name = os.fsdecode(entry.path)
            path = f"{above}{name}"
            if not _may_be_written(name):
                tree.odd.append(path)
            elif (kind := entry.mode & 0o170000) == _TREE:
                self._walk(entry.sha, f"{path}/", tree, deep + 1)
            elif kind == _MODULE:
                tree.modules.append(path)
            else:
                (tree.links if kind == _LINK else tree.blobs)[path] = entry.sha

    def _write(self, tree: _Tree, folder: str, name: str) -> Iterator[Problem]:
        """Sources, headers and settings; then whatever these include under another name."""
        targets = dict(self._targets(tree))
        wanted = [
            path for path in (*tree.blobs, *targets) if path.endswith(_ENDINGS) or posixpath.basename(path) in _NAMES
        ]
        written, included, total = set[str](), set[str](), 0
        for _ in range(_MOST_ROUNDS):
            for path in wanted:
                written.add(path)
                data = self._read(targets.get(path) or tree.blobs[path])
                if data is None:
                    yield Problem(f"revision {name}: {path} is not read: it has more than {MOST_BYTES >> 20} MB")
                    continue
                total += len(data)
                if total > _MOST_BYTES_IN_ALL:
                    raise BadRevision(f"its sources have more than {_MOST_BYTES_IN_ALL >> 20} MB")
                included.update(posixpath.basename(header[1:-1]) for header in spelled_includes(data))
                try:
                    _put(os.path.join(folder, *path.split("/")), data)
                except FileExistsError:
                    yield Problem(f"revision {name}: {path} is not read: to this disk it has the name of another file")
            wanted = [p for p in (*tree.blobs, *targets) if p not in written and posixpath.basename(p) in included]

    def _targets(self, tree: _Tree) -> Iterator[tuple[str, bytes]]:
        """Links that lead to a file of the tree, with that file's number."""
        known: dict[bytes, str] = {}  # Many links may be one object.
        for link in tree.links:
            path = link
            for _ in range(_MOST_LINKS):
                number = tree.links[path]
                if number not in known:
                    known[number] = os.fsdecode((self._read(number) or b"")[:_LONGEST_LINK])
                path = posixpath.normpath(posixpath.join(posixpath.dirname(path), known[number]))
                if path not in tree.links:
                    break
            if path in tree.blobs:
                yield link, tree.blobs[path]

    def _read(self, number: bytes) -> bytes | None:
        """The bytes of a blob; None of a huge one."""
        try:
            data: bytes = self._repo.object_store.get_raw(number)[1]
        except _Huge:
            return None
        kind = hashlib.sha256 if len(number) == 64 else hashlib.sha1
        if kind(b"blob %d\0" % len(data) + data).hexdigest().encode() != number:
            raise BadRevision(f"object {number.decode()[:9]} is broken")
        return data if len(data) <= MOST_BYTES else None


class _Told:
    """Turns whatever the library raises at a broken repository into `BadRevision`."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: object) -> None:
        if isinstance(error, BadRevision) and not str(error).startswith(("there is no", self._name)):
            raise BadRevision(f"revision {self._name} is not read: {error}") from None
        if isinstance(error, KeyError):
            raise BadRevision(
                f"revision {self._name} is not read: an object is missing, {_one_line(error)} (a shallow or partial clone?)"
            ) from None
        if isinstance(error, Exception) and not isinstance(error, BadRevision):
            raise BadRevision(
                f"revision {self._name} is not read: {type(error).__name__}: {_one_line(error)}"
            ) from None


def _one_line(error: BaseException) -> str:
    return " ".join(str(error).split())[:120]


def load() -> None:
    """Imports the library, if it is there: for a process that loads nothing while it may be interrupted."""
    with suppress(ImportError):
        from dulwich import objectspec as objectspec
        from dulwich import repo as repo


def _opened(top: str) -> Any:
    try:
        from dulwich.repo import Repo
    except ImportError:
        raise BadRevision(
            "revisions are read by the library dulwich, which is not installed; name two folders"
        ) from None
    if (odd := odd_file(top)) is not None:
        raise BadRevision(f"{top} is not read: {odd} is no plain file of this repository, or is huge")

    def own(name: str) -> Callable[[Any], Any]:
        return lambda repo: _settings(os.path.join(repo.commondir(), name))

    # What settings include is not read.
    kind = type("Own", (Repo,), {"get_config": own("config"), "get_worktree_config": own("config.worktree")})
    try:
        repo: Any = kind(top, bare=False)
        repo.object_store.get_raw = _measured(repo.object_store, repo.object_store.get_raw)
        outside = _outside(top, repo)
    except Exception as error:
        raise BadRevision(
            f"{top} is no git repository that can be read: {type(error).__name__}: {_one_line(error)}"
        ) from None
    if outside is not None:
        repo.close()
        raise BadRevision(f"{top} has its objects in {outside}, outside of it, which is not read")
    return repo


def _settings(path: str) -> Any:
    from dulwich.config import ConfigFile

    def opened(asked: Any) -> io.BytesIO:
        return io.BytesIO((read_file(path, MOST_BYTES) or b"") if asked == path else b"")

    found = ConfigFile.from_path(path, file_opener=opened)
    found.path = path
    return found


def _measured(store: Any, get_raw: Callable[[bytes], Any]) -> Callable[[bytes], Any]:
    """The way to an object's bytes, for such as are not huge."""

    def measured(number: bytes) -> Any:
        digits = number if len(number) in (40, 64) else number.hex().encode("ascii")
        if largest_step(store, digits) > MOST_BYTES:
            raise _Huge(f"object {digits.decode()[:9]} has more than {MOST_BYTES >> 20} MB")
        return get_raw(number)

    return measured


def _outside(top: str, repo: Any) -> str | None:
    """Where a repository leads that is not its own: its `.git` may be a stranger's.  A worktree, and a submodule, are known by what the repository
    that they belong to says of them."""
    control, common = real_path(repo.controldir()), real_path(repo.commondir())
    if not (is_below(control, top) and is_below(common, top)):
        back = read_file(os.path.join(control, "gitdir"), 4096) or b""
        is_worktree = is_below(control, common) and real_path(os.fsdecode(back.strip())) == os.path.join(top, ".git")
        named = _worktree_named(repo)
        is_module = control == common and named is not None and real_path(os.path.join(control, named)) == top
        if not (is_worktree or is_module):
            return common
    objects = real_path(repo.object_store.path)
    others = (real_path(path) for path in repo.object_store._read_alternate_paths())
    return next((path for path in (objects, *others) if not is_below(path, common)), None)


def _worktree_named(repo: Any) -> str | None:
    """What the settings of a repository name as its working tree."""
    try:
        return os.fsdecode(repo.get_config().get((b"core",), b"worktree"))
    except (KeyError, ValueError):
        return None


def _may_be_written(name: str) -> bool:
    """Whether a name of a tree is that of one file in a folder, and not of a repository's own."""
    plain = name.rstrip(". ").lower()
    fits = name not in ("", ".", "..") and len(os.fsencode(name)) <= _LONGEST_NAME
    return fits and plain not in (".git", "git~1") and not set(name) & _SIGNS


def _put(path: str, data: bytes) -> None:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "xb") as file:
        file.write(data)


def _has_settings(folder: str) -> bool:
    try:
        with open(os.path.join(folder, "pyproject.toml"), "rb") as file:
            return b"tool.warpcost" in file.read(1_000_000)
    except OSError:
        return False
