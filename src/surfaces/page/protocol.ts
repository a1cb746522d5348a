/**
 * What the page and the engine in its worker say to each other. Every message is plain data, every answer carries the number of its
 * question. Of a long run parts go ahead while it is made. Within a message subtrees that revisions share stay shared, which is what
 * differences live on, and an object is sent with the one before it: so what a part shares with an earlier one is all that is sent twice.
 */
import type { Introspection } from '../../controlplane/runtime/index.ts';
import type { Assistance } from '../../lab/scenario/index.ts';
import type { NarrationStep, ObjectName, Trace } from '../../lab/trace/index.ts';

/** A scenario that the page carries. */
export interface CarriedScenario {
  /** How lists and links name it: `job/01-runs-to-completion`. */
  readonly name: string;
  readonly title: string;
  /** How messages name its text. */
  readonly file: string;
  readonly text: string;
  /** Which of the scenarios in the text; absent: it has but one. */
  readonly scenario?: string;
  /** Texts that it refers to, by path as it says. */
  readonly files?: Readonly<Record<string, string>>;
}

/** What is written into the file for the page: scenarios, and where to begin. */
export interface PageData {
  readonly scenarios: readonly CarriedScenario[];
  /** More of them, packed: JSON by Zstandard, in base64. */
  readonly shipped?: string;
  /** The name of the one that is shown first. */
  readonly open: string;
  readonly seed?: number;
  /** Runs that were made elsewhere: the file then has no engine. */
  readonly runs?: readonly CarriedRun[];
  /** What stands beside the one run that the page carries. */
  readonly beside?: BesideRecording;
  /** What runs that failed alike have in common. */
  readonly common?: readonly Common[];
  /** The page comes from a server, whose cluster it shows under this scenario's name. */
  readonly live?: string;
}

/** Another recording of the same scenario. */
export interface BesideRecording {
  /** What it is called: its file. */
  readonly said: string;
  readonly packed: string;
}

/** A run that the page carries, or only tells of. */
export interface CarriedRun {
  /** The name of its scenario. */
  readonly scenario: string;
  readonly seed: number;
  readonly verdict: RunData['verdict'];
  /** What broke first: the invariant, or what else failed. */
  readonly by?: string;
  readonly message?: string;
  /** The same for runs that failed in the same words. */
  readonly alike?: string;
  /** The command that runs it again. */
  readonly replay: string;
  /** The run itself (`recording.ts`), deflated, in base64; absent: there was no room for it. */
  readonly packed?: string;
}

/** What sets runs that failed alike apart from others, of which as many were listened to. */
export interface Common {
  /** The name of their scenario, and what their `alike` is. */
  readonly scenario: string;
  readonly alike: string;
  readonly comparedWith: 'held' | 'failed in another way';
  /** In how many of the runs of either sort each was heard. */
  readonly features: readonly { readonly text: string; readonly here: number; readonly elsewhere: number }[];
}

type Runnable = Pick<CarriedScenario, 'file' | 'text' | 'scenario' | 'files'> & { readonly name?: string };

export type Question =
  | { readonly ask: 'run'; readonly scenario: Runnable; readonly seed?: number }
  /** Another stretch of the last run, which is too long to be shown at once: it begins after this step. */
  | { readonly ask: 'window'; readonly from: number }
  /** What is wrong with a text, without running it; what fits at a place of one; one in the usual style. */
  | { readonly ask: 'check'; readonly scenario: Runnable }
  | { readonly ask: 'assist'; readonly text: string; readonly line: number; readonly col: number }
  | { readonly ask: 'tidy'; readonly text: string }
  /** Another run to stand beside the last. */
  | { readonly ask: 'second'; readonly how: Second }
  /** What waits at a step of the last run, and how each of it would go first, or later. */
  | { readonly ask: 'waiting'; readonly step: number }
  /** What is pending at a step of the last run, what is held for which keys, and what an object waits for. */
  | { readonly ask: 'peek'; readonly step: number; readonly about?: ObjectName };

/** What is done in a fork: what the lesson offers after so many steps of the scenario, or a step in the words of `walk`. */
export type InjectedFault = { readonly try: readonly [taken: number, at: number] } | { readonly typed: string };

