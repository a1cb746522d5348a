/**
 * The properties of a pod that a StatefulSet reads, computed once per change. Models: v1.24
 * pkg/controller/statefulset/stateful_set_utils.go (isHealthy and its like), pkg/api/v1/pod IsPodAvailable.
 */
import { namesFor } from '../../../apiserver/machinery/index.ts';
import type { Pod } from '../../../apiserver/kinds/index.ts';
import { readySince as readySinceOf } from '../../shared/index.ts';

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
