/**
 * Runs a scenario with the user's programs as clients of its cluster. Virtual time passes only while they are idle. What a fault does to
 * a client happens to its program: it is killed, stopped, suspended, started again.
 */
import type { ClientSpec } from '../../lab/scenario/index.ts';
import type { Run, RunFailure } from '../../lab/simulation/index.ts';
import type { ClientEvent } from '../http/index.ts';
import { createActivity, type Activity } from './activity.ts';
import { computes, later, newDriving, POLL_MS, Undrivable, type DriveOptions, type Driving } from './driving.ts';
import { becomesReady, follow, start, stopAll } from './lifecycle.ts';
import { openWorld, type DrivenWorld } from './world.ts';

/** Real milliseconds of virtual events between two looks at what programs have sent. */
const SLICE_MS = 25;

export type Driven = Awaited<ReturnType<typeof drive>>;

export async function drive(options: DriveOptions) {
  const driving = newDriving(options);
  const beganAt = performance.now();
  const starts: (() => Promise<void>)[] = [];
  const world = (driving.world = await openWorld({
    ...options,
    clients: clientsOf(options),
    // Programs start while the world is made.
    onOpen(connections) {
      driving.connections = connections;
      for (const command of options.commands) {
        const started = start(driving, command);
        if (started !== undefined) starts.push(() => becomesReady(driving, started));
      }
    },
    holds: (to) => holds(driving, to),
    onClient: (event) => note(driving, event),
  }).catch((error: unknown) => {
    killAll(driving);
    throw error;
  }));
  const worldMs = performance.now() - beganAt;
  const activity = (driving.activity = createActivity(options.pace, () => world.staged.cluster.now));
  const following = world.staged.cluster.observations.subscribe((observation) => follow(driving, observation));
  let settled = false;
  try {
    // Applies the manifests, and pauses: the programs find them.
    world.staged.passing.next();
    await Promise.all(starts.map((become) => become()));
    // The kinds that each program watched when it was ready.
    const watched = new Map([...driving.readiness].map(([name, { watches }]) => [name, watches()]));
    const { requests, firstRequestAt } = driving;
    const firstRequestMs = firstRequestAt === undefined ? undefined : firstRequestAt - beganAt;
    // Real milliseconds from the start; programs start while the world is made.
    const cost = { worldMs, firstRequestMs, readyMs: performance.now() - beganAt, requests };
    driving.pending--;
    driving.hasBegun = driving.failure === undefined;
    activity.begin();
    settled = await pass(driving, world);
    if (driving.failure?.isBadInput === true)
      throw new Undrivable(driving.failure.message, driving.lastLines.get(driving.failure.client) ?? []);
    const run = ended(driving, world.staged.end(settled));
    await stopAll(driving);
    return {
      run,
      complaints: driving.complaints,
      watched,
      cost: { ...cost, totalMs: performance.now() - beganAt },
      interrupted: options.signal?.aborted === true,
      lastLines: driving.lastLines,
    };
  } finally {
    following.unsubscribe();
    killAll(driving);
    await world.close();
  }
}

function killAll({ programs, expectedExits }: Driving): void {
  for (const [name, program] of programs) {
    expectedExits.add(name);
    program.kill();
  }
}

/** The clients of the scenario, and the commands that it does not name. */
function clientsOf({ scenario: { clients = [] }, commands }: DriveOptions): readonly ClientSpec[] {
  const named = new Set(clients.map(({ name }) => name));
  return [...clients, ...commands.flatMap(({ name }) => (named.has(name) ? [] : [{ name }]))];
}

function holds(driving: Driving, to: number): boolean {
  driving.target = to;
  return (
    driving.pending > 0 ||
    driving.failure !== undefined ||
    performance.now() > driving.sliceEndsAt ||
    driving.activity?.mayPass(to) !== true
  );
}

function note(driving: Driving, event: ClientEvent): void {
  driving.activity?.note(event);
  driving.readiness.get(event.client)?.note(event);
  if (event.type !== 'request') return;
  driving.requests++;
  driving.firstRequestAt ??= performance.now();
}

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
      const { patienceMs, pace } = options;
      if (activity.stoodMs() > patienceMs + pace.timersMs + activity.pollsEveryMs() && pace.speed === undefined)
        return flooded(driving, activity);
    }
    await later(Math.min(POLL_MS, activity.remaining(driving.target)));
  }
}

function flooded(driving: Driving, { requests }: Activity): void {
  const [first = ''] = driving.programs.keys();
  const [client, sent] = [...requests].reduce((most, each) => (each[1] > most[1] ? each : most), [first, 0]);
  const { patienceMs, pace } = driving.options;
  const message = `${client} is never idle: ${sent} requests in ${patienceMs / 1000} s of real time while the clock stood; virtual time passes when it asks and computes nothing for ${pace.idleMs} ms (--idle)`;
  driving.failure ??= { kind: 'limit', client, message, isBadInput: false };
}

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
