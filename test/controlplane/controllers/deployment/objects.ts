/** A Deployment and its sets, complete enough for one decision. */
import type { Deployment, ReplicaSet } from '../../../../src/apiserver/kinds/index.ts';
import { namesFor } from '../../../../src/apiserver/vocabulary/index.ts';
import { draftOf, viewOf, type Draft } from '../../../../src/controlplane/controllers/deployment/draft.ts';
import type { DeploymentInput } from '../../../../src/controlplane/controllers/deployment/input.ts';
import type { Sets } from '../../../../src/controlplane/controllers/deployment/sets.ts';
import { AT } from '../../../support/objects.ts';

export const deploymentOf = (spec: Partial<Deployment['spec']>): Deployment =>
  ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'd', namespace: 'default', uid: 'uid-d', resourceVersion: '1', creationTimestamp: AT },
    spec,
    status: {},
  }) as unknown as Deployment;

export const setOf = (name: string, replicas: number, availableReplicas: number): ReplicaSet =>
  ({
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: { name, namespace: 'default', uid: `uid-${name}`, resourceVersion: '1', creationTimestamp: AT },
    spec: { replicas },
    status: { replicas, availableReplicas },
  }) as unknown as ReplicaSet;

export const draftFor = (self: Deployment): Draft => draftOf({ self, names: namesFor('k8s.io') } as unknown as DeploymentInput);
export const setsOf = (newest: ReplicaSet | undefined, ...old: readonly ReplicaSet[]): Sets => ({
  newest: newest === undefined ? undefined : viewOf(newest),
  old: old.map(viewOf),
});
