/**
 * Runs a scenario with programs of anybody's as clients of its world. Virtual time passes only while they are idle. What a fault does to
 * a client happens to its program: it is killed, stopped, suspended, started again.
 */
import type { Observation } from '../../controlplane/runtime/index.ts';
import type { Definitions } from '../../lab/definitions/index.ts';
import type { ClientSpec, Scenario } from '../../lab/scenario/index.ts';
import type { Run, RunFailure } from '../../lab/simulation/index.ts';
import { formatSince, type Entry } from '../../lab/trace/index.ts';
import type { DoorEvent } from '../http/index.ts';
import { createActivity, type Activity, type Pace } from './activity.ts';
import { environmentOf, filledIn } from './connection.ts';
import { exitText, startProgram, type Exit, type Program } from './program.ts';
import { answers, createReadiness, type Readiness } from './readiness.ts';
import { openWorld, type DrivenWorld } from './world.ts';

/** A program to start, and the name under which faults know it. */
export interface Command {
  readonly name: string;
  readonly words: readonly string[];
}

/** How a program shows that it is ready: by its requests, by a URL of its own, or as soon as it has started. */
export type ReadyWhen = 'requests' | 'started' | { readonly url: string };

export interface DriveOptions {
  readonly scenario: Scenario;
  readonly seed: number;
  readonly definitions: Definitions;
  readonly commands: readonly Command[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly pace: Pace;
  readonly ready: ReadyWhen;
  readonly readyWithinMs: number;
  /** The time that a program has between SIGTERM and SIGKILL. */
  readonly graceMs: number;
  /** A program that is not idle for so long, while virtual time stands, floods. */
  readonly patienceMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Called for each entry since the world is open, with its step. */
  onEntry?(entry: Entry, step: number): void;
  /** Called for each line that a program prints; `at`: virtual time since the start, milliseconds. */
  onLine?(client: string, text: string, stream: 'out' | 'err', at: number): void;
}

export interface Driven {
  readonly run: Run;
  /** What the programs did wrong at their end, a sentence each. */
  readonly remarks: readonly string[];
  /** Real milliseconds: from the start to readiness, of requests until then, and of all. */
  readonly cost: { readonly readyMs: number; readonly requests: number; readonly totalMs: number };
  readonly interrupted: boolean;
  /** The last lines of each program. */
  readonly lastLines: ReadonlyMap<string, readonly string[]>;
}

/** A program that cannot be driven: a sentence, and the last lines of its log. */
export class Undrivable extends Error {
  readonly lines: readonly string[];
  constructor(message: string, lines: readonly string[]) {
    super(message);
    this.name = 'Undrivable';
    this.lines = lines;
  }
}

const LAST_LINES = 12;
/** Real milliseconds of virtual events between two looks at what programs have sent. */
const SLICE_MS = 25;
/** The moment without news after which a program that starts is ready. */
const READY_IDLE_MS = 100;
const POLL_MS = 50;

interface Driving {
  readonly options: DriveOptions;
  readonly programs: Map<string, Program>;
  readonly readiness: Map<string, Readiness>;
  readonly lastLines: Map<string, string[]>;
  readonly expectedExits: Set<string>;
  readonly remarks: string[];
  /** Starts and stops that are under way: time stands. */
  pending: number;
  /** All have been ready once. */
  hasBegun: boolean;
  sliceEndsAt: number;
  /** The instant to which time would pass. */
  target: number;
  failure: Failure | undefined;
  requests: number;
  world?: DrivenWorld;
  activity?: Activity;
}

interface Failure {
  readonly kind: RunFailure['kind'];
  readonly message: string;
  readonly client: string;
  /** Nothing has run yet: the command is wrong, not the program's behaviour. */
  readonly isBadInput: boolean;
}

export async function drive(options: DriveOptions): Promise<Driven> {
  const driving: Driving = {
    options,
    programs: new Map(),
    readiness: new Map(),
    lastLines: new Map(options.commands.map(({ name }) => [name, []])),
    expectedExits: new Set(),
    remarks: [],
    pending: 1,
    hasBegun: false,
    sliceEndsAt: Infinity,
    target: 0,
    failure: undefined,
    requests: 0,
  };
  const beganAt = performance.now();
  const world = (driving.world = await openWorld({
    ...options,
    clients: clientsOf(options),
    holds: (to) => holds(driving, to),
    onDoor: (event) => note(driving, event),
  }));
  const activity = (driving.activity = createActivity(options.pace, () => world.staged.cluster.now));
  const following = world.staged.cluster.observations.subscribe((observation) => follow(driving, observation));
  let settled = false;
  try {
    // Applies the manifests, and pauses: the programs find them.
    world.staged.passing.next();
    await Promise.all(options.commands.map((command) => launch(driving, command)));
    const cost = { readyMs: performance.now() - beganAt, requests: driving.requests };
    driving.pending--;
    driving.hasBegun = driving.failure === undefined;
    activity.touch();
    settled = await pass(driving, world);
    if (driving.failure?.isBadInput === true) throw undrivable(driving, driving.failure);
    const run = ended(driving, world.staged.end(settled));
    await stopAll(driving);
    return {
      run,
      remarks: driving.remarks,
      cost: { ...cost, totalMs: performance.now() - beganAt },
      interrupted: options.signal?.aborted === true,
      lastLines: driving.lastLines,
    };
  } finally {
    following.unsubscribe();
    for (const [name, program] of driving.programs) {
      driving.expectedExits.add(name);
      program.kill();
    }
    await world.close();
  }
}

/** The clients of the scenario, and the commands that it does not name. */
function clientsOf({ scenario: { clients = [] }, commands }: DriveOptions): readonly ClientSpec[] {
  const named = new Set(clients.map(({ name }) => name));
  return [...clients, ...commands.flatMap(({ name }) => (named.has(name) ? [] : [{ name }]))];
}

const undrivable = ({ lastLines }: Driving, { message, client }: Failure): Undrivable =>
  new Undrivable(message, lastLines.get(client) ?? []);

function holds(driving: Driving, to: number): boolean {
  driving.target = to;
  return (
    driving.pending > 0 ||
    driving.failure !== undefined ||
    performance.now() > driving.sliceEndsAt ||
    driving.activity?.mayPass(to) !== true
  );
}

function note(driving: Driving, event: DoorEvent): void {
  driving.activity?.note(event);
  driving.readiness.get(event.client)?.note(event);
  if (event.type === 'request') driving.requests++;
}

const later = (ms: number): Promise<void> => new Promise((go) => setTimeout(go, ms));
/** Lets what programs have sent meanwhile be read. */
const poll = (): Promise<void> => new Promise((go) => setImmediate(() => setImmediate(go)));

/** Lets time pass to the end of the scenario, a failure or an interruption; answers whether only heartbeats were pending. */
async function pass(driving: Driving, { staged }: DrivenWorld): Promise<boolean> {
  const { signal } = driving.options;
  for (;;) {
    await untilIdle(driving);
    if (driving.failure !== undefined || signal?.aborted === true) return false;
    driving.sliceEndsAt = performance.now() + SLICE_MS;
    const { done, value } = staged.passing.next();
    if (done === true) return value;
  }
}

async function untilIdle(driving: Driving): Promise<void> {
  const { activity, options } = driving;
  driving.sliceEndsAt = Infinity;
  for (;;) {
    await poll();
    if (activity === undefined || driving.failure !== undefined || options.signal?.aborted === true) return;
    if (driving.pending === 0) {
      if (activity.mayPass(driving.target)) {
        if (!computes(driving)) return;
        activity.stir();
      }
      if (activity.stoodMs > options.patienceMs + options.pace.timersMs && options.pace.speed === undefined)
        return flooded(driving, activity);
    }
    await later(Math.min(POLL_MS, activity.remaining(driving.target)));
  }
}

const computes = ({ programs }: Driving): boolean => [...programs.values()].some((program) => program.isRunnable());

function flooded(driving: Driving, { requests }: Activity): void {
  const [client = ''] = driving.programs.keys();
  fail(driving, {
    kind: 'limit',
    client,
    message: `${client} is never idle: ${requests} requests in ${driving.options.patienceMs / 1000} s of real time while the clock stood`,
    isBadInput: false,
  });
}

function fail(driving: Driving, failure: Failure): void {
  driving.failure ??= failure;
}

/** Starts a program and waits until it is ready. */
async function launch(driving: Driving, { name, words }: Command): Promise<void> {
  const { options, world, lastLines } = driving;
  const connection = world?.connections.get(name);
  if (world === undefined || connection === undefined) return;
  const { cluster } = world.staged;
  const readiness = createReadiness();
  driving.readiness.set(name, readiness);
  driving.expectedExits.delete(name);
  const last = lastLines.get(name) ?? [];
  let isReady = false;
  const program: Program = startProgram({
    command: filledIn(words, world.server, connection),
    cwd: options.cwd,
    env: environmentOf(connection, options.env ?? {}),
    onLine(text, stream) {
      const at = cluster.now - cluster.startAt;
      last.push(`${formatSince(at)} ${text}`);
      if (last.length > LAST_LINES) last.shift();
      options.onLine?.(name, text, stream, at);
    },
    onExit(exit) {
      if (driving.programs.get(name) === program) gone(driving, name, exit, isReady);
    },
  });
  driving.programs.set(name, program);
  const since = performance.now();
  while (!(await isUp(driving, readiness, performance.now() - since))) {
    if (program.exit !== undefined || driving.failure !== undefined || options.signal?.aborted === true) return;
    if (performance.now() - since > options.readyWithinMs) {
      const shown = typeof options.ready === 'object' ? `${options.ready.url} does not answer` : readiness.says;
      fail(driving, {
        kind: 'step',
        client: name,
        message: `${name} is not ready after ${options.readyWithinMs / 1000} s: ${shown}`,
        isBadInput: !driving.hasBegun,
      });
      return;
    }
    await later(POLL_MS / 5);
  }
  isReady = true;
}

async function isUp(driving: Driving, readiness: Readiness, afterMs: number): Promise<boolean> {
  const { options, activity } = driving;
  const { ready, pace } = options;
  if (typeof ready === 'object') return answers(ready.url);
  if (computes(driving)) activity?.stir();
  const quiet = activity?.quietFor(Math.max(READY_IDLE_MS, pace.idleMs)) === true;
  return ready === 'started' ? afterMs > READY_IDLE_MS && quiet : readiness.isSeen && quiet;
}

/** A program has ended: as a fault or the end of the run wanted it, or by itself. */
function gone(driving: Driving, name: string, exit: Exit, isReady: boolean): void {
  if (driving.expectedExits.has(name) || driving.options.signal?.aborted === true) return;
  const { cluster } = driving.world?.staged ?? {};
  const at = cluster === undefined ? '' : ` at ${formatSince(cluster.now - cluster.startAt)}`;
  const message =
    exit.how === 'failed'
      ? `${name} did not start: ${exit.message}`
      : isReady
        ? `${name} ended by itself${at}: ${exitText(exit)}`
        : `${name} ended before it was ready: ${exitText(exit)}`;
  fail(driving, { kind: 'step', client: name, message, isBadInput: !driving.hasBegun });
}

/** Carries out on programs what a fault did to their clients. */
function follow(driving: Driving, observation: Observation): void {
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
    if (command !== undefined) void during(driving, () => launch(driving, command));
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
    driving.activity?.touch();
  }
}

