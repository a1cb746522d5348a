/** The costs of another process so far, as Linux reports them; undefined on other systems. */
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

/** Starts a measurement of memory: the resident megabytes now, from which the peak is measured. */
export function residentMb(pid: number): number | undefined {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
    return fieldOf(pid, 'VmRSS');
  } catch {
    return undefined;
  }
}

/** The peak of resident megabytes since. */
export function peakMb(pid: number): number | undefined {
  try {
    return fieldOf(pid, 'VmHWM');
  } catch {
    return undefined;
  }
}
