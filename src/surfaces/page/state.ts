/** The state of the page as signals. Components read them; `actions.ts` and the automatic actions write them. */
import { computed, signal } from '@preact/signals';
import { isOf } from '../../controlplane/runtime/index.ts';
import type { Entry, ObjectName } from '../../lab/trace/index.ts';
import type { Model } from './model/index.ts';
import { differencesAt, type Difference } from './model/differences.ts';
import { headlineStep } from './model/headline.ts';
import { barrierOf, openAt, type Answers } from './model/lesson.ts';
import { type Pair, trackOf, type Track } from './model/pair.ts';
import { NO_PROGRESS, type Progress } from './model/progress.ts';
import type { CarriedScenario, PageData, PageProblem, Peek, RunData, Second } from './protocol.ts';
import { LONGEST } from './run-data.ts';

export type Theme = 'light' | 'dark';
/** What the page shows: the course, or a run. */
export type View = 'course' | 'run';
export type Panel = 'story' | 'scenario' | 'runs' | 'live';

/** The connection to the served cluster. */
export type LiveState =
  | { readonly is: 'connecting' | 'lost' }
  | { readonly is: 'login'; readonly message: string }
  | { readonly is: 'live'; readonly clock: string; readonly settled: boolean; readonly domain: string; readonly message?: string };

/** The data of the page; set once, before anything is shown. */
export const data = signal<PageData>({ scenarios: [], open: '' });
export const view = signal<View>('run');
/** The lessons of the course, in order; empty: the page has no course. */
export const lessons = computed(() => data.value.scenarios.filter(({ card }) => card !== undefined));
export const progress = signal<Progress>(NO_PROGRESS);
export const scenario = signal<CarriedScenario | undefined>(undefined);
/** Its run; absent until the first one is ready. */
export const model = signal<Model | undefined>(undefined);
export const step = signal(0);
/** The process whose cache is shown. */
export const lens = signal<string | undefined>(undefined);
/** The selected object of the inspector; absent: it follows the cursor. */
export const selection = signal<ObjectName | undefined>(undefined);
/** The node that fills its tier alone. */
export const zoomed = signal<string | undefined>(undefined);

/** The second run, with its difference from the first and its scenario as a file. */
export interface Other {
  readonly pair: Pair;
  readonly how: Second;
  readonly said: string;
  readonly text: string;
  /** The moment at which it has shown what it is for: its end, or the moment of its check. */
  readonly until: number;
  /** What it shows, in a checked sentence. */
  readonly shows?: string;
}
export const other = signal<Other | undefined>(undefined);
/** The open dialog: what-ifs for a process, a node or an object, or comparisons. */
export interface Offer {
  readonly title: string;
  readonly faults: readonly { readonly say: string; readonly typed: string }[];
  readonly compare?: true;
  /** Which pending events the dialog shows: all, those of a process, or those about an object. */
  readonly waits?: { readonly process?: string; readonly key?: string };
}
export const offer = signal<Offer | undefined>(undefined);

/** The text in the editor; absent: unchanged. */
export const draft = signal<string | undefined>(undefined);

/** The place in the text that was asked for: the editor goes there when it is shown. */
export const sought = signal<{ readonly line: number; readonly col: number } | undefined>(undefined);

/** Whether the editor takes the focus when it is shown. */
export const typing = signal(false);

/** A message that is shown once. */
export const notice = signal<string | undefined>(undefined);
/** The link that was requested. */
export const shared = signal<{ readonly url: string; readonly copied: boolean } | undefined>(undefined);
/** Embedded in another page: only stage and lesson are shown. */
export const embedded = signal(false);

/** The served cluster; undefined: none is shown. */
export const live = signal<LiveState | undefined>(undefined);

export const playing = signal(false);
export const speed = signal(1);
/** Whether every entry is a stop, not only those of the log. */
export const fine = signal(false);
/** Whether the reader has moved by a single entry, of whatever kind. */
export const single = signal(false);
export const folded = signal(true);
export const search = signal('');
/** Steps that the reader has marked; links contain them. */
export const marks = signal<readonly number[]>([]);

export const answers = signal<Answers>(new Map());
/** Whether the end of the lesson, after its last note, is shown. */
export const recap = signal(false);
/** The step to which the run goes by leaps, within so many milliseconds: to an answer, or to the end of two futures. */
export const hurry = signal<{ readonly to: number; readonly ms: number } | undefined>(undefined);

export const panel = signal<Panel>('story');
export const theme = signal<Theme>('light');
/** Below 1340 pixels the inspector is a sheet. */
export const sheet = signal(false);
export const help = signal(false);
/** Presenter mode: the stage fills the window, with one sentence below it. */
export const presenting = signal(false);
/** Presenter mode shows nothing, so that the audience looks at the presenter. */
export const blank = signal(false);
/** The sides that are folded away. */
export const sides = signal({ notes: true, inspector: true });
export const busy = signal<string | undefined>(undefined);
/** How far the run is that is being made, and the length that its scenario says; undefined: none is, or it is not known. */
export const runProgress = signal<{ readonly entries: number; readonly lengthMs: number; readonly untilMs?: number } | undefined>(
  undefined,
);
export const problems = signal<readonly PageProblem[]>([]);
/** Introspection at the cursor, once it rests. */
export const peek = signal<Peek | undefined>(undefined);

