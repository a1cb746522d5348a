/** All that is measured in a cluster: what metrics APIs answer from, and autoscalers go by. */
import { createSeries, type Series, type SeriesSpec } from './series.ts';
import { createUsage, type Usage, type UsageSpec } from './usage.ts';

/** What metrics APIs answer from. */
export interface Metered {
  /** What pods and nodes use; absent: what pods say of it in their annotations is all there is. */
  readonly usage?: Usage;
  /** Other metrics; absent: there are no APIs for them. */
  readonly series?: Series;
  /** Nodes whose agents hold nobody to a quota of processors. */
  readonly unthrottled?: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();

/** By what is said of each; `startAt`: when the run begins, milliseconds since the epoch. */
export const createMetered = (
  usage: readonly UsageSpec[] | undefined,
  series: readonly SeriesSpec[] | undefined,
  startAt: number,
  unthrottled: ReadonlySet<string> = NONE,
): Metered => ({
  unthrottled,
  ...(usage === undefined ? {} : { usage: createUsage(usage, startAt) }),
  ...(series === undefined ? {} : { series: createSeries(series, startAt) }),
});
