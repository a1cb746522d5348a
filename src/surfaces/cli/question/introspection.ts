/** Introspection of a process at a moment: the keys in the queues of its controllers, and what each waits for. */
import { introspectionOf, type Introspection, type KeyIntrospection } from '../../../controlplane/runtime/index.ts';
import { introspectionOf as introspectionOfObject, replayTo, type Replay, type Run } from '../../../lab/simulation/index.ts';
import { formatSince, shortKey } from '../../../lab/trace/index.ts';
import { introspectionAt } from '../../../lab/blockers/index.ts';
import { count, table, type Palette } from '../../report/index.ts';
import { BadInput } from '../exit.ts';
import type { History } from './history.ts';
import type { Moment } from './moment.ts';

/** The replay of each queried run. A query about a later moment continues it. */
const replays = new WeakMap<Run, Replay>();

/** The replay of a run at a step. */
function replayed(run: Run, plugins: History['plugins'], step: number): Replay {
  const known = replays.get(run);
  const replay = known !== undefined && known.step <= step ? known : replayTo(run.scenario, run.seed, step, { with: plugins.definitions });
  if (replay === known) replay.goOn(step);
  replays.set(run, replay);
  return replay;
}

/** Introspection at a moment: of a run by replay, of a trace file derived from later entries. */
export const introspectionIn = ({ run, trace, plugins }: History, { step, at }: Moment): Introspection =>
  run === undefined ? introspectionAt(trace, step, at) : introspectionOf(replayed(run, plugins, step).cluster);

/** The environment of a pod on its node, or what runs on a node; undefined: nothing yet. It needs a run, because no trace entry has it. */
export function objectIntrospection(
  { run, plugins }: History,
  { step }: Moment,
  { kind, namespace, name }: { readonly kind: string; readonly namespace?: string; readonly name: string },
): object | undefined {
  if (run === undefined) throw new BadInput('a trace holds no environments; give the scenario that it was made from');
  return introspectionOfObject(replayed(run, plugins, step).cluster, kind, namespace, name);
}

/** The queues of a process, a line for each key; empty if they are empty. */
export function queueLines(history: History, moment: Moment, process: string, palette: Palette): readonly string[] {
  const { trace } = history;
  const found = introspectionIn(history, moment).processes.find(({ name }) => name === process);
  if (found === undefined) return [];
  const rows = found.controllers.flatMap(({ name, keys }) =>
    keys.flatMap((key) => {
      const holds = holding(key, trace.startAt);
      return holds === '' ? [] : [[name, shortKey(key.key), holds]];
    }),
  );
  const underway = found.underway.map(({ kind, changes }) => `${count(changes, 'change')} of ${kind}`);
  return [
    ...(rows.length === 0 ? [] : ['', palette.strong('queues'), ...table(rows)]),
    ...(underway.length === 0 ? [] : ['', palette.dim(`in delivery to it: ${underway.join(', ')}`)]),
  ];
}

function holding({ queued, writing, delayedUntil, backingOff, wakesAt, failures, awaits }: KeyIntrospection, startAt: number): string {
  const at = (instant: number): string => formatSince(instant - startAt);
  return [
    queued ? 'is queued' : '',
    writing === undefined ? '' : `has ${count(writing.left, 'write')} left: ${writing.why}`,
    delayedUntil === undefined ? '' : `${backingOff ? 'backs off' : 'is delayed'} until ${at(delayedUntil)}`,
    wakesAt === undefined ? '' : `has a timer at ${at(wakesAt)}`,
    failures === 0 ? '' : `has failed ${failures} times in a row`,
    ...awaits.map(({ kind, revision }) => `awaits ${kind} rv ${revision}`),
  ]
    .filter((part) => part !== '')
    .join('; ');
}
