// Where is the server?  By setting, in the selected Python environment, on PATH, or in the private environment.

import type { Uri } from 'vscode';
import type { PrivateServer } from './private_server';
import { lastLine, located, run } from './processes';
import { selectedInterpreter } from './selected_interpreter';
import { serverArguments, serverInterpreter, serverPath } from './settings';

/** How the server is started, and how it was found. */
export interface Start {
  command: string;
  args: string[];
  /** What other commands of the same program are begun with. */
  program: string[];
  origin: string;
  version: string;
}

/** Whether both start the same program of the same version. */
export function isSame(one: Start, other: Start): boolean {
  const words = ({ command, args, version }: Start) => JSON.stringify([command, args, version]);
  return words(one) === words(other);
}

/** `start` is missing where there is no server; `tried` says what was looked at and why it would not do.  `outdated`: there is a
 *  private environment, made by another version of the extension. */
export interface Search {
  start?: Start;
  tried: string[];
  outdated: boolean;
}

const PATIENCE = 20_000;

const PRIVATE = 'the private environment';

/** What is asked of an interpreter: the version of the server that it can import, from anywhere but the working folder. */
const ASK = `import sys
if sys.version_info < (3, 11): sys.exit('it is Python %d.%d, and warpcost needs 3.11 or later' % sys.version_info[:2])
sys.path[:] = [folder for folder in sys.path if folder]
import importlib.metadata as m, lsp_server
print(m.version('warpcost'))`;

/** `-P`: a folder of the workspace named like a module must not be run in its place. */
function byModule(python: string): Pick<Start, 'command' | 'args' | 'program'> {
  const args = ['-P', '-m', 'lsp_server', '--stdio', ...serverArguments()];
  return { command: python, args, program: [python, '-P', '-m', 'analysis_core'] };
}

async function versionIn(python: string): Promise<string> {
  const ended = await run(python, ['-c', ASK], { limit: PATIENCE });
  if (ended.status !== 0) {
    throw new Error(lastLine(ended));
  }
  return ended.stdout.trim();
}

async function versionOf(executable: string): Promise<string> {
  const ended = await run(executable, ['--version'], { limit: PATIENCE });
  if (ended.status !== 0) {
    throw new Error(lastLine(ended));
  }
  return ended.stdout.trim().replace(/^warpcost\s+/, '');
}

interface Place {
  origin: string;
  /** What the user said expressly is used or reported, never passed over. */
  final: boolean;
  look: () => Promise<Start>;
}

/** An interpreter that may have to be asked for first. */
function byInterpreter(find: () => string | Promise<string>, origin: string): Place {
  const look = async () => {
    const python = located(await find());
    return { ...byModule(python), origin, version: await versionIn(python) };
  };
  return { origin, final: false, look };
}

function byExecutable(executable: string, origin: string, final: boolean): Place {
  const args = ['lsp', '--stdio', ...serverArguments()];
  return {
    origin,
    final,
    look: async () => {
      const command = located(executable);
      return { command, args, program: [command], origin, version: await versionOf(command) };
    },
  };
}

/** The server of the private environment, which must be there.  Asking for its version would cost the first finding half a
 *  second, and it is known. */
export function privateServer(own: PrivateServer): Start {
  return { ...byModule(own.python), origin: PRIVATE, version: own.version };
}

function places(own: PrivateServer, resource: Uri | undefined): Place[] {
  if (serverPath()) {
    return [byExecutable(serverPath(), 'the setting warpcost.server.path', true)];
  }
  const found: Place[] = [];
  if (serverInterpreter()) {
    found.push(byInterpreter(serverInterpreter, 'the setting warpcost.server.interpreter'));
  }
  found.push(byInterpreter(() => selectedInterpreter(resource), 'the selected Python interpreter'));
  found.push(byExecutable('warpcost', 'PATH', false));
  const state = own.state();
  if (state !== 'absent') {
    const look = async () => {
      if (state === 'outdated') {
        throw new Error('it was made by another version of this extension');
      }
      return privateServer(own);
    };
    found.push({ origin: PRIVATE, final: false, look });
  }
  return found;
}

/** Looks at one place after the other. */
export async function findServer(own: PrivateServer, resource?: Uri): Promise<Search> {
  const tried: string[] = [];
  const outdated = own.state() === 'outdated';
  for (const place of places(own, resource)) {
    try {
      return { start: await place.look(), tried, outdated };
    } catch (error) {
      tried.push(`${place.origin}: ${error instanceof Error ? error.message : String(error)}`);
      if (place.final) {
        break;
      }
    }
  }
  return { tried, outdated };
}