function suspend(driving: Driving, given: Extract<Observation, { type: 'fault' }>['given']): void {
  const { subject, parameters = {} } = given ?? {};
  const program = typeof subject === 'string' ? driving.programs.get(subject) : undefined;
  const forMs = parameters['for'];
  const cluster = driving.world?.staged.cluster;
  if (program === undefined || cluster === undefined || typeof forMs !== 'number') return;
  program.suspend(true);
  cluster.plan(cluster.now + forMs, `${String(subject)} goes on`, () => {
    program.suspend(false);
    driving.activity?.touch();
  });
}

async function end(driving: Driving, name: string, program: Program): Promise<void> {
  driving.expectedExits.add(name);
  const { graceMs } = driving.options;
  const came = await program.stop(graceMs);
  if (!came) driving.remarks.push(`${name} ignored SIGTERM for ${graceMs / 1000} s, and was killed`);
}

const stopAll = (driving: Driving): Promise<unknown> =>
  Promise.all(
    [...driving.programs].map(([name, program]) => (program.exit === undefined ? end(driving, name, program) : Promise.resolve())),
  );

/** The run with what went wrong with its programs. */
function ended({ failure, lastLines }: Driving, run: Run): Run {
  if (failure === undefined) return run;
  const lines = (lastLines.get(failure.client) ?? []).map((line) => `  ${line}`);
  const found: RunFailure = {
    kind: failure.kind,
    message: failure.message,
    detail: lines.length === 0 ? [] : ['  its last lines:', ...lines],
    sinceStartMs: run.lengthMs,
    traceStep: run.trace?.entries.length ?? 0,
  };
  return { ...run, verdict: failure.kind === 'limit' ? 'unsettled' : 'broken', failures: [...run.failures, found] };
}
