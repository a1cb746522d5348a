/** What another process has cost so far, as Linux tells it; undefined where it does not. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** Milliseconds of processor time of all its threads. */
export function cpuMsOf(pid: number): number | undefined {
  try {
    let nanoseconds = 0;
    for (const thread of readdirSync(`/proc/${pid}/task`))
      nanoseconds += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]);
    return nanoseconds / 1e6;
  } catch {
    return undefined;
  }
}

const fieldOf = (pid: number, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? Number.NaN) / 1024;

/** Begins a measurement of memory: megabytes that are resident now, from where on the peak counts. */
export function residentMb(pid: number): number | undefined {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
    return fieldOf(pid, 'VmRSS');
  } catch {
    return undefined;
  }
}

/** The most megabytes that were resident since. */
export function peakMb(pid: number): number | undefined {
  try {
    return fieldOf(pid, 'VmHWM');
  } catch {
    return undefined;
  }
}
