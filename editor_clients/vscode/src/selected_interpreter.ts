// The Python interpreter that the user has selected: what the Python extension says, else its setting.

import { type Disposable, type Event, extensions, type Uri, workspace } from 'vscode';
import { inTime } from './in_time';
import { expanded } from './settings';

const EXTENSION = 'ms-python.python';
const SETTING = 'python.defaultInterpreterPath';

/** The part of the Python extension's API that is used here (npm: @vscode/python-extension). */
interface PythonApi {
  environments?: {
    getActiveEnvironmentPath(resource?: Uri): { path: string };
    resolveEnvironment(path: { path: string }): Promise<{ executable: { uri?: Uri } } | undefined>;
    onDidChangeActiveEnvironmentPath: Event<unknown>;
  };
}

/** Another extension that does not answer must not keep ours from starting. */
const PATIENCE = 20_000;

function inItsTime<T>(answer: PromiseLike<T>): Promise<T> {
  return inTime(answer, PATIENCE, 'the Python extension does not answer');
}

async function environments(): Promise<PythonApi['environments']> {
  const extension = extensions.getExtension<PythonApi>(EXTENSION);
  return extension && (await inItsTime(extension.activate()))?.environments;
}

/** Its path; throws, with the reason, where there is none. */
export async function selectedInterpreter(resource: Uri | undefined): Promise<string> {
  if (!workspace.isTrusted) {
    throw new Error('a workspace that is not trusted does not choose what is run');
  }
  const known = await environments();
  const selected = known
    ? (await inItsTime(known.resolveEnvironment(known.getActiveEnvironmentPath(resource))))?.executable.uri?.fsPath
    : expanded(workspace.getConfiguration('python', resource ?? null).get<string>('defaultInterpreterPath', ''));
  if (!selected) {
    throw new Error('none is selected');
  }
  return selected;
}

/** Tells when another one may have been selected. */
export function onInterpreterSelected(tell: () => void): Disposable {
  const listening: Disposable[] = [
    workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(SETTING)) {
        tell();
      }
    }),
  ];
  environments().then(
    (known) => known && listening.push(known.onDidChangeActiveEnvironmentPath(tell)),
    () => undefined, // That it does not answer is said where the server is looked for.
  );
  return { dispose: () => listening.forEach((one) => one.dispose()) };
}
