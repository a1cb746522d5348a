/** Whether a process has work to do now, as Linux tells it: a thread of it, or of a process that it started, runs or waits for a processor. */
import { readdirSync, readFileSync } from 'node:fs';

const MOST_PROCESSES = 64;

/** Elsewhere than on Linux nothing is known, and the answer is false. */
export function isRunnable(pid: number): boolean {
  const left = [pid];
  for (let seen = 0; seen < MOST_PROCESSES; seen++) {
    const next = left.pop();
    if (next === undefined) return false;
    for (const thread of threadsOf(next)) {
      const of = `/proc/${next}/task/${thread}`;
      // The name before the state may hold spaces and parentheses.
      const state = read(`${of}/stat`).replace(/^.*\) /s, '')[0];
      if (state === 'R') return true;
      for (const child of read(`${of}/children`).split(' ')) if (child !== '') left.push(Number(child));
    }
  }
  return false;
}

function threadsOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}
