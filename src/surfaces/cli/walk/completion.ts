/** Completes a line of a walk: commands, names of the objects at the moment, faults and their targets. */
import { faults } from '../../../lab/faults/index.ts';
import { TYPED_VERBS } from '../../../lab/fork/index.ts';
import { DEFAULT_NAMESPACE } from '../../../lab/scenario/index.ts';
import { cursorAt, formatSince, type World } from '../../../lab/trace/index.ts';
import type { Session } from './session.ts';
import { wordFor, WORDS } from './words.ts';

/** Returns the candidates for the last word of a line, and that word, as readline expects them. */
export function complete(session: Session, line: string): [string[], string] {
  const words = line.trimStart().split(/\s+/);
  const last = words.at(-1) ?? '';
  const start = last.toLowerCase();
  const hits = candidates(session, words.slice(0, -1)).filter((each) => each.toLowerCase().startsWith(start));
  // Only the kinds, until a name is begun: a list of all objects would be too long.
  const kinds = [...new Set(hits.map((each) => each.replace(/\/.*$/, '/')))];
  return [last.includes('/') || hits.length <= FEW || kinds.length === 1 ? hits.slice(0, MOST) : kinds, last];
}

const FEW = 12;
const MOST = 60;

function candidates(session: Session, before: readonly string[]): readonly string[] {
  const [first, second, third] = before;
  if (first === undefined) return WORDS.map(({ name }) => name);
  const { history, moment } = session;
  const world = cursorAt(history.trace, moment.step);
  switch (wordFor(first)?.name) {
    case 'why':
      return second === undefined ? ['not', ...targets(world)] : second === 'not' && third === undefined ? targets(world) : [];
    case 'diff':
      return second === undefined ? targets(world) : [];
    case 'state':
      if (second === undefined) return [...world.kinds(), ...targets(world)];
      return third === undefined ? ['as'] : third === 'as' && before.length === 3 ? processes(session) : [];
    case 'goto':
      return second === undefined ? moments(session) : [];
    case 'fork':
      if (second === undefined) return ['fault', ...TYPED_VERBS, 'patch:', 'apply:', 'create:', 'first', 'later'];
      if (second !== 'fault') return third === undefined && TYPED_VERBS.includes(second) ? targets(world) : [];
      if (third === undefined) return faults.map(({ name }) => name);
      return before.length === 3 ? subjects(session, world) : parametersOf(third);
    default:
      return [];
  }
}

const targets = (world: World): readonly string[] =>
  world
    .kinds()
    .filter((kind) => kind !== 'Event')
    .flatMap((kind) =>
      world
        .list(kind)
        .map(({ metadata: { name, namespace } }) =>
          namespace === undefined || namespace === DEFAULT_NAMESPACE ? `${kind}/${name}` : `${kind}/${namespace}/${name}`,
        ),
    );

const moments = ({ stops, history: { trace } }: Session): readonly string[] => [
  'start',
  'end',
  ...new Set(stops.slice(1, -1).map((step) => formatSince((trace.entries[step - 1]?.at ?? trace.startAt) - trace.startAt))),
];

/** Processes and nodes of the run. */
const subjects = (session: Session, world: World): readonly string[] => [
  ...new Set([...processes(session), ...world.list('Node').map(({ metadata: { name } }) => name)]),
];

const processes = ({ history: { trace } }: Session): readonly string[] => [
  ...new Set([...trace.prologue, ...trace.entries].flatMap((entry) => (entry.type === 'process' ? [entry.process] : []))),
];

const parametersOf = (fault: string): readonly string[] =>
  Object.keys(faults.find(({ name }) => name === fault)?.parameters ?? {}).map((name) => `${name}=`);
