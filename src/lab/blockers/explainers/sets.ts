/** What StatefulSets and DaemonSets wait for. */
import type { DaemonSet, Pod, StatefulSet } from '../../../apiserver/kinds/index.ts';
import type { ApiObject } from '../../../apiserver/machinery/index.ts';
import { present, plural } from '../../../schema/values/index.ts';
import { explainerOf, type Situation, type Wait, at, controlledBy, listed, nameOf, namesOf, readySince } from '../situation.ts';

export const statefulSet = explainerOf('stateful-set', 'StatefulSet', (set, situation) => [
  ...pods(set, situation),
  ...revisions(set, situation),
]);

const ordinalOf = ({ metadata: { name } }: ApiObject): number => Number(/-(\d+)$/.exec(name)?.[1] ?? -1);

function pods(set: StatefulSet, situation: Situation): readonly Wait[] {
  const { replicas = 1, podManagementPolicy, minReadySeconds = 0 } = set.spec;
  const byOrdinal = new Map(controlledBy(situation, 'Pod', set).map((pod) => [ordinalOf(pod), pod] as const));
  const nameAt = (ordinal: number): string => `${set.metadata.name}-${ordinal}`;
  const availableAt = (pod: Pod): number => (readySince(pod) ?? Infinity) + minReadySeconds * 1000;
  const extra = [...byOrdinal.keys()].filter((ordinal) => ordinal >= replicas);
  const missing: number[] = [];
  const unready: number[] = [];
  for (let ordinal = 0; ordinal < Math.min(replicas, 10_000); ordinal++) {
    const pod = byOrdinal.get(ordinal);
    if (pod === undefined) missing.push(ordinal);
    else if (availableAt(pod) > situation.now) unready.push(ordinal);
  }
  const named = (ordinals: readonly number[]) => ordinals.flatMap((ordinal) => byOrdinal.get(ordinal) ?? []).map(nameOf);
  const waits: Wait[] = [];
  const [first] = unready;
  if (podManagementPolicy !== 'Parallel' && first !== undefined) {
    const next = missing.find((ordinal) => ordinal > first);
    const [until] = [byOrdinal.get(first)].flatMap((pod) => (pod === undefined || readySince(pod) === undefined ? [] : [availableAt(pod)]));
    const before = next === undefined ? '' : ` before it creates ${nameAt(next)}`;
    const from =
      until === undefined ? '' : `; it counts as available from ${at(situation, until)} (spec.minReadySeconds: ${minReadySeconds})`;
    waits.push(present({ text: `waits for ${nameAt(first)} to be running and ready${before}${from}`, leadsTo: named([first]), until }));
  } else if (unready.length > 0)
    waits.push({ text: `waits for ${listed(unready.map(nameAt))} to be running and ready`, leadsTo: named(unready) });
  else if (missing.length > 0) waits.push({ text: `has no ${listed(missing.map(nameAt))} yet` });
  if (extra.length > 0)
    waits.push({
      text: `waits for ${listed(extra.map(nameAt))} to terminate: ${plural(replicas, 'pod')} ${replicas === 1 ? 'is' : 'are'} wanted`,
      leadsTo: named(extra),
    });
  return waits;
}

function revisions(set: StatefulSet, situation: Situation): readonly Wait[] {
  const { updateRevision, currentRevision } = set.status;
  const { type, rollingUpdate } = set.spec.updateStrategy;
  if (updateRevision === undefined || updateRevision === currentRevision) return [];
  const old = controlledBy(situation, 'Pod', set).filter(
    ({ metadata }) => metadata.labels?.['controller-revision-hash'] !== updateRevision,
  );
  if (old.length === 0) return [];
  const names = namesOf(old);
  if (type === 'OnDelete')
    return [{ text: `keeps ${names} at the old revision until a user deletes them (spec.updateStrategy: OnDelete)` }];
  const partition = rollingUpdate?.partition ?? 0;
  if (old.every((pod) => ordinalOf(pod) < partition))
    return [{ text: `keeps ${names} at the old revision: they are below the partition ${partition}` }];
  return [{ text: `waits for ${names} to be updated to the new revision, one at a time` }];
}

export const daemonSet = explainerOf('daemon-set', 'DaemonSet', (set, situation) => {
  const pods = controlledBy(situation, 'Pod', set);
  return [...nodes(set), ...unready(set, pods, situation), ...stale(set, pods, situation)];
});

function nodes({ status }: DaemonSet): readonly Wait[] {
  const { desiredNumberScheduled: wanted, currentNumberScheduled: there, numberMisscheduled: misplaced } = status;
  const waits: Wait[] = [];
  if (wanted === 0)
    waits.push({ text: 'matches no node: check its node selector, its affinity, and the taints that its template does not tolerate' });
  if (there < wanted) waits.push({ text: `has a pod on ${there} of the ${wanted} nodes that match` });
  if (misplaced > 0)
    waits.push({
      text: `has pods on ${plural(misplaced, 'node')} that its template does not match any more; they keep running, but would not be created there again`,
    });
  return waits;
}

function unready({ spec: { minReadySeconds = 0 } }: DaemonSet, pods: readonly Pod[], situation: Situation): readonly Wait[] {
  const live = pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const waiting = live.filter((pod) => readySince(pod) === undefined);
  if (waiting.length > 0) return [{ text: `waits for ${namesOf(waiting)} to be running and ready`, leadsTo: waiting.map(nameOf) }];
  const until = Math.max(...live.map((pod) => readySince(pod) ?? 0), -Infinity) + minReadySeconds * 1000;
  // A condition that a user wrote may lack its time, which is then no number.
  return until >= situation.now && minReadySeconds > 0
    ? [{ text: `waits for its pods to be available, from ${at(situation, until)} on (spec.minReadySeconds: ${minReadySeconds})`, until }]
    : [];
}

/** Explains pods of an older template, by the hash of the newest ControllerRevision. */
function stale(set: DaemonSet, pods: readonly Pod[], situation: Situation): readonly Wait[] {
  const newest = controlledBy(situation, 'ControllerRevision', set).toSorted((a, b) => b.revision - a.revision)[0];
  const hash = newest?.metadata.labels?.['controller-revision-hash'];
  const old = pods.filter(({ metadata }) => hash !== undefined && metadata.labels?.['controller-revision-hash'] !== hash);
  if (old.length === 0) return [];
  const names = namesOf(old);
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
