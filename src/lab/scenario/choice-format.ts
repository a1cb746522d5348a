/**
 * The format of choices: the address of a point, and one fault with its values. Compiled durations are milliseconds. Checks that the format
 * cannot express: faults that do not apply to their point, and points that are named twice.
 */
import { joinPath, type Located, type Position } from '../../schema/yaml/index.ts';
import { type CheckContext, memberAt, note } from './context.ts';
import { choice, duration, flag, integer, matching, object, required, type Value } from './fields.ts';

export type InjectedFault =
  /** Delays a watch event or a decision; 0, for a decision: until the end of its instant. */
  | { readonly do: 'hold'; readonly ms: number }
  | { readonly do: 'late'; readonly ms: number }
  | { readonly do: 'refuse'; readonly code: number }
  | { readonly do: 'lose' }
  | { readonly do: 'crash'; readonly when: 'before' | 'after'; readonly restartAfterMs: number; readonly staleByMs?: number }
  | { readonly do: 'relist'; readonly staleByMs?: number }
  | { readonly do: 'cut'; readonly ms: number }
  /** Skews the clock (negative: behind) for a while. */
  | { readonly do: 'skew'; readonly ms: number; readonly forMs: number }
  | { readonly do: 'hang' }
  /**
   * Delays all watch events of a kind for a process, or all decisions or writes of a controller, until this time after the start (absent:
   * to the end).
   */
  | { readonly do: 'slow'; readonly ms: number; readonly untilMs?: number };

/** A fault at a point, which is identified by its address: see `lab/choices/address.ts`. */
export interface PointChoice {
  readonly at: string;
  readonly injectedFault: InjectedFault;
  readonly source?: Position;
}

export const FAULTS = [
  'hold',
  'late',
  'refuse',
  'lose',
  'crash',
  'relist',
  'cut',
  'skew',
  'hang',
  'slow',
] as const satisfies readonly InjectedFault['do'][];

/** The first words of addresses. */
export const SORTS = ['see', 'decide', 'write', 'start', 'actor'] as const;

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
    crash: choice('At decide or write: the process crashes before it, or (for a write) after it.', 'before', 'after'),
    restartAfter: duration('With crash: the process restarts after this long; 1s if absent.'),
    relist: flag('At decide: the process relists all kinds that it watches.'),
    staleBy: duration('With crash or relist: the age of the lists.'),
    cut: duration('At decide: the process is disconnected from the server for this long.'),
    skew: duration("At decide: the process's clock is ahead by this much."),
    behind: flag('With skew: behind instead of ahead.'),
    for: duration('With skew: how long it lasts; 60s if absent.'),
    hang: flag('At start: the containers run and are never ready.'),
    slow: duration('For an actor: the delay of all its watch events, decisions or writes.'),
    until: duration('With slow: until this time since the start; absent: to the end.'),
  },
  { exactlyOneOf: FAULTS, needs: { restartAfter: 'crash', behind: 'skew', for: 'skew', until: 'slow' } },
);

type RawChoice = Value<typeof CHOICE>;

/** Milliseconds. */
const RESTART_MS = 1_000;
/** The default duration of a clock skew, milliseconds. */
export const SKEW_FOR_MS = 60_000;

const staleness = ({ staleByMs }: RawChoice) => (staleByMs === undefined ? {} : { staleByMs });

export function compileInjectedFault(raw: RawChoice): InjectedFault {
  if (raw.holdMs !== undefined) return { do: 'hold', ms: raw.holdMs };
  if (raw.lateMs !== undefined) return { do: 'late', ms: raw.lateMs };
  if (raw.refuse !== undefined) return { do: 'refuse', code: raw.refuse };
  if (raw.crash !== undefined) return { do: 'crash', when: raw.crash, restartAfterMs: raw.restartAfterMs ?? RESTART_MS, ...staleness(raw) };
  if (raw.relist !== undefined) return { do: 'relist', ...staleness(raw) };
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
    case 'crash':
      return { ...values, crash: injectedFault.when };
    case 'lose':
    case 'hang':
    case 'relist':
      return { ...values, [name]: true };
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
  cut: ['decide'],
  skew: ['decide'],
  hang: ['start'],
  slow: ['actor'],
};

export function checkChoices(document: Located, context: CheckContext): void {
  const list = memberAt(document, 'spec', 'choices');
  if (list?.shape !== 'list') return;
  const seen = new Set<string>();
  for (const [index, item] of list.items.entries()) {
    const path = `spec.choices[${index}]`;
    const at = memberAt(item, 'at');
    if (at === undefined || typeof at.plain !== 'string') continue;
    const injectedFault = FAULTS.find((name) => memberAt(item, name) !== undefined);
    const sort = at.plain.split(' ')[0] ?? '';
    const places: readonly string[] = injectedFault === undefined ? SORTS : PLACES[injectedFault];
    if (injectedFault !== undefined && !places.includes(sort))
      note(context, at, joinPath(path, 'at'), `a point at which ${injectedFault} can be injected (${places.join(' or ')})`, sort);
    if (seen.has(at.plain)) note(context, at, joinPath(path, 'at'), 'a point that no other choice names', 'it twice');
    seen.add(at.plain);
    const crash = memberAt(item, 'crash');
    if (crash?.plain === 'after' && sort === 'decide')
      note(context, crash, joinPath(path, 'crash'), 'before: after a decision come its writes', 'after');
    const stale = memberAt(item, 'staleBy');
    if (stale !== undefined && injectedFault !== 'crash' && injectedFault !== 'relist')
      note(context, stale, joinPath(path, 'staleBy'), 'crash or relist beside it', injectedFault ?? 'neither');
    for (const name of ['lose', 'relist', 'hang'] as const) {
      const flag = memberAt(item, name);
      if (flag?.plain === false) note(context, flag, joinPath(path, name), 'true', 'false');
    }
  }
}
