/** Plays a recorded decision case and says where the simulated scheduler differs. */
import type { Placement } from '../../../../src/controlplane/agents/scheduler/placement.ts';
import { createWorld, type Json, type NodeSpec, type World } from './harness.ts';

interface PodCase {
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
interface RecordedOutcome {
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
export interface DecisionCase {
  readonly id: string;
  readonly feature: string;
  readonly nodes: readonly NodeSpec[];
  readonly existing: readonly PodCase[];
  readonly objects: readonly Json[];
  readonly afterObjects?: readonly { readonly delete: string }[];
  readonly pods: readonly PodCase[];
  readonly outcome: readonly RecordedOutcome[];
  readonly holdVictims?: boolean;
  readonly freshScheduler?: boolean;
  readonly settleMs?: number;
  readonly final: Readonly<Record<string, { readonly node: string | null; readonly nominatedNode: string | null }>>;
  readonly remainingExisting: readonly string[];
  readonly claims?: Readonly<
    Record<string, { readonly phase: string; readonly volume: string | null; readonly selectedNode: string | null }>
  >;
  readonly deterministic: boolean;
  readonly tie: boolean;
  readonly attempts: Readonly<Record<string, number>>;
  readonly placements?: readonly (readonly { readonly pod: string; readonly node: string | null }[])[];
}

const namespaceOf = ({ namespace }: PodCase): string => namespace ?? 'default';

function prepare(world: World, { nodes, existing, objects, afterObjects = [], pods }: DecisionCase): void {
  for (const node of nodes) world.createNode(node);
  const namespaces = new Set([...existing, ...pods].map(namespaceOf).filter((name) => name !== 'default'));
  for (const object of objects) {
    if (object['kind'] === 'Namespace') namespaces.delete(String((object['metadata'] as Json)['name']));
    else continue;
    world.create(object);
  }
  for (const name of namespaces)
    world.create({ kind: 'Namespace', metadata: { name, labels: name === 'ns-c' ? { env: 'prod' } : { team: name.replace('ns-', '') } } });
  for (const object of objects) if (object['kind'] !== 'Namespace') createWithStatus(world, object);
  world.tendClaims();
  for (const pod of existing) {
    const namespace = namespaceOf(pod);
    world.create({
      kind: 'Pod',
      metadata: { name: pod.name, namespace, labels: pod.labels, ownerReferences: pod.ownerReferences },
      spec: { ...pod.spec, nodeName: pod.node },
    });
    world.patch(
      'Pod',
      namespace,
      pod.name,
      { status: { phase: pod.phase ?? 'Running', startTime: pod.startTime ?? '2024-01-01T00:00:00Z' } },
      'status',
    );
    if (pod.terminating === true) world.remove('Pod', namespace, pod.name, 30);
  }
  for (const { delete: path } of afterObjects) {
    const [name = '', plural = '', namespace] = path
      .split('/')
      .reverse()
      .flatMap((part, i) => (i === 2 ? [part] : [part]));
    const kind = {
      persistentvolumes: 'PersistentVolume',
      persistentvolumeclaims: 'PersistentVolumeClaim',
      nodes: 'Node',
      storageclasses: 'StorageClass',
      pods: 'Pod',
    }[plural];
    if (kind === undefined) throw new Error(`delete ${path}?`);
    world.remove(kind, namespace, name);
  }
}

function createWithStatus(world: World, object: Json): void {
  const made = world.create(object);
  if (object['status'] !== undefined)
    world.patch(made.kind, made.metadata.namespace, made.metadata.name, { status: object['status'] }, 'status');
}

interface Attempt {
  readonly pod: string;
  readonly placement: Placement;
  readonly byPlugin: ReadonlyMap<string, readonly number[] | number> | undefined;
}

/** What differs; empty when nothing does. */
export function differences(recorded: DecisionCase, seed = 1): readonly string[] {
  const world = createWorld(seed);
  const { cluster } = world;
  const found: string[] = [];
  const expectSame = (what: string, got: unknown, wanted: unknown): void => {
    if (JSON.stringify(got) !== JSON.stringify(wanted))
      found.push(`${what}: got ${JSON.stringify(got)}, recorded ${JSON.stringify(wanted)}`);
  };
  prepare(world, recorded);
  cluster.runUntil(cluster.now + 100);
  const attempts: Attempt[] = [];
  world.state.onAttempt = ({ info }, placement) => {
    attempts.push({
      pod: info.pod.metadata.name,
      placement,
      byPlugin: placement.type === 'placed' ? placement.scores?.byPlugin() : undefined,
    });
  };
  /** Nodes chosen so far agree with the recording; once ties went another way, later pods cannot be compared. */
  let onRecordedPath = true;

  for (const [i, pod] of recorded.pods.entries()) {
    const outcome = recorded.outcome[i];
    if (outcome === undefined) continue;
    const namespace = namespaceOf(pod);
    const before = attempts.length;
    world.create({
      kind: 'Pod',
      metadata: { name: pod.name, namespace, labels: pod.labels, ownerReferences: pod.ownerReferences },
      spec: pod.spec,
    });
    cluster.runUntil(cluster.now + 5);
    for (let round = 0; round < 3; round++) {
      world.tendClaims();
      cluster.runUntil(cluster.now + 1);
    }
    const first = attempts.slice(before).find((attempt) => attempt.pod === pod.name);
    const now = world.pod(namespace, pod.name);
    const condition = now?.status.conditions?.find(({ type }) => type === 'PodScheduled');
    if (!onRecordedPath) continue;
    const placement = first?.placement;
    const chosen =
      outcome.reason === 'PresetNodeName' ? (now?.spec.nodeName ?? null) : placement?.type === 'placed' ? placement.node : null;
    const best = outcome.best ?? (outcome.node === null ? [] : [outcome.node]);
    const alternatives = new Set([
      ...best,
      ...(recorded.placements ?? []).flatMap((run) => run.filter(({ pod: name }) => name === pod.name).map(({ node }) => node)),
    ]);
    if (outcome.node === null ? chosen !== null : !alternatives.has(chosen ?? ''))
      found.push(`${pod.name}: got ${chosen ?? 'no node'}, recorded ${outcome.node ?? 'no node'} of ${[...alternatives].join('|')}`);
    if (outcome.reason === 'Unschedulable' || outcome.reason === 'SchedulerError') {
      expectSame(`${pod.name} reason`, condition?.reason ?? null, outcome.reason);
      expectSame(`${pod.name} message`, condition?.message ?? null, outcome.message);
      expectSame(`${pod.name} nominated`, now?.status.nominatedNodeName ?? null, outcome.nominatedNode);
      const events = [...cluster.store.values('Event')] as unknown as {
        reason: string;
        involvedObject: { name: string };
        message: string;
      }[];
      const preempted = events
        .filter(({ reason, message }) => reason === 'Preempted' && message.startsWith(`Preempted by ${namespace}/${pod.name} `))
        .map(({ involvedObject, message }) => ({ pod: involvedObject.name, message }));
      const byPod = (a: { pod: string }, b: { pod: string }): number => (a.pod < b.pod ? -1 : 1);
      expectSame(`${pod.name} preempted`, preempted.sort(byPod), [...outcome.preempted].sort(byPod));
    }
    if (outcome.scores !== undefined) {
      const { placement: scored, byPlugin } =
        attempts.slice(before).filter((attempt) => attempt.pod === pod.name)[(outcome.scoresAttempt ?? 1) - 1] ?? {};
      if (scored?.type === 'placed') {
        const scores = scored.scores;
        const mine: Record<string, { total: number; plugins: Record<string, number> }> = {};
        for (const [at, { name }] of scored.feasible.entries()) {
          const plugins: Record<string, number> = {};
          for (const [plugin, values] of byPlugin ?? []) plugins[plugin] = typeof values === 'number' ? values : (values[at] ?? NaN);
          mine[name] = { total: scores?.totals[at] ?? NaN, plugins };
        }
        for (const [node, { total, plugins }] of Object.entries(outcome.scores)) {
          const wrong = Object.entries(plugins)
            .filter(([plugin, value]) => (mine[node]?.plugins[plugin] ?? 0) !== value)
            .map(([plugin, value]) => `${plugin} ${mine[node]?.plugins[plugin] ?? 0}/${value}`);
          if (mine[node]?.total !== total || wrong.length > 0)
            found.push(`${pod.name} scores of ${node}: ${mine[node]?.total ?? 'none'}/${total} ${wrong.join(' ')}`);
        }
      }
    }
    if (outcome.evaluatedNodes !== undefined && placement?.type === 'placed')
      expectSame(`${pod.name} looked at`, placement.looked, outcome.evaluatedNodes);
    if (outcome.feasibleNodes !== undefined && placement?.type === 'placed')
      expectSame(`${pod.name} feasible`, placement.feasible.length, outcome.feasibleNodes);
    if (outcome.nominatedNode !== null && outcome.nominatedNode !== undefined) {
      if (recorded.holdVictims !== true) {
        const wasLeaving = (name: string): boolean => recorded.existing.some((pod) => pod.name === name && pod.terminating === true);
        const victims = [...cluster.store.values('Pod')].filter(
          ({ metadata }) => metadata.deletionTimestamp !== undefined && !wasLeaving(metadata.name),
        );
        for (const { metadata } of victims) world.remove('Pod', metadata.namespace, metadata.name, 0);
      }
      cluster.runUntil(cluster.now + 5_000);
      for (let round = 0; round < 3; round++) {
        world.tendClaims();
        cluster.runUntil(cluster.now + 10);
      }
      expectSame(`${pod.name} at last`, world.pod(namespace, pod.name)?.spec.nodeName ?? null, outcome.finalNode ?? null);
    }
    if (chosen !== outcome.node && recorded.pods.length > 1) onRecordedPath = false;
  }
  if (onRecordedPath) {
    if (recorded.claims !== undefined) cluster.runUntil(cluster.now + 2_000);
    if (recorded.settleMs !== undefined) cluster.runUntil(cluster.now + recorded.settleMs);
    for (const [name, wanted] of Object.entries(recorded.final)) {
      const pod = [...cluster.store.values('Pod')].find(({ metadata }) => metadata.name === name) as unknown as
        | { spec: { nodeName?: string }; status: { nominatedNodeName?: string } }
        | undefined;
      if (recorded.deterministic)
        expectSame(
          `${name} in the end`,
          { node: pod?.spec.nodeName ?? null, nominatedNode: pod?.status.nominatedNodeName ?? null },
          wanted,
        );
    }
    const remaining = recorded.existing
      .map(({ name }) => name)
      .filter((name) =>
        [...cluster.store.values('Pod')].some(({ metadata }) => metadata.name === name && metadata.deletionTimestamp === undefined),
      );
    if (recorded.deterministic) expectSame('remaining', remaining, recorded.remainingExisting);
    for (const [name, wanted] of Object.entries(recorded.claims ?? {})) {
      const claim = [...cluster.store.values('PersistentVolumeClaim')].find(({ metadata }) => metadata.name === name) as unknown as
        | { metadata: { annotations?: Json }; spec: { volumeName?: string }; status?: { phase?: string } }
        | undefined;
      if (recorded.deterministic)
        expectSame(
          `claim ${name}`,
          {
            phase: claim?.status?.phase ?? 'Pending',
            volume: claim?.spec.volumeName ?? null,
            selectedNode: claim?.metadata.annotations?.['volume.kubernetes.io/selected-node'] ?? null,
          },
          wanted,
        );
    }
  }
  return found;
}
