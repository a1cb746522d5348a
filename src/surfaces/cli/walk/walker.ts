/** A walk as a function from a typed line to the lines to show. The terminal, scripts and tests use the same function. */
import { count, wrapLine, type Palette } from '../../report/index.ts';
import { formatSince } from '../../../lab/trace/index.ts';
import { BadInput } from '../exit.ts';
import type { History } from '../question/history.ts';
import { complete, ANSWER, nearestWord, oneTooMany, wordFor } from './words.ts';
import { DOINGS } from './commands.ts';
import { here, type Walk, narrationStepsOf, sessionOf } from './session.ts';
import { openQuestion } from './lesson.ts';

export type Walker = ReturnType<typeof createWalker>;

interface WalkerOptions extends Pick<Walk, 'palette' | 'save'> {
  /** Lines wrap at this width; absent: they do not wrap. */
  readonly columns?: number;
  /** At most so many lines of an answer are shown at once, the rest by `more`; absent: all. */
  readonly page?: number;
}

export function createWalker(history: History, { palette, save, columns = Infinity, page = Infinity }: WalkerOptions) {
  const walk: Walk = { palette, save, sessions: [sessionOf(history)], forks: 0, reported: new WeakMap(), hasRefused: false };
  const wrap = (lines: readonly string[]): readonly string[] => lines.flatMap((line) => wrapLine(line, columns));
  /** The lines of the last answer that did not fit on its page. */
  let rest: readonly string[] = [];
  const turn = (lines: readonly string[]): readonly string[] => {
    // The note about more lines takes the place of one line.
    const cut = lines.length > page ? page - 1 : lines.length;
    rest = lines.slice(cut);
    return rest.length === 0 ? lines : [...lines.slice(0, cut), palette.dim(`  … ${count(rest.length, 'more line')}; more shows them`)];
  };
  return {
    get hasRefused() {
      return walk.hasRefused;
    },
    prompt: () => promptOf(walk),
    welcome: () => wrap(welcomeTo(history, palette)),
    /** Executes a line; undefined ends the walk. */
    execute(line: string): readonly string[] | undefined {
      if (wordFor(line.trim())?.name === 'more') return rest.length === 0 ? [`  ${palette.dim('that was all')}`] : turn(rest);
      const said = say(walk, line);
      return said === undefined ? undefined : turn(wrap(said));
    },
    /** Returns the candidates for the last word of an incomplete line, and that word. */
    complete: (line: string) => complete(here(walk), line),
  };
}

function promptOf(walk: Walk): string {
  const {
    history: { trace },
    moment: { step, at },
  } = here(walk);
  return `${walk.sessions.length > 1 ? 'fork ' : ''}${formatSince(at - trace.startAt)} #${step}> `;
}

function welcomeTo({ run, scenario, trace, seed }: History, palette: Palette): readonly string[] {
  const size = `${count(narrationStepsOf(trace).size, 'stop')}, ${count(trace.entries.length, 'step')}`;
  return [
    palette.strong(run?.scenario.title ?? scenario),
    ...(run?.scenario.teaches === undefined ? [] : [`  ${run.scenario.teaches}`]),
    palette.dim(`  ${size}, seed ${seed}; next continues, help lists the commands`),
  ];
}

function say(walk: Walk, line: string): readonly string[] | undefined {
  const [first = ''] = line.trim().split(/\s+/);
  if (first === '') return [];
  // While a question is open, a letter is an answer, even if it abbreviates a command.
  const word = /^[a-d]$/i.test(line.trim()) && openQuestion(here(walk)) !== undefined ? ANSWER : wordFor(first);
  if (word === undefined) {
    walk.hasRefused = true;
    return [`  there is no command ${JSON.stringify(first)}${nearestWord(first)} (help lists them)`];
  }
  if (word.name === 'quit') return undefined;
  try {
    const rest = line.trim().slice(first.length).trim();
    const extra = oneTooMany(word, rest);
    if (extra !== undefined) throw new BadInput(extra);
    return DOINGS[word.name]?.(walk, word.name === 'answer' && rest === '' ? first : rest) ?? [];
  } catch (error) {
    if (!(error instanceof BadInput)) throw error;
    walk.hasRefused = true;
    return error.lines.map((text) => `  ${text}`);
  }
}
