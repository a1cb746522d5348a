/** A walk as a function from a typed line to what is shown: the terminal, scripts and tests drive the same one. */
import { count, type Palette } from '../../report/index.ts';
import { formatSince } from '../../../lab/trace/index.ts';
import { BadInput } from '../exit.ts';
import type { History } from '../question/history.ts';
import { DOINGS, here, type Walk } from './doings.ts';
import { beatsOf, sessionOf } from './session.ts';
import { nearestWord, wordFor } from './words.ts';

export interface Walker {
  /** What stands before a typed line. */
  prompt(): string;
  /** What is shown first. */
  welcome(): readonly string[];
  /** Does what a line says; undefined ends the walk. */
  say(line: string): readonly string[] | undefined;
}

export interface WalkerOptions {
  readonly palette: Palette;
  /** Puts a fork's file somewhere; answers its name. */
  save(name: string, text: string): string;
}

export function createWalker(history: History, { palette, save }: WalkerOptions): Walker {
  const walk: Walk = { palette, save, sessions: [sessionOf(history)], forks: 0, told: new WeakMap() };
  return {
    prompt: () => promptOf(walk),
    welcome: () => welcomeTo(history, palette),
    say: (line) => say(walk, line),
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
  const size = `${count(beatsOf(trace).length, 'beat')}, ${count(trace.entries.length, 'step')}`;
  return [
    palette.strong(run?.scenario.title ?? scenario),
    ...(run?.scenario.teaches === undefined ? [] : [`  ${run.scenario.teaches}`]),
    palette.dim(`  ${size}, seed ${seed}; next goes on, help lists the words`),
  ];
}

function say(walk: Walk, line: string): readonly string[] | undefined {
  const [first = ''] = line.trim().split(/\s+/);
  if (first === '') return [];
  const word = wordFor(first);
  if (word === undefined) {
    const near = nearestWord(first);
    return [`  there is no word ${JSON.stringify(first)}${near === undefined ? '' : `; did you mean ${near}?`} (help lists them)`];
  }
  if (word.name === 'quit') return undefined;
  try {
    return DOINGS[word.name]?.(walk, line.trim().slice(first.length).trim()) ?? [];
  } catch (error) {
    if (error instanceof BadInput) return error.lines.map((text) => `  ${text}`);
    throw error;
  }
}
