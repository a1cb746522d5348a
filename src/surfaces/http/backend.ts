/**
 * What the API stands on: a door to a store, the changes behind it, a clock. A running cluster is one; a server without controllers is
 * another.
 */
import type { FeatureGates, Names } from '../../apiserver/machinery/index.ts';
import type { KindRegistry } from '../../apiserver/kinds/index.ts';
import type { Metered } from '../../controlplane/usage/index.ts';
import type { Cluster } from '../../controlplane/cluster.ts';
import type { ApiRequest, ApiResponse, WatchRequest } from '../../apiserver/request/index.ts';
import type { Server } from '../../apiserver/handlers/index.ts';
import type { Change, Store } from '../../apiserver/store/index.ts';
import { createLargeObjects, type LargeObjects } from './large-objects.ts';

/** A figure under a name, as `/metrics` prints it. */
export interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge';
  readonly values: readonly { readonly labels?: Readonly<Record<string, string>>; readonly value: number }[];
}

export interface Backend {
  readonly kinds: KindRegistry;
  readonly names: Names;
  readonly gates: FeatureGates;
  /** For reading. */
  readonly store: Store;
  /** Virtual time, milliseconds since the epoch. */
  now(): number;
  handle(request: ApiRequest): ApiResponse;
  watch(request: WatchRequest): ReturnType<Server['watch']>;
  /** What the metrics APIs answer from; absent: what pods say of themselves. */
  readonly metered?: Metered;
  /** Bounds what large objects take; absent: nothing does. */
  readonly large?: LargeObjects;
  /** Every change of a kind from now on, in order; the answer ends it. */
  listen(kind: string, listener: (change: Change) => void): () => void;
  /** Whether one of the processes of this name runs; absent: nobody knows of any that does not. */
  isUp?(process: string): boolean;
  /** What it counts, for `/metrics`. */
  counters?(): readonly Metric[];
}

/** Changes by kind, to whoever listens at the moment. */
export function createListeners(store: Store): Backend['listen'] {
  const byKind = new Map<string, Set<(change: Change) => void>>();
  store.onChange((change) => {
    for (const listener of byKind.get(change.kind) ?? []) listener(change);
  });
  return (kind, listener) => {
    let listeners = byKind.get(kind);
    if (listeners === undefined) byKind.set(kind, (listeners = new Set()));
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  };
}

/** A running cluster. Clients are actors of its trace under their own names. */
export function clusterBackend(cluster: Cluster): Backend {
  const listen = createListeners(cluster.store);
  return {
    kinds: cluster.kinds,
    names: cluster.names,
    gates: cluster.gates,
    store: cluster.store,
    now: () => cluster.now,
    metered: cluster.metered,
    large: createLargeObjects(cluster.store),
    handle: (request) => cluster.request(request.user?.name ?? 'client', request),
    watch: (request) => cluster.server.watch(request),
    listen(kind, listener) {
      const end = listen(kind, listener);
      // Renewals that nobody sees are made in closed form; from here on somebody looks.
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

function countersOf(cluster: Cluster): readonly Metric[] {
  const { commits, deliveries, reconciles, refusals } = cluster.counters;
  const counter = (name: string, help: string, value: number): Metric => ({ name, help, type: 'counter', values: [{ value }] });
  return [
    counter('orchsim_events_total', 'Events the kernel handled.', cluster.kernel.steps),
    counter('orchsim_commits_total', 'Writes that were stored.', commits),
    counter('orchsim_deliveries_total', 'Watch events delivered to caches.', deliveries),
    counter('orchsim_reconciles_total', 'Decisions of controllers.', reconciles),
    counter('orchsim_refusals_total', 'Requests that were refused.', refusals),
  ];
}
