/**
 * The messages between the page and the engine in its worker. Every message is plain data; a reply has the number of its request. Parts of
 * a long run are sent while it is made. Within a message, subtrees that revisions share stay shared, which differences rely on. An object
 * is sent with its previous version, so only the parts that are shared with an earlier message are sent twice.
 */
import type { Introspection } from '../../controlplane/runtime/index.ts';
import type { Assistance } from '../../lab/scenario/index.ts';
import type { NarrationStep, ObjectName, Trace } from '../../lab/trace/index.ts';

/** A scenario in the page. */
export interface CarriedScenario {
  /** The name in lists and links: `job/01-runs-to-completion`. */
  readonly name: string;
  readonly title: string;
  /** The file name in messages. */
  readonly file: string;
  readonly text: string;
  /** Which scenario of the text; absent: there is only one. */
  readonly scenario?: string;
  /** Texts that the scenario refers to, by path. */
  readonly files?: Readonly<Record<string, string>>;
  /** Its card in the course; absent: it is not a lesson of the course. */
  readonly card?: LessonCard;
}

/** What the course shows of a lesson before it has run. */
export interface LessonCard {
  readonly teaches: string;
  /** Minutes to read it and to answer its questions. */
  readonly minutes: number;
  readonly picture: Picture;
}

/** A small picture of a run: lifespans of pods and processes as bars. Positions are thousandths of the width. */
export interface Picture {
  readonly rows: number;
  /** `look`: a phase of a pod, or a status of a process, in lower case: the class of a bar. */
  readonly bars: readonly (readonly [row: number, from: number, to: number, look: string])[];
  /** The positions of the notes. */
  readonly notes: readonly number[];
}

/** The data of the page: scenarios, and which to open. */
export interface PageData {
  readonly scenarios: readonly CarriedScenario[];
  /** More scenarios, as JSON packed by Zstandard, in base64. */
  readonly shipped?: string;
  /** The name of the scenario that is shown first. */
  readonly open: string;
  readonly seed?: number;
  /** Recorded runs: then the page has no engine. */
  readonly runs?: readonly CarriedRun[];
  /** A second recording of the same scenario beside the only run, and its name: that of its file. */
  readonly beside?: { readonly said: string; readonly packed: string };
  /** Features that failing runs share. */
  readonly common?: readonly Common[];
  /** The name of the scenario that shows the cluster of the page's server. */
  readonly live?: string;
  /** The moment at which the page was saved, as the fragment of a link: shown first. */
  readonly moment?: string;
}

/** A run in the page, with or without its recording. */
export interface CarriedRun {
  /** The name of its scenario. */
  readonly scenario: string;
  readonly seed: number;
  readonly verdict: RunData['verdict'];
  /** The first failure: its invariant, or its kind. */
  readonly by?: string;
  readonly message?: string;
  /** Equal for runs with the same failure. */
  readonly failureGroup?: string;
  /** The command that repeats the run. */
  readonly replay: string;
  /** The recording (`packing.ts`), deflated, in base64; absent: it did not fit. */
  readonly packed?: string;
}

/** Features that distinguish a group of failing runs from as many others. */
export interface Common {
  /** The name of their scenario, and their failure group. */
  readonly scenario: string;
  readonly failureGroup: string;
  readonly comparedWith: 'held' | 'failed in another way';
  /** The number of runs with each feature, in the group and among the others. */
  readonly features: readonly { readonly text: string; readonly here: number; readonly elsewhere: number }[];
}

type Runnable = Pick<CarriedScenario, 'file' | 'text' | 'scenario' | 'files'> & { readonly name?: string };

export type Question =
  | { readonly ask: 'run'; readonly scenario: Runnable; readonly seed?: number }
  /** Ends the run that is being made, where it is. It has no reply of its own. */
  | { readonly ask: 'stop' }
  /** Another part of the last run, which is too long for a page: it begins after this step. */
  | { readonly ask: 'window'; readonly from: number }
  /** Checks a text without running it; completes at a position; formats. */
  | { readonly ask: 'check'; readonly scenario: Runnable }
  | { readonly ask: 'assist'; readonly text: string; readonly line: number; readonly col: number }
  | { readonly ask: 'tidy'; readonly text: string }
  /** Runs the suggestions of the last run's lesson, which its verdict is about too. */
  | { readonly ask: 'rehearse' }
  /** Whether the last run differs if a gate is changed. */
  | { readonly ask: 'gate'; readonly gate: string }
  /** A second run beside the last. */
  | { readonly ask: 'second'; readonly how: Second }
  /** Pending events at a step of the last run, and the choices that make each first, or later. */
  | { readonly ask: 'waiting'; readonly step: number }
  /** Introspection at a step of the last run, and what an object waits for. */
  | { readonly ask: 'peek'; readonly step: number; readonly about?: ObjectName };

/** What a fork does: a what-if of the lesson after so many steps of the scenario, or a step in the syntax of `walk`. */
export type InjectedFault = { readonly try: readonly [taken: number, at: number] } | { readonly typed: string };

/** The second run. */
export type Second =
  | { readonly is: 'fork'; readonly step: number; readonly said: string; readonly injectedFault: InjectedFault }
  | { readonly is: 'seed'; readonly seed: number }
  | { readonly is: 'gate'; readonly gate: string; readonly on: boolean }
  /** A recording, possibly of another build; `first`: the name of the first run, if it is from a file too. */
  | { readonly is: 'recording'; readonly said: string; readonly first?: string };

