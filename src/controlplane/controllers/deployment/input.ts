/** The input of the Deployment controller, and helpers on it. */
import type { Deployment, ReplicaSet } from '../../../apiserver/kinds/index.ts';
import { sameValue } from '../../../apiserver/machinery/index.ts';
import { compareText } from '../../../schema/values/index.ts';
import type { ReconcileInput } from '../../runtime/index.ts';

export type DeploymentInput = ReconcileInput<Deployment>;
export type Template = Deployment['spec']['template'];

/** The label that identifies the template of a pod. */
export const HASH_LABEL = 'pod-template-hash';
/** The annotation by which older clients request a rollback. */
export const ROLLBACK = 'deprecated.deployment.rollback.to';

const NEVER = 2_147_483_647;

export const isRolling = ({ spec }: Deployment): boolean => spec.strategy.type === 'RollingUpdate';
export const hasDeadline = ({ spec }: Deployment): boolean => spec.progressDeadlineSeconds !== NEVER;
export const hasHistoryLimit = ({ spec }: Deployment): boolean => spec.revisionHistoryLimit !== NEVER;

/** Labels without the one that the controller adds. */
export function withoutHash(labels: Readonly<Record<string, string>> | undefined): Readonly<Record<string, string>> {
  const { [HASH_LABEL]: _, ...rest } = labels ?? {};
  return rest;
}

/** Whether two templates are equal except for the hash label. */
export const sameTemplate = (a: Template, b: Template): boolean =>
  a === b ||
  (sameValue(a.spec, b.spec) &&
    sameValue({ ...a.metadata, labels: withoutHash(a.metadata.labels) }, { ...b.metadata, labels: withoutHash(b.metadata.labels) }));

/** Oldest first; those of one second by name. */
export const byAge = (a: ReplicaSet, b: ReplicaSet): number =>
  compareText(a.metadata.creationTimestamp, b.metadata.creationTimestamp) || compareText(a.metadata.name, b.metadata.name);
