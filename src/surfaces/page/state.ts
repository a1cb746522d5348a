/**
 * All that the page shows follows from these signals. Parts read them; `actions.ts`, and what goes on by itself, write them. Later pieces
 * (a second run beside this one, questions of lessons, links) put theirs here.
 */
import { computed, signal } from '@preact/signals';
import type { ObjectName } from '../../lab/trace/index.ts';
import type { Model } from './model/index.ts';
import { barrierOf, openAt, type Answers } from './model/lesson.ts';
import type { Pair } from './model/pair.ts';
import { trackOf, type Track } from './model/track.ts';
import type { CarriedScenario, PageData, PageProblem, Peek, Second } from './protocol.ts';

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

/** The run that stands beside it, with what makes it another and its scenario as a file. */
export interface Other {
  readonly pair: Pair;
  readonly how: Second;
  readonly said: string;
  readonly text: string;
}
export const other = signal<Other | undefined>(undefined);
/** What is offered to try: of a process, a node, an object; or what to compare the run with. */
export interface Offer {
  readonly title: string;
  readonly faults: readonly { readonly say: string; readonly typed: string }[];
  readonly compare?: true;
  /** What waits here in another order: all of it, or what is a process's, or about an object. */
  readonly waits?: { readonly process?: string; readonly key?: string };
}
export const offer = signal<Offer | undefined>(undefined);

/** The text in the editor; absent: nobody has changed it. */
export const draft = signal<string | undefined>(undefined);

/** Something that a reader should know, once. */
export const notice = signal<string | undefined>(undefined);
/** The link that was asked for. */
export const shared = signal<{ readonly url: string; readonly copied: boolean } | undefined>(undefined);
/** Only stage and lesson are shown: the page stands in somebody else's. */
export const embedded = signal(false);

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

/** What has been answered of the lesson's questions. */
export const answers = signal<Answers>(new Map());
/** Play hurries to this step: an answer has been given, and the world is to say which is right. */
export const hurry = signal<number | undefined>(undefined);

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

/** Whether there is an engine to run what somebody writes. */
export const canRun = computed(() => data.value.runs === undefined && live.value === undefined && model.value?.run.recorded === undefined);
/** Whether what if can be asked: there is an engine, and it has all of the run. */
export const canFork = computed(() => canRun.value && model.value?.run.window === undefined && model.value?.run.unfinished === undefined);
/** What the cursor moves on. */
export const track = computed<Track | undefined>(() => {
  const of = model.value;
  return other.value?.pair.track ?? (of === undefined ? undefined : trackOf(of));
});
/** The cursor's place; never past an end, whatever a run that has just come leaves behind. */
export const cursor = computed(() => Math.max(0, Math.min(step.value, track.value?.length ?? 0)));
/** The step of the run at the cursor. */
export const here = computed(() => other.value?.pair.firstAt[cursor.value] ?? cursor.value);
/** The step of the run that stands beside it. */
const there = computed(() => other.value?.pair.secondAt[cursor.value] ?? 0);
/** The step at which a run stands: of the two the one that is asked about. */
export const stepIn = (of: Model): number => (other.value?.pair.second === of ? there.value : here.value);

/** The last place that an open question lets anybody reach; who asks what if wants to see what comes. */
export const barrier = computed(() =>
  other.value !== undefined ? other.value.pair.track.length : barrierOf(model.value?.puts ?? [], answers.value, model.value?.length ?? 0),
);
/** The question that waits for an answer here. */
export const put = computed(() => openAt(model.value?.puts ?? [], answers.value, here.value));
/** The last beat of the lesson that has been told here; -1: none yet. */
export const narrationStep = computed(() => (model.value?.run.lesson.narrationSteps ?? []).findLastIndex(({ step }) => step <= here.value));

/** The steps that the search means, once they are found; undefined: nothing is looked for. */
export const matches = signal<readonly number[] | undefined>(undefined);

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
    const kind = of.cacheLens
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
  of.world.moveTo(stepIn(of));
  return of;
}

/** A key `namespace/name`, or a name alone, as an object's name. */
export function nameOfKey(kind: string, key: string): ObjectName {
  const slash = key.indexOf('/');
  return slash < 0 ? { kind, name: key } : { kind, namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}
