/** The commands of a walk, and the parser of scripts. */
import { suggestion } from '../exit.ts';
import { nearest } from '../../../schema/values/index.ts';
import { faults } from '../../../lab/faults/index.ts';
import { TYPED_VERBS } from '../../../lab/fork/index.ts';
import { DEFAULT_NAMESPACE } from '../../../lab/scenario/index.ts';
import { cursorAt, formatSince, type World } from '../../../lab/trace/index.ts';
import type { Session } from './session.ts';

export interface Word {
  readonly name: string;
  readonly short: readonly string[];
  readonly takes: string;
  /** So many words at most are taken; absent: none, or any number. */
  readonly most?: number;
  readonly does: string;
}

/** While a question is open, its letters take precedence over abbreviations. */
export const ANSWER: Word = {
  name: 'answer',
  short: ['a', 'c'],
  takes: 'a|b|c|d',
  most: 1,
  does: 'answers the open question, and goes on; the letter alone is enough',
};

export const WORDS: readonly Word[] = [
  {
    name: 'next',
    short: ['n'],
    takes: '',
    does: 'goes to the next stop: the end of a step, or a failure; asks the question before it first',
  },
  ANSWER,
  { name: 'back', short: ['b'], takes: '', does: 'goes back to the stop before' },
  { name: 'step', short: ['s'], takes: '[COUNT]', most: 1, does: 'goes on by single steps of the timeline; a negative count goes back' },
  { name: 'goto', short: ['g'], takes: 'MOMENT', most: 1, does: 'goes to a moment: 5s, #212, start, end' },
  {
    name: 'why',
    short: ['w'],
    takes: '[not] [TARGET|#STEP]',
    most: 2,
    does: 'explains what happened here: the write, the decision, the causes; why not TARGET: what it waits for',
  },
  {
    name: 'state',
    short: ['st'],
    takes: '[TARGET|KIND] [as PROCESS]',
    most: 3,
    does: 'shows the objects, or those that a process sees; of one, its YAML',
  },
  { name: 'diff', short: ['d'], takes: '[TARGET]', most: 1, does: 'shows what changed since the stop before' },
  { name: 'timeline', short: ['t'], takes: '', does: 'lists everything since the stop before, line by line' },
  { name: 'waiting', short: [], takes: '', does: 'lists the pending events, by number: a fork may put one first, or later' },
  {
    name: 'fork',
    short: ['f'],
    takes: 'STEP|first NUMBER|later NUMBER [5s]',
    does: 'what if: runs on from here with one more step, or with pending events in another order',
  },
  { name: 'try', short: [], takes: '[NUMBER]', most: 1, does: 'forks with what this stop offers to try' },
  { name: 'save', short: [], takes: '[FILE]', does: 'writes the fork as a scenario file that run replays' },
  { name: 'unfork', short: ['u'], takes: '', does: 'goes back from a fork to where it began' },
  { name: 'more', short: ['m'], takes: '', does: 'shows the rest of an answer that was cut' },
  { name: 'help', short: ['h', '?'], takes: '', does: 'lists these commands' },
  { name: 'quit', short: ['q', 'exit'], takes: '', does: 'ends the walk' },
];

export const wordFor = (text: string): Word | undefined => WORDS.find(({ name, short }) => name === text || short.includes(text));
const NAMES = WORDS.map(({ name }) => name);
/** `; did you mean why?`, or nothing. */
export const nearestWord = (text: string): string => suggestion(nearest(text, NAMES));

/** What is said of a word too many behind one that takes so many; undefined: there is none. */
export function oneTooMany(word: Word, rest: string): string | undefined {
  const given = rest.split(/\s+/).filter((each) => each !== '');
  const extra = unwanted(word, given);
  if (extra === undefined) return undefined;
  const what = word.takes === '' || given[0] === extra ? 'nothing more' : word.takes;
  return `${word.name}: takes ${what}, found ${JSON.stringify(extra)}${nearestWord(extra)}`;
}

/** `why` takes two words after `not`, and one without; `state` one, and `as PROCESS`. */
function unwanted({ name, takes, most = takes === '' ? 0 : Infinity }: Word, given: readonly string[]): string | undefined {
  if (name === 'why') return given[given[0] === 'not' ? 2 : 1];
  if (name !== 'state') return given[most];
  const as = given.findIndex((each) => each === 'as' || each === '--as');
  return as < 0 ? given[1] : as > 1 ? given[1] : given[as + 2];
}

/** Splits a script into lines: at line ends and semicolons, and before each command; the words after `fork` belong to it. */
export function readScript(text: string): readonly string[] {
  return text
    .split(/[\n;]/)
    .filter((part) => !part.trimStart().startsWith('#!'))
    .flatMap((part) => {
      const lines: string[][] = [];
      for (const token of part.split(/\s+/).filter((each) => each !== '')) {
        const last = lines.at(-1);
        if (last === undefined || (wordFor(token) !== undefined && !takesOn(last))) lines.push([token]);
        else last.push(token);
      }
      return lines.map((tokens) => tokens.join(' '));
    });
}

/** Whether the next word belongs to the current line although it is a command: a step after `fork`, a letter after `answer`. */
const takesOn = ([first = '', ...rest]: readonly string[]): boolean =>
  wordFor(first)?.name === 'fork' || (first === ANSWER.name && rest.length === 0);

/** The problems of a script, a line each: unknown commands, and arguments of commands that take none. */
export function scriptProblems(script: readonly string[]): readonly string[] {
  return script.flatMap((line) => {
    const [first = '', ...rest] = line.split(/\s+/);
    const word = wordFor(first);
    if (word !== undefined && word.takes !== '') {
      const said = oneTooMany(word, rest.join(' '));
      return said === undefined ? [] : [`--script: ${said}`];
    }
    const unknown = word === undefined ? first : rest[0];
    if (unknown === undefined) return [];
    return [`--script: there is no command ${JSON.stringify(unknown)}${nearestWord(unknown)} (commands: ${NAMES.join(', ')})`];
  });
}

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
  if (first === undefined) return NAMES;
  const { history, moment } = session;
  const world = cursorAt(history.trace, moment.step);
  switch (wordFor(first)?.name) {
    case 'why':
      return second === undefined ? ['not', ...targets(world)] : second === 'not' && third === undefined ? targets(world) : [];
    case 'diff':
      return second === undefined ? targets(world) : [];
    case 'state':
      if (before.at(-1) === 'as' && before.length <= 3) return processes(session);
      if (second === undefined) return ['as', ...world.kinds(), ...targets(world)];
      return third === undefined ? ['as'] : [];
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

const subjects = (session: Session, world: World): readonly string[] => [
  ...new Set([...processes(session), ...world.list('Node').map(({ metadata: { name } }) => name)]),
];

const processes = ({ history: { trace } }: Session): readonly string[] => [
  ...new Set([...trace.prologue, ...trace.entries].flatMap((entry) => (entry.type === 'process' ? [entry.process] : []))),
];

const parametersOf = (fault: string): readonly string[] =>
  Object.keys(faults.find(({ name }) => name === fault)?.parameters ?? {}).map((name) => `${name}=`);
