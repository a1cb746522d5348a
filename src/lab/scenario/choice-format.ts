/**
 * The format of choices: the address of a point, and one fault with its values. Compiled durations are milliseconds. Checks that the format
 * cannot express: faults that do not apply to their point, and points that are named twice.
 */
import type { Position } from '../../schema/yaml/index.ts';
import { present } from '../../schema/values/index.ts';
import type { Reading } from './context.ts';
import { choice, duration, flag, integer, matching, object, required, type Value } from './fields.ts';

export type InjectedFault =
  /** Delays a watch event or a decision; 0, for a decision: until the end of its instant. */
  | { readonly do: 'hold'; readonly ms: number }
  | { readonly do: 'late'; readonly ms: number }
  | { readonly do: 'refuse'; readonly code: number }
  | { readonly do: 'lose' }
  | ({ readonly do: 'crash'; readonly restartAfterMs: number } & CrashMoment & FirstLists)
  | { readonly do: 'relist' }
  /** Relists from before what the process has seen, which no reflector does. */
  | { readonly do: 'old-relist'; readonly staleByMs: number }
  /** A process sees nothing more of any kind for a while; its requests go on. */
  | { readonly do: 'freeze'; readonly ms: number }
  /** A watch breaks, and its kind is listed after a while: what lay between is never seen. */
  | { readonly do: 'gap'; readonly ms: number }
  /** Somebody edits the object of the decision, or the one that the request is about, before the request arrives. */
  | { readonly do: 'meddle'; readonly edit: MildEdit; readonly of: Edited; readonly undoMs?: number }
  /** Somebody changes what is wanted: removes the labels of one of these objects, scales it, or deletes it and creates it again. */
  | { readonly do: 'unlabel' | 'scale' | 'recreate'; readonly of: Edited; readonly undoMs?: number }
  | { readonly do: 'cut'; readonly ms: number }
  /** Skews the clock (negative: behind) for a while. */
  | { readonly do: 'skew'; readonly ms: number; readonly forMs: number }
  | { readonly do: 'hang' }
  /**
   * Delays all watch events of a kind for a process, or all decisions or writes of a controller, until this time after the start (absent:
   * to the end).
   */
  | { readonly do: 'slow'; readonly ms: number; readonly untilMs?: number };

/** Whether a crash comes before or after a request or, with `during`, while it is under way: it arrives later. */
type CrashMoment = { readonly when: 'before' | 'after' } | { readonly when: 'during'; readonly arrivesAfterMs: number };
/** The first lists of a process that starts: newest, of an age, or as of a revision, perhaps without news for a while. */
interface FirstLists {
  readonly staleByMs?: number;
  readonly asOf?: string;
  readonly frozenMs?: number;
}

/** What can happen to an object. Of several at one revision the first of this list names it. */
export const TRANSITIONS = ['created', 'gone', 'deleting', 'finalizers', 'spec', 'owners', 'metadata', 'status'] as const;
export type Transition = (typeof TRANSITIONS)[number];

/** What somebody may do to an object: see `lab/faults/meddle.ts`. */
export const MILD_EDITS = ['annotate', 'finalize'] as const;
export const EDITS = ['annotate', 'unlabel', 'finalize', 'scale', 'recreate'] as const;
export type MildEdit = (typeof MILD_EDITS)[number];
export type Edit = (typeof EDITS)[number];
export const EDITED = ['object', 'target'] as const;
export type Edited = (typeof EDITED)[number];

/** A fault at a point, which is identified by its address: see `lab/choices/address.ts`. */
export interface PointChoice {
  readonly at: string;
  readonly injectedFault: InjectedFault;
  readonly source?: Position;
}

/** The members of a choice that name its fault. An old relist is a relist with an age, and to unlabel, scale or recreate is to meddle. */
export const FAULTS = [
  'hold',
  'freeze',
  'gap',
  'late',
  'refuse',
  'lose',
  'crash',
  'relist',
  'cut',
  'skew',
  'hang',
  'slow',
  'meddle',
] as const satisfies readonly InjectedFault['do'][];

/** The first words of addresses. */
export const SORTS = ['see', 'decide', 'write', 'start', 'actor'] as const;