/** A part of a run that is still being made; later parts, and the final reply, have only later entries. */
export interface Part extends PackedRun {
  readonly is: 'part';
  /** The virtual length of the run, where its scenario says it. */
  readonly untilMs?: number;
}

/** The data of a run whose entries are packed, one after the other (`packing.ts`). */
export interface PackedRun {
  readonly run: Omit<RunData, 'trace'>;
  readonly trace: Omit<Trace, 'prologue' | 'entries'>;
  readonly prologue: readonly unknown[];
  readonly entries: readonly unknown[];
}

export type Answer =
  | { readonly is: 'run'; readonly run: RunData }
  /** The end of a run of which parts were sent: the entries after those. */
  | ({ readonly is: 'end' } & PackedRun)
  /** `text`: the second run's scenario as a file; empty: it is not known. `shows`: a checked sentence, true at `showsAtMs` since the start, or else at the end. */
  | {
      readonly is: 'second';
      readonly run: RunData;
      readonly said: string;
      readonly text: string;
      readonly shows?: string;
      readonly showsAtMs?: number;
      readonly lintWarnings: readonly string[];
    }
  /** The verdict of the last run with the suggestions of its lesson. */
  | ({ readonly is: 'rehearsed' } & Outcome)
  | { readonly is: 'gate'; readonly differs: boolean }
  /** The request was refused, with the reasons. */
  | { readonly is: 'refused'; readonly problems: readonly string[] }
  | { readonly is: 'assistance'; readonly assistance: Assistance }
  /** Absent: the text is not YAML. */
  | { readonly is: 'tidied'; readonly text?: string }
  | { readonly is: 'problems'; readonly problems: readonly PageProblem[] }
  | { readonly is: 'peek'; readonly peek: Peek }
  | { readonly is: 'waiting'; readonly waiting: readonly PageWaiting[] }
  /** An internal error of the engine. */
  | { readonly is: 'error'; readonly message: string };

export type RequestMessage = Question & { readonly id: number };
export type ReplyMessage = (Answer | Part) & { readonly id: number };

export interface PageProblem {
  readonly message: string;
  readonly line: number;
  readonly col: number;
}

export interface PageFailure {
  readonly kind: string;
  readonly message: string;
  readonly detail: readonly string[];
  readonly step: number;
  readonly invariant?: string;
  /** Where the scenario says what has failed, from 1. */
  readonly place?: { readonly file: string; readonly line: number; readonly col: number };
  /** The object of the failure. */
  readonly about?: ObjectName;
}

/** A narration step, shown after its scenario step has happened. */
export interface LessonStep {
  /** The entry at which it is shown. */
  readonly step: number;
  /** Number of scenario steps before it, which with the index in `tries` identifies a what-if. */
  readonly taken: number;
  /** Empty for a question or a what-if without a note. */
  readonly note: string;
  readonly about?: ObjectName;
  /** The question that this step answers, and when it was asked. */
  readonly ask?: LessonAsk;
  /** The what-ifs, as text. */
  readonly tries?: readonly string[];
}

type LessonAsk = NonNullable<NarrationStep['ask']>;

export interface Lesson {
  readonly title: string;
  readonly teaches?: string;
  readonly narrationSteps: readonly LessonStep[];
  /** What to look at from a step on, and in which cache. */
  readonly looks: readonly ({ readonly step: number } & NonNullable<NarrationStep['look']>)[];
}

export interface RunData {
  readonly name: string;
  readonly seed: number;
  /** The domain of its names, for trace files. */
  readonly domain?: string;
  readonly verdict: 'held' | 'broken' | 'unsettled';
  readonly digest: string;
  readonly failures: readonly PageFailure[];
  /** Number of exercised invariants, and of broken ones. */
  readonly invariants: { readonly exercised: number; readonly broken: number };
  /** The feature gates of this run; absent: there is no engine to change one. */
  readonly gates?: Readonly<Record<string, boolean>>;
  readonly lesson: Lesson;
  readonly trace: Trace;
  readonly lengthMs: number;
  /** The shown part of a run that is too long for a page; absent: all of it. */
  readonly window?: Stretch;
  /** A served cluster: it grows, and has no verdict. */
  readonly live?: true;
  /** Read from a file: its scenario is not here. */
  readonly recorded?: true;
  /** Still being made: it has no verdict and no digest yet. */
  readonly unfinished?: true;
  /** The reader has stopped it: it has no verdict and no digest, and no more entries come. */
  readonly stopped?: true;
}

/** What a run has come to. */
export type Outcome = Pick<RunData, 'verdict' | 'failures' | 'invariants'>;

export interface Stretch {
  /** Number of entries before it: shown step n is step `from + n` of the run. */
  readonly from: number;
  /** Number of entries of the whole run. */
  readonly of: number;
}

/** A pending event. */
export interface PageWaiting {
  /** As a clause: `job decides about pi`. */
  readonly what: string;
  readonly at: number;
  readonly process?: string;
  /** `default/pi`. */
  readonly key?: string;
  /** The choices that make it first, as text; empty: it is first already. Absent: it cannot be, and `because` says why. */
  readonly first?: string;
  readonly because?: string;
  /** The choices that delay it by `LATER_MS`, as text; absent: there are none. */
  readonly later?: string;
}

/** The delay of "later", in milliseconds. */
export const LATER_MS = 5_000;

export interface Peek {
  readonly step: number;
  readonly introspection: Introspection;
  readonly about?: ObjectName;
  /** What the object waits for, a line each. */
  readonly waits: readonly string[];
}
