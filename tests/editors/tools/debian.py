"""Debian's packages, unpacked beside the system.

Two ways.  `unpack_whole` takes a package of any suite with everything that it needs, its own C library included, and
starts it through its own loader; a program that starts itself again (a browser) cannot be run so.  `unpack_missing`
takes a package of the machine's own suite with what the machine lacks of its dependencies.

apt checks the signatures of the archive; only a folder of our own is written to.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"
LIBRARIES = "usr/lib/x86_64-linux-gnu"


def _archive() -> str:
    """The archive that this machine already uses."""
    targets = subprocess.run(
        ["apt-get", "indextargets", "--format", "$(REPO_URI)"], check=True, capture_output=True, text=True
    )
    uris = sorted({line for line in targets.stdout.split() if line and "security" not in line})
    if not uris:
        raise RuntimeError("apt knows no archive; is there a list in sources.list.d?")
    return uris[0]


def _apt(work: Path, suites: Sequence[str], status: Path) -> list[str]:
    """apt-get with all of its state below `work`; `status`: the packages that count as installed."""
    for name in ("etc/preferences.d", "state/lists/partial", "cache/archives/partial", "log"):
        (work / name).mkdir(parents=True, exist_ok=True)
    uri = _archive()
    sources = "".join(f"deb [signed-by={KEYRING}] {uri} {suite} main\n" for suite in suites)
    (work / "etc" / "sources.list").write_text(sources)
    options = {
        "Dir::State": work / "state",
        "Dir::State::status": status,
        "Dir::Cache": work / "cache",
        "Dir::Log": work / "log",
        "Dir::Etc::sourcelist": work / "etc" / "sources.list",
        "Dir::Etc::sourceparts": "/dev/null",
        "Dir::Etc::preferencesparts": "/dev/null",
        "APT::Install-Recommends": "false",
        "APT::Sandbox::User": "root",  # with our own folder, there is nobody to drop rights to
        "Debug::NoLocking": "1",
        "Acquire::Retries": "3",
    }
    return ["apt-get", *(word for key, value in options.items() for word in ("-o", f"{key}={value}"))]


def _fetch_and_unpack(apt: list[str], work: Path, package: str, root: Path) -> None:
    subprocess.run([*apt, "update", "-qq"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([*apt, "install", "-y", "--download-only", "-qq", package], check=True, stdout=subprocess.DEVNULL)
    root.mkdir(parents=True, exist_ok=True)
    for archive in sorted((work / "cache" / "archives").glob("*.deb")):
        tar = subprocess.Popen(["dpkg-deb", "--fsys-tarfile", str(archive)], stdout=subprocess.PIPE)
        subprocess.run(["tar", "-x", "-C", str(root), "--keep-directory-symlink"], stdin=tar.stdout, check=True)
        if tar.wait() != 0:
            raise RuntimeError(f"{archive.name} could not be unpacked")
    shutil.rmtree(work)


def unpack_whole(suite: str, package: str, root: Path) -> None:
    """The package with all that it needs, down to the C library."""
    work = root.with_name(f".apt-{root.name}")
    work.mkdir(parents=True, exist_ok=True)
    status = work / "status"
    status.touch()
    _fetch_and_unpack(_apt(work, [suite], status), work, package, root)


def unpack_missing(package: str, root: Path) -> None:
    """The package of the machine's own suite, with what is not installed of its dependencies."""
    work = root.with_name(f".apt-{root.name}")
    work.mkdir(parents=True, exist_ok=True)
    release = dict(
        line.split("=", 1) for line in Path("/etc/os-release").read_text().splitlines() if line.count("=") == 1
    )
    apt = _apt(work, [release["VERSION_CODENAME"].strip('"')], Path("/var/lib/dpkg/status"))
    _fetch_and_unpack(apt, work, package, root)


def script(path: Path, lines: Sequence[str]) -> None:
    """A shell script at `path`; written last, so that it stands for a finished set-up."""
    path.write_text("\n".join(("#!/bin/sh", *lines, "")))
    path.chmod(0o755)
