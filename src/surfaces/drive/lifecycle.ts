/** The programs of a driven run: they start and become ready, end by themselves, and suffer what faults do to their clients. */
import type { Observation } from '../../controlplane/runtime/index.ts';
import { formatSince } from '../../lab/trace/index.ts';
import { environmentOf, filledIn } from './connection.ts';
import { computes, later, POLL_MS, type Command, type Driving } from './driving.ts';
import { exitText, startProgram, type Exit, type Program } from './program.ts';
import { answers, createReadiness, type Readiness } from './readiness.ts';

const LAST_LINES = 12;
/** The moment without news after which a program that starts is ready. */
const READY_IDLE_MS = 100;

/** A program that has been started, and how far it is. */
interface Started {
  readonly name: string;
  readonly program: Program;
  readonly readiness: Readiness;
  readonly since: number;
  isReady: boolean;
}

/** Starts a program. The world may not be made yet: nothing of the program is read meanwhile. */
export function start(driving: Driving, { name, words }: Command): Started | undefined {
  const { options, lastLines } = driving;
  const connection = driving.connections.get(name);
  if (connection === undefined) return undefined;
  const readiness = createReadiness();
  driving.readiness.set(name, readiness);
  driving.expectedExits.delete(name);
  const last = lastLines.get(name) ?? [];
  const program: Program = startProgram({
    command: filledIn(words, connection),
    cwd: options.cwd,
    env: environmentOf(connection, options.env ?? {}),
    onLine(text, stream) {
      const { cluster } = driving.world?.staged ?? {};
      const at = cluster === undefined ? 0 : cluster.now - cluster.startAt;
      last.push(`${formatSince(at)} ${text}`);
      if (last.length > LAST_LINES) last.shift();
      options.onLine?.(name, text, stream, at);
    },
    onExit(exit) {
      if (driving.programs.get(name) === program) gone(driving, name, exit, started.isReady);
    },
  });
  const started: Started = { name, program, readiness, since: performance.now(), isReady: false };
  driving.programs.set(name, program);
  return started;
}

/** Waits until a program is ready, has ended, or takes too long. */
export async function becomesReady(driving: Driving, started: Started): Promise<void> {
  const { options } = driving;
  const { name, program, readiness, since } = started;
  while (!(await isUp(driving, started, performance.now() - since))) {
    if (program.hasEnded() || driving.failure !== undefined || options.signal?.aborted === true) return;
    if (performance.now() - since > options.readyWithinMs) {
      const shown = typeof options.ready === 'object' ? `${options.ready.url} does not answer` : readiness.says();
      return broken(driving, name, `${name} is not ready after ${options.readyWithinMs / 1000} s: ${shown}`);
    }
    await later(POLL_MS / 5);
  }
  started.isReady = true;
}

function broken(driving: Driving, client: string, message: string): void {
  driving.failure ??= { kind: 'step', client, message, isBadInput: !driving.hasBegun };
}

async function isUp(driving: Driving, { name, readiness }: Started, afterMs: number): Promise<boolean> {
  const { options, activity } = driving;
  const { ready, watchedBefore, pace } = options;
  if (typeof ready === 'object') return answers(ready.url);
  if (computes(driving)) activity?.stir();
  const before = watchedBefore?.get(name) ?? [];
  const isAsBefore = before.length > 0 && before.every((kind) => readiness.watches().includes(kind));
  const isQuiet = readiness.polls() || activity?.quietFor(isAsBefore ? Math.min(pace.idleMs, READY_IDLE_MS) : READY_IDLE_MS) === true;
  return isQuiet && (ready === 'started' ? afterMs > READY_IDLE_MS && !readiness.mayPoll() : readiness.isSeen());
}

/** A program has ended: as a fault or the end of the run wanted it, or by itself. */
function gone(driving: Driving, name: string, exit: Exit, isReady: boolean): void {
  driving.activity?.left(name);
  if (driving.expectedExits.has(name) || driving.options.signal?.aborted === true) return;
  const { cluster } = driving.world?.staged ?? {};
  const at = cluster === undefined ? '' : ` at ${formatSince(cluster.now - cluster.startAt)}`;
  const message =
    exit.how === 'failed'
      ? `${name} did not start: ${exit.message}`
      : isReady
        ? `${name} ended by itself${at}: ${exitText(exit)}`
        : `${name} ended before it was ready: ${exitText(exit)}`;
  broken(driving, name, message);
}

/** Carries out on programs what a fault did to their clients. */
export function follow(driving: Driving, observation: Observation): void {
  if (observation.type === 'fault' && observation.fault === 'pause') suspend(driving, observation.given);
  if (observation.type !== 'process') return;
  const { process: name, what } = observation;
  const program = driving.programs.get(name);
  if (program === undefined) return;
  if (what === 'crashed') {
    driving.expectedExits.add(name);
    program.kill();
  } else if (what === 'stopped') void during(driving, () => end(driving, name, program));
  else if (what === 'started') {
    const command = driving.options.commands.find((each) => each.name === name);
    const started = command === undefined ? undefined : start(driving, command);
    if (started !== undefined) void during(driving, () => becomesReady(driving, started));
  }
  driving.activity?.touch();
}

/** Time stands while something is done to a program. */
async function during(driving: Driving, act: () => Promise<void>): Promise<void> {
  driving.pending++;
  try {
    await act();
  } finally {
    driving.pending--;
    driving.activity?.begin();
  }
}

function suspend(driving: Driving, given: Extract<Observation, { type: 'fault' }>['given']): void {
  const { subject, parameters = {} } = given ?? {};
  const program = typeof subject === 'string' ? driving.programs.get(subject) : undefined;
  const forMs = parameters['for'];
  const cluster = driving.world?.staged.cluster;
  if (program === undefined || cluster === undefined || typeof forMs !== 'number') return;
  program.suspend(true);
  driving.activity?.left(String(subject));
  cluster.plan(cluster.now + forMs, `${String(subject)} goes on`, () => {
    program.suspend(false);
    driving.activity?.touch();
  });
}

async function end(driving: Driving, name: string, program: Program): Promise<void> {
  driving.expectedExits.add(name);
  const { graceMs } = driving.options;
  const came = await program.stop(graceMs);
  if (!came) driving.complaints.push(`${name} ignored SIGTERM for ${graceMs / 1000} s, and was killed`);
}

export async function stopAll(driving: Driving): Promise<void> {
  if (driving.options.killsAtEnd === true) return;
  await Promise.all([...driving.programs].flatMap(([name, program]) => (program.hasEnded() ? [] : [end(driving, name, program)])));
}
