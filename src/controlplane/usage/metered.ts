/** Everything that is measured in a cluster: the source of the metrics APIs and of autoscalers. */
import { createSeries, type Series, type SeriesSpec } from './series.ts';
import { createUsage, type Usage, type UsageSpec } from './usage.ts';

/** The source of the metrics APIs. */
export interface Metered {
  /** Usage of pods and nodes; absent: only the annotations of pods count. */
  readonly usage?: Usage;
  /** Other metrics; absent: their APIs are not available. */
  readonly series?: Series;
  /** Nodes whose agents enforce no CPU quota. */
  readonly unthrottled?: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();

/** From the specification of each; `startAt`: the start of the run, milliseconds since the epoch. */
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
