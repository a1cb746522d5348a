/** Replays a recorded queue case, and compares when each pod was tried. */
import { createWorld, type Json, type World } from './world.ts';

interface RecordedAction {
  readonly t_ms: number;
  readonly done_ms?: number;
  readonly action: string;
}

/** A line of `queue.jsonl`. */
export interface QueueCase {
  readonly id: string;
  readonly actions: readonly RecordedAction[];
  readonly attempts: Readonly<Record<string, readonly number[]>>;
  readonly final: readonly { readonly pod: string; readonly node: string | null }[];
  readonly log: readonly { readonly t_ms: number }[];
}

/** The time of a step, and its request. */
interface Step {
  readonly at: number;
  act(world: World): void;
}

/** The latencies of the recorded scheduler. */
const TOLERANCE_MS = 60;
/** The tickers of the scheduler; the slow one flushes unschedulable pods. */
const TICK_MS = 1_000;
const FLUSH_MS = 30_000;

const bodyOf = (action: string): Json => {
  const at = action.indexOf('{');
  return at < 0 ? {} : (JSON.parse(action.slice(at)) as Json);
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
  const kindAt = (at: number): string | undefined => world.cluster.kinds.list().find(({ plural }) => plural === parts[at])?.kind;
  // `namespaces` is also the plural of a kind: it is the resource only if nothing but a name follows.
  const at = parts.findIndex((part, i) => kindAt(i) !== undefined && !(part === 'namespaces' && parts.length > i + 2));
  const namespace = parts[at - 2] === 'namespaces' ? parts[at - 1] : undefined;
  world.patch(kindAt(at) ?? '', namespace, parts[at + 1] ?? '', body, parts[at + 2]);
}

/** `create pods a(high) b(none)`: small pods with their priority classes. */
function createPods(world: World, action: string): void {
  const spec = { containers: [{ name: 'c', image: 'img', resources: { requests: { cpu: '100m' } } }] };
  for (const [, pod = '', priority = ''] of action.matchAll(/([\w-]+)\((\w+)\)/g))
    createPod(world, pod, { spec: priority === 'none' ? spec : { ...spec, priorityClassName: priority } });
}

/** `every 500 ms for N s`: the node n1 is changed twice a second, in its capacity or in a label. */
function touchNode(from: number, action: string): readonly Step[] {
  const seconds = Number(/for (\d+) s/.exec(action)?.[1]);
  return Array.from({ length: seconds * 2 }, (_, i) => ({
    at: from + i * 500,
    act: (world: World) =>
      void (action.includes('allocatable')
        ? world.patch('Node', undefined, 'n1', { status: { allocatable: { cpu: i % 2 === 0 ? '1900m' : '2' } } }, 'status')
        : world.patch('Node', undefined, 'n1', { metadata: { labels: { tick: `t${i}` } } })),
  }));
}

/** Converts one line of the recording to steps. */
function stepsOf({ t_ms, done_ms, action }: RecordedAction): readonly Step[] {
  const once = (act: (world: World) => void): readonly Step[] => [{ at: done_ms ?? t_ms, act }];
  const words = action.split(' ');
  const [verb = '', what = '', name = ''] = words;
  if (action.startsWith('create bound pod')) return once((world) => createPod(world, words[3] ?? '', bodyOf(action), words[5]));
  if (action.startsWith('create pods')) return once((world) => createPods(world, action));
  if (verb === 'create' && what === 'pod') return once((world) => createPod(world, name, bodyOf(action)));
  if (verb === 'create' && what === 'node') {
    const { allocatable, ...rest } = bodyOf(action);
    return once((world) => world.createNode({ name, capacity: allocatable as Json, ...rest }));
  }
  if (verb === 'create') return once((world) => void world.create(bodyOf(action)));
  if (verb === 'delete')
    return once((world) => world.remove(what === 'node' ? 'Node' : 'Pod', what === 'node' ? undefined : 'default', name, 0));
  if (verb === 'merge-patch') return once((world) => patchPath(world, what, bodyOf(action)));
  if (verb === 'every') return touchNode(t_ms, action);
  throw new Error(`unknown recorded action ${JSON.stringify(action)}`);
}

