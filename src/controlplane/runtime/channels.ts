/**
 * FIFO channels: the pending events whose order no choice of a search may change. These are the deliveries of one stream, and the
 * operations planned for the cluster.
 */
import { UNOFFERED, type Channel } from '../../engine/index.ts';
import type { ClusterEvent } from './pending.ts';

/** The channel of an event, see `KernelOptions.lane`. */
export function channelOf(event: ClusterEvent, part: number): Channel {
  switch (event.type) {
    case 'deliver':
      // A stream delivers in order: a change delivered early would be taken for an outdated one, and the stream would deliver nothing after
      // it.
      return event.to[part];
    case 'operation':
      return 'operation';
    case 'emit':
    case 'expire':
    case 'skew':
      // No controller decides by Events. A clock changes only after the processes have observed the leases that are renewed for real again.
      return UNOFFERED;
    case 'start':
    case 'due':
    case 'reconcile':
    case 'apply':
      return undefined;
    default: {
      const never: never = event;
      return never;
    }
  }
}
