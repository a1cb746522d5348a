/**
 * The set of the present template, existing or new, and those of earlier ones; and the draft of a decision: sets with their new sizes, and
 * the writes that apply them. Models: v1.24 pkg/controller/deployment/sync.go getAllReplicaSetsAndSyncRevision, getNewReplicaSet.
 */
import type { ReplicaSet, Deployment } from '../../../apiserver/kinds/index.ts';
import { create, type EventText, type Write } from '../../runtime/index.ts';
import { copyWith } from '../../../schema/values/index.ts';
import { conditionOf, controllerReference, mergePatch, present, templateHash } from '../../shared/index.ts';
import {
  nextRevision,
  newestAnnotations,
  numberIn,
  sizeAnnotations,
  byAge,
  HASH_LABEL,
  hasDeadline,
  sameTemplate,
  nextSize,
  keysOf,
  newCondition,
  withCondition,
} from './input.ts';
import type { Annotations, DeploymentInput } from './input.ts';

export interface Sets {
  readonly newest: SetView | undefined;
  /** Oldest first. */
  readonly old: readonly SetView[];
}

export const allOf = ({ newest, old }: Sets): readonly SetView[] => (newest === undefined ? old : [...old, newest]);

/** Separates new and old sets; the oldest set with the present template is the new one. */
export function sort(draft: Draft, sets: readonly ReplicaSet[]): Sets {
  const { spec } = draft.input.self;
  const views = sets.toSorted(byAge).map(viewOf);
  const newest = views.find(({ set }) => sameTemplate(set.spec.template, spec.template));
  return { newest, old: views.filter((view) => view !== newest) };
}

export function syncRevision(draft: Draft, { newest, old }: Sets): void {
  if (newest === undefined) return;
  const { self: deployment } = draft.input;
  const { name } = newest.set.metadata;
  const annotations = newestAnnotations(deployment, newest.annotations, nextRevision(old, draft.keys), draft.keys);
  const changed = Object.fromEntries(Object.entries(annotations).filter(([key, value]) => newest.annotations[key] !== value));
  const minReadySeconds = deployment.spec.minReadySeconds ?? 0;
  const slower = (newest.set.spec.minReadySeconds ?? 0) !== minReadySeconds;
  if (Object.keys(changed).length > 0 || slower) {
    patchSet(draft, newest, changed, slower ? { minReadySeconds } : undefined);
    draft.why.push(`${name} gets the annotations and minReadySeconds of the Deployment`);
    draft.ends = true;
    return;
  }
  let isOutdated = takeRevision(draft, newest.annotations[draft.keys.revision] ?? '');
  if (hasDeadline(deployment) && conditionOf(draft.status.conditions, 'Progressing') === undefined) {
    setCondition(draft, 'Progressing', 'True', 'FoundNewReplicaSet', `Found new replica set "${name}"`);
    isOutdated = true;
  }
  if (isOutdated) settle(draft);
}

function takeRevision(draft: Draft, revision: string): boolean {
  if (draft.annotations[draft.keys.revision] === revision) return false;
  draft.annotations = { ...draft.annotations, [draft.keys.revision]: revision };
  return true;
}

export function createNewest(draft: Draft, old: readonly SetView[]): Sets {
  const { self: deployment } = draft.input;
  const { keys } = draft;
  const { template, selector, minReadySeconds } = deployment.spec;
  const hash = templateHash(template, deployment.status.collisionCount);
  const name = `${deployment.metadata.name}-${hash}`;
  const labels = { ...template.metadata.labels, [HASH_LABEL]: hash };
  const replicas = nextSize(deployment, wantedOf(old), 0);
  const revision = nextRevision(old, keys);
  const annotations = { ...newestAnnotations(deployment, {}, revision, keys), ...sizeAnnotations(deployment, keys) };
  const { namespace } = deployment.metadata;
  const object = {
    kind: 'ReplicaSet',
    apiVersion: deployment.apiVersion,
    metadata: present({ name, namespace, labels, annotations, ownerReferences: [controllerReference(deployment)] }),
    spec: {
      replicas,
      ...(minReadySeconds === undefined ? {} : { minReadySeconds }),
      selector: { ...selector, matchLabels: { ...selector?.matchLabels, [HASH_LABEL]: hash } },
      template: { ...template, metadata: { ...template.metadata, labels } },
    },
  } as const;
  draft.writes.push(create(object, replicas === 0 ? {} : { then: scalingEvent(deployment, 'up', name, replicas) }));
  draft.why.push(`${name} is created for the template, with ${replicas} pods`);
  const isOutdated = takeRevision(draft, String(revision));
  if (hasDeadline(deployment)) setCondition(draft, 'Progressing', 'True', 'NewReplicaSetCreated', `Created new replica set "${name}"`);
  if (isOutdated || hasDeadline(deployment)) settle(draft);
  return { old, newest: { ...viewOf(asStored(deployment.metadata.uid, object)), written: true } };
}

