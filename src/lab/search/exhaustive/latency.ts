/**
 * Latencies for scenarios that set none. Without latency all effects of a write happen at one instant, and the number of orders explodes.
 */
import type { Item, Scenario } from '../../scenario/index.ts';
import type { Staged } from '../../simulation/index.ts';
import type { OrderRules } from './dependence.ts';

/** A request takes 2 ms for the round trip, and a watch event 1 ms. */
export const TOY_LATENCY = { api: { minMs: 2, maxMs: 2 }, watch: { minMs: 1, maxMs: 1 } } as const;

/** Returns the scenario with latencies, and whether they were added. */
export function withLatency(scenario: Scenario): { readonly scenario: Scenario; readonly given: boolean } {
  const { api, watch } = scenario.cluster.latency;
  if (api.maxMs > 0 || watch.maxMs > 0) return { scenario, given: false };
  return { scenario: { ...scenario, cluster: { ...scenario.cluster, latency: TOY_LATENCY } }, given: true };
}

/** Returns the dependence while a step waits for a condition, which a write may make true. */
export function orderRulesAt(rules: OrderRules, items: readonly Item[], { items: taken, stage }: Staged['position']): OrderRules {
  const item = items[taken];
  const waits =
    stage === 'due'
      ? item?.step.timing.when === 'cel' || item?.step.timing.when === 'revision'
      : stage !== 'end' && (stage === 'taking' ? item?.step : item?.beside)?.verb === 'waitFor';
  return waits ? { ...rules, alert: true } : rules;
}

/** Returns the message latencies of a scenario. */
export const orderRulesOf = ({ cluster: { latency } }: Scenario): OrderRules => ({
  apart: latency.watch.minMs >= 1 && latency.api.minMs >= 2,
  drawn: latency.watch.minMs !== latency.watch.maxMs || latency.api.minMs !== latency.api.maxMs,
});
