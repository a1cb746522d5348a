/**
 * The cluster as a process sees it: objects that its cache lacks, has in an older version, or still has after their deletion. Writes of the
 * current instant do not count as staleness, unless the reader moves by single entries.
 */
import { type ApiObject, keyOf } from '../../../apiserver/machinery/index.ts';
import { compareText } from '../../../schema/values/index.ts';
import { viewAt, type Trace, type View } from '../../../lab/trace/index.ts';
import type { PageWorld, Held } from './world.ts';
import { counters } from '../counters.ts';

/** With more pods, comparing everything takes longer than a step may; then it is not done at any step of the run. */
const MOST = 8_000;

/** Returns the lens of a world; it follows the world's step. `pods`: the most pods at once in the run. */
export function cacheLensOf(trace: Trace, world: PageWorld, pods: number) {
  const views = new Map<string, View>();
  const view = (process: string): View => {
    let found = views.get(process);
    if (found === undefined) views.set(process, (found = viewAt(trace, process, world.step)));
    if (found.step !== world.step) found.moveTo(world.step);
    return found;
  };
  const sees: Lens['sees'] = (process, held) => {
    const eye = view(process);
    if (!eye.follows(held.kind, held.object)) return { how: 'unwatched' };
    const saw = eye.byKey(held.kind, held.key);
    if (saw === undefined || saw.metadata.uid !== held.object.metadata.uid) return { how: 'unseen' };
    return saw.metadata.resourceVersion === held.object.metadata.resourceVersion ? { how: 'seen', saw } : { how: 'stale', saw };
  };
  // Only the matches are sorted: there may be thousands of objects, of which a few are deleted.
  const phantoms: Lens['phantoms'] = (process, kind) => {
    const gone: (readonly [string, ApiObject])[] = [];
    for (const each of view(process).each(kind))
      if (world.find(kind, each[0])?.object.metadata.uid !== each[1].metadata.uid) gone.push(each);
    return gone.sort(([a], [b]) => compareText(a, b)).map(([, saw]) => saw);
  };
  // The stage asks twice at each step: for the card of a process, and for what is on its way to it.
  const known = new Map<string, { readonly step: number; readonly fine: boolean; readonly late: readonly Behind[] }>();
  const comparisons = new Map<string, Comparison>();
  /** The stale objects of a process; undefined: there are too many to compare. `fine`: includes the current instant. */
  const behind = (process: string, fine: boolean): readonly Behind[] | undefined => {
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

type Sightedness = 'seen' | 'unseen' | 'stale' | 'phantom' | 'unwatched';

export interface Behind {
  readonly how: 'unseen' | 'stale' | 'phantom';
  readonly kind: string;
  readonly key: string;
  /** The object of the server; absent: deleted. */
  readonly held?: Held;
  /** The object in the cache; absent: none. */
  readonly saw?: ApiObject;
}

/** What a comparison asks. */
interface Lens {
  /** The cache view of a process at the world's step. */
  view(process: string): View;
  /** How a process sees an object. */
  sees(process: string, held: Held): { readonly how: Sightedness; readonly saw?: ApiObject };
  /** Deleted objects of a kind that are still in the cache. */
  phantoms(process: string, kind: string): readonly ApiObject[];
}

/** Kinds whose staleness is not shown on the stage. */
const QUIET = new Set(['Event', 'Lease', 'ConfigMap', 'ServiceAccount', 'Secret', 'EndpointSlice', 'Endpoints', 'CSINode', 'Namespace']);
/** Over more entries than these, comparing everything is cheaper. */
const FAR = 1_000;

interface Comparison {
  /** The stale objects at the world's step, those of the current instant too: by kind, live ones in order of creation, then deleted ones. */
  late(): readonly Behind[];
}

/** Returns the comparison of a process, which follows the world's step. */
function comparisonOf(trace: Trace, world: PageWorld, lens: Lens, process: string): Comparison {
  /** By `kind key`: one that was replaced by another of its name is both missing and not deleted yet. */
  const found = new Map<string, readonly Behind[]>();
  let sorted: readonly Behind[] | undefined;
  let at = -1;
  const put = (kind: string, key: string, late: readonly Behind[]): void => {
    const place = `${kind} ${key}`;
    if (late.length === 0 && !found.has(place)) return;
    if (late.length === 0) found.delete(place);
    else found.set(place, late);
    sorted = undefined;
  };
  const compare = (kind: string, key: string, held: Held | undefined): void => {
    counters.compared++;
    const saw = lens.view(process).byKey(kind, key);
    // Most objects are the same: nothing else is compared then.
    if (saw !== undefined && saw === held?.object) put(kind, key, []);
    else
      put(kind, key, [...(held === undefined ? [] : missing(kind, key, held)), ...(saw === undefined ? [] : gone(kind, key, saw, held))]);
  };
  const missing = (kind: string, key: string, held: Held): readonly Behind[] => {
    const { how, saw } = lens.sees(process, held);
    if (how === 'unseen') return [{ how, kind, key, held }];
    return how === 'stale' && saw !== undefined ? [{ how, kind, key, held, saw }] : [];
  };
  const gone = (kind: string, key: string, saw: NonNullable<Behind['saw']>, held: Held | undefined): readonly Behind[] =>
    held?.object.metadata.uid === saw.metadata.uid ? [] : [{ how: 'phantom', kind, key, saw }];
  const compareAll = (): void => {
    found.clear();
    sorted = undefined;
    const eye = lens.view(process);
    for (const kind of eye.kinds()) {
      if (QUIET.has(kind)) continue;
      for (const held of world.list(kind)) compare(kind, held.key, held);
      for (const saw of lens.phantoms(process, kind)) if (world.find(kind, keyOf(saw)) === undefined) compare(kind, keyOf(saw), undefined);
    }
  };
  /** Compares the objects of the entries up to the world's step; false: the process began or ended to watch something. */
  const compareBetween = (): boolean => {
    const kinds = lens.view(process).kinds();
    const [from, to] = at < world.step ? [at, world.step] : [world.step, at];
    if (to - from > FAR) return false;
    for (const entry of trace.entries.slice(from, to)) {
      if (entry.type === 'process' && entry.process === process) return false;
      const about = entry.type === 'write' ? entry.change : entry.type === 'delivery' && entry.process === process ? entry : undefined;
      if (about === undefined || QUIET.has(about.kind) || !kinds.includes(about.kind)) continue;
      compare(about.kind, about.key, world.find(about.kind, about.key));
    }
    return true;
  };
  return {
    late() {
      if (at !== world.step && (at < 0 || !compareBetween())) compareAll();
      at = world.step;
      return (sorted ??= inOrder([...found.values()].flat(), lens.view(process).kinds()));
    },
  };
}

function inOrder(late: readonly Behind[], kinds: readonly string[]): readonly Behind[] {
  const rank = new Map(kinds.map((kind, at) => [kind, at]));
  return late.toSorted(
    (a, b) =>
      (rank.get(a.kind) ?? 0) - (rank.get(b.kind) ?? 0) ||
      (a.held?.order ?? Infinity) - (b.held?.order ?? Infinity) ||
      compareText(a.key, b.key),
  );
}
