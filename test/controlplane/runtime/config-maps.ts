/** A world for tests of the runtime: a cluster with one or a few controllers of ConfigMaps, which the test creates and changes. */
import type { ConfigMap } from '../../../src/apiserver/kinds/index.ts';
import { createCluster, type Cluster, type ClusterOptions } from '../../../src/controlplane/cluster.ts';
import { defineController, type Controller, type Observation } from '../../../src/controlplane/runtime/index.ts';

export const START = Date.UTC(2024, 2, 1);
const WHERE = { kind: 'ConfigMap', namespace: 'default' } as const;
const MANAGER = 'controller-manager';

interface Metadata {
  readonly [field: string]: unknown;
}

/** A controller of ConfigMaps without writes, with the given parts replaced. */
export const about = (parts: Partial<Controller<'ConfigMap'>> = {}): Controller<'ConfigMap'> =>
  defineController<'ConfigMap'>({
    name: 'onlooker',
    reconciles: 'ConfigMap',
    writes: ['ConfigMap'],
    models: 'nothing',
    reconcile: () => ({ why: 'it looks on', writes: [] }),
    ...parts,
  });

/** A write that makes a ConfigMap. */
export const making = (name: string) =>
  ({ op: 'create', object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' } } }) as const;

/** A cluster at zero: its initial ConfigMaps, controllers and caches are settled. Watches are slow (50 ms), requests are not. */
export function world(controller: Controller<'ConfigMap'>, options: Partial<ClusterOptions> = {}) {
  const seen: Observation[] = [];
  const cluster: Cluster = createCluster({
    startAt: START,
    latency: { api: 0, watch: 50 },
    controllers: () => [controller],
    onObservation: (observation) => {
      seen.push(observation);
    },
    ...options,
  });
  seen.length = 0;
  const asked = (request: Parameters<Cluster['request']>[1]): void => {
    const response = cluster.request('somebody', request);
    if (!response.ok) throw new Error(response.status.message);
  };
  return {
    cluster,
    /** All observations since the start. */
    seen,
    make: (name: string, metadata: Metadata = {}): void =>
      asked({ verb: 'create', ...WHERE, body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...metadata } } }),
    set: (name: string, value: string): void => asked({ verb: 'patch', ...WHERE, name, patchType: 'merge', body: { data: { value } } }),
    drop: (name: string): void => asked({ verb: 'delete', ...WHERE, name }),
    /** Advances by so many milliseconds. */
    pass: (ms: number): void => cluster.runUntil(cluster.now + ms),
    relist: (): boolean => cluster.runtime.relist(MANAGER, 'ConfigMap'),
    crash: (): boolean => cluster.runtime.crash(MANAGER),
    enqueue: (name: string): boolean => cluster.runtime.enqueue(MANAGER, controller.name, `default/${name}`),
    stored: (name: string): ConfigMap | undefined => cluster.store.get('ConfigMap', `default/${name}`),
    /** The ConfigMap of that name in the controller's cache. */
    cached: (name: string): ConfigMap | undefined => cluster.runtime.process(MANAGER)?.cache.get('ConfigMap', 'default', name),
    /** The delivered changes: type and name, in order. */
    deliveries: (): string[] => seen.flatMap((one) => (one.type === 'delivery' ? [`${one.delta} ${nameIn(one.key)}`] : [])),
    /** The times of decisions about a name, as milliseconds since the start. */
    decisions: (name: string): number[] =>
      seen.flatMap((one) => (one.type === 'reconcile' && nameIn(one.key) === name ? [one.at - START] : [])),
  };
}

const nameIn = (key: string): string => key.slice(key.indexOf('/') + 1);

/** Refuses requests of the controller manager for which the test says so. */
export function refusing(cluster: Cluster, refuses: () => boolean): void {
  const fail = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    reason: 'InternalError',
    message: 'no',
    code: 500,
  } as const;
  cluster.addFaults({ request: ({ by: { process } }) => (process === MANAGER && refuses() ? { fail } : undefined) });
}
