/**
 * The aggregate of a StatefulSet's pods, updated pod by pod: a sync reads the first missing or the last outdated ordinal and never visits
 * all pods. Models: the loops over pods of v1.24 pkg/controller/statefulset updateStatefulSet, as incremental updates;
 * stateful_set_utils.go (isHealthy and its like), pkg/api/v1/pod IsPodAvailable.
 */
import { namesFor, controllerOf, storeKey } from '../../../apiserver/machinery/index.ts';
import type { Pod } from '../../../apiserver/kinds/index.ts';
import {
  readySince as readySinceOf,
  byText,
  recountLabels,
  createLabelCounts,
  OrdinalSet,
  Timeline,
  byController,
} from '../../shared/index.ts';
import { defineAggregate } from '../../runtime/index.ts';
import { keptIn, compareText, removeFrom } from '../../../schema/values/index.ts';

export const REVISION_LABEL = 'controller-revision-hash';
// A process uses one domain; reading the keys of both avoids a copy of every aggregate per domain.
const NAME_LABELS: readonly string[] = [namesFor('k8s.io'), namesFor('orch.io')].map((names) => names.key('statefulset', 'pod-name'));

interface Traits {
  /** Not being deleted. */
  readonly live: boolean;
  /** Running, ready and live. */
  readonly healthy: boolean;
  readonly failed: boolean;
  /** Its name label differs from its name. */
  readonly misnamed: boolean;
  /** '' if it has none. */
  readonly revision: string;
  /** Names of the volumes that use the claims of a pod with that name, joined. */
  readonly storage: string;
  /** Since when it has been running and ready, live or not; Infinity where its status has no time; undefined: it is not ready. */
  readonly readySince: number | undefined;
}

/** @param parent the name of its set, derived from the pod's name. */
function traitsOf(pod: Pod, parent: string, ordinal: number): Traits {
  const live = pod.metadata.deletionTimestamp === undefined;
  const readySince = pod.status.phase === 'Running' ? readySinceOf(pod) : undefined;
  return {
    live,
    readySince,
    healthy: live && readySince !== undefined,
    failed: pod.status.phase === 'Failed',
    misnamed: !isLabelled(pod),
    revision: pod.metadata.labels?.[REVISION_LABEL] ?? '',
    storage: storageOf(pod, parent, ordinal),
  };
}

function isLabelled({ metadata: { name, labels } }: Pod): boolean {
  if (labels === undefined) return false;
  for (const label of NAME_LABELS) if (labels[label] === name) return true;
  return false;
}

function storageOf({ spec }: Pod, parent: string, ordinal: number): string {
  if (spec.volumes === undefined) return '';
  let own = '';
  for (const { name, persistentVolumeClaim } of spec.volumes)
    if (persistentVolumeClaim?.claimName === claimName(name, parent, ordinal)) own += `${name},`;
  return own;
}

/** Ordinals are int32. */
const MOST = 0x7fffffff;
const CODE_0 = 48;

/**
 * The parts of a name that ends in an ordinal: `web-3` is pod 3 of `web`, `data-web-3` its claim; undefined: it does not. Differs: `web-03` belongs to no set; upstream takes it for pod 3 and then fails to rename it.
 */
export function ordinalNameOf(name: string): { readonly parent: string; readonly ordinal: number } | undefined {
  // No regular expression, because it runs for every change of every pod.
  let ordinal = 0;
  let unit = 1;
  let at = name.length - 1;
  for (; at >= 0; at--) {
    const digit = name.charCodeAt(at) - CODE_0;
    if (digit < 0 || digit > 9) break;
    ordinal += digit * unit;
    unit *= 10;
  }
  const digits = name.length - 1 - at;
  if (digits === 0 || digits > 10 || ordinal > MOST || at < 1 || name[at] !== '-') return undefined;
  if (digits > 1 && name[at + 1] === '0') return undefined;
  return { parent: name.slice(0, at), ordinal };
}

export const podName = (setName: string, ordinal: number): string => `${setName}-${ordinal}`;

/** The prefix of a claim's name, before the dash and the ordinal. */
export const claimBase = (template: string, setName: string): string => `${template}-${setName}`;
export const claimName = (template: string, setName: string, ordinal: number): string => `${claimBase(template, setName)}-${ordinal}`;

interface Member {
  readonly pod: Pod;
  readonly traits: Traits;
}

const LEFT_OUT: ReadonlySet<string> = new Set([REVISION_LABEL, ...NAME_LABELS]);

/** The labels without those that differ from pod to pod; no valid set selects by these. */
function commonLabels(labels: Readonly<Record<string, string>> | undefined): string {
  const keys: string[] = [];
  for (const key in labels) if (!LEFT_OUT.has(key)) keys.push(key);
  if (keys.length > 1) keys.sort(compareText);
  let text = '';
  for (const key of keys) text += `${key}=${labels?.[key] ?? ''},`;
  return text;
}

export const newOrdinals = (): OrdinalSet => new OrdinalSet();

export type SetPods = ReturnType<typeof emptyPods>;

export const emptyPods = () => ({
  members: new Map<number, Member>(),
  present: newOrdinals(),
  live: newOrdinals(),
  healthy: newOrdinals(),
  failed: newOrdinals(),
  misnamed: newOrdinals(),
  revisions: new Map<string, { count: number; readonly live: OrdinalSet }>(),
  /** By the volumes that use the pod's claims. */
  storage: new Map<string, OrdinalSet>(),
  ready: new Timeline<number, OrdinalSet>(newOrdinals),
  /** Whether a selector matches all of 10,000 pods then needs few evaluations. */
  labels: createLabelCounts(commonLabels),
  /** Pods that the set controls, but whose names are not those of its pods. */
  strays: new Map<string, Pod>(),
});

