/** The commands of a walk, and the parser of scripts. */
import { nearest } from '../../../schema/values/index.ts';

export interface Word {
  readonly name: string;
  readonly short: readonly string[];
  readonly takes: string;
  readonly does: string;
}

/** While a question is open, its letters take precedence over abbreviations. */
export const ANSWER: Word = {
  name: 'answer',
  short: ['a', 'c'],
  takes: 'a|b|c|d',
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
  { name: 'step', short: ['s'], takes: '[COUNT]', does: 'goes on by single steps of the timeline; a negative count goes back' },
  { name: 'goto', short: ['g'], takes: 'MOMENT', does: 'goes to a moment: 5s, #212, start, end' },
  {
    name: 'why',
    short: ['w'],
    takes: '[not] [TARGET|#STEP]',
    does: 'explains what happened here: the write, the decision, the causes; why not TARGET: what it waits for',
  },
  {
    name: 'state',
    short: ['st'],
    takes: '[TARGET|KIND] [as PROCESS]',
    does: 'shows the objects, or those that a process sees; of one, its YAML',
  },
  { name: 'diff', short: ['d'], takes: '[TARGET]', does: 'shows what changed since the stop before' },
  { name: 'timeline', short: ['t'], takes: '', does: 'lists everything since the stop before, line by line' },
  { name: 'waiting', short: [], takes: '', does: 'lists the pending events, by number: a fork may put one first, or later' },
  {
    name: 'fork',
    short: ['f'],
    takes: 'STEP|first NUMBER|later NUMBER [5s]',
    does: 'what if: runs on from here with one more step, or with pending events in another order',
  },
  { name: 'try', short: [], takes: '[NUMBER]', does: 'forks with what this stop offers to try' },
  { name: 'save', short: [], takes: '[FILE]', does: 'writes the fork as a scenario file that run replays' },
  { name: 'unfork', short: ['u'], takes: '', does: 'goes back from a fork to where it began' },
  { name: 'more', short: ['m'], takes: '', does: 'shows the rest of an answer that was cut' },
  { name: 'help', short: ['h', '?'], takes: '', does: 'lists these commands' },
  { name: 'quit', short: ['q', 'exit'], takes: '', does: 'ends the walk' },
];

export const wordFor = (text: string): Word | undefined => WORDS.find(({ name, short }) => name === text || short.includes(text));
export const nearestWord = (text: string): string | undefined =>
  nearest(
    text,
    WORDS.map(({ name }) => name),
  );

/** The error for an argument of a command that takes none. */
export function unwanted(word: Word, rest: string): string {
  const [extra = ''] = rest.split(/\s+/);
  const near = nearestWord(extra);
  return `${word.name}: takes nothing more, found ${JSON.stringify(extra)}${near === undefined ? '' : `; did you mean ${near}?`}`;
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
    const [first = '', second] = line.split(/\s+/);
    const word = wordFor(first);
    const unknown = word === undefined ? first : word.takes === '' ? second : undefined;
    if (unknown === undefined) return [];
    const near = nearestWord(unknown);
    return [
      `--script: there is no command ${JSON.stringify(unknown)}${near === undefined ? '' : `; did you mean ${near}?`} (commands: ${WORDS.map(({ name }) => name).join(', ')})`,
    ];
  });
}
