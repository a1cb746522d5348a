/** Features that the failing seeds of a sweep share and others lack. Some seeds are run again, since a sweep keeps no traces. */
import { simulate } from '../../../lab/simulation/index.ts';
import { collectFeatures, distinguish, type Features } from '../../../lab/trace/index.ts';
import { groupByFailure, type CommonFeatures, type RunSummary } from '../../report/index.ts';
import type { LoadedScenario } from '../load.ts';

/** At most so many seeds of each group are compared; more do not improve the result. */
const COMPARED = 24;
/** The budget: kernel events, and groups of failures. */
const AFFORDABLE = 5_000_000;
const SORTS = 10;

/** Returns the common features of each group of failing seeds, as far as the budget permits. */
export function commonFeatures(loaded: LoadedScenario, runs: readonly RunSummary[]): readonly CommonFeatures[] {
  const failed = runs.flatMap((run) => (run.failures[0] === undefined ? [] : [{ run, ...run.failures[0] }]));
  if (failed.length === 0) return [];
  const featuresBySeed = new Map<number, Features>();
  let left = AFFORDABLE;
  const featuresOf = (run: RunSummary): readonly Features[] => {
    const known = featuresBySeed.get(run.seed);
    if (known !== undefined) return [known];
    left -= run.steps;
    if (left < 0) return [];
    const features = listen(loaded, run);
    featuresBySeed.set(run.seed, features);
    return [features];
  };
  const held = runs.filter(({ failures }) => failures.length === 0);
  return [...groupByFailure(failed)].slice(0, SORTS).map(([failure, group]): CommonFeatures => {
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

/** Collects the features of a run up to its first failure, because later entries do not explain it. */
function listen({ scenario, plugins }: LoadedScenario, { seed, failures }: RunSummary): Features {
  const collector = collectFeatures(scenario.startAt);
  const last = failures[0]?.traceStep ?? Infinity;
  let step = 0;
  simulate(scenario, {
    seed,
    with: plugins.definitions,
    onEntry: (entry) => {
      if (++step <= last) collector.observe(entry);
    },
  });
  return collector.features;
}
