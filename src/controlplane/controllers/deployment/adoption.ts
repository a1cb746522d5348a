/**
 * The sets of a Deployment: those that it controls and still selects, and those that it can adopt. Models: v1.24 pkg/controller
 * ReplicaSetControllerRefManager.
 */
import type { ReplicaSet } from '../../../apiserver/kinds/index.ts';
import { labelMatcher } from '../../../schema/values/index.ts';
import type { Write } from '../../runtime/index.ts';
import { claim, objectsToAdopt } from '../../shared/index.ts';
import type { DeploymentInput } from './input.ts';

export interface Claim {
  readonly sets: readonly ReplicaSet[];
  /** Adoptions and releases. */
  readonly writes: readonly Write[];
}

/** The sets of a Deployment, with the adoptions and releases to write. */
export function claimSets({ self: deployment, cache }: DeploymentInput): Claim {
  const matches = labelMatcher(deployment.spec.selector);
  const managed = cache.by('ReplicaSet', 'controllerUid', deployment.metadata.uid);
  const orphans = objectsToAdopt('ReplicaSet', deployment, cache, matches);
  const { kept, writes } = claim(deployment, managed, ({ metadata }) => matches(metadata.labels), orphans);
  return { sets: [...kept, ...orphans], writes };
}