/** A revision, named by what happened to an object at it. */
export const asOfField = (says: string) =>
  matching(
    says,
    `^(?:before|after) \\S+ \\S+ (?:${TRANSITIONS.join('|')}) #[1-9]\\d{0,8}$`,
    'before or after, kind, object, what happened to it and which time: before ConfigMap default/web gone #1',
  );

export const CHOICE = object(
  'A fault at one point of the run, injected once.',
  {
    at: required(
      matching(
        'The address of a point of the run. An address that the run does not reach is reported.',
        `^(?:${SORTS.join('|')}) \\S.*$`,
        `the address of a point: ${SORTS.join(', ')} with process and object, as a search writes it`,
      ),
    ),
    hold: duration('At see or decide: the delay. 0s, for a decision: until the end of its instant.'),
    late: duration('At write: the delay until the request reaches the server.'),
    refuse: integer('At write: the request is refused with this status code.', 400, 599),
    lose: flag('At write: the request is handled, and its response is lost.'),
    crash: choice(
      'At decide or write: the process crashes before it, or (for a write) after it, or while it is under way: it arrives later.',
      'before',
      'after',
      'during',
    ),
    arrivesAfter: duration('With crash: during, when the request arrives, counted from the crash; 2s if absent.'),
    restartAfter: duration('With crash: the process restarts after this long; 1s if absent.'),
    relist: flag('At decide: the process relists all kinds that it watches.'),
    staleBy: duration('With crash or relist: the age of the lists.'),
    asOf: asOfField(
      'With crash: the first lists are as of just before or after something that happened to an object, as a search names it.',
    ),
    frozen: duration('With asOf: the process sees nothing newer for this long after its start.'),
    freeze: duration('At see: the process sees nothing more of any kind for this long; its requests go on.'),
    gap: duration('At see: the watch of this kind breaks, and is listed after this long: what lay between is never seen.'),
    meddle: choice('At write: somebody edits an object before the request arrives.', ...EDITS),
    of: choice('With meddle: the object that the decision is about, or the target of the request; the object if absent.', ...EDITED),
    undo: duration('With meddle: the edit is taken back after this long; absent: it stays.'),
    cut: duration('At decide: the process is disconnected from the server for this long.'),
    skew: duration("At decide: the process's clock is ahead by this much."),
    behind: flag('With skew: behind instead of ahead.'),
    for: duration('With skew: how long it lasts; 60s if absent.'),
    hang: flag('At start: the containers run and are never ready.'),
    slow: duration('For an actor: the delay of all its watch events, decisions or writes.'),
    until: duration('With slow: until this time since the start; absent: to the end.'),
  },
  {
    exactlyOneOf: FAULTS,
    needs: {
      restartAfter: 'crash',
      arrivesAfter: 'crash',
      asOf: 'crash',
      frozen: 'asOf',
      behind: 'skew',
      for: 'skew',
      until: 'slow',
      of: 'meddle',
      undo: 'meddle',
    },
    atMostOneOf: [['staleBy', 'asOf']],
  },
);

type RawChoice = Value<typeof CHOICE>;

/** Milliseconds. */
const RESTART_MS = 1_000;
/** The default duration of a clock skew, milliseconds. */
export const SKEW_FOR_MS = 60_000;

/** The default time from a crash to the arrival of the request that was under way, milliseconds. */
const ARRIVES_MS = 2_000;

const compileCrash = ({
  crash = 'before',
  restartAfterMs = RESTART_MS,
  arrivesAfterMs = ARRIVES_MS,
  ...raw
}: RawChoice): InjectedFault => ({
  do: 'crash',
  ...(crash === 'during' ? { when: crash, arrivesAfterMs } : { when: crash }),
  restartAfterMs,
  ...present({ staleByMs: raw.staleByMs, asOf: raw.asOf, frozenMs: raw.frozenMs }),
});

