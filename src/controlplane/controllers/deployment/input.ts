/**
 * The input of the Deployment controller, the limits on the sizes of its sets, its conditions, and the annotations that it writes on its
 * sets: their revisions, and the size of the Deployment for which they were scaled. Models: v1.24 pkg/controller/deployment/util
 * deployment_util.go.
 */
import type { Deployment, ReplicaSet, DeploymentCondition } from '../../../apiserver/kinds/index.ts';
import { sameValue, type Names } from '../../../apiserver/machinery/index.ts';
import { compareText, copyWith, scaledIntOrPercent, formatTime } from '../../../schema/values/index.ts';
import type { ReconcileInput } from '../../runtime/index.ts';
import { perObject } from '../../../engine/index.ts';
import { conditionOf } from '../../shared/index.ts';

export type DeploymentInput = ReconcileInput<Deployment>;
export type Template = Deployment['spec']['template'];

export const HASH_LABEL = 'pod-template-hash';
/** The annotation by which older clients request a rollback. */
export const ROLLBACK = 'deprecated.deployment.rollback.to';

const NEVER = 2_147_483_647;

export const isRolling = ({ spec }: Deployment): boolean => spec.strategy.type === 'RollingUpdate';
export const hasDeadline = ({ spec }: Deployment): boolean => spec.progressDeadlineSeconds !== NEVER;
export const hasHistoryLimit = ({ spec }: Deployment): boolean => spec.revisionHistoryLimit !== NEVER;

export function withoutHash(labels: Readonly<Record<string, string>> | undefined): Readonly<Record<string, string>> {
  const { [HASH_LABEL]: _, ...rest } = labels ?? {};
  return rest;
}

/** Whether two templates are equal except for the hash label. */
export const sameTemplate = (a: Template, b: Template): boolean =>
  a === b ||
  (sameValue(a.spec, b.spec) &&
    sameValue({ ...a.metadata, labels: withoutHash(a.metadata.labels) }, { ...b.metadata, labels: withoutHash(b.metadata.labels) }));

export const byAge = (a: ReplicaSet, b: ReplicaSet): number =>
  compareText(a.metadata.creationTimestamp, b.metadata.creationTimestamp) || compareText(a.metadata.name, b.metadata.name);

/** Surge is rounded up, unavailability down; where both are 0, one pod may be unavailable, or a rollout could not start. */
function fenceposts({ spec }: Deployment): { readonly surge: number; readonly unavailable: number } {
  const { maxSurge = 0, maxUnavailable = 0 } = spec.strategy.rollingUpdate ?? {};
  const surge = scaledIntOrPercent(maxSurge, spec.replicas, true).value ?? 0;
  const unavailable = scaledIntOrPercent(maxUnavailable, spec.replicas, false).value ?? 0;
  return { surge, unavailable: surge === 0 && unavailable === 0 ? 1 : unavailable };
}

export const maxSurge = (deployment: Deployment): number => (isRolling(deployment) ? fenceposts(deployment).surge : 0);

export const maxUnavailable = (deployment: Deployment): number =>
  !isRolling(deployment) || deployment.spec.replicas === 0 ? 0 : Math.min(fenceposts(deployment).unavailable, deployment.spec.replicas);

/** The next size of the new set, which now has `own` of the `all` wanted pods. */
export function nextSize(deployment: Deployment, all: number, own: number): number {
  const { replicas } = deployment.spec;
  if (!isRolling(deployment)) return replicas;
  const room = replicas + maxSurge(deployment) - all;
  return room <= 0 ? own : own + Math.min(room, replicas - own);
}

/**
 * A set's part of `toAdd` pods (negative: to remove), of which `added` are distributed. `wasAllowed`: the Deployment's limit when the set
 * was last scaled.
 */
export function proportion(deployment: Deployment, size: number, wasAllowed: number, toAdd: number, added: number): number {
  if (size === 0 || toAdd === 0 || toAdd === added) return 0;
  const { replicas } = deployment.spec;
  const share = replicas === 0 ? -size : Math.round((size * (replicas + maxSurge(deployment))) / wasAllowed) - size;
  return toAdd > 0 ? Math.min(share, toAdd - added) : Math.max(share, toAdd - added);
}

