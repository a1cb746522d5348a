import { existsSync, readFileSync } from 'node:fs';

/** Whether a process runs. One that has ended is a zombie until its parent takes note. */
export function isRunning(pid: string): boolean {
  try {
    process.kill(Number(pid), 0);
    return !existsSync(`/proc/${pid}/stat`) || !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
}
