/** Smaller candidates: subsets of a list, and scenarios without a step, with fewer nodes, with smaller numbers. A run decides on each. */
import type { Manifest, Scenario, SourcedManifest, Step } from '../../scenario/index.ts';

/** Delta debugging (ddmin). Returns a list from which no single item can be removed. */
export function fewest<T>(items: readonly T[], still: (items: readonly T[]) => boolean): readonly T[] {
  let left = items;
  let parts = 2;
  while (left.length > 1) {
    const size = Math.ceil(left.length / parts);
    const smaller = without(left, size, still);
    if (smaller !== undefined) {
      left = smaller;
      parts = Math.max(2, parts - 1);
    } else if (size === 1) break;
    else parts = Math.min(left.length, parts * 2);
  }
  return left.length === 1 && still([]) ? [] : left;
}

/** Returns the list without one of its parts of a size; undefined: all are needed. */
function without<T>(items: readonly T[], size: number, still: (items: readonly T[]) => boolean): readonly T[] | undefined {
  for (let from = 0; from < items.length; from += size) {
    const rest = [...items.slice(0, from), ...items.slice(from + size)];
    if (still(rest)) return rest;
  }
  return undefined;
}

/** Names of numbers that are quantities. */
const SIZES: ReadonlySet<string> = new Set([
  'replicas',
  'completions',
  'parallelism',
  'backoffLimit',
  'minReadySeconds',
  'terminationGracePeriodSeconds',
]);

/** Yields smaller scenarios, the largest reductions first. */
export function* smaller(scenario: Scenario): Generator<Scenario> {
  const { steps, cluster, manifests } = scenario;
  // Without a wait, what comes after it would race with what it waits for: the scenario would no longer be the one that is searched.
  const last = steps.findLastIndex(({ verb }) => verb !== 'expect' && verb !== 'note');
  for (let at = steps.length - 1; at >= 0; at--)
    if (steps[at]?.verb !== 'expect' && (steps[at]?.verb !== 'waitFor' || at === last))
      yield { ...scenario, steps: [...steps.slice(0, at), ...steps.slice(at + 1)] };
  for (const count of fewer(cluster.nodes.length)) yield { ...scenario, cluster: { ...cluster, nodes: cluster.nodes.slice(0, count) } };
  for (const each of smallerObjects(manifests)) yield { ...scenario, manifests: each };
  for (const [at, step] of steps.entries())
    for (const each of smallerStep(step)) yield { ...scenario, steps: [...steps.slice(0, at), each, ...steps.slice(at + 1)] };
}

function* smallerStep(step: Step): Generator<Step> {
  if (step.verb === 'apply' || step.verb === 'create' || step.verb === 'replace')
    for (const objects of smallerObjects(step.objects)) yield { ...step, objects };
}

function* smallerObjects(objects: readonly SourcedManifest[]): Generator<readonly SourcedManifest[]> {
  for (const [at, { object, ...rest }] of objects.entries())
    for (const each of smallerNumbers(object))
      yield [...objects.slice(0, at), { ...rest, object: each as Manifest }, ...objects.slice(at + 1)];
}

function* smallerNumbers(value: unknown, name = ''): Generator<unknown> {
  if (typeof value === 'number' && SIZES.has(name)) {
    yield* fewer(value);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    for (const [at, item] of items.entries())
      for (const each of smallerNumbers(item)) yield [...items.slice(0, at), each, ...items.slice(at + 1)];
    return;
  }
  for (const [key, member] of Object.entries(value)) for (const each of smallerNumbers(member, key)) yield { ...value, [key]: each };
}

/** Returns smaller counts: one, half, one less. Large numbers skip counts, because one run for each would take too many runs. */
const fewer = (count: number): readonly number[] =>
  [...new Set([1, Math.floor(count / 2), ...(count < 10 ? [count - 1] : [])])].filter((each) => each >= 1 && each < count);