export function compileInjectedFault(raw: RawChoice): InjectedFault {
  if (raw.holdMs !== undefined) return { do: 'hold', ms: raw.holdMs };
  if (raw.lateMs !== undefined) return { do: 'late', ms: raw.lateMs };
  if (raw.refuse !== undefined) return { do: 'refuse', code: raw.refuse };
  if (raw.freezeMs !== undefined) return { do: 'freeze', ms: raw.freezeMs };
  if (raw.gapMs !== undefined) return { do: 'gap', ms: raw.gapMs };
  if (raw.crash !== undefined) return compileCrash(raw);
  if (raw.relist !== undefined) return raw.staleByMs === undefined ? { do: 'relist' } : { do: 'old-relist', staleByMs: raw.staleByMs };
  if (raw.meddle !== undefined) {
    const { meddle: edit, of = 'object', undoMs } = raw;
    const more = { of, ...present({ undoMs }) };
    return edit === 'annotate' || edit === 'finalize' ? { do: 'meddle', edit, ...more } : { do: edit, ...more };
  }
  if (raw.cutMs !== undefined) return { do: 'cut', ms: raw.cutMs };
  if (raw.skewMs !== undefined) return { do: 'skew', ms: raw.behind === true ? -raw.skewMs : raw.skewMs, forMs: raw.forMs ?? SKEW_FOR_MS };
  if (raw.slowMs !== undefined) return { do: 'slow', ms: raw.slowMs, ...(raw.untilMs === undefined ? {} : { untilMs: raw.untilMs }) };
  return { do: raw.hang === true ? 'hang' : 'lose' };
}

/** Returns a fault in the form of an item, with the names of durations after reading. */
export function injectedFaultDocument(injectedFault: InjectedFault): Readonly<Record<string, unknown>> {
  const { do: name, ...values } = injectedFault;
  switch (injectedFault.do) {
    case 'refuse':
      return { refuse: injectedFault.code };
    case 'crash': {
      const { when, ...rest } = injectedFault;
      return { ...rest, do: undefined, crash: when };
    }
    case 'meddle':
    case 'unlabel':
    case 'scale':
    case 'recreate':
      return { meddle: injectedFault.do === 'meddle' ? injectedFault.edit : name, of: injectedFault.of, undoMs: injectedFault.undoMs };
    case 'old-relist':
      return { ...values, relist: true };
    case 'lose':
    case 'hang':
    case 'relist':
      return { [name]: true };
    case 'skew':
      return { skew: Math.abs(injectedFault.ms), behind: injectedFault.ms < 0 ? true : undefined, forMs: injectedFault.forMs };
    default:
      return { ...values, [name]: injectedFault.ms };
  }
}

const PLACES: Readonly<Record<InjectedFault['do'], readonly (typeof SORTS)[number][]>> = {
  hold: ['see', 'decide'],
  late: ['write'],
  refuse: ['write'],
  lose: ['write'],
  crash: ['decide', 'write'],
  relist: ['decide'],
  'old-relist': ['decide'],
  freeze: ['see'],
  gap: ['see'],
  meddle: ['write'],
  unlabel: ['write'],
  scale: ['write'],
  recreate: ['write'],
  cut: ['decide'],
  skew: ['decide'],
  hang: ['start'],
  slow: ['actor'],
};

export function checkChoices(scenario: Reading): void {
  const seen = new Set<string>();
  for (const item of scenario.member('spec', 'choices')?.items() ?? []) {
    const at = item.member('at');
    if (typeof at?.plain !== 'string') continue;
    const injectedFault = FAULTS.find((name) => item.member(name) !== undefined);
    const sort = at.plain.split(' ')[0] ?? '';
    const places: readonly string[] = injectedFault === undefined ? SORTS : PLACES[injectedFault];
    if (injectedFault !== undefined && !places.includes(sort))
      at.refuse(`a point at which ${injectedFault} can be injected (${places.join(' or ')})`, sort);
    if (seen.has(at.plain)) at.refuse('a point that no other choice names', 'it twice');
    seen.add(at.plain);
    const crash = item.member('crash');
    if (sort === 'decide' && (crash?.plain === 'after' || crash?.plain === 'during'))
      crash.refuse('before: after a decision come its writes', crash.plain);
    if (crash?.plain !== 'during') item.member('arrivesAfter')?.refuse('crash: during beside it', 'none');
    if (injectedFault !== 'crash' && injectedFault !== 'relist')
      item.member('staleBy')?.refuse('crash or relist beside it', injectedFault ?? 'neither');
    for (const name of ['lose', 'relist', 'hang']) {
      const flag = item.member(name);
      if (flag?.plain === false) flag.refuse('true', 'false');
    }
  }
}