function removeVictims(world: World): void {
  const leaving = [...world.cluster.store.values('Pod')].filter(({ metadata }) => metadata.deletionTimestamp !== undefined);
  for (const { metadata } of leaving) world.remove('Pod', metadata.namespace, metadata.name, 0);
}

/** If the recording does not have the deletion of victims, they end shortly after. */
function helpers({ actions }: QueueCase, lastMs: number): readonly Step[] {
  const hasDeletions = actions.some(({ action }) => action.startsWith('delete pod'));
  return Array.from({ length: Math.ceil(lastMs / 500) }, (_, i) => ({
    at: i * 500 + 250,
    act(world: World) {
      world.tendClaims();
      if (!hasDeletions) removeVictims(world);
    },
  }));
}

interface Played {
  readonly attempts: Readonly<Record<string, readonly number[]>>;
  readonly nodes: Readonly<Record<string, string | null>>;
}

/** Replays a case; `phase`: how long before its start the scheduler's tickers began, in milliseconds. */
function play(recorded: QueueCase, phase: number): Played {
  const world = createWorld();
  const { cluster } = world;
  // The scheduler started with the cluster, before the case.
  const startAt = cluster.kernel.startAt + Math.ceil((cluster.startAt - cluster.kernel.startAt) / FLUSH_MS) * FLUSH_MS + phase;
  cluster.runUntil(startAt);
  const attempts: Record<string, number[]> = {};
  world.state.onAttempt = ({ info }) => void (attempts[info.pod.metadata.name] ??= []).push(cluster.now - startAt);
  const last = Math.max(...recorded.log.map(({ t_ms }) => t_ms)) + 100;
  const steps = [...recorded.actions.flatMap(stepsOf), ...helpers(recorded, last)].sort((a, b) => a.at - b.at);
  for (const { at, act } of steps) {
    cluster.runUntil(startAt + at);
    act(world);
    cluster.runUntil(cluster.now);
    // The volume controller has a small delay.
    cluster.plan(cluster.now + 1, 'tend claims', () => world.tendClaims());
  }
  cluster.runUntil(startAt + Math.max(last, (steps.at(-1)?.at ?? 0) + 100));
  const nodeOf = (pod: string): string | null => world.pod('default', pod)?.spec.nodeName ?? null;
  return { attempts, nodes: Object.fromEntries(recorded.final.map(({ pod }) => [pod, nodeOf(pod)])) };
}

/** The phase of the tickers is not recorded, but follows from any attempt that one of them caused. */
function phasesOf({ attempts, id }: QueueCase): readonly number[] {
  const period = id.includes('flush') ? FLUSH_MS : TICK_MS;
  const shown = Object.values(attempts)
    .flat()
    .map((at) => period - ((at - 4) % period));
  return [0, ...new Set(shown)];
}

function differencesAt(recorded: QueueCase, phase: number): readonly string[] {
  const played = play(recorded, phase);
  const found: string[] = [];
  for (const [pod, times] of Object.entries(recorded.attempts)) {
    const mine = played.attempts[pod] ?? [];
    if (mine.length !== times.length || mine.some((at, i) => Math.abs(at - (times[i] ?? 0)) > TOLERANCE_MS))
      found.push(`${pod} tried at ${mine.join(', ')}, recorded ${times.join(', ')}`);
  }
  for (const { pod, node } of recorded.final)
    if (played.nodes[pod] !== node) found.push(`${pod} is on ${played.nodes[pod] ?? 'no node'}, recorded ${node ?? 'no node'}`);
  return found;
}

/** Returns the differences with the best-fitting phase of the tickers; empty if there are none. */
export function queueDifferences(recorded: QueueCase): readonly string[] {
  let best: readonly string[] | undefined;
  for (const phase of phasesOf(recorded)) {
    const found = differencesAt(recorded, phase);
    if (best === undefined || found.length < best.length) best = found;
    if (found.length === 0) break;
  }
  return best ?? [];
}