export const podAt = (pods: SetPods, ordinal: number): Pod | undefined => pods.members.get(ordinal)?.pod;

export const liveCount = (pods: SetPods, revision: string): number => pods.revisions.get(revision)?.live.size ?? 0;

/** The ordinal of a pod of a set; undefined: its name is not that of one. */
function ordinalIn(setName: string, { metadata }: Pod): number | undefined {
  const name = ordinalNameOf(metadata.name);
  return name?.parent === setName ? name.ordinal : undefined;
}

export function addPod(pods: SetPods, pod: Pod, setName: string): void {
  pods.labels.count(pod.metadata.labels, 1);
  const ordinal = ordinalIn(setName, pod);
  if (ordinal === undefined) pods.strays.set(pod.metadata.uid, pod);
  else place(pods, ordinal, undefined, { pod, traits: traitsOf(pod, setName, ordinal) });
}

function removePod(pods: SetPods, pod: Pod, setName: string): void {
  pods.labels.count(pod.metadata.labels, -1);
  const ordinal = ordinalIn(setName, pod);
  if (ordinal === undefined) pods.strays.delete(pod.metadata.uid);
  else place(pods, ordinal, pods.members.get(ordinal), undefined);
}

/** Replaces the entry of an ordinal; only the differences are applied. */
function place(pods: SetPods, ordinal: number, before: Member | undefined, after: Member | undefined): void {
  if (after === undefined) pods.members.delete(ordinal);
  else pods.members.set(ordinal, after);
  const was = before?.traits;
  const is = after?.traits;
  put(pods.present, ordinal, was !== undefined, is !== undefined);
  for (const trait of FLAGS) put(pods[trait], ordinal, was?.[trait] === true, is?.[trait] === true);
  if (was?.readySince !== is?.readySince) {
    if (was?.readySince !== undefined) pods.ready.remove(ordinal, was.readySince);
    if (is?.readySince !== undefined) pods.ready.add(ordinal, is.readySince);
  }
  if (was?.storage !== is?.storage) {
    if (was !== undefined) removeFrom(pods.storage, was.storage, ordinal);
    if (is !== undefined) keptIn(pods.storage, is.storage, newOrdinals).add(ordinal);
  }
  if (was?.revision !== is?.revision || was?.live !== is?.live) {
    if (was !== undefined) countRevision(pods.revisions, was, ordinal, -1);
    if (is !== undefined) countRevision(pods.revisions, is, ordinal, 1);
  }
}

const FLAGS = ['live', 'healthy', 'failed', 'misnamed'] as const;

function put(set: OrdinalSet, ordinal: number, was: boolean, is: boolean): void {
  if (was === is) return;
  if (is) set.add(ordinal);
  else set.delete(ordinal);
}

function countRevision(revisions: SetPods['revisions'], { revision, live }: Traits, ordinal: number, by: 1 | -1): void {
  const group = keptIn(revisions, revision, () => ({ count: 0, live: newOrdinals() }));
  group.count += by;
  if (live) put(group.live, ordinal, by === -1, by === 1);
  if (group.count === 0) revisions.delete(revision);
}

const ownerName = (pod: Pod): string => controllerOf(pod)?.name ?? '';

export const setPods = defineAggregate<'Pod', SetPods>({
  name: 'pods of a StatefulSet',
  kind: 'Pod',
  ...byController('StatefulSet'),
  empty: emptyPods,
  add: (pods, pod) => addPod(pods, pod, ownerName(pod)),
  remove: (pods, pod) => removePod(pods, pod, ownerName(pod)),
  change(pods, before, after) {
    const setName = ownerName(after);
    const ordinal = ordinalIn(setName, after);
    const member = ordinal === undefined ? undefined : pods.members.get(ordinal);
    if (ordinal === undefined || member === undefined || before.metadata.name !== after.metadata.name) {
      this.remove(pods, before);
      this.add(pods, after);
      return;
    }
    recountLabels(pods.labels, before, after);
    place(pods, ordinal, member, { pod: after, traits: traitsOf(after, setName, ordinal) });
  },
  plain: ({ members, present, live, healthy, failed, misnamed, ready, storage, revisions, labels, strays }) => ({
    sizes: [present, live, healthy, failed, misnamed, ready].map(({ size }) => size),
    storage: byText([...storage].map(([volumes, { size }]) => [volumes, size])),
    members: [...members]
      .sort(([a], [b]) => a - b)
      .map(([ordinal, { pod, traits }]) => [ordinal, pod.metadata.uid, { ...traits, readySince: String(traits.readySince) }]),
    revisions: byText([...revisions].map(([revision, { count, live }]) => [revision, [count, live.size]])),
    labels: labels.plain(),
    strays: [...strays.keys()].sort(compareText),
  }),
});

/** Pods without a controller reference, by the set in their names: `default/web`. Candidates for adoption. */
export const orphanPods = defineAggregate<'Pod', Map<string, Pod>>({
  name: 'unmanaged pods named as pods of a StatefulSet',
  kind: 'Pod',
  owner: '',
  groupOf(pod) {
    const name = controllerOf(pod) === undefined ? ordinalNameOf(pod.metadata.name) : undefined;
    return name === undefined ? undefined : storeKey(pod.metadata.namespace, name.parent);
  },
  empty: () => new Map(),
  add: (pods, pod) => void pods.set(pod.metadata.name, pod),
  remove: (pods, pod) => void pods.delete(pod.metadata.name),
  change: (pods, _, pod) => void pods.set(pod.metadata.name, pod),
  plain: (pods) => [...pods.values()].map(({ metadata }) => metadata.uid).sort(compareText),
});
