/**
 * The cluster as a process sees it: objects that its cache lacks, has in an older version, or still has after their deletion. Writes of the
 * current instant do not count as staleness, unless the reader moves by single entries.
 */
import type { ApiObject } from '../../../apiserver/machinery/index.ts';
import { compareText } from '../../../schema/values/index.ts';
import { viewAt, type Trace, type View } from '../../../lab/trace/index.ts';
import { comparisonOf, type Behind, type Comparison, type Lens } from './comparison.ts';
import type { PageWorld } from './world.ts';

/** With more pods, comparing everything takes longer than a step may; then it is not done at any step of the run. */
const MOST = 8_000;

export interface CacheLens extends Lens {
  /** The stale objects of a process; undefined: there are too many to compare. `fine`: includes the current instant. */
  behind(process: string, fine: boolean): readonly Behind[] | undefined;
}

/** Returns the lens of a world; it follows the world's step. `pods`: the most pods at once in the run. */
export function cacheLensOf(trace: Trace, world: PageWorld, pods: number): CacheLens {
  const views = new Map<string, View>();
  const view = (process: string): View => {
    let found = views.get(process);
    if (found === undefined) views.set(process, (found = viewAt(trace, process, world.step)));
    if (found.step !== world.step) found.moveTo(world.step);
    return found;
  };
  const sees: CacheLens['sees'] = (process, held) => {
    const eye = view(process);
    if (!eye.follows(held.kind, held.object)) return { how: 'unwatched' };
    const saw = eye.byKey(held.kind, held.key);
    if (saw === undefined || saw.metadata.uid !== held.object.metadata.uid) return { how: 'unseen' };
    return saw.metadata.resourceVersion === held.object.metadata.resourceVersion ? { how: 'seen', saw } : { how: 'stale', saw };
  };
  // Only the matches are sorted: there may be thousands of objects, of which a few are deleted.
  const phantoms: CacheLens['phantoms'] = (process, kind) => {
    const gone: (readonly [string, ApiObject])[] = [];
    for (const each of view(process).each(kind))
      if (world.find(kind, each[0])?.object.metadata.uid !== each[1].metadata.uid) gone.push(each);
    return gone.sort(([a], [b]) => compareText(a, b)).map(([, saw]) => saw);
  };
  // The stage asks twice at each step: for the card of a process, and for what is on its way to it.
  const known = new Map<string, { readonly step: number; readonly fine: boolean; readonly late: readonly Behind[] }>();
  const comparisons = new Map<string, Comparison>();
  const behind: CacheLens['behind'] = (process, fine) => {
    if (pods > MOST) return undefined;
    const before = known.get(process);
    if (before?.step === world.step && before.fine === fine) return before.late;
    let comparison = comparisons.get(process);
    if (comparison === undefined) comparisons.set(process, (comparison = comparisonOf(trace, world, { view, sees, phantoms }, process)));
    // Of deleted objects only their deletion is late.
    const now = comparison.late().filter(({ held }) => fine || held === undefined || held.at < world.at);
    // The same list is not drawn again.
    const late = before?.late.length === now.length && now.every((each, at) => each === before.late[at]) ? before.late : now;
    known.set(process, { step: world.step, fine, late });
    return late;
  };
  return { view, behind, sees, phantoms };
}
