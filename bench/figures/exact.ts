/** Counts that gate: the same on any machine. `test/performance/exact.test.ts` compares them with their present values. */
import { bytesPerPod, eventsPerPod, lookupsPerPod } from '../exact.ts';
import type { Figure, FigureGroup } from './figure.ts';

export const exact: FigureGroup = {
  name: 'exact',
  asks: 'what a pod of a Job takes, counted',
  measure() {
    const row = (label: string, value: number, limit: number, unit: Figure['unit']): Figure => ({
      label,
      value,
      limit,
      is: 'most',
      unit,
      exact: true,
    });
    return [
      row('bytes allocated a pod', bytesPerPod(new URL('.', import.meta.url)) / 1000, 20, 'KB'),
      row('look-ups in maps a pod', lookupsPerPod(), 200, ''),
      row('kernel events a pod', eventsPerPod(), 22, ''),
    ];
  },
};
