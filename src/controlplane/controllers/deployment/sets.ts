/**
 * The set of the present template, existing or new, and those of earlier ones. Models: v1.24 pkg/controller/deployment/sync.go
 * getAllReplicaSetsAndSyncRevision, getNewReplicaSet.
 */
import type { ReplicaSet } from '../../../apiserver/kinds/index.ts';
import { create } from '../../runtime/index.ts';
import { controllerReference, templateHash } from '../../shared/index.ts';
import { greatestRevision, newestAnnotations, numberIn, sizeAnnotations } from './annotations.ts';
import { conditionOf, newCondition, withCondition, byAge, HASH_LABEL, hasDeadline, sameTemplate, nextSize } from './input.ts';
import { type Draft, patchSet, settle, type SetView, viewOf, wantedOf } from './draft.ts';

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

/** Updates the newest set's annotations and the Deployment's revision. */
export function syncRevision(draft: Draft, { newest, old }: Sets): void {
  if (newest === undefined) return;
  const { self: deployment, now } = draft.input;
  const { name } = newest.set.metadata;
  const revision =
    greatestRevision(
      old.map(({ set }) => set),
      draft.keys,
    ) + 1;
  const annotations = newestAnnotations(deployment, newest.annotations, revision, draft.keys);
  const changed = Object.fromEntries(Object.entries(annotations).filter(([key, value]) => newest.annotations[key] !== value));
  const minReadySeconds = deployment.spec.minReadySeconds ?? 0;
  const slower = (newest.set.spec.minReadySeconds ?? 0) !== minReadySeconds;
  if (Object.keys(changed).length > 0 || slower) {
    patchSet(draft, newest, { annotations: changed, ...(slower ? { spec: { minReadySeconds } } : {}) });
    draft.why.push(`${name} gets the annotations and minReadySeconds of the Deployment`);
    draft.ends = true;
    return;
  }
  let isOutdated = takeRevision(draft, newest.annotations[draft.keys.revision] ?? '');
  if (hasDeadline(deployment) && conditionOf(draft.status.conditions, 'Progressing') === undefined) {
    const found = newCondition('Progressing', 'True', 'FoundNewReplicaSet', `Found new replica set "${name}"`, now);
    draft.status = { ...draft.status, conditions: withCondition(draft.status.conditions ?? [], found) };
    isOutdated = true;
  }
  if (isOutdated) settle(draft);
}

/** Sets the Deployment's revision to that of its newest set. */
function takeRevision(draft: Draft, revision: string): boolean {
  if (draft.annotations[draft.keys.revision] === revision) return false;
  draft.annotations = { ...draft.annotations, [draft.keys.revision]: revision };
  return true;
}

/** Creates the set of the present template, with its first size. */
export function createNewest(draft: Draft, old: readonly SetView[]): Sets {
  const { self: deployment, now } = draft.input;
  const { keys } = draft;
  const { template, selector, minReadySeconds } = deployment.spec;
  const hash = templateHash(template, deployment.status.collisionCount);
  const name = `${deployment.metadata.name}-${hash}`;
  const labels = { ...template.metadata.labels, [HASH_LABEL]: hash };
  const replicas = nextSize(deployment, wantedOf(old), 0);
  const revision =
    greatestRevision(
      old.map(({ set }) => set),
      keys,
    ) + 1;
  const annotations = { ...newestAnnotations(deployment, {}, revision, keys), ...sizeAnnotations(deployment, keys) };
  const { namespace } = deployment.metadata;
  const object = {
    kind: 'ReplicaSet',
    apiVersion: deployment.apiVersion,
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      labels,
      annotations,
      ownerReferences: [controllerReference(deployment)],
    },
    spec: {
      replicas,
      ...(minReadySeconds === undefined ? {} : { minReadySeconds }),
      selector: { ...selector, matchLabels: { ...selector?.matchLabels, [HASH_LABEL]: hash } },
      template: { ...template, metadata: { ...template.metadata, labels } },
    },
  } as const;
  draft.writes.push(
    create(
      object,
      replicas === 0
        ? {}
        : {
            then: {
              about: deployment,
              type: 'Normal',
              reason: 'ScalingReplicaSet',
              message: `Scaled up replica set ${name} to ${replicas}`,
            },
          },
    ),
  );
  draft.why.push(`${name} is created for the template, with ${replicas} pods`);
  const isOutdated = takeRevision(draft, String(revision));
  if (hasDeadline(deployment)) {
    const created = newCondition('Progressing', 'True', 'NewReplicaSetCreated', `Created new replica set "${name}"`, now);
    draft.status = { ...draft.status, conditions: withCondition(draft.status.conditions ?? [], created) };
  }
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
