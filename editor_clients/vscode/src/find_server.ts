// Where is the server?  By setting, in the selected Python environment, on PATH, or in the private environment.

import { extensions, type Uri, workspace } from 'vscode';
import type { PrivateServer } from './private_server';
import { lastLine, run } from './processes';
import { serverArguments, serverInterpreter, serverPath } from './settings';

/** How the server is started, and how it was found. */
export interface Start {
  command: string;
  args: string[];
  origin: string;
  version: string;
}

/** `start` is missing where there is no server; `tried` says what was looked at and why it would not do. */
export interface Search {
  start?: Start;
  tried: string[];
}

const PATIENCE = 20_000;

/** What is asked of an interpreter: the version of the server that it can import. */
const ASK = "import importlib.metadata as m, lsp_server; print(m.version('warpcost'))";

/** `-P`: a folder of the workspace named like a module must not be run in its place. */
function module(python: string): string[] {
  return [python, '-P', '-m', 'lsp_server', '--stdio', ...serverArguments()];
}

async function versionIn(python: string): Promise<string> {
  const ended = await run(python, ['-P', '-c', ASK], { limit: PATIENCE });
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

function byInterpreter(python: string, origin: string, final: boolean): Place {
  const [command, ...args] = module(python) as [string, ...string[]];
  return { origin, final, look: async () => ({ command, args, origin, version: await versionIn(python) }) };
}

function byExecutable(executable: string, origin: string, final: boolean): Place {
  const args = ['lsp', '--stdio', ...serverArguments()];
  return {
    origin,
    final,
    look: async () => ({ command: executable, args, origin, version: await versionOf(executable) }),
  };
}

/** What the Python extension calls its active environment; without it, the setting that it would start from. */
async function selectedInterpreter(resource: Uri | undefined): Promise<string | undefined> {
  if (!workspace.isTrusted) {
    return undefined; // A workspace that is not trusted does not choose what is run.
  }
  interface PythonApi {
    environments?: {
      getActiveEnvironmentPath(resource?: Uri): { path: string };
      resolveEnvironment(path: { path: string }): Promise<{ executable: { uri?: Uri } } | undefined>;
    };
  }
  const extension = extensions.getExtension<PythonApi>('ms-python.python');
  const environments = (await extension?.activate())?.environments;
  if (environments) {
    const resolved = await environments.resolveEnvironment(environments.getActiveEnvironmentPath(resource));
    return resolved?.executable.uri?.fsPath;
  }
  return workspace.getConfiguration('python', resource ?? null).get<string>('defaultInterpreterPath') || undefined;
}

async function places(own: PrivateServer, resource: Uri | undefined): Promise<Place[]> {
  if (serverPath()) {
    return [byExecutable(serverPath(), 'the setting warpcost.server.path', true)];
  }
  const found: Place[] = [];
  if (serverInterpreter()) {
    found.push(byInterpreter(serverInterpreter(), 'the setting warpcost.server.interpreter', false));
  }
  const selected = await selectedInterpreter(resource);
  if (selected) {
    found.push(byInterpreter(selected, 'the selected Python interpreter', false));
  }
  found.push(byExecutable('warpcost', 'PATH', false));
  if (own.isReady()) {
    // Asking for its version would cost the first finding half a second, and it is known.
    const [command, ...args] = module(own.python) as [string, ...string[]];
    const start = { command, args, origin: 'the private environment', version: own.version };
    found.push({ origin: start.origin, final: false, look: async () => start });
  }
  return found;
}

/** Looks at one place after the other. */
export async function findServer(own: PrivateServer, resource?: Uri): Promise<Search> {
  const tried: string[] = [];
  for (const place of await places(own, resource)) {
    try {
      return { start: await place.look(), tried };
    } catch (error) {
      tried.push(`${place.origin}: ${error instanceof Error ? error.message : String(error)}`);
      if (place.final) {
        break;
      }
    }
  }
  return { tried };
}
