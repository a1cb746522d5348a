/**
 * All that the page shows follows from these signals. Parts read them; `actions.ts` alone writes them. Later pieces (a second run beside
 * this one, questions of lessons, links) put theirs here.
 */
import { computed, signal } from '@preact/signals';
import type { ObjectName } from '../../lab/trace/index.ts';
import type { Model } from './model/index.ts';
import { matchesOf, queryOf } from './model/search.ts';
import type { CarriedScenario, PageData, PageProblem, Peek } from './protocol.ts';

export type Theme = 'light' | 'dark';
export type Panel = 'story' | 'scenario' | 'runs' | 'live';

/** How it stands with the cluster that is followed. */
export type LiveState =
  | { readonly is: 'connecting' | 'lost' }
  | { readonly is: 'login'; readonly message: string }
  | { readonly is: 'live'; readonly clock: string; readonly settled: boolean; readonly domain: string; readonly message?: string };

/** What the file carries; set once, before anything is shown. */
export const data = signal<PageData>({ scenarios: [], open: '' });
/** The scenario that is shown, as the page carries it. */
export const scenario = signal<CarriedScenario | undefined>(undefined);
/** Its run; absent until the first has come. */
export const model = signal<Model | undefined>(undefined);
export const step = signal(0);
/** The process whose eyes are on. */
export const lens = signal<string | undefined>(undefined);
/** The object that the inspector keeps; absent: it follows the cursor. */
export const selection = signal<ObjectName | undefined>(undefined);
/** The node that fills its floor alone. */
export const zoomed = signal<string | undefined>(undefined);

/** The cluster that is followed; undefined: none is shown. */
export const live = signal<LiveState | undefined>(undefined);

export const playing = signal(false);
export const speed = signal(1);
/** Every entry is a stop, not only what is told. */
export const fine = signal(false);
export const folded = signal(true);
export const search = signal('');
/** Steps that the reader has marked; links keep them. */
export const marks = signal<readonly number[]>([]);

export const panel = signal<Panel>('story');
export const theme = signal<Theme>('light');
/** Below 1180 pixels the inspector is a sheet. */
export const sheet = signal(false);
export const help = signal(false);
/** What the engine is busy with. */
export const busy = signal<string | undefined>(undefined);
export const problems = signal<readonly PageProblem[]>([]);
/** A look inside at the cursor, once it rests. */
export const peek = signal<Peek | undefined>(undefined);

/** Never past an end, whatever a run that has just come leaves behind. */
export const here = computed(() => Math.max(0, Math.min(step.value, model.value?.length ?? 0)));

/** What the search means; undefined: nothing is looked for. */
export const matches = computed<readonly number[] | undefined>(() => {
  const query = queryOf(search.value);
  const of = model.value;
  return query === undefined || of === undefined ? undefined : matchesOf(of.trace, of.told, query);
});

/** The object of the entry at the cursor. */
const touched = computed<ObjectName | undefined>(() => {
  const of = model.value;
  if (of === undefined) return undefined;
  for (let at = here.value; at > 0; at--) {
    const entry = of.trace.entries[at - 1];
    if (entry === undefined || entry.type === 'note' || entry.type === 'check') continue;
    if (entry.type === 'write') return entry.change.kind === 'Event' ? undefined : nameOfKey(entry.change.kind, entry.change.key);
    if (entry.type === 'delivery') return nameOfKey(entry.kind, entry.key);
    if (entry.type !== 'reconcile') return undefined;
    const kind = of.eyes
      .view(entry.process)
      .controllers()
      .find(({ name }) => name === entry.controller)?.reconciles;
    return kind === undefined ? undefined : nameOfKey(kind, entry.key);
  }
  return undefined;
});

/** What the inspector is about. */
export const inspected = computed(() => selection.value ?? touched.value);

/**
 * The model with its world at the cursor. Whoever draws from the world asks here, and so is drawn again when the cursor moves: parts are
 * not drawn anew just because the one around them is.
 */
export function atCursor(of: Model): Model {
  of.world.moveTo(here.value);
  return of;
}

/** A key `namespace/name`, or a name alone, as an object's name. */
export function nameOfKey(kind: string, key: string): ObjectName {
  const slash = key.indexOf('/');
  return slash < 0 ? { kind, name: key } : { kind, namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}
