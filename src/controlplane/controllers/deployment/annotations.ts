/**
 * The annotations that a Deployment writes on its sets: their revisions, and the size of the Deployment for which they were scaled. Models:
 * v1.24 pkg/controller/deployment/util deployment_util.go.
 */
import type { Deployment, ReplicaSet } from '../../../apiserver/kinds/index.ts';
import type { Names } from '../../../apiserver/machinery/index.ts';
import { ROLLBACK, maxSurge } from './input.ts';

export type Annotations = Readonly<Record<string, string>>;

/** The maximum length of the list of earlier revisions, characters. */
const HISTORY_LENGTH = 2000;

export interface Keys {
  readonly revision: string;
  readonly history: string;
  readonly desired: string;
  readonly max: string;
  readonly own: ReadonlySet<string>;
}
const made = new WeakMap<Names, Keys>();

/** The annotation keys in a domain. */
export function keysOf(names: Names): Keys {
  let keys = made.get(names);
  if (keys === undefined) {
    const revision = names.key('deployment', 'revision');
    const history = names.key('deployment', 'revision-history');
    const desired = names.key('deployment', 'desired-replicas');
    const max = names.key('deployment', 'max-replicas');
    const own = new Set(['kubectl.kubernetes.io/last-applied-configuration', revision, history, desired, max, ROLLBACK]);
    made.set(names, (keys = { revision, history, desired, max, own }));
  }
  return keys;
}

/** A revision as a number; undefined: it is absent or not a number. */
export function numberIn(text: string | undefined): number | undefined {
  return text !== undefined && /^[+-]?\d+$/.test(text) ? Number(text) : undefined;
}

export const revisionOf = ({ metadata }: ReplicaSet, { revision }: Keys): number | undefined =>
  metadata.annotations?.[revision] === undefined ? 0 : numberIn(metadata.annotations[revision]);

export const greatestRevision = (sets: readonly ReplicaSet[], keys: Keys): number =>
  sets.reduce((most, set) => Math.max(most, revisionOf(set, keys) ?? 0), 0);

/** The annotations with the present size of the Deployment. */
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
