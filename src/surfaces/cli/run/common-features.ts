/**
 * What the failing seeds of a sweep have in common that others lack. Sweeps keep no traces, so some seeds of each sort are run again and
 * listened to; the same seed gives the same run.
 */
import { simulate } from '../../../lab/simulation/index.ts';
import { collectFeatures, distinguish, type Features } from '../../../lab/trace/index.ts';
import { groupAlike, type CommonFeatures, type RunSummary } from '../../report/index.ts';
import type { LoadedScenario } from '../load.ts';

/** Seeds of each sort that are compared: more make nothing clearer. */
const COMPARED = 24;
/** Kernel events that may be spent on it, and sorts of failures. */
const AFFORDABLE = 5_000_000;
const SORTS = 10;

export function commonFeatures(loaded: LoadedScenario, runs: readonly RunSummary[]): readonly CommonFeatures[] {
  const failed = runs.flatMap((run) => (run.failures[0] === undefined ? [] : [{ run, ...run.failures[0] }]));
  if (failed.length === 0) return [];
  const heard = new Map<number, Features>();
  let left = AFFORDABLE;
  const featuresOf = (run: RunSummary): readonly Features[] => {
    const known = heard.get(run.seed);
    if (known !== undefined) return [known];
    left -= run.steps;
    if (left < 0) return [];
    const features = listen(loaded, run);
    heard.set(run.seed, features);
    return [features];
  };
  const held = runs.filter(({ failures }) => failures.length === 0);
  return [...groupAlike(failed)].slice(0, SORTS).map(([failure, group]): CommonFeatures => {
    const seeds = group.map(({ run }) => run.seed);
    const otherwise = failed.filter((one) => !group.includes(one)).map(({ run }) => run);
    const others = held.length > 0 ? held : otherwise;
    const comparedWith = held.length > 0 ? 'held' : otherwise.length > 0 ? 'failed in another way' : 'nothing';
    if (comparedWith === 'nothing') return { failure, seeds, comparedWith, features: [] };
    const untilMs = Math.max(...group.map(({ sinceStartMs }) => sinceStartMs));
    const here = group.slice(0, COMPARED).flatMap(({ run }) => featuresOf(run));
    return { failure, seeds, comparedWith, features: distinguish(here, others.slice(0, COMPARED).flatMap(featuresOf), untilMs) };
  });
}

/** Up to its first failure, if it has one: what comes after it explains nothing. */
function listen({ scenario, own }: LoadedScenario, { seed, failures }: RunSummary): Features {
  const collector = collectFeatures(scenario.startAt);
  const last = failures[0]?.traceStep ?? Infinity;
  let step = 0;
  simulate(scenario, {
    seed,
    with: own.definitions,
    onEntry: (entry) => {
      if (++step <= last) collector.observe(entry);
    },
  });
  return collector.features;
}
