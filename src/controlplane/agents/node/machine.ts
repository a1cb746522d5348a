/**
 * The physics of a node: what its containers are doing at any instant, in closed form. It is not the agent: containers run on while
 * the agent is down, and a restarted agent finds them as they are. Containers of one pod start, exit and restart together.
 */
import type { Behavior } from './behavior.ts';

/** Restart waits: 0.5 s first, then 10 s doubling to 300 s; ten minutes of running start over. Models: kubelet's crash-loop back-off. */
const FIRST_RESTART_MS = 500;
const BASE_RESTART_MS = 10_000;
const MAX_RESTART_MS = 300_000;
const RESET_AFTER_MS = 600_000;

export type RestartPolicy = 'Always' | 'OnFailure' | 'Never';

export interface Exit {
  readonly code: number;
  readonly startedAt: number;
  readonly finishedAt: number;
  readonly restart: number;
}

/** The containers of one pod. */
export interface Run {
  readonly behavior: Behavior;
  readonly policy: RestartPolicy;
  /** Names its exits in order: shared by the pods of one owner (and index). */
  readonly attemptsOf: string;
  stage: 'creating' | 'running' | 'waiting' | 'over';
  /** When the current stage ends; Infinity: never by itself. */
  until: number;
  startedAt: number;
  readyAt: number;
  restarts: number;
  /** What a signal makes the running container exit with; undefined: it ends by itself, as its next attempt says. */
  signalled: number | undefined;
  last: Exit | undefined;
  /** The exit before that, shown as lastState. */
  previous: Exit | undefined;
  backoffMs: number;
  /** Set by a kill: nothing restarts afterwards. */
  killed: boolean;
  readonly ip: string;
  /** What was last reported of it: an agent that comes back goes on from there. */
  reported: string | undefined;
}

/** What all nodes share: attempt numbers by owner, and addresses. */
export interface World {
  /** Takes the next attempt number (from 0) of an owner. */
  nextAttempt(owner: string): number;
  nextPodAddress(): string;
  /** Asks the server for an object, as agents do for what they do not watch. */
  read(kind: string, key: string): unknown;
  /** An agent says that it creates containers before it starts them, so none starts sooner, milliseconds: a request's latency. */
  readonly leastStartMs: number;
  machine(node: string): Machine;
}

export interface Machine {
  readonly hostAddress: string;
  /** What the node says of itself; a fault may make it unready. */
  ready: boolean;
  run(uid: string): Run | undefined;
  /** Uids of the pods that have containers here. */
  uids(): Iterable<string>;
  /** Volumes in use by the pods here, by pod. */
  readonly volumesOf: Map<string, readonly string[]>;
  /** Keys of pods that wait for volumes. */
  readonly waiting: Set<string>;
  /** Lets containers that waited for volumes begin. */
  release(run: Run, now: number): void;
  start(
    uid: string,
    how: {
      readonly behavior: Behavior;
      readonly policy: RestartPolicy;
      readonly attemptsOf: string;
      /** They wait for volumes first. */ readonly held?: boolean;
    },
    now: number,
  ): Run;
  /** Lets time pass for a pod's containers up to an instant. */
  advance(run: Run, now: number): void;
  /** Signals the containers; they die within the grace period. */
  kill(run: Run, now: number, graceMs: number): void;
  /** Nothing of the pod is here any more. */
  forget(uid: string): void;
}

