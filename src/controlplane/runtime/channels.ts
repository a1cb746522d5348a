/** Which pending events keep their order whoever chooses: a stream's deliveries, and what whoever drives the cluster has planned. */
import { UNOFFERED, type Channel } from '../../engine/index.ts';
import type { ClusterEvent } from './pending.ts';

/** The lane of an event, see `KernelOptions.lane`. */
export function channelOf(event: ClusterEvent, part: number): Channel {
  switch (event.type) {
    case 'deliver':
      // A stream takes its changes in order: one that came first would be taken for void, and the stream be deaf from then on.
      return event.to[part];
    case 'operation':
      return 'operation';
    case 'emit':
    case 'expire':
    case 'skew':
      // Nobody decides by events; a clock is set when those have heard who are to hear of it.
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
