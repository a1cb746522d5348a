/** The life of a pod in seven words, as the stage shows it. */
import type { ApiObject } from '../../../apiserver/machinery/index.ts';
import { isOf } from '../../../controlplane/runtime/index.ts';

/** In the order in which a chart stacks them. */
export const PHASES = ['Ready', 'Running', 'Starting', 'Waiting', 'Terminating', 'Succeeded', 'Failed'] as const;
export type Phase = (typeof PHASES)[number];

/** Phase by glyph: nothing is told by colour alone. */
export const GLYPHS: Readonly<Record<Phase, string>> = {
  Ready: '●',
  Running: '◐',
  Starting: '◌',
  Waiting: '○',
  Terminating: '◍',
  Succeeded: '✓',
  Failed: '✗',
};

/** The phase of a pod; an object of another kind waits. */
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

/** The node a pod was put on; empty where it waits for one. */
export const nodeOf = (object: ApiObject): string => (isOf('Pod', object) ? (object.spec.nodeName ?? '') : '');
