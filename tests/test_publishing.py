"""What strangers get: metadata of the package, pages in the wheel whose links work, the readme of an index and of a marketplace, notices."""

from __future__ import annotations

import json
import os
import posixpath
import re
import shutil
import subprocess
import sys
import textwrap
import tomllib
from collections.abc import Iterator
from importlib import util
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from analysis_core.cli.rule_pages import GUIDES
from analysis_core.support import addresses
from analysis_core.support.version import VERSION
from tests.test_tidy import ROOT
from tools import filled_entries

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def module_at(path: Path, name: str) -> ModuleType:
    spec = util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


BUILD = module_at(ROOT / "editor_clients" / "vscode" / "build.py", "vscode_build")


def links(text: str) -> Iterator[str]:
    """Where the links of a page lead that are not in code."""
    prose = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
    yield from (found[2] for found in re.finditer(r"(`[^`\n]*`)|\]\(([^)\s]+)\)", prose) if found[2])


def test_versions_agree() -> None:
    manifest = json.loads((ROOT / "editor_clients/vscode/package.json").read_text(encoding="utf-8"))
    assert PROJECT["project"]["version"] == VERSION == manifest["version"]


def test_links_of_pages_in_the_wheel_work() -> None:
    """Editors open them by the `codeDescription` of a diagnostic, and people by `warpcost rule`."""
    included = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    files = {
        posixpath.join(target, path.relative_to(ROOT / source).as_posix()) if (ROOT / source).is_dir() else target: path
        for source, target in included.items()
        for path in ([ROOT / source] if (ROOT / source).is_file() else sorted((ROOT / source).rglob("*")))
    }
    assert {f"analysis_core/docs/{name}.md" for name in GUIDES} <= set(files)
    lost = [
        (name, link)
        for name, path in files.items()
        for link in links(path.read_text(encoding="utf-8"))
        if "://" not in link
        and link.partition("#")[0]
        and posixpath.normpath(posixpath.join(posixpath.dirname(name), link.partition("#")[0])) not in files
    ]
    assert not lost


def test_types_are_shipped() -> None:
    assert (ROOT / "analysis_core" / "py.typed").is_file()
    assert "Typing :: Typed" in PROJECT["project"]["classifiers"]


def test_addresses_are_in_one_file() -> None:
    """Of the project's own; nothing but the placeholder's file says the domain."""
    domain = re.escape(addresses.REPOSITORY.split("/")[2])
    tops = ["analysis_core", "lsp_server", "editor_clients", "docs", "tools"]
    files = [
        path
        for top in tops
        for path in (ROOT / top).rglob("*")
        if path.suffix in {".py", ".ts", ".lua", ".md", ".json", ".toml", ".yml"}
    ]
    files += [*ROOT.glob("*.md"), *ROOT.glob("*.toml"), *ROOT.glob("*.yml")]
    named = [
        path.relative_to(ROOT).as_posix()
        for path in files
        if not {"node_modules", "dist"} & set(path.parts) and re.search(domain, path.read_text(encoding="utf-8"))
    ]
    assert named == ["analysis_core/support/addresses.py"]


def test_metadata_have_the_addresses_and_a_readme_without_relative_links(monkeypatch: pytest.MonkeyPatch) -> None:
    interface = ModuleType("interface")  # What builds wheels is there only while one is built.
    vars(interface)["MetadataHookInterface"] = object
    for name in ("hatchling", "hatchling.metadata", "hatchling.metadata.plugin", "hatchling.metadata.plugin.interface"):
        monkeypatch.setitem(sys.modules, name, interface)
    metadata: dict[str, Any] = {}
    module_at(ROOT / "hatch_build.py", "hatch_build").AddressesHook().update(metadata)
    assert metadata["urls"] == addresses.LINKS
    assert metadata["readme"]["content-type"] == "text/markdown"
    assert metadata["readme"]["text"] == addresses.with_addresses((ROOT / "README.md").read_text(encoding="utf-8"))
    assert PROJECT["project"]["dynamic"] == ["readme", "urls"]


