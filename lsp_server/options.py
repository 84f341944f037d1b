"""What the editor's settings say, over what the project's settings file says.

An editor sends JSON (`initializationOptions`, `workspace/configuration`); its keys are those of `warpcost.toml`.  It
is written as such a file and read by the same reader, so that both are checked by the same rules.  What is wrong is
told in the log and left out; it never stops the analysis.  What only an editor can show (`Display`) is read here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from analysis_core.support.settings import Settings
from analysis_core.text.records import dataclass
from analysis_core.workspace.settings_text import dashed, toml_line

if TYPE_CHECKING:
    from analysis_core.workspace.settings_file import SettingsFile

_DISPLAY = ("code_lens", "kernel_hint", "inlay_hints", "steps", "since_commit", "block_shapes")


@dataclass(frozen=True, slots=True)
class Display:
    """What is shown beside findings and cards; None: as suits the editor.  Nothing of it changes what is found.

    `code_lens`: the line above each kernel; `kernel_hint`: the same, as much as fits, at the end of its first line;
    `inlay_hints`: remarks at the ends of lines; `steps`: abstract evaluation steps among the metrics; `since_commit`: what has changed
    of a kernel since the last commit, on that line; `block_shapes`: other blocks, on the cards of kernels and as actions."""

    code_lens: bool | None = None
    kernel_hint: bool | None = None
    inlay_hints: bool | None = None
    steps: bool | None = None
    since_commit: bool | None = None
    block_shapes: bool | None = None

    def for_editor(self, shows_lenses: bool) -> Display:
        """The display with a decision for each setting that is left open. Where code lenses are shown, the kernel's
        hint would only repeat them."""
        lenses = shows_lenses if self.code_lens is None else self.code_lens
        hint = not lenses if self.kernel_hint is None else self.kernel_hint
        since = self.since_commit is not False and lenses
        shapes = self.block_shapes is not False
        return Display(lenses, hint, self.inlay_hints is not False, self.steps is True, since, shapes)


@dataclass(frozen=True, slots=True)
class EditorOptions:
    """Settings of an editor. `toml`: the accepted part, ready to be read over a project's."""

    toml: bytes = b""
    problems: tuple[str, ...] = ()
    display: Display = Display()

    def sets(self, key: str) -> bool:
        """Whether a setting of the project's is overridden."""
        return self.toml.startswith(head := f'"{key}" = '.encode()) or b"\n" + head in self.toml


def read_options(value: object) -> EditorOptions:
    """An editor's settings as it sent them: any JSON value."""
    if value is None:
        return EditorOptions()
    if not isinstance(value, Mapping):
        return EditorOptions(b"", (f"settings are not an object but {type(value).__name__}",))
    lines: list[bytes] = []
    problems: list[str] = []
    shown: dict[str, bool] = {}
    for key, item in value.items():
        if item is None or item == "":  # The editor's way to say: not set.  A field of a page of settings has no other.
            continue
        if (name := dashed(str(key)).replace("-", "_")) in _DISPLAY:
            if isinstance(item, bool):
                shown[name] = item
            else:
                problems.append(f"setting '{key}': true or false is expected here")
            continue
        from analysis_core.workspace.settings_file import read_settings  # It loads the rules.

        try:
            line = toml_line(str(key), item).encode()
        except ValueError as error:
            problems.append(f"setting '{key}': {error}")
            continue
        wrong = [
            f"setting '{key}': {finding.message}"
            for finding in read_settings("warpcost.toml", line, Settings(), own=True).findings
        ]
        problems += wrong
        if not wrong:
            lines.append(line)
    return EditorOptions(b"".join(lines), tuple(problems), Display(**shown))


def settings_with(options: EditorOptions, base: Settings) -> Settings:
    """The project's settings, overridden by the editor's."""
    from analysis_core.workspace.settings_file import SettingsFile

    return overridden(options, SettingsFile(None, base)).settings


def overridden(options: EditorOptions, project: SettingsFile) -> SettingsFile:
    """A project's settings file as `settings_with` changes it: the editor's settings come first."""
    from analysis_core.workspace.settings_file import laid_over

    return laid_over(project, options.toml)
