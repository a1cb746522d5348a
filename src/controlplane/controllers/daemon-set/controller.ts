/**
 * Runs a pod on every node that fits. Models: v1.24 pkg/controller/daemon. Differs: pods are created and deleted one after another where
 * upstream sends a batch at once, and deleted by uid; of the nodes to update, those whose pod has been ready for longest are first.
 */
import type { ControllerRevision, DaemonSet, DaemonSetStatus } from '../../../apiserver/kinds/index.ts';
import { defineController, idle, isOf, watch, writeStatus, type Enqueue, type Outcome } from '../../runtime/index.ts';
import { concernedKeys, deletePodOf, isDying, minReadyMs, setsOfPod, unmanagedPods, writeAgain } from '../../shared/index.ts';
import { backoffsOf } from './backoff.ts';
import { adoptPods, managedLabels, decideHistory, mergeTwins, truncateHistory } from './revisions.ts';
import { afterCollision, countCollision, recoverSet, observeNodesAndPods, setsOfNode } from './recover.ts';
import type { DaemonInput, DaemonMemory, Known, Views } from './recover.ts';
import { planPods, type Plan, isRelevant, statusOf, allowsSurge, nextStep, type Step } from './manage.ts';
import { createPod } from './pod.ts';
import { describeView, type View } from './view.ts';

/** More creations or deletions than this take several syncs. */
const MOST_PER_SYNC = 250;

export const daemonSet = defineController<'DaemonSet', DaemonMemory, Views>({
  name: 'daemon-set',
  component: 'daemonset-controller',
  reconciles: 'DaemonSet',
  writes: ['DaemonSet', 'Pod', 'ControllerRevision'],
  watches: [
    watch('Pod', setsOfPod('DaemonSet'), { predicate: { owners: ['DaemonSet', ''] } }),
    watch('Node', setsOfNode, { predicate: { fields: ['metadata.labels', 'spec'] } }),
    watch('ControllerRevision', concernedKeys('DaemonSet'), { predicate: { owners: ['DaemonSet', ''] } }),
  ],
  aggregates: [managedLabels, unmanagedPods],
  models:
    'Complete. Reads the API server before adoption, for a revision whose name is taken, and after a refused status update. Creates of one sync are sent one after another; upstream sends a batch at once. Upstream updates nodes in random order; here the node whose pod has been ready longest is first. Upstream: pkg/controller/daemon.',
  start: () => new Map(),
  describe: (views) => [...views].map(([uid, view]) => [uid, describeView(view)]),
  observe: observeNodesAndPods,
  recover: recoverSet,
  reconcile: (input) => (isDying(input.self) ? idle('it is being deleted: the garbage collector deletes its pods') : sync(input, {})),
  reconcileAbsent: () => ({ memory: null, ...idle('it is gone') }),
  resume(input, answer) {
    const { self: set, memory = {} } = input;
    if (set === undefined) return idle('it is gone');
    const again = writeAgain(memory, answer);
    if (again !== undefined) return again;
    const { object } = answer;
    if (isOf('DaemonSet', object)) return countCollision(set, object);
    const found = object as ControllerRevision | undefined;
    if (found === undefined) return { why: 'the revision has been deleted since', writes: [], backoff: 'retry' };
    return afterCollision(set, found) ?? sync({ ...input, self: set }, { found });
  },
});

function sync(input: DaemonInput, known: Known): Outcome<DaemonMemory> {
  const { self: set, expectationsSatisfied, now, elapsed, names, key } = input;
  const history = decideHistory(input, known);
  const { view, pods, writes: claims } = adoptPods(input, { hash: history.hash, surges: allowsSurge(set, input.gates) });
  const first = [...history.writes, ...claims, ...mergeTwins(history, pods)];
  const status = statusOf(set, view, expectationsSatisfied, now);
  const reported = isRelevant(set.status, status) ? [writeStatus(set, status)] : [];
  const later = whenAvailable(set, status, key);
  if (!expectationsSatisfied)
    return { why: `its cache does not show all of its own writes yet (${inWords(view)})`, writes: [...first, ...reported], enqueue: later };

  const plan = planPods(set, view, backoffsOf(input.memory?.backoffs, set.metadata.uid, set.status.observedGeneration ?? 0), {
    now,
    elapsed,
  });
  const isQuiet = plan.nodes.length === 0 && plan.toDelete.length === 0;
  const step = isQuiet ? nextStep(set, view, now, input.gates) : plan;
  const nodes = step.nodes.slice(0, MOST_PER_SYNC);
  const remember = plan.backoffs.parts.size > 0;
  return {
    why: [...(history.notes === undefined ? [] : [history.notes]), whyOf(view, plan, isQuiet, step)].join('; '),
    writes: [
      ...first,
      ...plan.reported,
      ...nodes.map((node) => createPod(set, history.hash, node, names)),
      ...step.toDelete.slice(0, MOST_PER_SYNC).map((pod) => deletePodOf(set, pod)),
      ...truncateHistory(set, history, view.hashes),
      ...reported,
    ],
    memory: remember || nodes.length > 0 ? { ...(remember ? { backoffs: plan.backoffs } : {}), creates: nodes.length } : null,
    enqueue: plan.againMs === undefined ? later : [...later, { key, afterMs: plan.againMs }],
  };
}

/** Wakes up when ready pods become available; a pod that becomes ready enqueues the set itself. */
const whenAvailable = (set: DaemonSet, { numberReady, numberAvailable = 0 }: DaemonSetStatus, key: string): readonly Enqueue[] =>
  minReadyMs(set) > 0 && numberReady !== numberAvailable ? [{ key, afterMs: minReadyMs(set) }] : [];

const inWords = ({ desired, current, serving, stages }: View): string => {
  const stale = stages.old.size + stages.both.size;
  return `${current} of ${desired} nodes have a pod, ${serving.ready} ready${stale === 0 ? '' : `, ${stale} of an older template`}`;
};

const count = (number: number, one: string, many: string): string => `${number} ${number === 1 ? one : many}`;

function whyOf(view: View, plan: Plan, isQuiet: boolean, { nodes, toDelete }: Step): string {
  const state = inWords(view);
  if (isQuiet) {
    if (toDelete.length > 0) return `${state}: ${count(toDelete.length, 'pod', 'pods')} to replace`;
    if (nodes.length > 0) return `${state}: ${count(nodes.length, 'node gets', 'nodes get')} a surge pod`;
    return plan.againMs === undefined ? `${state}: nothing to do` : `${state}: a failed pod is replaced after its back-off`;
  }
  const parts = [
    ...(nodes.length === 0 ? [] : [count(nodes.length, 'node lacks one', 'nodes lack one')]),
    ...(plan.reported.length === 0 ? [] : [count(plan.reported.length, 'pod has failed', 'pods have failed')]),
    ...(toDelete.length === plan.reported.length
      ? []
      : [`${count(toDelete.length - plan.reported.length, 'pod is', 'pods are')} to be deleted`]),
  ];
  return `${state}: ${parts.join(', ')}`;
}
