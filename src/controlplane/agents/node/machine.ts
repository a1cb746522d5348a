/**
 * The physics of a node: it keeps what the containers there are doing. It is not the agent: containers run on while the agent is down,
 * and a restarted agent finds them as they are. An agent decides from the view and changes nothing; its actions are done afterwards.
 */
import type { Pod } from '../../../apiserver/kinds/index.ts';
import type { ApiObject, Names } from '../../../apiserver/vocabulary/index.ts';
import type { ImageSpec } from '../specs.ts';
import { addAmounts, emptyAmounts } from '../../shared/index.ts';
import type { Booked } from './admission/room.ts';
import type { Folder } from './certificates/index.ts';
import type { Run } from './containers.ts';
import { createImageStore, type Images, type ImageStore } from './images/index.ts';
import { insideOf, type PodInside } from './container-introspection.ts';
import type { Mount } from './mounts.ts';

/** What a machine shows to its agent. */
export interface MachineView {
  readonly hostAddress: string;
  /** What the node says of itself. */
  readonly ready: boolean;
  /** It is being shut down, and its agent was told. */
  readonly shutsDown: boolean;
  /** An agent says that it creates containers before it starts them, so none starts sooner, milliseconds: a request's latency. */
  readonly leastStartMs: number;
  /** A pod's containers as they were left; time has passed since. */
  run(uid: string): Run | undefined;
  /** Uids of the pods that have containers here. */
  uids(): Iterable<string>;
  /** Volumes in use by the pods here, by pod. */
  readonly volumesOf: ReadonlyMap<string, readonly string[]>;
  /** What the drivers were told of a pod's volumes. */
  mounts(uid: string): readonly Mount[];
  /** The addresses of the pods here that are not over. */
  addressesInUse(): ReadonlySet<string>;
  /** How many attempts the pods of an owner have taken, on all nodes. */
  attempts(owner: string): number;
  /** What the pods here that are not over were let in for. */
  readonly booked: Readonly<Booked>;
  /** The address that the next pod gets, or the one after so many others. */
  nextAddress(after?: number): string;
  /** Those of its agent, kept on its disk. */
  readonly certificates: Folder;
  /** Its images; absent: all there are. */
  readonly images?: Images;
}

export interface Machine extends MachineView {
  /** A fault may make it unready. */
  ready: boolean;
  /** A fault shuts it down; the agent that starts next knows nothing of that. */
  shutsDown: boolean;
  /** Its agent holds a shutdown up until pods have ended. */
  inhibits: boolean;
  /** This is what a pod's containers do from now on. */
  put(uid: string, run: Run): void;
  /** A pod uses these volumes; undefined: it lets go of them. */
  use(uid: string, volumes: readonly string[] | undefined): void;
  /** A pod's volumes are mounted. */
  mount(uid: string, mounts: readonly Mount[]): void;
  /** Nothing of the pod is here any more since an instant. */
  forget(uid: string, at: number): void;
  readonly images?: ImageStore;
  /** What its agent keeps of the configuration that it was assigned; absent: it has followed none. */
  checkpoints?: Checkpoints;
  /** Why pods were put out for want of something, by uid; absent where nothing is ever short. */
  readonly evictions?: Map<string, EvictionCause>;
  /** What was left by a signal at an instant; absent where nobody says what pods use. */
  leftAt?: LeftAt;
  /** As plain data. */
  describe(): unknown;
}

/** Configurations, as their maps had them: what an agent is to start with, and what it falls back to; absent: its own file. */
export interface Checkpoints {
  readonly active?: Readonly<Record<string, unknown>>;
  readonly good?: Readonly<Record<string, unknown>>;
}

/** What was left of a machine by an eviction signal at an instant, with these pods; undefined: it has no such signal. */
export type LeftAt = (signal: string, at: number, pods: readonly Pod[], names: Names) => number | undefined;

/** How short a machine was of something when a pod was put out for it. */
export interface EvictionCause {
  /** When it was decided. */
  readonly at: number;
  readonly signal: string;
  readonly available: number;
  /** Below this the threshold is met, with what is to be reclaimed at least on top. */
  readonly limit: number;
  /** How long it had been met, and how long it has to be. */
  readonly metForMs: number;
  readonly graceMs: number;
}

/** What all nodes share: attempt numbers by owner, and addresses. */
export interface World {
  machine(node: string): Machine;
  /** Asked when a pod's containers are about to be created: true, they are never ready. Absent: nobody is asked. */
  begins?: ((process: string, pod: ApiObject) => boolean) | undefined;
  /** What a pod was given on its machine; undefined: it has begun on none. `uid`: of its containers. */
  insideOf(pod: Pod, uid: string): PodInside | undefined;
  /**
   * What runs on the machine of a node, whoever knows of it; undefined: there is no such machine. `nameOf`: of pods of the API server, by
   * uid.
   */
  contents(node: string, nameOf: (uid: string) => string | undefined): readonly Contained[] | undefined;
  /** Why one of the machines put a pod out, if it did; what was left there is worked out anew from what these pods used. */
  evictionOf(uid: string, pods: () => readonly Pod[], names: Names): EvictionCause | undefined;
  /** Nodes whose agents hold nobody to a quota of processors. */
  readonly unthrottled: Set<string>;
  /** All of it as plain data: machines by name, and what they share. */
  describe(): unknown;
}

