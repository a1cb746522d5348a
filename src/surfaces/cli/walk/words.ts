/** The commands of a walk, and the parser of scripts. */
import { nearest } from '../../../schema/values/index.ts';

export interface Word {
  readonly name: string;
  readonly short: readonly string[];
  readonly takes: string;
  /** So many words at most are taken; absent: any number. */
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
    most: 0,
    does: 'goes to the next stop: the end of a step, or a failure; asks the question before it first',
  },
  ANSWER,
  { name: 'back', short: ['b'], takes: '', most: 0, does: 'goes back to the stop before' },
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
  { name: 'timeline', short: ['t'], takes: '', most: 0, does: 'lists everything since the stop before, line by line' },
  { name: 'waiting', short: [], takes: '', most: 0, does: 'lists the pending events, by number: a fork may put one first, or later' },
  {
    name: 'fork',
    short: ['f'],
    takes: 'STEP|first NUMBER|later NUMBER [5s]',
    does: 'what if: runs on from here with one more step, or with pending events in another order',
  },
  { name: 'try', short: [], takes: '[NUMBER]', most: 1, does: 'forks with what this stop offers to try' },
  { name: 'save', short: [], takes: '[FILE]', does: 'writes the fork as a scenario file that run replays' },
  { name: 'unfork', short: ['u'], takes: '', most: 0, does: 'goes back from a fork to where it began' },
  { name: 'more', short: ['m'], takes: '', most: 0, does: 'shows the rest of an answer that was cut' },
  { name: 'help', short: ['h', '?'], takes: '', most: 0, does: 'lists these commands' },
  { name: 'quit', short: ['q', 'exit'], takes: '', most: 0, does: 'ends the walk' },
];

export const wordFor = (text: string): Word | undefined => WORDS.find(({ name, short }) => name === text || short.includes(text));
export const nearestWord = (text: string): string | undefined =>
  nearest(
    text,
    WORDS.map(({ name }) => name),
  );

/** What is said of a word too many behind one that takes so many; undefined: there is none. */
export function oneTooMany(word: Word, rest: string): string | undefined {
  const given = rest.split(/\s+/).filter((each) => each !== '');
  const extra = unwanted(word, given);
  if (extra === undefined) return undefined;
  const near = nearestWord(extra);
  const what = word.takes === '' || given[0] === extra ? 'nothing more' : word.takes;
  return `${word.name}: takes ${what}, found ${JSON.stringify(extra)}${near === undefined ? '' : `; did you mean ${near}?`}`;
}

/** `why` takes two words after `not`, and one without; `state` one, and `as PROCESS`. */
function unwanted({ name, most = Infinity }: Word, given: readonly string[]): string | undefined {
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
    const near = nearestWord(unknown);
    return [
      `--script: there is no command ${JSON.stringify(unknown)}${near === undefined ? '' : `; did you mean ${near}?`} (commands: ${WORDS.map(({ name }) => name).join(', ')})`,
    ];
  });
}