/** The fields of a set to be created that the rest of the sync needs. */
const asStored = (uid: string, object: object): ReplicaSet => {
  const made = object as ReplicaSet;
  return { ...made, metadata: { ...made.metadata, uid: `new of ${uid}` }, status: { replicas: 0 } };
};

/** The Deployment's size for which a set was scaled; undefined: no annotation. */
export const sizedFor = ({ annotations }: SetView, key: string): number | undefined => numberIn(annotations[key]);

/** A set, and its values after the writes. */
export interface SetView {
  readonly set: ReplicaSet;
  replicas: number;
  annotations: Annotations;
  /** A write of the set is planned: the next write cannot know its resourceVersion. */
  written: boolean;
}

export type Draft = ReturnType<typeof draftOf>;

export const draftOf = (input: DeploymentInput) => ({
  input,
  keys: keysOf(input.names),
  writes: new Array<Write>(),
  why: new Array<string>(),
  /** The Deployment's new status and annotations. */
  status: input.self.status,
  annotations: input.self.metadata.annotations ?? {},
  /** They are being written: a second write would meet a conflict, so the rest waits for the next sync. */
  settled: false,
  /** The sync ends here: the cache must show its writes first. */
  ends: false,
});

export const viewOf = (set: ReplicaSet): SetView => ({
  set,
  replicas: set.spec.replicas,
  annotations: set.metadata.annotations ?? {},
  written: false,
});

/** Patches a set; refused if it was changed since it was read. */
function patchSet(draft: Draft, view: SetView, annotations: Annotations, spec?: object, then?: EventText): void {
  const { uid, resourceVersion } = view.set.metadata;
  const metadata = { uid, ...(view.written ? {} : { resourceVersion }), annotations };
  draft.writes.push(mergePatch(view.set, present({ metadata, spec }), present({ then })));
  view.annotations = { ...view.annotations, ...annotations };
  view.written = true;
}

const scalingEvent = (about: Deployment, direction: string, name: string, size: number): EventText => ({
  about,
  type: 'Normal',
  reason: 'ScalingReplicaSet',
  message: `Scaled ${direction} replica set ${name} to ${size}`,
});

/** Scales a set, with an event where its size changes; also updates size annotations that are outdated. */
export function resize(draft: Draft, view: SetView, size: number, direction = size > view.replicas ? 'up' : 'down'): void {
  const { self: deployment } = draft.input;
  const wanted = sizeAnnotations(deployment, draft.keys);
  const differs = view.replicas !== size;
  if (!differs && Object.entries(wanted).every(([key, value]) => view.annotations[key] === value)) return;
  const { name } = view.set.metadata;
  if (differs) {
    patchSet(draft, view, wanted, { replicas: size }, scalingEvent(deployment, direction, name, size));
    draft.why.push(`${name} is scaled from ${view.replicas} to ${size}`);
  } else patchSet(draft, view, wanted);
  view.replicas = size;
}

/** Scales only where the size differs; returns whether it did. */
export function scaleTo(draft: Draft, view: SetView, size: number): boolean {
  if (view.replicas === size) return false;
  resize(draft, view, size);
  return true;
}

/** Writes status and annotations, once per sync; the next waits until its cache shows them, as upstream's waits for the response. */
export function settle(draft: Draft): void {
  if (draft.settled) return;
  draft.settled = true;
  const { self: deployment } = draft.input;
  const annotations = Object.keys(draft.annotations).length === 0 ? undefined : draft.annotations;
  const metadata = present({ ...deployment.metadata, annotations });
  const object: Deployment = copyWith(deployment, { metadata, status: draft.status });
  draft.writes.push({ op: 'update', subresource: 'status', object, awaited: true });
}

export function setCondition(draft: Draft, type: string, status: string, reason: string, message: string): void {
  const condition = newCondition(type, status, reason, message, draft.input.now);
  draft.status = { ...draft.status, conditions: withCondition(draft.status.conditions ?? [], condition) };
}

export const wantedOf = (views: readonly SetView[]): number => views.reduce((sum, { replicas }) => sum + replicas, 0);
export const availableOf = (views: readonly SetView[]): number =>
  views.reduce((sum, { set }) => sum + (set.status.availableReplicas ?? 0), 0);
export const activeOf = (views: readonly SetView[]): readonly SetView[] => views.filter(({ replicas }) => replicas > 0);