/** Whether there is an engine for edited scenarios. */
export const canRun = computed(() => data.value.runs === undefined && live.value === undefined && model.value?.run.recorded === undefined);
/** Whether forks are possible: there is an engine, and it has the whole run. */
export const canFork = computed(() => {
  const of = model.value;
  return canRun.value && (of === undefined || (isComplete(of.run) && of.length <= LONGEST));
});
const isComplete = ({ window: part, unfinished, stopped }: RunData): boolean =>
  part === undefined && unfinished === undefined && stopped === undefined;
export const track = computed<Track | undefined>(() => {
  const of = model.value;
  return other.value?.pair.track ?? (of === undefined ? undefined : trackOf(of));
});
/** The position of the cursor, within the current run. */
export const cursor = computed(() => Math.max(0, Math.min(step.value, track.value?.length ?? 0)));
/** The step of the run at the cursor. */
export const here = computed(() => other.value?.pair.firstAt[cursor.value] ?? cursor.value);
const there = computed(() => other.value?.pair.secondAt[cursor.value] ?? 0);
/** The current step of a run: of the first or the second. */
export const stepIn = (of: Model): number => (other.value?.pair.second === of ? there.value : here.value);

/** The differences of two runs at the cursor, and the names of what differs: `Pod web-0`, or a process. */
export const differences = computed<readonly Difference[]>(() => {
  const pair = other.value?.pair;
  return pair === undefined ? [] : differencesAt(pair.first, here.value, pair.second, there.value);
});
const differing = computed<ReadonlySet<string>>(() => new Set(differences.value.map(({ what }) => what)));
/** Whether a process, or an object as `Pod web-0`, differs between two runs at the cursor. */
export const differs = (what: string): boolean => differing.value.has(what);

/** The last position before an open question; a comparison is not limited. */
export const barrier = computed(() =>
  other.value !== undefined
    ? other.value.pair.track.length
    : barrierOf(model.value?.questions ?? [], answers.value, model.value?.length ?? 0),
);
/** Where the reader is in the notes: at the cursor. A fork that plays must not give away later answers, so it leaves the notes where it began. */
export const reading = computed(() => (other.value?.how.is === 'fork' ? other.value.how.step : here.value));
export const openQuestion = computed(() => openAt(model.value?.questions ?? [], answers.value, reading.value));
/** The last narration step at or before the reader; -1: none. */
export const narrationStep = computed(() =>
  (model.value?.run.lesson.narrationSteps ?? []).findLastIndex(({ step }) => step <= reading.value),
);

/** The step whose sentence is the headline of a run at the cursor. */
export const headlineIn = (of: Model): number => headlineAt(of, stepIn(of));
/** The same at a step. */
export const headlineAt = (of: Model, at: number): number => headlineStep(of, at, fine.value || single.value);

/** The steps that match the search; undefined: no search. */
export const matches = signal<readonly number[] | undefined>(undefined);

/**
 * The step that the inspector shows: the cursor's. In a large run it follows in a task of its own, once the cursor stays for a moment, so
 * that a move is not longer than a frame.
 */
export const inspectedStep = BUILT_WITH_ENGINE
  ? computed(() => ((model.value?.length ?? 0) > LONGEST ? followed.value : here.value))
  : here;
/** The last step for which the inspector of a large run was drawn. */
export const followed = signal(0);

/** The object of the entry of a headline. */
function touchedAt(of: Model | undefined, at: number): ObjectName | undefined {
  for (let step = of === undefined ? 0 : headlineAt(of, at); step > 0; step--) {
    const entry = of?.trace.entries[step - 1];
    if (entry === undefined || entry.type === 'note' || entry.type === 'check') continue;
    if (entry.type === 'write') return aboutOf(entry.change);
    if (entry.type === 'delivery') return nameOfKey(entry.kind, entry.key);
    if (entry.type !== 'reconcile') return undefined;
    const kind = of?.reconciles.get(`${entry.process} ${entry.controller}`);
    return kind === undefined ? undefined : nameOfKey(kind, entry.key);
  }
  return undefined;
}

/** The object of a write; of an Event the object that it is about, which the reader was looking at. */
function aboutOf({ kind, key, object }: Extract<Entry, { readonly type: 'write' }>['change']): ObjectName | undefined {
  if (!isOf('Event', object)) return nameOfKey(kind, key);
  const { kind: about, namespace, name } = object.involvedObject;
  return about === undefined || name === undefined ? undefined : { kind: about, name, ...(namespace === undefined ? {} : { namespace }) };
}

/** The selected object; without one that at the cursor. */
export const inspected = computed(() => selection.value ?? touchedAt(model.value, here.value));
/** The same at the inspector's step. */
export const inspectedObject = BUILT_WITH_ENGINE
  ? computed(() => selection.value ?? touchedAt(model.value, inspectedStep.value))
  : inspected;

/**
 * Returns the model with its world at the cursor. A component that reads the world calls this, which also subscribes it to the cursor: a
 * component is not rendered again just because its parent is.
 */
export function atCursor(of: Model): Model {
  of.world.moveTo(stepIn(of));
  return of;
}

/** The same at the inspector's step. */
export function atInspected(of: Model): Model {
  if (!BUILT_WITH_ENGINE) return atCursor(of);
  of.world.moveTo(inspectedStep.value);
  return of;
}

/** Returns a key `namespace/name`, or a name alone, as an object's name. */
export function nameOfKey(kind: string, key: string): ObjectName {
  const slash = key.indexOf('/');
  return slash < 0 ? { kind, name: key } : { kind, namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}