/** What stands beside a run. */
export type Second =
  | { readonly is: 'fork'; readonly step: number; readonly said: string; readonly injectedFault: InjectedFault }
  | { readonly is: 'seed'; readonly seed: number }
  | { readonly is: 'gate'; readonly gate: string; readonly on: boolean }
  /** A recording, made by another build as it may be; `first`: what the run is called, if it comes from a file too. */
  | { readonly is: 'recording'; readonly said: string; readonly first?: string };

/** What there is of a run that is still being made, sent ahead: later parts, and the run in the end, bring what came after it. */
export interface Part {
  readonly is: 'part';
  readonly run: RunData;
}

export type Answer =
  /** `sent`: its first entries went ahead as parts, and its trace holds the others alone. */
  | { readonly is: 'run'; readonly run: RunData; readonly sent?: number }
  /** `text`: the second run's scenario as a file; empty: it is not known. */
  | { readonly is: 'second'; readonly run: RunData; readonly said: string; readonly text: string; readonly lintWarnings: readonly string[] }
  /** It could not be done, and why. */
  | { readonly is: 'refused'; readonly problems: readonly string[] }
  | { readonly is: 'assistance'; readonly assistance: Assistance }
  /** Absent: it is no YAML. */
  | { readonly is: 'tidied'; readonly text?: string }
  | { readonly is: 'problems'; readonly problems: readonly PageProblem[] }
  | { readonly is: 'peek'; readonly peek: Peek }
  | { readonly is: 'waiting'; readonly step: number; readonly waiting: readonly PageWaiting[] }
  /** The engine broke one of its own assumptions. */
  | { readonly is: 'error'; readonly message: string };

export type Asked = Question & { readonly id: number };
export type Answered = (Answer | Part) & { readonly id: number };

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
}

/** What is told of a step of the scenario, once what it tells has happened. */
export interface LessonStep {
  /** The entry at which it is told. */
  readonly step: number;
  /** Steps of the scenario taken by then: by it and its place in `tries` an offer is named. */
  readonly taken: number;
  /** Empty where a question is answered, or something offered, without words. */
  readonly note: string;
  readonly about?: ObjectName;
  /** The question that this moment answers, and when it was asked. */
  readonly ask?: Asking;
  /** What to try now, in words. */
  readonly tries?: readonly string[];
}

type Asking = NonNullable<NarrationStep['ask']>;

export interface Lesson {
  readonly title: string;
  readonly teaches?: string;
  readonly narrationSteps: readonly LessonStep[];
  /** Where to look at a step, and through whose eyes. */
  readonly looks: readonly ({ readonly step: number } & NonNullable<NarrationStep['look']>)[];
}

export interface RunData {
  readonly name: string;
  readonly seed: number;
  readonly verdict: 'held' | 'broken' | 'unsettled';
  readonly digest: string;
  readonly failures: readonly PageFailure[];
  /** Invariants that were exercised, and those that broke. */
  readonly invariants: { readonly exercised: number; readonly broken: number };
  /** Feature gates, as they were in this run; absent: there is no engine to turn one over. */
  readonly gates?: Readonly<Record<string, boolean>>;
  readonly lesson: Lesson;
  readonly trace: Trace;
  readonly lengthMs: number;
  /** The stretch that is shown of a run too long for a page; absent: all of it. */
  readonly window?: Stretch;
  /** A served cluster: it goes on, and there is no verdict. */
  readonly live?: true;
  /** It was read from a file: what made it is not here. */
  readonly recorded?: true;
  /** It is still being made: there is no verdict yet, nor a digest. */
  readonly unfinished?: true;
}

export interface Stretch {
  /** Entries before it: step n of what is shown is step `from + n` of the run. */
  readonly from: number;
  /** Entries of the whole run. */
  readonly of: number;
}

/** Something that waits. */
export interface PageWaiting {
  /** As a clause: `job decides about pi`. */
  readonly what: string;
  readonly at: number;
  readonly process?: string;
  /** `default/pi`. */
  readonly key?: string;
  /** What makes it go first, as it is typed; empty: it does so by itself. Absent: it cannot, and `because` says why. */
  readonly first?: string;
  readonly because?: string;
  /** What holds it for `LATER_MS`, as it is typed; absent: nothing does. */
  readonly later?: string;
}

/** So much later something comes where a reader has it wait. */
export const LATER_MS = 5_000;

export interface Peek {
  readonly step: number;
  readonly introspection: Introspection;
  readonly about?: ObjectName;
  /** What the object waits for, a line each. */
  readonly waits: readonly string[];
}
