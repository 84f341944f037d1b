"""`python editor_clients/vscode/build.py`: makes dist/warpcost.vsix, with the wheel of warpcost and the pages of its rules inside.

Needs npm and a Python that can make wheels; npm's packages are those of the lock file, without their scripts.  What is packed is put
together in dist/stage first: the manifest gets the addresses of analysis_core/support/addresses.py, and the notices of
what is bundled are written there.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
STAGE = HERE / "dist" / "stage"
VSIX = HERE / "dist" / "warpcost.vsix"
BUNDLED = HERE / "dist" / "bundled.json"
NOTICES = "THIRD_PARTY_NOTICES.txt"

sys.path.insert(0, str(ROOT))

from analysis_core.support import addresses  # noqa: E402

SCHEMA = "analysis_core/cli/settings_schema.json"

GUIDES = ("levels.md", "settings.md", "models.md", "assumptions.md")
"""The pages that those of rules lead to."""


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
    """The wheel, and what it depends on with hashes."""
    server = STAGE / "server"
    server.mkdir(parents=True)
    quiet = ("--quiet", "--disable-pip-version-check", "--no-deps")
    subprocess.run([sys.executable, "-m", "pip", "wheel", *quiet, "--wheel-dir", str(server), str(ROOT)], check=True)
    shutil.copyfile(HERE / "requirements.txt", server / "requirements.txt")


def manifest(text: str) -> str:
    """package.json as it is published: with the addresses of the project, and without what only builds it."""
    package: dict[str, Any] = json.loads(text)
    for key in ("scripts", "devDependencies"):
        package.pop(key, None)
    package["repository"] = {"type": "git", "url": addresses.REPOSITORY}
    package["homepage"] = addresses.LINKS["Homepage"]
    package["bugs"] = {"url": addresses.LINKS["Issues"]}
    return json.dumps(package, indent=2) + "\n"


def schema(text: str) -> str:
    """The schema of settings files as it is published: under its address."""
    return json.dumps({**json.loads(text), "$id": f"{addresses.FILES}/{SCHEMA}"}, indent=2) + "\n"


def readme(text: str) -> str:
    """The readme: a marketplace has none of its pictures, so their addresses are whole once there are any; until then
    the editor shows them from the extension itself."""
    return text if addresses.is_placeholder() else addresses.with_addresses(text, "editor_clients/vscode")


def bundled_packages(inputs: Iterable[str]) -> list[str]:
    """The packages of npm that are in a bundle, by the paths of their files."""
    names = set()
    for path in inputs:
        parts = path.split("node_modules/")[-1].split("/") if "node_modules/" in path else []
        if parts:
            names.add("/".join(parts[:2]) if parts[0].startswith("@") else parts[0])
    return sorted(names)


def notices(packages: Iterable[str], folder: Path) -> str:
    """What the licences of bundled packages ask to be told.  A package without the text of its licence ends the build."""
    parts = ["The extension holds parts of these packages, under their own licences.\n"]
    for name in packages:
        package = json.loads((folder / name / "package.json").read_text(encoding="utf-8"))
        texts = sorted(
            path for path in (folder / name).iterdir() if path.name.lower().startswith(("license", "licence"))
        )
        if not texts:
            raise SystemExit(f"{name} is bundled, and brings no text of its licence")
        text = texts[0].read_text(encoding="utf-8").strip()
        parts.append(f"{'=' * 80}\n{name} {package['version']} ({package.get('license', 'see below')})\n\n{text}\n")
    return "\n".join(parts)


def put_together() -> None:
    """All that is packed, but for the server."""
    (STAGE / "dist").mkdir(parents=True)
    shutil.copyfile(HERE / "dist" / "extension.js", STAGE / "dist" / "extension.js")
    shutil.copytree(HERE / "media", STAGE / "media")
    shutil.copytree(ROOT / "docs" / "rules", STAGE / "docs" / "rules")
    for name in GUIDES:
        shutil.copyfile(ROOT / "docs" / name, STAGE / "docs" / name)
    (STAGE / "schemas").mkdir()
    text = (ROOT / SCHEMA).read_text(encoding="utf-8")
    (STAGE / "schemas" / "warpcost.json").write_text(schema(text), encoding="utf-8")
    shutil.copyfile(HERE / "CHANGELOG.md", STAGE / "CHANGELOG.md")
    shutil.copyfile(ROOT / "LICENSE", STAGE / "LICENSE")
    (STAGE / "README.md").write_text(readme((HERE / "README.md").read_text(encoding="utf-8")), encoding="utf-8")
    (STAGE / "package.json").write_text(manifest((HERE / "package.json").read_text(encoding="utf-8")), encoding="utf-8")
    inputs = json.loads(BUNDLED.read_text(encoding="utf-8"))["inputs"]
    text = notices(bundled_packages(inputs), HERE / "node_modules")
    (STAGE / NOTICES).write_text(text, encoding="utf-8")
    (STAGE / ".vscodeignore").write_text("")  # All of it is packed.


def main() -> None:
    versions_agree()
    install_packages()
    npm("run", "check")
    npm("run", "bundle")
    shutil.rmtree(STAGE, ignore_errors=True)
    put_together()
    put_server()
    vsce = HERE / "node_modules" / ".bin" / "vsce"
    packing = ("package", "--no-dependencies", "--no-rewrite-relative-links", "--out", str(VSIX))
    subprocess.run([str(vsce), *packing], cwd=STAGE, check=True, stdout=subprocess.DEVNULL)
    sys.stdout.write(f"{VSIX.relative_to(ROOT)}: {VSIX.stat().st_size / 1e6:.1f} MB\n")


if __name__ == "__main__":
    main()
