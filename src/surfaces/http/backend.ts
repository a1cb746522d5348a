/** The backend of the API: a request handler, a store, a clock. A running cluster is one, a server without controllers another. */
import { forbidden } from './refusals.ts';
import { storeKey, type ApiObject, type FeatureGates, type Names, type Status } from '../../apiserver/machinery/index.ts';
import type { ApiRequest, ApiResponse, WatchRequest } from '../../apiserver/request/index.ts';
import { addTo, removeFrom } from '../../schema/values/index.ts';
import { weightOf, type Store, type Change } from '../../apiserver/store/index.ts';
import type { KindRegistry } from '../../apiserver/kinds/index.ts';
import type { ReadLog } from '../../controlplane/agents/index.ts';
import type { Metered } from '../../controlplane/usage/index.ts';
import type { Cluster } from '../../controlplane/cluster.ts';
import type { Watch, WatchEvent } from '../../apiserver/handlers/index.ts';

/** Bytes of a body from which its object counts as large. */
const LARGE = 8 * 1024;
const MIB = 1024 * 1024;
const MAX_LARGE_BYTES = 256 * MIB;

/** Counts from an empty store. Any deletion of a large object frees its bytes. */
export function createLargeObjects(store: Store, limit = MAX_LARGE_BYTES) {
  const weights = new Map<string, number>();
  let bytes = 0;
  const put = (id: string, weight: number | undefined): void => {
    bytes += (weight ?? 0) - (weights.get(id) ?? 0);
    if (weight === undefined) weights.delete(id);
    else weights.set(id, weight);
  };
  store.onChange(({ type, kind, key }) => {
    if (type === 'DELETED' && weights.size > 0) put(`${kind} ${key}`, undefined);
  });
  return {
    /** Approximate bytes of all large objects, equal on every host. */
    get bytes() {
      return bytes;
    },
    /** Throws the refusal of a write with a body of this size if it does not fit. */
    admit(bodyBytes: number): void {
      if (bodyBytes < LARGE || bytes + bodyBytes <= limit) return;
      throw forbidden(
        `this cluster is full: its large objects take ${Math.ceil(bytes / MIB)} of ${Math.floor(limit / MIB)} MiB, and a body of ${bodyBytes} bytes does not fit beside them; delete some`,
      );
    },
    /** Records a write with a body of this size. */
    written(kind: string, { namespace, name }: ApiObject['metadata'], bodyBytes: number): void {
      const key = storeKey(namespace, name);
      const id = `${kind} ${key}`;
      if (bodyBytes < LARGE && !weights.has(id)) return;
      const object = store.get(kind, key);
      put(id, object === undefined ? undefined : weightOf(object));
    },
  };
}

/** Ends a watch before its time. */
export interface WatchControl {
  /** Sends an error event, and ends the stream. */
  fail(status: Status): void;
  /** Closes the connection. */
  cut(): void;
}

/** A watch as a stream shows it. */
export interface ShownWatch extends Omit<Watch, 'bookmark'> {
  /** Undefined: no bookmark is sent now. */
  bookmark(): WatchEvent | undefined;
  /** Called when the stream is open. */
  opened?(control: WatchControl): void;
}

export interface Backend {
  readonly kinds: KindRegistry;
  readonly names: Names;
  readonly gates: FeatureGates;
  /** Read only. */
  readonly store: Store;
  /** Virtual time, milliseconds since the epoch. */
  now(): number;
  handle(request: ApiRequest): ApiResponse;
  watch(request: WatchRequest): { readonly ok: true; readonly watch: ShownWatch } | Extract<ApiResponse, { ok: false }>;
  /** The source of the metrics APIs; absent: the usage that pods declare. */
  readonly metered?: Metered;
  /** The logs of containers; absent: no agent runs. */
  readonly logOf?: ReadLog;
  /** Whether the agent of a node runs. */
  agentIsUp?(node: string): boolean;
  /** The limit of large objects; absent: none. */
  readonly large?: ReturnType<typeof createLargeObjects>;
  /** Calls the listener for every later change of a kind, in order. Returns a function that ends it. */
  listen(kind: string, listener: (change: Change) => void): () => void;
  /** Whether a process of this name runs; absent: all do. */
  isUp?(process: string): boolean;
  counters?(): ReturnType<typeof countersOf>;
}

/** Distributes changes to the current listeners, by kind. */
export function createListeners(store: Store): Backend['listen'] {
  const byKind = new Map<string, Set<(change: Change) => void>>();
  store.onChange((change) => {
    for (const listener of byKind.get(change.kind) ?? []) listener(change);
  });
  return (kind, listener) => {
    addTo(byKind, kind, listener);
    return () => removeFrom(byKind, kind, listener);
  };
}

/** Returns a running cluster as a backend. Clients are actors of its trace under their user names. */
export function clusterBackend(cluster: Cluster): Backend {
  const listen = createListeners(cluster.store);
  return {
    get kinds() {
      return cluster.kinds.now();
    },
    names: cluster.names,
    gates: cluster.gates,
    store: cluster.store,
    now: () => cluster.now,
    metered: cluster.metered,
    logOf: cluster.logOf,
    agentIsUp: (node) => cluster.runtime.process(`agent/${node}`)?.up === true,
    large: createLargeObjects(cluster.store),
    handle: (request) => cluster.request(request.user?.name ?? 'client', request),
    watch: (request) => cluster.server.watch(request),
    listen(kind, listener) {
      const end = listen(kind, listener);
      // Renewals without observers are elided. A listener observes them, so they must be real from here on.
      const lift = kind === 'Lease' ? cluster.runtime.forbidElision() : undefined;
      return () => {
        end();
        lift?.();
      };
    },
    isUp: (process) =>
      cluster.runtime.names().some((name) => name.replace(/-\d+$/, '') === process && cluster.runtime.process(name)?.up === true),
    counters: () => countersOf(cluster),
  };
}

const countersOf = ({ kernel, counters: { commits, deliveries, reconciles, refusals } }: Cluster) => [
  { name: 'orchsim_events_total', help: 'Events the kernel handled.', value: kernel.steps },
  { name: 'orchsim_commits_total', help: 'Writes that were stored.', value: commits },
  { name: 'orchsim_deliveries_total', help: 'Watch events delivered to caches.', value: deliveries },
  { name: 'orchsim_reconciles_total', help: 'Decisions of controllers.', value: reconciles },
  { name: 'orchsim_refusals_total', help: 'Requests that were refused.', value: refusals },
];
