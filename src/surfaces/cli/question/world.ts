/** Moments of a trace (`5s`, `1h30m` since the start, `#212` a step, `start`, `end`), and the objects at a moment as tables by kind. */
import { expectedDuration, parseDurationMs, nearest } from '../../../schema/values/index.ts';
import { formatSince, stepAt, type Trace, cursorAt, viewAt, viewsOf, type World } from '../../../lab/trace/index.ts';
import { BadInput, suggestion } from '../exit.ts';
import type { ApiObject, KindContext } from '../../../apiserver/machinery/index.ts';
import { count, objectTable, type Palette } from '../../report/index.ts';
import type { History } from './history.ts';

export interface Moment {
  /** The last step at or before the moment; 0 before the first. */
  readonly step: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Parses a moment; `option` names it in the error. */
export function readMoment(text: string, trace: Trace, option: string): Moment {
  const last = trace.entries.length;
  if (text === 'start') return { step: 0, at: trace.startAt };
  if (text === 'end') return momentOf(trace, last);
  if (/^#\d+$/.test(text)) {
    const step = Number(text.slice(1));
    if (step > last) throw new BadInput(`${option}: expected a step up to #${last}, found ${text}`);
    return momentOf(trace, step);
  }
  const ms = parseDurationMs(text);
  if (ms.value === undefined)
    throw new BadInput(
      `${option}: expected ${expectedDuration(text, 'a time such as 5s or 1h30m, a step such as #212, start or end')}, found ${JSON.stringify(text)}`,
    );
  const at = trace.startAt + ms.value;
  return { step: stepAt(trace, at), at };
}

/** Returns the moment of a step; step 0 is the start. */
export const momentOf = (trace: Trace, step: number): Moment => ({ step, at: trace.entries[step - 1]?.at ?? trace.startAt });

/** `5.000s (step #212)`. */
export const formatMoment = ({ step, at }: Moment, trace: Trace): string =>
  `${formatSince(at - trace.startAt)} (${step === 0 ? 'the start' : `step #${step}`})`;

/** Kinds with many objects of little interest: shown only on request. */
const ON_REQUEST: ReadonlySet<string> = new Set(['Event', 'Lease', 'ControllerRevision']);

/** The objects of the server, or with `observer` those in the cache of a process. */
export function worldAt({ trace }: History, moment: Moment, observer?: string): World {
  if (observer === undefined) return cursorAt(trace, moment.step, moment.at);
  const known = viewsOf(trace);
  if (!known.includes(observer)) {
    const near = nearest(observer, known);
    throw new BadInput(`there is no process ${JSON.stringify(observer)}${suggestion(near)} (there are ${known.join(', ')})`);
  }
  const view = viewAt(trace, observer, moment.step);
  if (view.kinds().length === 0)
    throw new BadInput(`${observer} has no cache at ${formatMoment(moment, trace)}: it is ${view.up ? 'on standby' : 'down'}`);
  return { ...view, step: moment.step, at: moment.at };
}

const contextAt = ({ names, gates }: History, moment: Moment): KindContext => ({ names, gates, now: moment.at });

/** The tables of some kinds, or of all that are shown by default. */
export function worldTables(history: History, world: World, moment: Moment, only: string | undefined, palette: Palette): readonly string[] {
  const context = contextAt(history, moment);
  const lines: string[] = [];
  const hidden: string[] = [];
  for (const kind of history.kinds.list()) {
    if (only !== undefined && kind.kind !== only) continue;
    const objects = world.list(kind.kind).filter((object) => only !== undefined || isWorthIt(object, history));
    if (objects.length === 0) continue;
    if (only === undefined && ON_REQUEST.has(kind.kind)) {
      hidden.push(count(objects.length, kind.kind));
      continue;
    }
    if (lines.length > 0) lines.push('');
    lines.push(palette.strong(kind.plural), ...objectTable(kind, objects, context, palette));
  }
  if (hidden.length > 0) lines.push('', palette.dim(`and ${hidden.join(', ')}`));
  if (lines.length === 0) lines.push(only === undefined ? 'there are no objects yet' : `there is no ${only}`);
  return lines;
}

/** Namespaces that every cluster has are not shown. */
const isWorthIt = (object: ApiObject, { trace }: History): boolean =>
  object.kind !== 'Namespace' || Date.parse(object.metadata.creationTimestamp) >= trace.startAt;