function createMachine(world: World, hostAddress: string): Machine {
  const runs = new Map<string, Run>();
  const volumesOf = new Map<string, readonly string[]>();

  const begin = (run: Run, at: number): void => {
    run.stage = 'running';
    run.startedAt = at;
    run.readyAt = at + run.behavior.readyDelayMs;
    run.until = run.behavior.runForMs === undefined ? Infinity : at + run.behavior.runForMs;
  };
  /** Only containers that end by themselves take an attempt: one that was stopped has it still before it. */
  const ownCode = ({ attemptsOf, behavior: { exitCodes } }: Run): number =>
    exitCodes[Math.min(world.nextAttempt(attemptsOf), exitCodes.length - 1)] ?? 0;
  const exit = (run: Run, at: number): void => {
    const code = run.signalled ?? ownCode(run);
    run.previous = run.last;
    run.last = { code, startedAt: run.startedAt, finishedAt: at, restart: run.restarts };
    if (run.killed || run.policy === 'Never' || (run.policy === 'OnFailure' && code === 0)) {
      run.stage = 'over';
      run.until = Infinity;
      return;
    }
    if (at - run.startedAt >= RESET_AFTER_MS) run.backoffMs = 0;
    run.backoffMs =
      run.backoffMs === 0
        ? FIRST_RESTART_MS
        : run.backoffMs === FIRST_RESTART_MS
          ? BASE_RESTART_MS
          : Math.min(run.backoffMs * 2, MAX_RESTART_MS);
    run.stage = 'waiting';
    run.until = at + run.backoffMs;
  };

  return {
    hostAddress,
    ready: true,
    volumesOf,
    waiting: new Set(),
    release(run, now) {
      if (run.until !== Infinity || run.stage !== 'creating') return;
      // That they are created has been said if they had to wait.
      run.until = now + Math.max(run.behavior.startDelayMs, run.reported === undefined ? world.leastStartMs : 0);
    },
    run: (uid) => runs.get(uid),
    uids: () => runs.keys(),
    start(uid, { behavior, policy, attemptsOf, held }, now) {
      const run: Run = {
        behavior,
        policy,
        attemptsOf,
        stage: 'creating',
        until: held === true ? Infinity : now + Math.max(behavior.startDelayMs, world.leastStartMs),
        startedAt: 0,
        readyAt: Infinity,
        restarts: 0,
        signalled: undefined,
        last: undefined,
        previous: undefined,
        backoffMs: 0,
        killed: false,
        reported: undefined,
        ip: world.nextPodAddress(),
      };
      runs.set(uid, run);
      return run;
    },
    advance(run, now) {
      while (run.until <= now && run.stage !== 'over') {
        if (run.stage === 'creating') begin(run, run.until);
        else if (run.stage === 'running') exit(run, run.until);
        else {
          run.restarts++;
          begin(run, run.until);
        }
      }
    },
    kill(run, now, graceMs) {
      if (run.stage === 'over') return;
      const dies = now + Math.min(run.behavior.terminationDelayMs, graceMs);
      if (run.killed) {
        run.until = Math.min(run.until, dies);
        return;
      }
      run.killed = true;
      if (run.stage === 'running') {
        if (dies < run.until) {
          run.until = dies;
          run.signalled = run.behavior.terminationDelayMs > graceMs ? 137 : run.behavior.terminationExitCode;
        }
        return;
      }
      // Nothing runs: there is nothing to wait for. What never ran has not exited either.
      if (run.stage === 'waiting') {
        run.previous = run.last;
        run.last = {
          code: run.behavior.terminationExitCode,
          startedAt: run.last?.startedAt ?? now,
          finishedAt: now,
          restart: run.restarts,
        };
      }
      run.stage = 'over';
      run.until = Infinity;
    },
    forget(uid) {
      runs.delete(uid);
      volumesOf.delete(uid);
    },
  };
}

/** A world in which nothing runs yet. */
export function createWorld(read: World['read'], leastStartMs = 0): World {
  const attempts = new Map<string, number>();
  const machines = new Map<string, Machine>();
  let addresses = 0;
  const world: World = {
    read,
    leastStartMs,
    nextAttempt(owner) {
      const attempt = attempts.get(owner) ?? 0;
      attempts.set(owner, attempt + 1);
      return attempt;
    },
    nextPodAddress() {
      const n = ++addresses;
      return `10.${244 + ((n >> 16) & 7)}.${(n >> 8) & 255}.${n & 255}`;
    },
    machine(node) {
      let machine = machines.get(node);
      if (machine === undefined)
        machines.set(node, (machine = createMachine(world, `192.168.${machines.size >> 8}.${(machines.size + 10) & 255}`)));
      return machine;
    },
  };
  return world;
}
