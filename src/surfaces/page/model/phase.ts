/** The phases of a pod, as the stage shows them. */
import type { ApiObject } from '../../../apiserver/machinery/index.ts';
import { isOf } from '../../../controlplane/runtime/index.ts';

/** In the order of the stacked chart. */
export const PHASES = ['Ready', 'Running', 'Starting', 'Waiting', 'Terminating', 'Succeeded', 'Failed'] as const;
export type Phase = (typeof PHASES)[number];

/** Glyphs of the phases, so that colour is not the only distinction. */
export const GLYPHS: Readonly<Record<Phase, string>> = {
  Ready: '●',
  Running: '◐',
  Starting: '◌',
  Waiting: '○',
  Terminating: '◍',
  Succeeded: '✓',
  Failed: '✗',
};

/** The phase of a pod; any other object is Waiting. */
export function phaseOf(object: ApiObject): Phase {
  if (!isOf('Pod', object)) return 'Waiting';
  const { metadata, spec, status } = object;
  if (status.phase === 'Succeeded' || status.phase === 'Failed') return status.phase;
  if (metadata.deletionTimestamp !== undefined) return 'Terminating';
  if (status.phase === 'Running') {
    const ready = (status.conditions ?? []).some(({ type, status: is }) => type === 'Ready' && is === 'True');
    return ready ? 'Ready' : 'Running';
  }
  return spec.nodeName === undefined || spec.nodeName === '' ? 'Waiting' : 'Starting';
}

/** The node of a pod; empty if it has none. */
export const nodeOf = (object: ApiObject): string => (isOf('Pod', object) ? (object.spec.nodeName ?? '') : '');
