/**
 * The properties of a pod that a StatefulSet reads, computed once per change. Models: v1.24
 * pkg/controller/statefulset/stateful_set_utils.go (isHealthy and its like), pkg/api/v1/pod IsPodAvailable.
 */
import { namesFor } from '../../../apiserver/machinery/index.ts';
import type { Pod } from '../../../apiserver/kinds/index.ts';
import { parseTime } from '../../../schema/values/index.ts';
import { claimName } from './ordinals.ts';

/** The label with the revision of a pod. */
export const REVISION_LABEL = 'controller-revision-hash';
// A process uses one domain; reading the keys of both avoids a copy of every aggregate per domain.
export const NAME_LABELS: readonly string[] = [namesFor('k8s.io'), namesFor('orch.io')].map((names) =>
  names.key('statefulset', 'pod-name'),
);

export interface Traits {
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
export function traitsOf(pod: Pod, parent: string, ordinal: number): Traits {
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

function readySinceOf({ status }: Pod): number | undefined {
  const ready = status.conditions?.find((condition) => condition.type === 'Ready');
  if (ready?.status !== 'True') return undefined;
  return typeof ready.lastTransitionTime === 'string' ? parseTime(ready.lastTransitionTime) : Infinity;
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
