/** What Deployments and their autoscalers wait for. */
import { plural } from '../../../schema/values/index.ts';
import type { Deployment, Pod, ReplicaSet } from '../../../apiserver/kinds/index.ts';
import { conditionOf } from '../../../controlplane/shared/index.ts';
import { explainerOf, type Situation, type Wait, at, controlledBy, instantOf, nameOf, namesOf, readySince } from '../situation.ts';

export const deployment = explainerOf('deployment', 'Deployment', (object, situation) => [
  ...rollout(object, situation),
  ...deadline(object, situation),
]);
export const replicaSet = explainerOf('replica-set', 'ReplicaSet', (object, situation) => pods(object, situation));

/** Returns the ReplicaSets of a Deployment, the newest last. */
function setsOf(of: Deployment, situation: Situation): readonly ReplicaSet[] {
  const key = situation.names.key('deployment', 'revision');
  const revision = ({ metadata }: ReplicaSet): number => Number(metadata.annotations?.[key] ?? 0);
  return controlledBy(situation, 'ReplicaSet', of).toSorted((a, b) => revision(a) - revision(b));
}

function rollout(of: Deployment, situation: Situation): readonly Wait[] {
  const { paused, replicas, strategy } = of.spec;
  if (paused === true) return [{ text: 'is paused: a new template is not rolled out until it is resumed (spec.paused)' }];
  const sets = setsOf(of, situation);
  const newest = sets.at(-1);
  const old = sets.slice(0, -1).filter(({ spec, status }) => spec.replicas > 0 || status.replicas > 0);
  if (newest === undefined) return [{ text: 'has no ReplicaSet yet' }];
  const waits: Wait[] = [];
  const available = newest.status.availableReplicas ?? 0;
  if (available < replicas)
    waits.push({
      text: `waits for ${newest.metadata.name}: ${available} of ${replicas} pods of the present template are available`,
      leadsTo: [nameOf(newest)],
    });
  const left = old.reduce((sum, { spec }) => sum + spec.replicas, 0);
  if (left > 0)
    waits.push({
      text: `keeps ${plural(left, 'pod')} of ${namesOf(old)}: no more than ${String(strategy.rollingUpdate?.maxUnavailable ?? 0)} of ${replicas} may be missing (maxUnavailable)`,
    });
  else if (old.length > 0) waits.push({ text: `waits for the pods of ${namesOf(old)} to terminate`, leadsTo: old.map(nameOf) });
  return waits;
}

function deadline({ spec, status }: Deployment, situation: Situation): readonly Wait[] {
  const progressing = conditionOf(status.conditions, 'Progressing');
  const seconds = spec.progressDeadlineSeconds;
  const stuck = `has made no progress for ${seconds} s, as its status reports; the rollout continues when it can (ProgressDeadlineExceeded)`;
  if (progressing?.reason === 'ProgressDeadlineExceeded') return [{ text: stuck }];
  if (progressing?.reason !== 'ReplicaSetUpdated' && progressing?.reason !== 'NewReplicaSetCreated') return [];
  const until = Date.parse(progressing.lastUpdateTime ?? '') + seconds * 1000;
  return Number.isNaN(until) || until <= situation.now
    ? []
    : [{ text: `reports no progress at ${at(situation, until)} unless the rollout advances (progressDeadlineSeconds: ${seconds})` }];
}

function pods(set: ReplicaSet, situation: Situation): readonly Wait[] {
  const { replicas, minReadySeconds = 0 } = set.spec;
  const all = controlledBy(situation, 'Pod', set).filter(isActive);
  const failure = conditionOf(set.status.conditions, 'ReplicaFailure');
  const missing = replicas - all.length;
  const waits: Wait[] = [];
  if (missing > 0)
    waits.push({
      text: `is short of ${plural(missing, 'pod')}${failure?.message === undefined ? '' : `, whose creation fails: ${failure.message}`}`,
    });
  if (missing < 0)
    waits.push({ text: `waits for ${plural(-missing, 'pod')} to terminate: ${replicas} ${replicas === 1 ? 'is' : 'are'} wanted` });
  const unready = all.filter((pod) => readySince(pod) === undefined);
  if (unready.length > 0) waits.push({ text: `waits for ${namesOf(unready)} to be ready`, leadsTo: unready.slice(0, MOST).map(nameOf) });
  const due = all.flatMap((pod) => (readySince(pod) ?? -Infinity) + minReadySeconds * 1000).filter((until) => until > situation.now);
  if (due.length > 0) {
    const until = Math.min(...due);
    waits.push({ text: `waits until ${at(situation, until)}: a ready pod is available after minReadySeconds: ${minReadySeconds}`, until });
  }
  return waits;
}

/** The maximum number of pods that are explained next. */
const MOST = 3;
const isActive = ({ metadata, status: { phase } }: Pod): boolean =>
  metadata.deletionTimestamp === undefined && phase !== 'Succeeded' && phase !== 'Failed';

export const autoscaler = explainerOf(
  'autoscaler',
  'HorizontalPodAutoscaler',
  ({ status: { conditions, currentReplicas = 0 } }, situation) => {
    const able = conditionOf(conditions, 'AbleToScale');
    const active = conditionOf(conditions, 'ScalingActive');
    const limited = conditionOf(conditions, 'ScalingLimited');
    const keeps = `keeps ${currentReplicas} replicas`;
    const held = [
      ...(active?.status === 'False' ? [active] : []),
      ...(able !== undefined && (able.status === 'False' || able.reason?.endsWith('Stabilized') === true) ? [able] : []),
      ...(limited?.status === 'True' ? [limited] : []),
    ];
    return held.map(({ type, reason = '', message = '', lastTransitionTime }) => {
      const since = type === 'AbleToScale' ? undefined : instantOf(lastTransitionTime);
      return { text: `${keeps}: ${reason}: ${message}${since === undefined ? '' : ` (since ${at(situation, since)})`}` };
    });
  },
);