/** Conditions of a Deployment. Models: v1.24 pkg/controller/deployment/util SetDeploymentCondition. */
export type Conditions = readonly DeploymentCondition[];

export function newCondition(type: string, status: string, reason: string, message: string, now: number): DeploymentCondition {
  const time = formatTime(now);
  return { type, status, lastUpdateTime: time, lastTransitionTime: time, reason, message };
}

/** The conditions with one set, which moves to the end when it changes. */
export function withCondition(conditions: Conditions, next: DeploymentCondition): Conditions {
  const before = conditionOf(conditions, next.type);
  if (before?.status === next.status && before.reason === next.reason) return conditions;
  const lastTransitionTime = before?.status === next.status ? before.lastTransitionTime : next.lastTransitionTime;
  return [...withoutCondition(conditions, next.type), copyWith(next, { lastTransitionTime })];
}

export const withoutCondition = (conditions: Conditions, type: string): Conditions => conditions.filter((each) => each.type !== type);

export type Annotations = Readonly<Record<string, string>>;

/** The maximum length of the list of earlier revisions, characters. */
const HISTORY_LENGTH = 2000;

export type Keys = ReturnType<typeof keysOf>;

export const keysOf = perObject((names: Names) => {
  const [revision, history] = [names.key('deployment', 'revision'), names.key('deployment', 'revision-history')];
  const [desired, max] = [names.key('deployment', 'desired-replicas'), names.key('deployment', 'max-replicas')];
  const own = new Set(['kubectl.kubernetes.io/last-applied-configuration', revision, history, desired, max, ROLLBACK]);
  return { revision, history, desired, max, own };
});

/** A revision as a number; undefined: it is absent or not a number. */
export function numberIn(text: string | undefined): number | undefined {
  return text !== undefined && /^[+-]?\d+$/.test(text) ? Number(text) : undefined;
}

export const revisionOf = ({ metadata }: ReplicaSet, { revision }: Keys): number | undefined =>
  metadata.annotations?.[revision] === undefined ? 0 : numberIn(metadata.annotations[revision]);

export const nextRevision = (sets: readonly { readonly set: ReplicaSet }[], keys: Keys): number =>
  sets.reduce((most, { set }) => Math.max(most, revisionOf(set, keys) ?? 0), 0) + 1;

export const sizeAnnotations = (deployment: Deployment, { desired, max }: Keys): Annotations => ({
  [desired]: String(deployment.spec.replicas),
  [max]: String(deployment.spec.replicas + maxSurge(deployment)),
});

/** The annotations of the newest set: the Deployment's, the revision, and its earlier revisions. */
export function newestAnnotations(deployment: Deployment, before: Annotations, next: number, keys: Keys): Annotations {
  const after: Record<string, string> = { ...before };
  for (const [key, value] of Object.entries(deployment.metadata.annotations ?? {})) if (!keys.own.has(key)) after[key] = value;
  const text = before[keys.revision];
  const old = text === undefined || text === '' ? 0 : numberIn(text);
  if (old === undefined || old >= next) return after;
  after[keys.revision] = String(next);
  if (text !== undefined) {
    const history = withHistory(before[keys.history] ?? '', text);
    if (history !== undefined) after[keys.history] = history;
  }
  return after;
}

/** The history with one more revision: the oldest are dropped; undefined: the revision alone is too long, so nothing changes. */
function withHistory(history: string, revision: string): string | undefined {
  if (history === '') return revision;
  const all = history.split(',');
  let length = history.length + revision.length + 1;
  let start = 0;
  while (length > HISTORY_LENGTH && start < all.length) length -= (all[start++] ?? '').length + 1;
  return length > HISTORY_LENGTH ? undefined : [...all.slice(start), revision].join(',');
}

/** A Deployment's annotations when it is rolled back to a set: its special ones are kept, the others are taken from the set. */
export function annotationsFrom(deployment: Deployment, set: ReplicaSet, { own }: Keys): Annotations {
  const after: Record<string, string> = {};
  for (const [key, value] of Object.entries(deployment.metadata.annotations ?? {})) if (own.has(key)) after[key] = value;
  for (const [key, value] of Object.entries(set.metadata.annotations ?? {})) if (!own.has(key)) after[key] = value;
  return after;
}
