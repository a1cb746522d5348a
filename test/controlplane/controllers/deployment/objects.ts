/** A Deployment and its sets, with the fields that one decision reads. */
import type { Deployment, ReplicaSet } from '../../../../src/apiserver/kinds/index.ts';
import { namesFor } from '../../../../src/apiserver/machinery/index.ts';
import { draftOf, viewOf, type Draft, type Sets } from '../../../../src/controlplane/controllers/deployment/sets.ts';
import type { DeploymentInput } from '../../../../src/controlplane/controllers/deployment/input.ts';
import { formatTime } from '../../../../src/schema/values/index.ts';
import { at, AT } from '../../../support/objects.ts';

const NAMES = namesFor('k8s.io');

export const deploymentOf = (spec: Partial<Deployment['spec']>, status: Partial<Deployment['status']> = {}): Deployment =>
  ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'd', namespace: 'default', uid: 'uid-d', resourceVersion: '1', creationTimestamp: AT },
    spec,
    status,
  }) as unknown as Deployment;

/** Properties of a set besides its size. */
interface Said {
  /** The second of its creation. */
  readonly made?: number;
  readonly revision?: number;
  /** The Deployment's size for which it was scaled: wanted pods, and the limit. */
  readonly sized?: readonly [desired: number, most: number];
  readonly spec?: Partial<ReplicaSet['spec']>;
}

export function setOf(
  name: string,
  replicas: number,
  availableReplicas: number,
  { made = 0, revision, sized, spec }: Said = {},
): ReplicaSet {
  const annotations = {
    ...(revision === undefined ? {} : { [NAMES.key('deployment', 'revision')]: String(revision) }),
    ...(sized === undefined
      ? {}
      : { [NAMES.key('deployment', 'desired-replicas')]: String(sized[0]), [NAMES.key('deployment', 'max-replicas')]: String(sized[1]) }),
  };
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name,
      namespace: 'default',
      uid: `uid-${name}`,
      resourceVersion: '1',
      creationTimestamp: formatTime(at(made)),
      ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
    },
    spec: { replicas, ...spec },
    status: { replicas, availableReplicas },
  } as unknown as ReplicaSet;
}

export const draftFor = (self: Deployment, input: Partial<DeploymentInput> = {}): Draft =>
  draftOf({ self, names: NAMES, now: at(0), ...input } as unknown as DeploymentInput);
export const setsOf = (newest: ReplicaSet | undefined, ...old: readonly ReplicaSet[]): Sets => ({
  newest: newest === undefined ? undefined : viewOf(newest),
  old: old.map(viewOf),
});
