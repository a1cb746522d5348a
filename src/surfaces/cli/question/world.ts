/** The objects at a moment, as tables by kind. */
import type { ApiObject, KindContext } from '../../../apiserver/machinery/index.ts';
import { nearest } from '../../../schema/values/index.ts';
import { cursorAt, viewAt, viewsOf, type World } from '../../../lab/trace/index.ts';
import { count, objectTable, type Palette } from '../../report/index.ts';
import type { History } from './history.ts';
import { BadInput } from '../exit.ts';
import { formatMoment, type Moment } from './moment.ts';

/** Kinds with many objects of little interest: shown only on request. */
const ON_REQUEST: ReadonlySet<string> = new Set(['Event', 'Lease', 'ControllerRevision']);

/** The objects of the server, or with `observer` those in the cache of a process. */
export function worldAt({ trace }: History, moment: Moment, observer?: string): World {
  if (observer === undefined) return cursorAt(trace, moment.step, moment.at);
  const known = viewsOf(trace);
  if (!known.includes(observer)) {
    const near = nearest(observer, known);
    throw new BadInput(
      `there is no process ${JSON.stringify(observer)}${near === undefined ? '' : `; did you mean ${near}?`} (there are ${known.join(', ')})`,
    );
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