def test_readme_of_an_index_has_whole_links() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    whole = addresses.with_addresses(text)
    assert all("://" in link or link.startswith("#") for link in links(whole))
    pictures = re.findall(r"!\[[^\]]*\]\(([^)]+)\)", whole)
    assert pictures and all(one.startswith(f"{addresses.FILES}/") for one in pictures)
    relative = [link for link in links(text) if "://" not in link and not link.startswith("#")]
    prefixes = (f"{addresses.PAGES}/", f"{addresses.FILES}/")
    reached = [link.removeprefix(prefix) for link in links(whole) for prefix in prefixes if link.startswith(prefix)]
    assert len(reached) == len(relative) and all((ROOT / path.partition("#")[0]).exists() for path in reached)


def test_code_is_left_as_it_is() -> None:
    text = "`[a](b.md)` and [c](../d.md#e)\n```text\n[f](g)\n```\n![h](i.png) [j](#k) [l](https://m.example/n)\n"
    assert addresses.with_addresses(text, "x") == (
        f"`[a](b.md)` and [c]({addresses.PAGES}/d.md#e)\n```text\n[f](g)\n```\n"
        f"![h]({addresses.FILES}/x/i.png) [j](#k) [l](https://m.example/n)\n"
    )


def test_readme_of_the_marketplace(monkeypatch: pytest.MonkeyPatch) -> None:
    """Relative while there is no address, so that the editor shows the pictures from the extension; whole afterwards."""
    text = (ROOT / "editor_clients/vscode/README.md").read_text(encoding="utf-8")
    assert BUILD.readme(text) == text
    assert all((ROOT / "editor_clients/vscode" / link).is_file() for link in links(text))
    monkeypatch.setattr(addresses, "REPOSITORY", "https://code.host/warpcost")
    pictures = re.findall(r"!\[[^\]]*\]\(([^)]+)\)", BUILD.readme(text))
    assert pictures and all("://" in one and "/editor_clients/vscode/media/" in one for one in pictures)
    assert not any(one.endswith(".svg") for one in pictures)


def test_manifest_of_the_extension_has_addresses_and_nothing_that_builds() -> None:
    made = json.loads(BUILD.manifest((ROOT / "editor_clients/vscode/package.json").read_text(encoding="utf-8")))
    assert made["repository"]["url"] == addresses.REPOSITORY and made["bugs"]["url"] == addresses.LINKS["Issues"]
    assert not {"scripts", "devDependencies"} & made.keys()


def test_notices_hold_the_licence_of_each_bundled_package(tmp_path: Path) -> None:
    inputs = [
        "src/a.ts",
        "node_modules/one/x.js",
        "node_modules/two/node_modules/@s/three/y.js",
        "node_modules/one/z.js",
    ]
    assert BUILD.bundled_packages(inputs) == ["@s/three", "one"]
    for name, licence in (("one", "MIT"), ("@s/three", "ISC")):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "package.json").write_text(json.dumps({"version": "1.2.3", "license": licence}))
    (tmp_path / "one" / "License.txt").write_text("Permission is hereby granted\n")
    text = BUILD.notices(["one"], tmp_path)
    assert "one 1.2.3 (MIT)" in text and "Permission is hereby granted" in text
    with pytest.raises(SystemExit, match="@s/three is bundled"):
        BUILD.notices(["@s/three"], tmp_path)


def test_entries_for_other_lists_are_filled(tmp_path: Path) -> None:
    filled_entries.main(tmp_path)
    texts = [path.read_text(encoding="utf-8") for path in sorted(tmp_path.rglob("*")) if path.is_file()]
    assert len(texts) == 2
    assert all(addresses.REPOSITORY in text and not re.search(r"@[A-Z]+@", text) for text in texts)
    (lua,) = [text for text in texts if "vim.lsp.Config" in text]
    own = (ROOT / "editor_clients/neovim/lsp/warpcost.lua").read_text(encoding="utf-8")
    assert re.findall(r"root_markers = .*", lua) == re.findall(r"root_markers = .*", own)
    # Which files in TOML are settings files is for the plugin to say.
    assert "filetypes = { 'cuda' }" in lua and "filetypes = { 'cuda', 'toml' }" in own


