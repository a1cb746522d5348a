/** The messages about unschedulable pods. Models: v1.24 pkg/scheduler/framework types FitError. */
import { compareText } from '../../../schema/values/index.ts';
import type { NodeRefusal } from './plugin.ts';

export const NO_NODES = 'no nodes available to schedule pods';

/** Upstream's limit of an event's note. */
const NOTE_LIMIT = 1024;

/** `0/3 nodes are available: 1 node(s) were unschedulable, 2 Insufficient cpu.` */
export function unavailable(nodes: number, refused: Iterable<NodeRefusal>): string {
  // Nodes share refusal objects, so these are counted first.
  const times = new Map<NodeRefusal, number>();
  for (const refusal of refused) times.set(refusal, (times.get(refusal) ?? 0) + 1);
  const counts = new Map<string, number>();
  for (const [{ reasons }, count] of times) for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + count);
  const texts = [...counts].map(([reason, count]) => `${count} ${reason}`).sort(compareText);
  return `0/${nodes} nodes are available: ${texts.join(', ')}.`;
}

/** An event's note, truncated as in upstream. */
export const asNote = (message: string): string => (message.length < NOTE_LIMIT ? message : `${message.slice(0, NOTE_LIMIT - 4)} ...`);
