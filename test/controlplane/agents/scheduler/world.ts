/** A scheduler without a cluster: its state and its cache, which get objects one by one; and the objects. */
import { kindsFor } from '../../../../src/apiserver/kinds/index.ts';
import type { Pod } from '../../../../src/apiserver/kinds/index.ts';
import { type ApiObject, type FeatureGates, keyOf, namesFor } from '../../../../src/apiserver/machinery/index.ts';
import { decide } from '../../../../src/controlplane/agents/scheduler/attempt.ts';
import { checkNode, filtersFor } from '../../../../src/controlplane/agents/scheduler/filtering.ts';
import { defaultSettings, KINDS } from '../../../../src/controlplane/agents/scheduler/index.ts';
import { podInfo } from '../../../../src/controlplane/agents/scheduler/node-info.ts';
import { observe } from '../../../../src/controlplane/agents/scheduler/observe.ts';
import { scoreNodes } from '../../../../src/controlplane/agents/scheduler/placement.ts';
import type { NodeRefusal } from '../../../../src/controlplane/agents/scheduler/plugin.ts';
import { type SchedulerSettings, SchedulerState } from '../../../../src/controlplane/agents/scheduler/state.ts';
import { createCache, type Cache, type DeltaType, type Outcome } from '../../../../src/controlplane/runtime/index.ts';
import { createRandom } from '../../../../src/engine/index.ts';

const names = namesFor('k8s.io');
export const NOW = Date.UTC(2024, 0, 1);
export const HOSTNAME = 'kubernetes.io/hostname';
export const ZONE = 'topology.kubernetes.io/zone';

type Json = Readonly<Record<string, unknown>>;

const stateOf = (gates: FeatureGates, settings: Partial<SchedulerSettings>): SchedulerState =>
  new SchedulerState({ ...defaultSettings, ...settings }, { names, gates, now: NOW, random: createRandom(1).stream('scheduler') });

function cacheOf(): Cache {
  const cache = createCache();
  for (const kind of KINDS) cache.open(kind);
  return cache;
}

const tell = (state: SchedulerState, cache: Cache, type: DeltaType, object: ApiObject, old: ApiObject | undefined, elapsed: number): void =>
  observe(
    { type, kind: object.kind, key: keyOf(object), object, old },
    { state, cache, now: elapsed, elapsed, names, kinds: kindsFor(names), gates: {}, process: 'scheduler', failures: () => 0 },
  );

export interface World {
  readonly state: SchedulerState;
  readonly cache: Cache;
  /** Adds or changes objects at a time in milliseconds. */
  set(...objects: readonly ApiObject[]): void;
  setAt(ms: number, ...objects: readonly ApiObject[]): void;
  drop(kind: string, key: string, ms?: number): void;
}

export function world(gates: FeatureGates = {}, settings: Partial<SchedulerSettings> = {}): World {
  const state = stateOf(gates, settings);
  const cache = cacheOf();
  const setAt = (ms: number, ...objects: readonly ApiObject[]): void => {
    for (const object of objects) {
      const old = cache.set(object.kind, keyOf(object), object);
      tell(state, cache, old === undefined ? 'ADDED' : 'MODIFIED', object, old, NOW + ms);
    }
  };
  return {
    state,
    cache,
    setAt,
    set: (...objects) => setAt(0, ...objects),
    drop(kind, key, ms = 0) {
      const old = cache.set(kind, key, undefined);
      if (old !== undefined) tell(state, cache, 'DELETED', old, old, NOW + ms);
    },
  };
}

/** A scheduler that gets everything at once. */
export function rebuilt(cache: Cache): SchedulerState {
  const state = stateOf({}, {});
  for (const kind of KINDS) for (const object of cache.list(kind)) tell(state, cache, 'ADDED', object, undefined, NOW);
  return state;
}

let revision = 0;
const metadata = (name: string, more: Json): ApiObject['metadata'] => ({
  name,
  uid: `uid-${name}`,
  resourceVersion: String(++revision),
  creationTimestamp: '2024-01-01T00:00:00Z',
  ...more,
});

/** An object of any kind; `meta` are the members of its metadata besides the name. */
export const objectOf = (kind: string, name: string, members: Json = {}, meta: Json = {}): ApiObject => ({
  apiVersion: 'v1',
  kind,
  metadata: metadata(name, meta),
  ...members,
});

export const ROOM = { cpu: '4', memory: '8Gi', pods: '110' };

interface NodeParts {
  readonly labels?: Readonly<Record<string, string>>;
  readonly spec?: Json;
  readonly allocatable?: Readonly<Record<string, string>>;
  readonly status?: Json;
}

/** A node with its hostname label, four CPUs and 8 GiB. */
export const nodeWith = (name: string, { labels = {}, spec = {}, allocatable = ROOM, status = {} }: NodeParts = {}): ApiObject =>
  objectOf('Node', name, { spec, status: { allocatable, ...status } }, { labels: { [HOSTNAME]: name, ...labels } });

interface PodParts {
  readonly labels?: Readonly<Record<string, string>>;
  readonly meta?: Json;
  readonly spec?: Json;
  readonly status?: Json;
  /** Requests of its container. */
  readonly requests?: Readonly<Record<string, string>>;
}

/** A pod of namespace x that waits for a node, unless its spec names one. */
export const podWith = (name: string, { labels = {}, meta = {}, spec = {}, status = {}, requests }: PodParts = {}): Pod =>
  objectOf(
    'Pod',
    name,
    {
      spec: {
        schedulerName: 'default-scheduler',
        containers: [{ name: 'c', image: 'i:1', ...(requests === undefined ? {} : { resources: { requests } }) }],
        ...spec,
      },
      status: { phase: 'Pending', ...status },
    },
    { namespace: 'x', labels, ...meta },
  ) as unknown as Pod;

/** The plugins that refuse a node, and why; the code for those that preemption cannot help. */
const wordsFor = ({ code, plugins, reasons }: NodeRefusal): string =>
  `${code === 'unschedulable' ? '' : `${code}, `}${plugins.join('+')}: ${reasons.join('; ')}`;

/** By node, why it is refused, or that the pod fits; one text if all nodes are refused at once. */
export function verdicts({ state }: World, pod: Pod): Readonly<Record<string, string>> | string {
  const filters = filtersFor(state.settings.plugins, podInfo(pod), state, []);
  if ('code' in filters) return wordsFor(filters);
  return Object.fromEntries(
    state.model.nodes().map((node) => {
      const refusal = checkNode(filters.filters, node);
      return [node.name, refusal === undefined ? 'fits' : wordsFor(refusal)];
    }),
  );
}

/** The scores that one plugin gives the nodes, with its weight. */
export function scoresBy({ state }: World, plugin: string, pod: Pod): Readonly<Record<string, number>> {
  const nodes = state.model.nodes();
  const scores = scoreNodes(
    state.settings.plugins.filter(({ name }) => name === plugin),
    podInfo(pod),
    state,
    nodes,
    undefined,
  );
  return Object.fromEntries(nodes.map(({ name }, at) => [name, scores[at] ?? NaN]));
}

/** What the scheduler does about a waiting pod at a time in milliseconds. */
export const decided = ({ state }: World, name: string, ms = 0): Outcome => decide(state, `x/${name}`, NOW + ms);
