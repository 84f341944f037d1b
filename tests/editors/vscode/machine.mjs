// How much of the machine was ours: a limit of time is meant for a machine that nobody else uses.

import fs from 'node:fs';
import os from 'node:os';

const TICK = 10; // milliseconds, Linux's unit of CPU time for programs
const OWN = 4; // utime, stime, cutime, cstime, from field 14 on

/** Parent and CPU time (with that of its ended children, ms) of every process, by its number. */
function processes() {
  const found = new Map();
  for (const pid of fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name)).map(Number)) {
    let text;
    try {
      text = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    } catch {
      continue; // It has ended meanwhile.
    }
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ').map(Number);
    found.set(pid, { parent: fields[1], time: sum(fields.slice(11, 11 + OWN)) * TICK });
  }
  return found;
}

function sum(numbers) {
  return numbers.reduce((a, b) => a + b, 0);
}

/** CPU time so far (ms): of this process and all below it, and of everything. */
function times() {
  const all = processes();
  const isOwn = (pid) => pid === process.pid || (all.has(pid) && isOwn(all.get(pid).parent));
  const [user, nice, system, , , irq, softirq, steal] = fs.readFileSync('/proc/stat', 'utf8').split('\n')[0].trim().split(/\s+/).slice(1).map(Number);
  const own = sum([...all.keys()].filter(isOwn).map((pid) => all.get(pid).time));
  return { own, whole: sum([user, nice, system, irq, softirq, steal]) * TICK, at: performance.now() };
}

/** Begins to watch; the function that comes back tells which share of the machine (0 to 1) other programs have had since. */
export function watchOthers() {
  const before = times();
  return () => {
    const after = times();
    const others = after.whole - before.whole - (after.own - before.own);
    return Math.min(1, Math.max(0, others / ((after.at - before.at) * os.availableParallelism())));
  };
}
