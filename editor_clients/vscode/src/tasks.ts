// Tasks that check the open file, or a folder of the workspace, by the program that the server came with; findings go to Problems.

import {
  ProcessExecution,
  Task,
  type TaskDefinition,
  type TaskProvider,
  TaskRevealKind,
  TaskScope,
  type WorkspaceFolder,
  workspace,
} from 'vscode';
import { SECTION } from './settings';

const NAMES = { file: 'check this file', workspace: 'check the workspace' };

interface CheckDefinition extends TaskDefinition {
  target: keyof typeof NAMES;
  /** More options of `warpcost check`. */
  args?: string[];
}

/** Lines of a terminal are wrapped at its columns: what Problems is read from is not. */
const UNWRAPPED = { COLUMNS: '10000' };

export class Checks implements TaskProvider {
  /** `program`: what a command is begun with; nothing where there is no server. */
  constructor(private readonly program: () => string[] | undefined) {}

  provideTasks(): Task[] {
    const whole = (workspace.workspaceFolders ?? []).map((folder) => this.task({ type: SECTION, target: 'workspace' }, folder));
    return [this.task({ type: SECTION, target: 'file' }, TaskScope.Workspace), ...whole].filter((task) => task !== undefined);
  }

  /** A task of `tasks.json`. */
  resolveTask({ definition, scope }: Task): Task | undefined {
    const known = typeof definition.target === 'string' && Object.hasOwn(NAMES, definition.target);
    return known ? this.task(definition as CheckDefinition, scope) : undefined;
  }

  private task(definition: CheckDefinition, scope: WorkspaceFolder | TaskScope | undefined): Task | undefined {
    const [command, ...words] = this.program() ?? [];
    if (command === undefined) {
      return undefined;
    }
    const what = definition.target === 'file' ? '${file}' : '.';
    const args = [...words, 'check', ...(Array.isArray(definition.args) ? definition.args.map(String) : []), what];
    const folder = typeof scope === 'object' ? scope : workspace.workspaceFolders?.[0];
    const execution = new ProcessExecution(command, args, { env: UNWRAPPED, ...(folder && { cwd: folder.uri.fsPath }) });
    const task = new Task(definition, scope ?? TaskScope.Workspace, NAMES[definition.target], SECTION, execution, '$warpcost');
    task.presentationOptions = { reveal: TaskRevealKind.Silent };
    return task;
  }
}
