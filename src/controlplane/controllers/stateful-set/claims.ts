/**
 * The claims of a set's pods: the existing ones and those to create. Models: v1.24 pkg/controller/statefulset getPersistentVolumeClaims,
 * createPersistentVolumeClaims.
 */
import { type ObjectInput, storeKey } from '../../../apiserver/machinery/index.ts';
import type { StatefulSet } from '../../../apiserver/kinds/index.ts';
import { create, defineAggregate, type EventText, type Write } from '../../runtime/index.ts';
import { compareText } from '../../../schema/values/index.ts';
import type { SetInput } from './input.ts';
import { createOrdinalSet, difference, type OrdinalSet } from './ordinal-set.ts';
import { claimName, ordinalNameOf, podName } from './traits.ts';

/** Claims of one template, by ordinal. */
export interface SetClaims {
  readonly present: OrdinalSet;
  /** By the uid of an owner that is not a pod. */
  readonly ownedBy: Map<string, OrdinalSet>;
  /** Claims with a pod as owner. */
  readonly podOwned: OrdinalSet;
}

/** Claims by the part of their names before the ordinal: `default/data-web`. */
export const setClaims = defineAggregate<'PersistentVolumeClaim', SetClaims>({
  name: 'claims of a StatefulSet',
  kind: 'PersistentVolumeClaim',
  groupOf: ({ metadata: { namespace, name } }) => {
    const parts = ordinalNameOf(name);
    return parts === undefined ? undefined : storeKey(namespace, parts.parent);
  },
  empty: () => ({ present: createOrdinalSet(), ownedBy: new Map(), podOwned: createOrdinalSet() }),
  add({ present, ownedBy, podOwned }, { metadata: { name, ownerReferences = [] } }) {
    const ordinal = ordinalNameOf(name)?.ordinal ?? 0;
    present.add(ordinal);
    for (const { kind, uid } of ownerReferences) {
      if (kind === 'Pod') {
        podOwned.add(ordinal);
        continue;
      }
      let owned = ownedBy.get(uid);
      if (owned === undefined) ownedBy.set(uid, (owned = createOrdinalSet()));
      owned.add(ordinal);
    }
  },
  remove({ present, ownedBy, podOwned }, { metadata: { name, ownerReferences = [] } }) {
    const ordinal = ordinalNameOf(name)?.ordinal ?? 0;
    present.delete(ordinal);
    podOwned.delete(ordinal);
    for (const { uid } of ownerReferences) {
      const owned = ownedBy.get(uid);
      owned?.delete(ordinal);
      if (owned?.size === 0) ownedBy.delete(uid);
    }
  },
  plain: ({ present, ownedBy, podOwned }) => ({
    present: members(present),
    podOwned: members(podOwned),
    ownedBy: [...ownedBy].map(([uid, owned]) => [uid, members(owned)]).sort((a, b) => compareText(String(a[0]), String(b[0]))),
  }),
});

const members = (set: OrdinalSet): readonly number[] => [...difference(set, createOrdinalSet(), 0, Infinity)];

/** The claims of a pod by its set's templates. */
function claimFor(
  set: StatefulSet,
  template: NonNullable<StatefulSet['spec']['volumeClaimTemplates']>[number],
  ordinal: number,
): ObjectInput {
  const { creationTimestamp: _, ...metadata } = template.metadata;
  const { matchLabels } = set.spec.selector;
  const labels = metadata.labels === undefined ? matchLabels : { ...metadata.labels, ...matchLabels };
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      ...metadata,
      name: claimName(metadata.name ?? '', set.metadata.name, ordinal),
      ...(set.metadata.namespace === undefined ? {} : { namespace: set.metadata.namespace }),
      ...(labels === undefined ? {} : { labels }),
    } as ObjectInput['metadata'],
    spec: template.spec,
  };
}

export interface ClaimPlan {
  readonly writes: readonly Write[];
  /** Why the pod cannot be made now. */ readonly errors: readonly string[];
}

/** Creates the missing claims of a pod. */
export function planClaims({ self: set, cache }: SetInput, ordinal: number): ClaimPlan {
  const writes: Write[] = [];
  const errors: string[] = [];
  for (const template of set.spec.volumeClaimTemplates ?? []) {
    const claim = claimFor(set, template, ordinal);
    const name = claim.metadata.name ?? '';
    const existing = cache.get('PersistentVolumeClaim', set.metadata.namespace, name);
    if (existing === undefined) writes.push(create(claim, { then: claimEvent(set, name, ordinal) }));
    else if (existing.metadata.deletionTimestamp !== undefined) errors.push(`pvc ${name} is being deleted`);
  }
  return { writes, errors };
}

/** `create Claim data-web-0 Pod web-0 in StatefulSet web success`, or the error. */
export const claimEvent = (set: StatefulSet, claim: string, ordinal: number, error?: string): EventText => ({
  about: set,
  type: error === undefined ? 'Normal' : 'Warning',
  reason: error === undefined ? 'SuccessfulCreate' : 'FailedCreate',
  message: `create Claim ${claim} Pod ${podName(set.metadata.name, ordinal)} in StatefulSet ${set.metadata.name} ${error === undefined ? 'success' : `failed error: ${error}`}`,
});
