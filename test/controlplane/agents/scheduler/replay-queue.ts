/** Plays a recorded queue case and tells when each pod was tried. */
import { createWorld, type Json, type World } from './harness.ts';

interface RecordedAction {
  readonly t_ms: number;
  readonly done_ms?: number;
  readonly action: string;
}
export interface QueueCase {
  readonly id: string;
  readonly actions: readonly RecordedAction[];
  readonly attempts: Readonly<Record<string, readonly number[]>>;
  readonly attemptOrder: readonly string[];
  readonly final: readonly { readonly pod: string; readonly node: string | null }[];
  readonly log: readonly { readonly t_ms: number }[];
}

/** When, and by which request. */
interface Step {
  readonly at: number;
  act(world: World): void;
}

const bodyOf = (action: string): Json => {
  const at = action.indexOf('{');
  return at < 0 ? {} : (JSON.parse(action.slice(at)) as Json);
};

const PLURALS: Readonly<Record<string, string>> = {
  pods: 'Pod',
  nodes: 'Node',
  csinodes: 'CSINode',
  persistentvolumeclaims: 'PersistentVolumeClaim',
};

function createPod(world: World, name: string, { spec, labels, ...metadata }: Json, node?: string): void {
  world.create({
    kind: 'Pod',
    metadata: { name, namespace: 'default', labels, ...metadata },
    spec: { ...(spec as Json), ...(node === undefined ? {} : { nodeName: node }) },
  });
  if (node !== undefined)
    world.patch('Pod', 'default', name, { status: { phase: 'Running', startTime: '2024-01-01T00:00:00Z' } }, 'status');
}

function patchPath(world: World, path: string, body: Json): void {
  const parts = path.split('/').filter((part) => part !== '');
  const at = parts.findIndex((part) => part in PLURALS);
  const namespaced = parts[at - 2] === 'namespaces';
  world.patch(PLURALS[parts[at] ?? ''] ?? '', namespaced ? parts[at - 1] : undefined, parts[at + 1] ?? '', body, parts[at + 2]);
}

/** One line of the recording as steps. */
function stepsOf({ t_ms, done_ms, action }: RecordedAction): readonly Step[] {
  const at = done_ms ?? t_ms;
  const once = (act: (world: World) => void): readonly Step[] => [{ at, act }];
  const [verb = '', what = '', name = ''] = action.split(' ');
  if (action.startsWith('create bound pod')) {
    const words = action.split(' ');
    return once((world) => createPod(world, words[3] ?? '', bodyOf(action), words[5]));
  }
  if (action.startsWith('create pods')) {
    const spec = { containers: [{ name: 'c', image: 'img', resources: { requests: { cpu: '100m' } } }] };
    return once((world) => {
      for (const [, pod = '', priority = ''] of action.matchAll(/(\w)\((\w+)\)/g))
        createPod(world, pod, { spec: priority === 'none' ? spec : { ...spec, priorityClassName: priority } });
    });
  }
  if (verb === 'create' && what === 'pod') return once((world) => createPod(world, name, bodyOf(action)));
  if (verb === 'create' && what === 'node')
    return once((world) => {
      const { allocatable, ...rest } = bodyOf(action);
      world.createNode({ name, capacity: allocatable as Json, ...rest });
    });
  if (verb === 'create') return once((world) => void world.create(bodyOf(action)));
  if (verb === 'delete')
    return once((world) => world.remove(what === 'node' ? 'Node' : 'Pod', what === 'node' ? undefined : 'default', name, 0));
  if (verb === 'merge-patch') return once((world) => patchPath(world, what, bodyOf(action)));
  if (verb === 'every') {
    const seconds = Number(/for (\d+) s/.exec(action)?.[1]);
    return Array.from({ length: seconds * 2 }, (_, i) => ({
      at: t_ms + i * 500,
      act: (world: World) =>
        void (action.includes('allocatable')
          ? world.patch('Node', undefined, 'n1', { status: { allocatable: { cpu: i % 2 === 0 ? '1900m' : '2' } } }, 'status')
          : world.patch('Node', undefined, 'n1', { metadata: { labels: { tick: `t${i}` } } })),
    }));
  }
  throw new Error(`what is ${action}?`);
}

function removeVictims(world: World): void {
  const leaving = [...world.cluster.store.values('Pod')].filter(({ metadata }) => metadata.deletionTimestamp !== undefined);
  for (const { metadata } of leaving) world.remove('Pod', metadata.namespace, metadata.name, 0);
}

export interface Played {
  readonly attempts: Readonly<Record<string, readonly number[]>>;
  readonly order: readonly string[];
  readonly nodes: Readonly<Record<string, string | null>>;
}

/** Plays a case; `phase` is how long before its start the scheduler's tickers began, in milliseconds. */
export function playQueue({ actions, log, final }: QueueCase, phase: number): Played {
  const world = createWorld();
  const { cluster } = world;
  // The scheduler began with the cluster, before its start.
  const TICKS = 30_000;
  const startAt = cluster.kernel.startAt + Math.ceil((cluster.startAt - cluster.kernel.startAt) / TICKS) * TICKS + phase;
  cluster.runUntil(startAt);
  const attempts: Record<string, number[]> = {};
  const order: string[] = [];
  world.state.onAttempt = ({ info }) => {
    (attempts[info.pod.metadata.name] ??= []).push(cluster.now - startAt);
    order.push(info.pod.metadata.name);
  };
  const last = Math.max(...log.map(({ t_ms }) => t_ms)) + 100;
  // Where the recording does not say when victims left, they left soon.
  const helpers: readonly Step[] = [...Array(Math.ceil(last / 500)).keys()].map((i) => ({
    at: i * 500 + 250,
    act(world) {
      world.tendClaims();
      if (!actions.some(({ action }) => action.startsWith('delete pod'))) removeVictims(world);
    },
  }));
  const steps = [...actions.flatMap(stepsOf), ...helpers].sort((a, b) => a.at - b.at);
  for (const { at, act } of steps) {
    cluster.runUntil(startAt + at);
    act(world);
    cluster.runUntil(cluster.now);
    // The controller of volumes takes a moment.
    cluster.plan(cluster.now + 1, 'tend claims', () => world.tendClaims());
  }
  const end = Math.max(...log.map(({ t_ms }) => t_ms), steps.at(-1)?.at ?? 0) + 100;
  cluster.runUntil(startAt + end);
  return { attempts, order, nodes: Object.fromEntries(final.map(({ pod }) => [pod, world.pod('default', pod)?.spec.nodeName ?? null])) };
}
