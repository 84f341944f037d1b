"""`python editor_clients/vscode/build.py`: makes dist/warpcost.vsix, with the wheel of warpcost inside.

Needs npm and a Python that can make wheels; npm's packages are those of the lock file, without their scripts.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
VSIX = HERE / "dist" / "warpcost.vsix"


def npm(*words: str) -> None:
    if shutil.which("npm") is None:
        raise SystemExit("the extension is built by npm, which is not there: install Node.js 20 or later")
    subprocess.run(["npm", "--silent", *words], cwd=HERE, check=True)


def install_packages() -> None:
    """`npm ci`, where the lock file has changed since the last one."""
    lock = hashlib.sha256((HERE / "package-lock.json").read_bytes()).hexdigest()
    stamp = HERE / "node_modules" / ".warpcost-stamp"
    if not stamp.exists() or stamp.read_text() != lock:
        npm("ci", "--ignore-scripts", "--no-audit", "--no-fund")
        stamp.write_text(lock)


def versions_agree() -> None:
    """The extension says of itself what the server in it says."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    extension = json.loads((HERE / "package.json").read_text())["version"]
    if project != extension:
        raise SystemExit(f"package.json says {extension}, pyproject.toml {project}")


def put_server() -> None:
    """The wheel and what it depends on, with hashes."""
    server = HERE / "server"
    shutil.rmtree(server, ignore_errors=True)
    server.mkdir()
    quiet = ("--quiet", "--disable-pip-version-check", "--no-deps")
    subprocess.run([sys.executable, "-m", "pip", "wheel", *quiet, "--wheel-dir", str(server), str(ROOT)], check=True)
    shutil.copyfile(HERE / "requirements.txt", server / "requirements.txt")
    shutil.copyfile(ROOT / "LICENSE", HERE / "LICENSE")


def main() -> None:
    versions_agree()
    install_packages()
    put_server()
    npm("run", "check")
    npm("run", "bundle")
    npm("run", "package")
    sys.stdout.write(f"{VSIX.relative_to(ROOT)}: {VSIX.stat().st_size / 1e6:.1f} MB\n")


if __name__ == "__main__":
    main()
