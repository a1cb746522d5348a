/**
 * The cluster through the eyes of a process: which objects its cache lacks, holds as they were, or still holds though they are gone.
 * What was written at the instant of the step is no staleness, unless the reader goes entry by entry.
 */
import { type ApiObject, keyOf } from '../../../apiserver/machinery/index.ts';
import { compareText } from '../../../schema/values/index.ts';
import { viewAt, type Trace, type View } from '../../../lab/trace/index.ts';
import type { Held, PageWorld } from './world.ts';

export type Sightedness = 'seen' | 'unseen' | 'stale' | 'phantom' | 'unwatched';

export interface Behind {
  readonly how: 'unseen' | 'stale' | 'phantom';
  readonly kind: string;
  readonly key: string;
  /** What the server holds; absent: it is gone. */
  readonly held?: Held;
  /** What the cache holds; absent: nothing. */
  readonly saw?: ApiObject;
}

/** Kinds that say nothing on a stage when they are late. */
const QUIET = new Set(['Event', 'Lease', 'ConfigMap', 'ServiceAccount', 'Secret', 'EndpointSlice', 'Endpoints', 'CSINode', 'Namespace']);
/** Beyond this a comparison of everything takes longer than a frame. */
const MOST = 20_000;

export interface CacheLens {
  /** The view of a process at the world's step. */
  view(process: string): View;
  /** What a process is behind on; undefined: there is too much to compare. `fine`: of this instant too. */
  behind(process: string, fine: boolean): readonly Behind[] | undefined;
  /** How a process sees an object. */
  sees(process: string, held: Held): { readonly how: Sightedness; readonly saw?: ApiObject };
  /** Objects of a kind that are gone and still seen. */
  phantoms(process: string, kind: string): readonly ApiObject[];
}

/** Eyes on a world; they follow its step. */
export function cacheLensOf(trace: Trace, world: PageWorld): CacheLens {
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
  // Only what is found is put in order: there may be thousands, of which a few are gone.
  const phantoms: CacheLens['phantoms'] = (process, kind) => {
    const gone: (readonly [string, ApiObject])[] = [];
    for (const each of view(process).each(kind))
      if (world.find(kind, each[0])?.object.metadata.uid !== each[1].metadata.uid) gone.push(each);
    return gone.sort(([a], [b]) => compareText(a, b)).map(([, saw]) => saw);
  };
  const behind: CacheLens['behind'] = (process, fine) => {
    const eye = view(process);
    const kinds = eye.kinds().filter((kind) => !QUIET.has(kind));
    if (kinds.reduce((sum, kind) => sum + world.count(kind), 0) > MOST) return undefined;
    const late: Behind[] = [];
    for (const kind of kinds) {
      for (const held of world.each(kind)) {
        if (!fine && held.at >= world.at) continue;
        const { how, saw } = sees(process, held);
        if (how === 'unseen') late.push({ how, kind, key: held.key, held });
        else if (how === 'stale' && saw !== undefined) late.push({ how, kind, key: held.key, held, saw });
      }
      for (const saw of phantoms(process, kind)) late.push({ how: 'phantom', kind, key: keyOf(saw), saw });
    }
    return late;
  };
  return { view, behind, sees, phantoms };
}
