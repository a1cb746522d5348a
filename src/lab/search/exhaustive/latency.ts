/**
 * Latencies for scenarios that give none: without latency everything that follows from a write is one instant, and the number of orders
 * explodes.
 */
import type { Item, Scenario } from '../../scenario/index.ts';
import type { Staged } from '../../simulation/index.ts';
import type { Ways } from './dependence.ts';

/** A request is under way for 2 ms, there and back, and news of a write for 1 ms. */
export const TOY_LATENCY = { api: { minMs: 2, maxMs: 2 }, watch: { minMs: 1, maxMs: 1 } } as const;

/** The scenario with latencies, and whether they had to be given to it. */
export function withLatency(scenario: Scenario): { readonly scenario: Scenario; readonly given: boolean } {
  const { api, watch } = scenario.cluster.latency;
  if (api.maxMs > 0 || watch.maxMs > 0) return { scenario, given: false };
  return { scenario: { ...scenario, cluster: { ...scenario.cluster, latency: TOY_LATENCY } }, given: true };
}

/** The same while a step waits for a condition, which a write may make true. */
export function waysAt(ways: Ways, items: readonly Item[], { items: taken, stage }: Staged['position']): Ways {
  const item = items[taken];
  const waits =
    stage === 'due'
      ? item?.step.timing.when === 'cel' || item?.step.timing.when === 'revision'
      : stage !== 'end' && (stage === 'taking' ? item?.step : item?.beside)?.verb === 'waitFor';
  return waits ? { ...ways, alert: true } : ways;
}

/** How messages travel in a scenario. */
export const waysOf = ({ cluster: { latency } }: Scenario): Ways => ({
  apart: latency.watch.minMs >= 1 && latency.api.minMs >= 2,
  drawn: latency.watch.minMs !== latency.watch.maxMs || latency.api.minMs !== latency.api.maxMs,
});
