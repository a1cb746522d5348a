/**
 * How many items of its list an update of Endpoints or of an EndpointSlice looks at, on a StatefulSet behind a Service whose replicas become
 * ready one by one. Looked at is an item that a step reads a member of, or looks up in a map or set; passing its reference on is not. The
 * counts are the same in each run: methods are replaced while the load runs, and the members of items become accessors when they are frozen.
 */
import type { Observation } from '../src/controlplane/runtime/index.ts';
import { openCluster } from './jobs.ts';

/** The distinct items that an update and what follows from it look at: its decision, its write, and its deliveries. */
export interface ItemsPerUpdate {
  readonly endpoints: number;
  readonly slices: number;
}

const KINDS: Readonly<Record<string, { readonly members: readonly string[]; readonly controller: string }>> = {
  Endpoints: { members: ['ip', 'targetRef'], controller: 'endpoints' },
  EndpointSlice: { members: ['addresses', 'conditions'], controller: 'endpoint-slice' },
};

const kindOf = (value: object): string | undefined =>
  Array.isArray(value)
    ? undefined
    : Object.keys(KINDS).find((kind) => KINDS[kind]?.members.every((member) => Object.hasOwn(value, member)));

/** Replaces a method of a prototype or of `Object`; returns its restoration. */
function replace<T extends object, K extends keyof T>(owner: T, name: K, by: (method: T[K]) => T[K]): () => void {
  const method = owner[name];
  owner[name] = by(method);
  return () => {
    owner[name] = method;
  };
}

interface Item {
  readonly count: Count;
  /** The last step that looked at it. */
  step: number;
}
/** The items of a kind that a step has looked at. */
interface Count {
  items: number;
}

/** Counts from now on each item once a step; returns the end of it. */
function watchItems(counts: ReadonlyMap<string, Count>, step: () => number): () => void {
  const items = new WeakMap<object, Item>();
  const { get } = WeakMap.prototype;
  const see = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const item = get.call(items, value) as Item | undefined;
    if (item === undefined || item.step === step()) return;
    item.step = step();
    item.count.items++;
  };
  const seeing = <M extends (...given: never[]) => unknown>(method: M): M =>
    function (this: unknown, ...given: Parameters<M>): unknown {
      see(given[0]);
      return Reflect.apply(method, this, given) as unknown;
    } as M;
  const { isFrozen } = Object;
  const freezing = (freeze: typeof Object.freeze) => (value: object) => {
    const kind = isFrozen(value) ? undefined : kindOf(value);
    const count = kind === undefined ? undefined : counts.get(kind);
    if (count !== undefined) {
      for (const [name, member] of Object.entries<unknown>(value as Record<string, unknown>))
        Object.defineProperty(value, name, { enumerable: true, configurable: true, get: () => (see(value), member) });
      items.set(value, { count, step: step() });
      count.items++;
    }
    return freeze(value);
  };
  const restorations = [
    replace(Object, 'freeze', freezing),
    replace(Object, 'isFrozen', seeing),
    replace(WeakMap.prototype, 'get', seeing),
    replace(WeakMap.prototype, 'has', seeing),
    replace(WeakSet.prototype, 'has', seeing),
    replace(Map.prototype, 'get', seeing),
    replace(Set.prototype, 'has', seeing),
    replace(Set.prototype, 'add', seeing),
  ];
  return () => {
    for (const restore of restorations) restore();
  };
}

const concerns = (seen: Observation, kind: string): boolean =>
  seen.type === 'write'
    ? seen.change.kind === kind
    : seen.type === 'delivery'
      ? seen.kind === kind
      : seen.type === 'reconcile' && seen.controller === KINDS[kind]?.controller;

/** Counts while so many replicas start, one after the other. */
export function itemsPerUpdate(replicas: number): ItemsPerUpdate {
  let step: Observation[] = [];
  const cluster = openCluster(5, {
    agents: { podBehaviors: [{}] },
    latency: { api: 1, watch: 1 },
    onObservation: (seen) => step.push(seen),
  });
  const create = (kind: string, body: { readonly spec: object; readonly apiVersion: string }): void => {
    const request = {
      verb: 'create',
      kind,
      namespace: 'default',
      body: { kind, metadata: { name: 'web', namespace: 'default' }, ...body },
    } as const;
    const response = cluster.request('bench', request);
    if (!response.ok) throw new Error(response.status.message);
  };
  create('Service', { apiVersion: 'v1', spec: { clusterIP: 'None', selector: { app: 'web' }, ports: [{ port: 80 }] } });
  const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'work:1' }] } };
  create('StatefulSet', {
    apiVersion: 'apps/v1',
    spec: { replicas, serviceName: 'web', selector: { matchLabels: { app: 'web' } }, template },
  });
  const counts = new Map(Object.keys(KINDS).map((kind) => [kind, { items: 0, total: 0, updates: 0 }]));
  const until = cluster.now + 86_400_000;
  let steps = 0;
  const end = watchItems(counts, () => steps);
  try {
    while (!cluster.kernel.settled && cluster.step(until)) {
      for (const [kind, count] of counts) {
        if (step.some((seen) => concerns(seen, kind))) count.total += count.items;
        if (step.some((seen) => seen.type === 'write' && seen.change.kind === kind && seen.change.type === 'MODIFIED')) count.updates++;
        count.items = 0;
      }
      step = [];
      steps++;
    }
  } finally {
    end();
  }
  const per = (kind: string): number => {
    const { total = 0, updates = 0 } = counts.get(kind) ?? {};
    return total / updates;
  };
  return { endpoints: per('Endpoints'), slices: per('EndpointSlice') };
}
