/**
 * The sets of a Deployment: those that it controls and still selects, and those that it can adopt. Models: v1.24 pkg/controller
 * ReplicaSetControllerRefManager.
 */
import type { ReplicaSet } from '../../../apiserver/kinds/index.ts';
import { labelMatcher } from '../../../schema/values/index.ts';
import type { Write } from '../../runtime/index.ts';
import { adopt, removeOwners, stillThere } from '../../shared/index.ts';
import type { DeploymentInput } from './input.ts';

export interface Claim {
  readonly sets: readonly ReplicaSet[];
  /** Adoptions and releases. */
  readonly writes: readonly Write[];
}

/** The sets of a Deployment, with the adoptions and releases to write. */
export function claimSets({ self: deployment, cache }: DeploymentInput): Claim {
  const { uid, namespace = '', deletionTimestamp } = deployment.metadata;
  const matches = labelMatcher(deployment.spec.selector);
  const managed = cache.by('ReplicaSet', 'controllerUid', uid);
  const sets = managed.filter(({ metadata }) => matches(metadata.labels));
  if (deletionTimestamp !== undefined) return { sets, writes: [] };
  const strays = managed.filter(({ metadata }) => !matches(metadata.labels));
  const orphans = cache
    .by('ReplicaSet', 'unmanagedInNamespace', namespace)
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined && matches(metadata.labels));
  const adopted = orphans.length === 0 ? [] : [stillThere(deployment), ...orphans.map((set) => adopt(set, deployment))];
  return { sets: [...sets, ...orphans], writes: [...strays.map((set) => removeOwners(set, [uid])), ...adopted] };
}
