/** A DaemonSet: which nodes' pods it waits for, which pods keep an old template and why, and which nodes it does not match. */
import type { DaemonSet, Pod } from '../../../apiserver/kinds/index.ts';
import { isOf } from '../../../controlplane/runtime/index.ts';
import type { Explainer, Situation, Wait } from '../contract.ts';
import { at, conditionOf, controlledBy, listed, nameOf } from '../words.ts';

export const daemonSet: Explainer = {
  name: 'daemon-set',
  kinds: ['DaemonSet'],
  explain(object, situation) {
    if (!isOf('DaemonSet', object) || object.metadata.deletionTimestamp !== undefined) return [];
    const pods = controlledBy(situation, 'Pod', object).filter((pod): pod is Pod => isOf('Pod', pod));
    return [...nodes(object), ...unready(object, pods, situation), ...stale(object, pods, situation)];
  },
};

function nodes({ status }: DaemonSet): readonly Wait[] {
  const { desiredNumberScheduled: wanted, currentNumberScheduled: there, numberMisscheduled: misplaced } = status;
  const waits: Wait[] = [];
  if (wanted === 0)
    waits.push({ text: 'matches no node: check its node selector, its affinity, and the taints that its template does not tolerate' });
  if (there < wanted) waits.push({ text: `has a pod on ${there} of the ${wanted} nodes that match` });
  if (misplaced > 0)
    waits.push({
      text: `has pods on ${misplaced} nodes that do not match any more; they keep running, but would not be created there again`,
    });
  return waits;
}

function unready({ spec: { minReadySeconds = 0 } }: DaemonSet, pods: readonly Pod[], situation: Situation): readonly Wait[] {
  const live = pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const waiting = live.filter((pod) => conditionOf(pod.status.conditions, 'Ready')?.status !== 'True');
  if (waiting.length > 0)
    return [
      { text: `waits for ${listed(waiting.map(({ metadata }) => metadata.name))} to be running and ready`, leadsTo: waiting.map(nameOf) },
    ];
  const times = live.map(
    (pod) => Date.parse(conditionOf(pod.status.conditions, 'Ready')?.lastTransitionTime ?? '') + minReadySeconds * 1000,
  );
  const until = Math.max(...times, -Infinity);
  return until >= situation.now && minReadySeconds > 0
    ? [
        {
          text: `waits for its pods to be available, from ${at(situation, until)} on (spec.minReadySeconds: ${minReadySeconds})`,
          until,
        },
      ]
    : [];
}

/** Explains pods of an older template, by the hash of the newest ControllerRevision. */
function stale(set: DaemonSet, pods: readonly Pod[], situation: Situation): readonly Wait[] {
  const newest = controlledBy(situation, 'ControllerRevision', set).reduce(
    (best, each) => (isOf('ControllerRevision', each) && each.revision > best.revision ? { revision: each.revision, object: each } : best),
    { revision: 0, object: undefined as { readonly metadata: { readonly labels?: Readonly<Record<string, string>> } } | undefined },
  );
  const hash = newest.object?.metadata.labels?.['controller-revision-hash'];
  const old = pods.filter(({ metadata }) => hash !== undefined && metadata.labels?.['controller-revision-hash'] !== hash);
  if (old.length === 0) return [];
  const names = listed(old.map(({ metadata }) => metadata.name));
  const { type, rollingUpdate } = set.spec.updateStrategy;
  if (type === 'OnDelete')
    return [{ text: `keeps ${names} at the old template until a user deletes them (spec.updateStrategy: OnDelete)` }];
  const { maxUnavailable = 1, maxSurge = 0 } = rollingUpdate ?? {};
  const how =
    maxSurge === 0 || maxSurge === '0%'
      ? `as many at a time as may be missing (maxUnavailable: ${maxUnavailable})`
      : `each after its surge pod is available (maxSurge: ${maxSurge})`;
  return [{ text: `waits for ${names} to be replaced, ${how}` }];
}
