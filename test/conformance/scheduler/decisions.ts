/** Replays a recorded decision and compares the simulated scheduler: chosen node, message, victims, scores, and the final state. */
import { compareText } from '../../../src/schema/values/index.ts';
import type { SchedulerState } from '../../../src/controlplane/agents/index.ts';
import { plugins } from '../../../src/controlplane/agents/scheduler/plugins/index.ts';
import { scoreNodes } from '../../../src/controlplane/agents/scheduler/placement.ts';
import { createPod, namespaceOf, prepare, type DecisionCase, type RecordedOutcome, type RecordedPod } from './decision-case.ts';
import { createWorld, type World } from './world.ts';

type OnAttempt = NonNullable<SchedulerState['onAttempt']>;
type Placement = Parameters<OnAttempt>[1];

/** One attempt of the simulated scheduler. */
interface Attempt {
  readonly pod: string;
  readonly placement: Placement;
  /** Read immediately, because the nodes change afterwards. */
  readonly byPlugin: ReadonlyMap<string, readonly number[]>;
}

/** A case while it is replayed. */
interface Play {
  readonly recorded: DecisionCase;
  readonly world: World;
  readonly attempts: Attempt[];
  readonly found: string[];
}

function expectSame({ found }: Play, what: string, got: unknown, wanted: unknown): void {
  if (JSON.stringify(got) !== JSON.stringify(wanted)) found.push(`${what}: got ${JSON.stringify(got)}, recorded ${JSON.stringify(wanted)}`);
}

/** The acceptable nodes: any node with the best score, and those of other recorded runs. */
function alternatives({ placements = [] }: DecisionCase, pod: string, { best, node }: RecordedOutcome): ReadonlySet<string | null> {
  const others = placements.flatMap((run) => run.filter(({ pod: name }) => name === pod).map((placed) => placed.node));
  return new Set([...(best ?? (node === null ? [] : [node])), ...others]);
}

function comparePreempted(play: Play, pod: RecordedPod, outcome: RecordedOutcome): void {
  const by = `Preempted by ${namespaceOf(pod)}/${pod.name} `;
  const byPod = (a: { readonly pod: string }, b: { readonly pod: string }): number => compareText(a.pod, b.pod);
  const preempted = [...play.world.cluster.store.values('Event')]
    .filter(({ reason, message = '' }) => reason === 'Preempted' && message.startsWith(by))
    .map(({ involvedObject, message }) => ({ pod: involvedObject.name ?? '', message }));
  expectSame(play, `${pod.name} preempted`, preempted.sort(byPod), [...outcome.preempted].sort(byPod));
}

function compareRefusal(play: Play, pod: RecordedPod, outcome: RecordedOutcome): void {
  const now = play.world.pod(namespaceOf(pod), pod.name);
  const condition = now?.status.conditions?.find(({ type }) => type === 'PodScheduled');
  expectSame(play, `${pod.name} reason`, condition?.reason ?? null, outcome.reason);
  expectSame(play, `${pod.name} message`, condition?.message ?? null, outcome.message);
  expectSame(play, `${pod.name} nominated`, now?.status.nominatedNodeName ?? null, outcome.nominatedNode);
  comparePreempted(play, pod, outcome);
}

function compareScores(
  { found }: Play,
  pod: string,
  { placement, byPlugin }: Attempt,
  wanted: NonNullable<RecordedOutcome['scores']>,
): void {
  if (placement.type !== 'placed') return;
  const places = new Map(placement.feasible.map(({ name }, at) => [name, at]));
  for (const [node, { total, plugins }] of Object.entries(wanted)) {
    const at = places.get(node) ?? -1;
    const mine = (plugin: string): number => byPlugin.get(plugin)?.[at] ?? 0;
    const wrong = Object.entries(plugins)
      .filter(([plugin, value]) => mine(plugin) !== value)
      .map(([plugin, value]) => `${plugin} ${mine(plugin)}/${value}`);
    const sum = placement.scores?.[at];
    if (sum !== total || wrong.length > 0) found.push(`${pod} scores of ${node}: ${sum ?? 'none'}/${total} ${wrong.join(' ')}`);
  }
}

/** After preemption: the victims end, and the pod is scheduled to its node. */
function afterPreemption(play: Play, pod: RecordedPod, outcome: RecordedOutcome): void {
  const { world, recorded } = play;
  const { cluster } = world;
  const wasLeaving = new Set(recorded.existing.filter(({ terminating }) => terminating === true).map(({ name }) => name));
  if (recorded.holdVictims !== true) {
    const victims = [...cluster.store.values('Pod')].filter(
      ({ metadata }) => metadata.deletionTimestamp !== undefined && !wasLeaving.has(metadata.name),
    );
    for (const { metadata } of victims) world.remove('Pod', metadata.namespace, metadata.name, 0);
  }
  cluster.runUntil(cluster.now + 5_000);
  tend(world, 10);
  expectSame(play, `${pod.name} at last`, world.pod(namespaceOf(pod), pod.name)?.spec.nodeName ?? null, outcome.finalNode ?? null);
}

