/**
 * The physical state of a node: what its containers do. It is independent of the agent: containers continue while the agent is down, and a
 * restarted agent finds them. An agent decides by the read-only view; its actions are performed afterwards.
 */
import type { Pod } from '../../../apiserver/kinds/index.ts';
import type { ApiObject, Names } from '../../../apiserver/machinery/index.ts';
import type { CredentialSource } from '../../config/index.ts';
import type { Usage } from '../../usage/index.ts';
import type { ImageSpec } from '../specs.ts';
import { keptIn } from '../../../schema/values/index.ts';
import { addAmounts, emptyAmounts } from '../../shared/index.ts';
import type { Booked } from './admission/resources.ts';
import type { Folder } from './certificates.ts';
import type { Run } from './containers.ts';
import { insideOf, type PodInside } from './container-introspection.ts';
import type { Mount } from './mounts.ts';
import { type Images, ImageStore, type Registry } from './images/store.ts';

/** Stored configurations, in the form of their ConfigMaps: the assigned one, and the last known good one; absent: the agent's own file. */
export interface Checkpoints {
  readonly active?: Readonly<Record<string, unknown>>;
  readonly good?: Readonly<Record<string, unknown>>;
}

/** The available amount of an eviction signal at an instant, with these pods; undefined: the machine has no such signal. */
export type LeftAt = (signal: string, at: number, pods: readonly Pod[], names: Names) => number | undefined;

export interface EvictionCause {
  readonly at: number;
  readonly signal: string;
  readonly available: number;
  /** The threshold is met below this amount, which includes the minimum reclaim. */
  readonly limit: number;
  /** How long the threshold had been met, and its grace period. */
  readonly metForMs: number;
  readonly graceMs: number;
}

interface Contained {
  /** Namespace and name; the uid where the name is unknown. */
  readonly pod: string;
  readonly stage: Run['stage'];
  readonly ip: string;
  readonly restarts: number;
}

/** Images that have to be pulled, and the start of the run; of a restored cluster also the addresses in use. */
interface WorldImages {
  readonly images: readonly ImageSpec[];
  readonly startAt: number;
  /** The addresses of machines, by node. */
  readonly hosts?: ReadonlyMap<string, string>;
  /** The addresses of pods: later ones are others. */
  readonly taken?: Iterable<string>;
}

interface Shared {
  readonly leastStartMs: number;
  readonly attempts: Map<string, number>;
  addresses: number;
}

const NO_MOUNTS: readonly Mount[] = [];

const addressOf = (n: number): string => `10.${244 + ((n >> 16) & 7)}.${(n >> 8) & 255}.${n & 255}`;

export type Machine = ReturnType<typeof createMachine>;

/** What an agent decides by: a machine that it cannot change. */
export type MachineView = Readonly<Omit<Machine, 'put' | 'use' | 'mount' | 'forget' | 'images' | 'booked'>> & {
  readonly images: Images | undefined;
  readonly booked: Readonly<Booked>;
};

/** A new machine, but for its containers. */
const whole = (leastStartMs: number) => ({
  /** The causes of evictions, by uid. */
  evictions: new Map<string, EvictionCause>(),
  /** The available amount by a signal at an instant; undefined where usage is not described. */
  leftAt: undefined as LeftAt | undefined,
  /** The stored dynamic configuration; undefined: none was ever assigned. */
  checkpoints: undefined as Checkpoints | undefined,
  /** The readiness that the node reports; a fault may make it unready. */
  ready: true,
  /** A fault shuts it down, and its agent is notified; the agent that starts next knows nothing of that. */
  shutsDown: false,
  /** Its agent holds a shutdown up until pods have ended. */
  inhibits: false,
  /** The certificates of its agent, stored on its disk. */
  certificates: {} as Folder,
  /**
   * The minimum delay of a start, milliseconds: a request's latency, because the agent reports containers as created before it starts them.
   */
  leastStartMs,
});

