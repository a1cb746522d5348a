/** A program as a process group: its output by lines, its end, whether it computes, and signals to all of it. Nothing of it outlives us. */
import { spawn, type ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** How a program ended. */
export type Exit =
  | { readonly how: 'code'; readonly code: number }
  | { readonly how: 'signal'; readonly signal: string }
  /** It did not start: the message of the system. */
  | { readonly how: 'failed'; readonly message: string };

interface ProgramSpec {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Called for each line of its output. */
  onLine(text: string, stream: 'out' | 'err'): void;
  /** Called once, when it has ended. */
  onExit(exit: Exit): void;
}

export type Program = ReturnType<typeof startProgram>;

/** Characters of a line that are kept. */
const LONGEST_LINE = 16 * 1024;

/** Groups that run: they end with this process. */
const running = new Set<number>();
let registered = false;

function endAll(): void {
  for (const group of running) signal(group, 'SIGKILL');
}

function signal(group: number, name: NodeJS.Signals): void {
  try {
    process.kill(-group, name);
  } catch (error) {
    // It has ended meanwhile, or what is left of the group belongs to somebody else.
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
  }
}

/**
 * Ends a group when this process ends without a word (SIGKILL, a crash): a shell waits for a line of ours, and kills where the pipe is
 * closed before. Where there is no shell, only that is not covered. Returns what to call when the group has ended.
 */
function guard(group: number): () => void {
  const shell = spawn('sh', ['-c', `read -r _ || kill -KILL -${group}`], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  shell.on('error', () => undefined).unref();
  const { stdin } = shell;
  stdin.on('error', () => undefined);
  return () => void stdin.end('\n');
}

export function startProgram({ command: [file = '', ...args], cwd, env, onLine, onExit }: ProgramSpec) {
  if (!registered) process.once('exit', endAll);
  registered = true;
  // A group of its own, so that what it starts ends with it, and Ctrl-C reaches it through us.
  const child = spawn(file, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const group = child.pid;
  if (group !== undefined) running.add(group);
  const release = group === undefined ? undefined : guard(group);
  let ended: Exit | undefined;
  const waiting: (() => void)[] = [];
  const end = (exit: Exit): void => {
    if (ended !== undefined) return;
    ended = exit;
    // What it started may still run.
    if (group !== undefined) signal(group, 'SIGKILL');
    if (group !== undefined) running.delete(group);
    release?.();
    for (const act of waiting) act();
    onExit(exit);
  };
  child.once('error', (error) => end({ how: 'failed', message: error.message }));
  // Its output has been read when it is closed; what inherited the pipe may keep it open, so the end is not waited for long.
  child.once('exit', (code, by) => {
    const exit: Exit = code === null ? { how: 'signal', signal: by ?? '' } : { how: 'code', code };
    const late = setTimeout(() => end(exit), LAST_LINES_MS);
    child.once('close', () => {
      clearTimeout(late);
      end(exit);
    });
  });
  readLines(child, onLine);
  const send = (name: NodeJS.Signals): void => {
    if (group !== undefined && ended === undefined) signal(group, name);
  };
  return {
    hasEnded: () => ended !== undefined,
    /** Whether it computes, or waits for a processor. */
    isRunnable: () => group !== undefined && ended === undefined && isRunnable(group),
    /** Ends it at once, with all that it started. */
    kill: () => send('SIGKILL'),
    /** Suspends it, or lets it go on. */
    suspend: (on: boolean) => send(on ? 'SIGSTOP' : 'SIGCONT'),
    /** Asks it to end; resolves when it has: false when it was killed after so many milliseconds. */
    async stop(graceMs: number): Promise<boolean> {
      send('SIGTERM');
      // A suspended program cannot end.
      send('SIGCONT');
      let isLate = false;
      const late = setTimeout(() => {
        isLate = true;
        send('SIGKILL');
      }, graceMs);
      await new Promise<void>((resolve) => (ended === undefined ? waiting.push(resolve) : resolve()));
      clearTimeout(late);
      return !isLate;
    },
  };
}

const LAST_LINES_MS = 500;

function readLines({ stdout, stderr }: ChildProcess, onLine: ProgramSpec['onLine']): void {
  for (const [stream, from] of [
    ['out', stdout],
    ['err', stderr],
  ] as const) {
    let rest = '';
    from?.setEncoding('utf8');
    from?.on('data', (piece: string) => {
      const lines = (rest + piece).split('\n');
      rest = (lines.pop() ?? '').slice(0, LONGEST_LINE);
      for (const line of lines) onLine(line.slice(0, LONGEST_LINE).trimEnd(), stream);
    });
    from?.on('end', () => {
      if (rest !== '') onLine(rest, stream);
    });
  }
}

/** `exit code 1`, `signal SIGSEGV`, `it could not be started: …`. */
export const exitText = (exit: Exit): string =>
  exit.how === 'code'
    ? `exit code ${exit.code}`
    : exit.how === 'signal'
      ? `signal ${exit.signal}`
      : `it could not be started: ${exit.message}`;

const MOST_PROCESSES = 64;

/** Elsewhere than on Linux nothing is known, and the answer is false. */
function isRunnable(pid: number): boolean {
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
