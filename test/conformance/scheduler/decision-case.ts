/** The format of a recorded decision, and the world that it starts in. */
import type { Json, RecordedNode, World } from './world.ts';

export interface RecordedPod {
  readonly name: string;
  readonly namespace?: string;
  readonly labels?: Json;
  readonly ownerReferences?: unknown;
  readonly spec: Json;
  readonly node?: string;
  readonly phase?: string;
  readonly startTime?: string;
  readonly terminating?: boolean;
}

export interface RecordedOutcome {
  readonly pod: string;
  readonly node: string | null;
  readonly reason: string;
  readonly message: string | null;
  readonly nominatedNode: string | null;
  readonly preempted: readonly { readonly pod: string; readonly message: string }[];
  readonly evaluatedNodes?: number;
  readonly feasibleNodes?: number;
  readonly scoresAttempt?: number;
  readonly finalNode?: string | null;
  readonly scores?: Readonly<Record<string, { readonly total: number; readonly plugins: Readonly<Record<string, number>> }>>;
  readonly best?: readonly string[];
}

/** A line of `decisions.jsonl`. */
export interface DecisionCase {
  readonly id: string;
  readonly feature: string;
  readonly nodes: readonly RecordedNode[];
  readonly existing: readonly RecordedPod[];
  readonly objects: readonly Json[];
  readonly afterObjects?: readonly { readonly delete: string }[];
  readonly pods: readonly RecordedPod[];
  readonly outcome: readonly RecordedOutcome[];
  readonly holdVictims?: boolean;
  readonly settleMs?: number;
  readonly final: Readonly<Record<string, { readonly node: string | null; readonly nominatedNode: string | null }>>;
  readonly remainingExisting: readonly string[];
  readonly claims?: Readonly<
    Record<string, { readonly phase: string; readonly volume: string | null; readonly selectedNode: string | null }>
  >;
  readonly deterministic: boolean;
  readonly tie: boolean;
  readonly placements?: readonly (readonly { readonly pod: string; readonly node: string | null }[])[];
}

export const namespaceOf = ({ namespace }: RecordedPod): string => namespace ?? 'default';

/** Creates a pod as recorded. */
export function createPod(world: World, pod: RecordedPod, node?: string): void {
  const { name, labels, ownerReferences, spec } = pod;
  const metadata = { name, namespace: namespaceOf(pod), labels, ownerReferences };
  world.create({ kind: 'Pod', metadata, spec: node === undefined ? spec : { ...spec, nodeName: node } });
}

function createExisting(world: World, pod: RecordedPod): void {
  const namespace = namespaceOf(pod);
  createPod(world, pod, pod.node);
  const status = { phase: pod.phase ?? 'Running', startTime: pod.startTime ?? '2024-01-01T00:00:00Z' };
  world.patch('Pod', namespace, pod.name, { status }, 'status');
  if (pod.terminating === true) world.remove('Pod', namespace, pod.name, 30);
}

/** Deletes the object at a path such as `/api/v1/namespaces/default/pods/p`. */
function removeAt(world: World, path: string): void {
  const [name = '', plural = '', namespace] = path.split('/').reverse();
  const kind = world.cluster.kinds.list().find((each) => each.plural === plural)?.kind;
  if (kind === undefined) throw new Error(`the recording deletes ${path}, of which no kind is known`);
  world.remove(kind, namespace, name);
}

/** Creates the objects that existed before the pods of a case. */
export function prepare(world: World, { nodes, existing, objects, afterObjects = [], pods }: DecisionCase): void {
  for (const node of nodes) world.createNode(node);
  const namespaces = new Set([...existing, ...pods].map(namespaceOf).filter((name) => name !== 'default'));
  for (const object of objects) {
    if (object['kind'] !== 'Namespace') continue;
    namespaces.delete(String((object['metadata'] as Json)['name']));
    world.create(object);
  }
  // Namespaces that a recording does not list had these labels.
  for (const name of namespaces)
    world.create({ kind: 'Namespace', metadata: { name, labels: name === 'ns-c' ? { env: 'prod' } : { team: name.replace('ns-', '') } } });
  for (const object of objects) {
    if (object['kind'] === 'Namespace') continue;
    const { kind, metadata } = world.create(object);
    if (object['status'] !== undefined) world.patch(kind, metadata.namespace, metadata.name, { status: object['status'] }, 'status');
  }
  world.tendClaims();
  for (const pod of existing) createExisting(world, pod);
  for (const { delete: path } of afterObjects) removeAt(world, path);
  if (afterObjects.length > 0) world.tendClaims();
}
