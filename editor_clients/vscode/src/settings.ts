// The settings of this extension: some are its own, all others are the server's.

import * as os from 'node:os';
import { type ConfigurationScope, workspace } from 'vscode';

export const SECTION = 'warpcost';

/** Settings that the server does not know. */
const OWN = new Set(['server', 'trace']);

export function serverPath(): string {
  return expanded(workspace.getConfiguration(SECTION).get<string>('server.path', ''));
}

export function serverInterpreter(): string {
  return expanded(workspace.getConfiguration(SECTION).get<string>('server.interpreter', ''));
}

/**
 * A path as users write it, with `~` and the variables that VS Code leaves to extensions.  What lies in a workspace that is not
 * trusted is not run: its folder has no name here.
 */
export function expanded(setting: string): string {
  const folder = workspace.isTrusted ? workspace.workspaceFolders?.[0]?.uri.fsPath : undefined;
  return setting
    .trim()
    .replace(/^~(?=[/\\]|$)/, () => os.homedir())
    .replace(/\$\{(?:(workspaceFolder)|(userHome)|env:(\w+))\}/g, (whole, inFolder, inHome, name) =>
      (inFolder ? folder : inHome ? os.homedir() : process.env[name]) ?? whole,
    );
}

/** Options of the command line, e.g. to write a log. */
export function serverArguments(): string[] {
  return workspace.getConfiguration(SECTION).get<string[]>('server.args', []);
}

/**
 * What the user has set of the server's settings.  Defaults are left out: they would override the project's
 * `warpcost.toml`, which knows the same settings.
 */
export function chosenSettings(scope?: ConfigurationScope): Record<string, unknown> {
  const configuration = workspace.getConfiguration(SECTION, scope ?? null);
  const chosen: Record<string, unknown> = {};
  for (const key of Object.keys(configuration)) {
    const found = OWN.has(key) ? undefined : configuration.inspect(key);
    if (!found) {
      continue;
    }
    const values = [found.workspaceFolderValue, found.workspaceValue, found.globalValue];
    if (values.some((value) => value !== undefined)) {
      chosen[key] = configuration.get(key);
    }
  }
  return chosen;
}