/** Claims need several rounds: their volume, their binding, the pod. */
function tend(world: World, everyMs: number): void {
  for (let round = 0; round < 3; round++) {
    world.tendClaims();
    world.cluster.runUntil(world.cluster.now + everyMs);
  }
}

/** Replays one pod. Returns the node of its first decision. */
function playPod(play: Play, pod: RecordedPod, outcome: RecordedOutcome, compared: boolean): string | null {
  const { world, attempts, recorded, found } = play;
  const before = attempts.length;
  createPod(world, pod);
  world.cluster.runUntil(world.cluster.now + 5);
  tend(world, 1);
  if (!compared) return null;
  const mine = attempts.slice(before).filter((attempt) => attempt.pod === pod.name);
  const placement = mine[0]?.placement;
  const placed = placement?.type === 'placed' ? placement : undefined;
  const preset = outcome.reason === 'PresetNodeName';
  const chosen = (preset ? world.pod(namespaceOf(pod), pod.name)?.spec.nodeName : placed?.node) ?? null;
  const allowed = alternatives(recorded, pod.name, outcome);
  if (outcome.node === null ? chosen !== null : !allowed.has(chosen))
    found.push(`${pod.name}: got ${chosen ?? 'no node'}, recorded ${outcome.node ?? 'no node'} of ${[...allowed].join('|')}`);
  if (outcome.reason === 'Unschedulable' || outcome.reason === 'SchedulerError') compareRefusal(play, pod, outcome);
  const scored = mine[(outcome.scoresAttempt ?? 1) - 1];
  if (outcome.scores !== undefined && scored !== undefined) compareScores(play, pod.name, scored, outcome.scores);
  if (outcome.evaluatedNodes !== undefined && placed !== undefined)
    expectSame(play, `${pod.name} looked at`, placed.visited, outcome.evaluatedNodes);
  if (outcome.feasibleNodes !== undefined && placed !== undefined)
    expectSame(play, `${pod.name} feasible`, placed.feasible.length, outcome.feasibleNodes);
  if ((outcome.nominatedNode ?? null) !== null) afterPreemption(play, pod, outcome);
  return chosen;
}

/** Compares the final state; for a case with random outcome, only that it was reached. */
function compareEnd(play: Play): void {
  const { recorded, world } = play;
  const { cluster } = world;
  if (recorded.claims !== undefined) cluster.runUntil(cluster.now + 2_000);
  if (recorded.settleMs !== undefined) cluster.runUntil(cluster.now + recorded.settleMs);
  if (!recorded.deterministic) return;
  const pods = new Map([...cluster.store.values('Pod')].map((pod) => [pod.metadata.name, pod]));
  for (const [name, wanted] of Object.entries(recorded.final)) {
    const pod = pods.get(name);
    const ended = { node: pod?.spec.nodeName ?? null, nominatedNode: pod?.status.nominatedNodeName ?? null };
    expectSame(play, `${name} in the end`, ended, wanted);
  }
  const remaining = recorded.existing
    .map(({ name }) => name)
    .filter((name) => pods.has(name) && pods.get(name)?.metadata.deletionTimestamp === undefined);
  expectSame(play, 'remaining', remaining, recorded.remainingExisting);
  const claims = new Map([...cluster.store.values('PersistentVolumeClaim')].map((claim) => [claim.metadata.name, claim]));
  for (const [name, wanted] of Object.entries(recorded.claims ?? {})) {
    const claim = claims.get(name);
    const ended = {
      phase: claim?.status.phase ?? 'Pending',
      volume: claim?.spec.volumeName ?? null,
      selectedNode: claim?.metadata.annotations?.['volume.kubernetes.io/selected-node'] ?? null,
    };
    expectSame(play, `claim ${name}`, ended, wanted);
  }
}

/** Returns the differences; empty if there are none. */
export function decisionDifferences(recorded: DecisionCase, seed = 1): readonly string[] {
  const world = createWorld(seed);
  const play: Play = { recorded, world, attempts: [], found: [] };
  prepare(world, recorded);
  world.cluster.runUntil(world.cluster.now + 100);
  world.state.onAttempt = ({ info }, placement) => {
    const byPlugin = new Map<string, readonly number[]>();
    if (placement.type === 'placed' && placement.scores !== undefined)
      for (const plugin of plugins) byPlugin.set(plugin.name, scoreNodes([plugin], info, world.state, placement.feasible, undefined));
    play.attempts.push({ pod: info.pod.metadata.name, placement, byPlugin });
  };
  // After another tie-break than recorded, later pods cannot be compared.
  let onRecordedPath = true;
  for (const [i, pod] of recorded.pods.entries()) {
    const outcome = recorded.outcome[i];
    if (outcome === undefined) continue;
    const chosen = playPod(play, pod, outcome, onRecordedPath);
    if (chosen !== outcome.node && recorded.pods.length > 1) onRecordedPath = false;
  }
  if (onRecordedPath) compareEnd(play);
  return play.found;
}
