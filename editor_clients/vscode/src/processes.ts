// Child processes: run one to its end, and be able to end it early, with all that it has started.

import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import * as path from 'node:path';
import type { CancellationToken } from 'vscode';

export interface Ended {
  status: number | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  /** Called with each piece of either stream as it comes. */
  onOutput?: (text: string) => void;
  cancel?: CancellationToken;
  /** After this many milliseconds the process is ended. */
  limit?: number;
}

/**
 * The full path of a program that is named without a folder.  Only folders of PATH with full names count: an empty one or `.` would be
 * the workspace, where Windows looks before all others.  A name with a folder stays as it is.
 */
export function located(command: string): string {
  if (command !== path.basename(command)) {
    return command;
  }
  const onWindows = process.platform === 'win32';
  const name = onWindows && !path.extname(command) ? `${command}.exe` : command;
  for (const folder of (process.env.PATH ?? '').split(path.delimiter)) {
    const file = path.join(folder, name);
    if (path.isAbsolute(folder) && isProgram(file)) {
      return file;
    }
  }
  throw new Error(`${command} is in no folder of PATH`);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** Runs a program without a shell, in no folder of the user's; a program that cannot be started rejects, one that fails does not. */
export function run(command: string, args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  return new Promise((resolve, reject) => {
    // Its own group, which can be ended as a whole.
    const detached = process.platform !== 'win32';
    const cwd = path.dirname(process.execPath);
    const child = spawn(located(command), args, { stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true, detached, cwd });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      options.onOutput?.(text);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
      options.onOutput?.(text);
    });
    const end = () => endWithChildren(child);
    const timer = options.limit === undefined ? undefined : setTimeout(end, options.limit);
    const cancelled = options.cancel?.onCancellationRequested(end);
    const finish = () => {
      clearTimeout(timer);
      cancelled?.dispose();
    };
    child.once('error', (error) => {
      finish();
      reject(error);
    });
    child.once('close', (status) => {
      finish();
      resolve({ status, stdout, stderr });
    });
  });
}

function endWithChildren(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) {
    return;
  }
  if (process.platform === 'win32') {
    const taskkill = path.join(process.env.SystemRoot ?? 'C:\\Windows', 'System32', 'taskkill.exe');
    spawn(taskkill, ['/T', '/F', '/PID', String(child.pid)], { stdio: 'ignore', windowsHide: true }).once('error', () =>
      child.kill(),
    );
    return;
  }
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    child.kill('SIGKILL'); // The group is gone already.
  }
}

/** The last line of what a failed program said, which is where Python and pip put the reason; else how it ended. */
export function lastLine(ended: Ended): string {
  const lines = (ended.stderr.trim() || ended.stdout.trim()).split(/\r?\n/);
  const silent = ended.status === null ? 'it did not end in time' : `it ended with status ${ended.status} and said nothing`;
  return lines[lines.length - 1] || silent;
}
