/** Counts that gate: the same on any machine. `test/performance/exact.test.ts` compares them with their present values. */
import { bytesPerPod, eventsPerPod, lookupsPerPod, messagesPerPod } from '../exact.ts';
import { itemsPerUpdate } from '../list-items.ts';
import type { Figure, FigureGroup } from './figure.ts';

export const exact: FigureGroup = {
  name: 'exact',
  asks: 'what a pod of a Job and an update of Endpoints take, counted',
  measure(scale) {
    const row = (label: string, value: number, limit: number, unit: Figure['unit']): Figure => ({
      label,
      value,
      limit,
      is: 'most',
      unit,
      exact: true,
    });
    return [
      row('bytes allocated a pod', bytesPerPod(new URL('.', import.meta.url)) / 1000, 30, 'KB'),
      row('look-ups in maps a pod', lookupsPerPod(), 150, ''),
      row('kernel events a pod', eventsPerPod(), 16.2, ''),
      row('hops a pod: events, deliveries that reach a controller, writes', messagesPerPod().hops, 24, ''),
      row('items looked at in an update of Endpoints of 1,000', itemsPerUpdate(scale.size(1_000)).endpoints, 8, ''),
    ];
  },
};