/** The containers of one pod on a machine. */
export interface Contained {
  /** Namespace and name; the uid of a pod that nobody knows any more. */
  readonly pod: string;
  readonly stage: Run['stage'];
  readonly ip: string;
  readonly restarts: number;
}

/** Images that have to be pulled, and when the run begins. */
export interface WorldImages {
  readonly images: readonly ImageSpec[];
  readonly startAt: number;
}

interface Shared {
  readonly leastStartMs: number;
  readonly attempts: Map<string, number>;
  addresses: number;
}

const NO_MOUNTS: readonly Mount[] = [];

const addressOf = (n: number): string => `10.${244 + ((n >> 16) & 7)}.${(n >> 8) & 255}.${n & 255}`;

function createMachine(shared: Shared, hostAddress: string, images: ImageStore | undefined): Machine {
  const runs = new Map<string, Run>();
  const volumesOf = new Map<string, readonly string[]>();
  const mounts = new Map<string, readonly Mount[]>();
  const booked: Booked = { amounts: emptyAmounts(), pods: 0 };
  const book = ({ asks }: Run, sign: 1 | -1): void => {
    addAmounts(booked.amounts, asks.requests, sign);
    booked.pods += sign;
  };
  const attempts = (owner: string): number => shared.attempts.get(owner) ?? 0;
  const evictions = new Map<string, EvictionCause>();
  const machine: Machine = {
    hostAddress,
    ...(images === undefined ? {} : { images }),
    evictions,
    describe: () => [
      machine.ready,
      runs,
      volumesOf,
      mounts,
      evictions,
      images?.describe(),
      ...(machine.checkpoints === undefined ? [] : [machine.checkpoints]),
      ...(machine.shutsDown ? ['shuts down'] : []),
    ],
    ready: true,
    shutsDown: false,
    inhibits: false,
    certificates: {},
    leastStartMs: shared.leastStartMs,
    volumesOf,
    booked,
    run: (uid) => runs.get(uid),
    uids: () => runs.keys(),
    attempts,
    mounts: (uid) => mounts.get(uid) ?? NO_MOUNTS,
    mount: (uid, made) => void mounts.set(uid, made),
    addressesInUse() {
      const used = new Set<string>();
      for (const { ip, stage } of runs.values()) if (stage !== 'over' && ip !== '') used.add(ip);
      return used;
    },
    nextAddress: (after = 0) => addressOf(shared.addresses + 1 + after),
    put(uid, run) {
      const before = runs.get(uid);
      if (before === undefined) shared.addresses++;
      const stays = run.stage !== 'over';
      if (stays !== (before !== undefined && before.stage !== 'over')) book(run, stays ? 1 : -1);
      const taken = run.attempts - (before?.attempts ?? 0);
      if (taken > 0) shared.attempts.set(run.attemptsOf, attempts(run.attemptsOf) + taken);
      runs.set(uid, run);
    },
    use(uid, volumes) {
      if (volumes === undefined) volumesOf.delete(uid);
      else volumesOf.set(uid, volumes);
    },
    forget(uid, at) {
      const run = runs.get(uid);
      if (run !== undefined && run.stage !== 'over') book(run, -1);
      runs.delete(uid);
      volumesOf.delete(uid);
      images?.release(uid, at);
      mounts.delete(uid);
    },
  };
  return machine;
}

/** A world in which nothing runs yet. */
export function createWorld(leastStartMs = 0, { images, startAt }: WorldImages = { images: [], startAt: 0 }): World {
  const shared: Shared = { leastStartMs, attempts: new Map(), addresses: 0 };
  const machines = new Map<string, Machine>();
  return {
    contents(node, nameOf) {
      const machine = machines.get(node);
      if (machine === undefined) return undefined;
      return [...machine.uids()].flatMap((uid) => {
        const run = machine.run(uid);
        if (run === undefined) return [];
        const { called, stage, ip, restarts } = run;
        return [{ pod: called ?? nameOf(uid) ?? uid, stage, ip, restarts }];
      });
    },
    begins: undefined,
    unthrottled: new Set(),
    evictionOf(uid, pods, names) {
      for (const { evictions, leftAt } of machines.values()) {
        const cause = evictions?.get(uid);
        if (cause !== undefined) return { ...cause, available: leftAt?.(cause.signal, cause.at, pods(), names) ?? cause.available };
      }
      return undefined;
    },
    describe: () => [[...machines].map(([name, machine]) => [name, machine.describe()]), shared],
    insideOf(pod, uid) {
      for (const machine of machines.values()) {
        const run = machine.run(uid);
        if (run !== undefined) return insideOf(pod, run, machine.mounts(uid));
      }
      return undefined;
    },
    machine(node) {
      let machine = machines.get(node);
      if (machine === undefined) {
        const host = machines.size;
        const has = images.length === 0 ? undefined : createImageStore(presentOn(node, images), startAt);
        machines.set(node, (machine = createMachine(shared, `192.168.${host >> 8}.${(host + 10) & 255}`, has)));
      }
      return machine;
    },
  };
}

const presentOn = (node: string, images: readonly ImageSpec[]): readonly ImageSpec[] =>
  images.filter(({ nodes }) => nodes?.includes(node) === true);