def step() -> str:
    """The last script of the action's steps."""
    text = (ROOT / "action.yml").read_text(encoding="utf-8")
    return textwrap.dedent(text.rpartition("run: |\n")[2])


@pytest.fixture
def runner(tmp_path: Path) -> Path:
    """A folder with a kernel that loses, and `warpcost` on the path."""
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a b.cu").write_text(
        "__global__ void k(float *a, float *b) { a[threadIdx.x] = b[8 * threadIdx.x]; }\nvoid f(float *a) { k<<<1, 256>>>(a, a); }\n"
    )
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "warpcost"
    program.write_text(f"#!/bin/sh\nPYTHONPATH='{ROOT}' exec '{sys.executable}' -m analysis_core \"$@\"\n")
    program.chmod(0o755)
    return tmp_path


def test_the_step_of_the_action_runs(runner: Path) -> None:
    """Its inputs are data: what looks like a command in them is none."""
    own = {
        "WARPCOST_PATHS": "src",
        "WARPCOST_ARGUMENTS": "--hints --no-config",
        "WARPCOST_FAIL_ON": "warning",
        "WARPCOST_SARIF": "",
    }
    own["PATH"] = f"{runner / 'bin'}:{os.environ['PATH']}"

    def run(**more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["bash", "-e", "-c", step()], cwd=runner, env={**own, **more}, capture_output=True, text=True
        )

    done = run()
    assert done.returncode == 1 and "::warning file=src/a b.cu" in done.stdout
    kept = run(WARPCOST_SARIF="out.sarif", WARPCOST_FAIL_ON="never", WARPCOST_PATHS="src $(touch harm)")
    assert kept.returncode == 2 and not (runner / "harm").exists()
    assert json.loads((runner / "out.sarif").read_text())["runs"][0]["results"]


def test_the_job_of_gitlab_runs(runner: Path) -> None:
    text = (ROOT / "packaging" / "warpcost.gitlab-ci.yml").read_text(encoding="utf-8")
    commands = [line.strip()[2:] for line in text.partition("script:\n")[2].partition("  artifacts")[0].splitlines()]
    assert "pip install" in commands[0] and len(commands) == 3
    own = {"PATH": f"{runner / 'bin'}:{os.environ['PATH']}", "WARPCOST_PATHS": "src", "WARPCOST_FAIL_ON": "warning"}
    done = subprocess.run(
        ["bash", "-e", "-c", "\n".join(commands[1:])], cwd=runner, env=own, capture_output=True, text=True
    )
    assert done.returncode == 1 and "warning[WC101]" in done.stdout
    issue, *_ = json.loads((runner / "gl-code-quality-report.json").read_text())
    assert (issue["severity"], issue["location"]["path"]) == ("major", "src/a b.cu")


def test_the_container_file_copies_what_there_is() -> None:
    text = (ROOT / "packaging" / "Containerfile").read_text(encoding="utf-8")
    assert re.findall(r"^(FROM|ENTRYPOINT|USER) (.*)", text, re.MULTILINE)[-1] == ("ENTRYPOINT", '["warpcost"]')
    assert "pip wheel" in text and "USER warpcost" in text


@pytest.mark.nightly
def test_the_container_is_built_and_checks(runner: Path) -> None:
    """Where containers can be built; elsewhere it is skipped, and says so."""
    if shutil.which("docker") is None or subprocess.run(["docker", "info"], capture_output=True).returncode:
        pytest.skip("no daemon that builds containers")
    build = ["docker", "build", "--quiet", "--file", "packaging/Containerfile", "--tag", "warpcost-test", "."]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    command = [
        "docker",
        "run",
        "--rm",
        "--volume",
        f"{runner / 'src'}:/src:ro",
        "warpcost-test",
        "check",
        "--no-config",
        ".",
    ]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 1 and "warning[WC101]" in done.stdout