function createMachine(shared: Shared, hostAddress: string, images: ImageStore | undefined) {
  const runs = new Map<string, Run>();
  const volumesOf = new Map<string, readonly string[]>();
  const mounts = new Map<string, readonly Mount[]>();
  const booked: Booked = { amounts: emptyAmounts(), pods: 0 };
  const book = ({ asks }: Run, sign: 1 | -1): void => {
    addAmounts(booked.amounts, asks.requests, sign);
    booked.pods += sign;
  };
  const attempts = (owner: string): number => shared.attempts.get(owner) ?? 0;
  const machine = {
    hostAddress,
    /** Undefined: every image is present. */
    images,
    ...whole(shared.leastStartMs),
    /** Volumes in use by the pods here, by pod. */
    volumesOf: volumesOf as ReadonlyMap<string, readonly string[]>,
    /** The admitted requests of the pods here that have not ended. */
    booked,
    /** The last stored state of a pod's containers; time has passed since. */
    run: (uid: string): Run | undefined => runs.get(uid),
    /** Uids of the pods with containers here. */
    uids: (): Iterable<string> => runs.keys(),
    /** The number of attempts of an owner's pods, on all nodes. */
    attempts,
    /** The mounts of a pod's volumes, with the drivers' inputs. */
    mounts: (uid: string): readonly Mount[] => mounts.get(uid) ?? NO_MOUNTS,
    mount: (uid: string, made: readonly Mount[]): void => void mounts.set(uid, made),
    /** The addresses of the pods here that have not ended. */
    addressesInUse(): ReadonlySet<string> {
      const used = new Set<string>();
      for (const { ip, stage } of runs.values()) if (stage !== 'over' && ip !== '') used.add(ip);
      return used;
    },
    /** The address of the next pod, or of the one after `after` others. */
    nextAddress: (after = 0): string => addressOf(shared.addresses + 1 + after),
    put(uid: string, run: Run): void {
      const before = runs.get(uid);
      if (before === undefined) shared.addresses++;
      const stays = run.stage !== 'over';
      if (stays !== (before !== undefined && before.stage !== 'over')) book(run, stays ? 1 : -1);
      const taken = run.attempts - (before?.attempts ?? 0);
      if (taken > 0) shared.attempts.set(run.attemptsOf, attempts(run.attemptsOf) + taken);
      runs.set(uid, run);
    },
    /** Sets the volumes that a pod uses; undefined: none. */
    use(uid: string, volumes: readonly string[] | undefined): void {
      if (volumes === undefined) volumesOf.delete(uid);
      else volumesOf.set(uid, volumes);
    },
    /** Removes a pod, whose last containers ended at an instant. */
    forget(uid: string, at: number): void {
      const run = runs.get(uid);
      if (run !== undefined && run.stage !== 'over') book(run, -1);
      runs.delete(uid);
      volumesOf.delete(uid);
      images?.release(uid, at);
      mounts.delete(uid);
    },
    describe(): unknown {
      const { ready, evictions, checkpoints, shutsDown } = machine;
      const parts = [ready, runs, volumesOf, mounts, evictions, images?.describe()];
      return [...parts, ...(checkpoints === undefined ? [] : [checkpoints]), ...(shutsDown ? ['shuts down'] : [])];
    },
  };
  return machine;
}

/** The number of an address that `addressOf` gives; 0 for any other. */
function numberOf(address: string): number {
  const [, a, b, c] = /^10\.(24[4-9]|25[01])\.(\d{1,3})\.(\d{1,3})$/.exec(address) ?? [];
  return a === undefined ? 0 : ((Number(a) - 244) << 16) | (Number(b) << 8) | Number(c);
}

/** The machines of all nodes, and what they share: attempts by owner, and addresses. */
export type World = ReturnType<typeof createWorld>;

export function createWorld(leastStartMs = 0, { images, startAt, hosts, taken = [] }: WorldImages = { images: [], startAt: 0 }) {
  const shared: Shared = { leastStartMs, attempts: new Map(), addresses: 0 };
  for (const address of taken) shared.addresses = Math.max(shared.addresses, numberOf(address));
  const machines = new Map<string, Machine>();
  return {
    /** The choice point before a pod's containers are created: returns true to keep them from becoming ready. Undefined: no strategy. */
    begins: undefined as ((process: string, pod: ApiObject) => boolean) | undefined,
    /** Nodes whose agents enforce no CPU quota. */
    unthrottled: new Set<string>(),
    /** What all agents share, from the first one that needs it: a source of credentials, a registry of images, usage. */
    shared: {} as { credentials?: CredentialSource; registry?: Registry; usage?: Usage },
    machine(node: string): Machine {
      return keptIn(machines, node, () => {
        const host = machines.size;
        const has = images.length === 0 ? undefined : new ImageStore(presentOn(node, images), startAt);
        return createMachine(shared, hosts?.get(node) ?? `192.168.${host >> 8}.${(host + 10) & 255}`, has);
      });
    },
    /** The environment of a pod on its machine; undefined: it has not started. `uid`: that of its containers. */
    insideOf(pod: Pod, uid: string): PodInside | undefined {
      for (const machine of machines.values()) {
        const run = machine.run(uid);
        if (run !== undefined) return insideOf(pod, run, machine.mounts(uid));
      }
      return undefined;
    },
    /** The stored state of a pod's containers, and the attempts of its owner's other pods; undefined: its node has forgotten it. */
    runOf(node: string, uid: string): { readonly is: Run; readonly othersAttempts: number } | undefined {
      const machine = machines.get(node);
      const is = machine?.run(uid);
      return machine === undefined || is === undefined ? undefined : { is, othersAttempts: machine.attempts(is.attemptsOf) - is.attempts };
    },
    /**
     * The pods with containers on a node's machine, from any source; undefined: there is no such machine. `nameOf`: names of the API
     * server's pods, by uid.
     */
    contents(node: string, nameOf: (uid: string) => string | undefined): readonly Contained[] | undefined {
      const machine = machines.get(node);
      if (machine === undefined) return undefined;
      return [...machine.uids()].flatMap((uid) => {
        const run = machine.run(uid);
        if (run === undefined) return [];
        const { called, stage, ip, restarts } = run;
        return [{ pod: called ?? nameOf(uid) ?? uid, stage, ip, restarts }];
      });
    },
    /** Why a machine evicted a pod, if it did; the available amount is computed again from the usage of these pods. */
    evictionOf(uid: string, pods: () => readonly Pod[], names: Names): EvictionCause | undefined {
      for (const { evictions, leftAt } of machines.values()) {
        const cause = evictions.get(uid);
        if (cause !== undefined) return { ...cause, available: leftAt?.(cause.signal, cause.at, pods(), names) ?? cause.available };
      }
      return undefined;
    },
    /** The complete state as plain data: machines by name, and the shared counts. */
    describe: (): unknown => [[...machines].map(([name, machine]) => [name, machine.describe()]), shared],
  };
}

const presentOn = (node: string, images: readonly ImageSpec[]): readonly ImageSpec[] =>
  images.filter(({ nodes }) => nodes?.includes(node) === true);
