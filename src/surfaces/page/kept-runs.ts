/**
 * What the browser keeps. Runs of lessons: a second visit shows its first picture before the engine has started. The engine repeats the run
 * afterwards, and what it makes counts.
 */
import { inflated } from './engine.ts';
import { packed } from './model/link.ts';
import type { CarriedScenario, RunData } from './protocol.ts';
import { readRecording, recordingText } from './packing.ts';

const KEY = 'orchsim.run.';
/** Letters of a kept run; a browser keeps some five million. */
const LARGEST = 250_000;
/** Letters of a text that count for its mark. */
const MOST_HASHED = 20_000;

/** What the browser has kept under a name; null: nothing, or it refuses to say. */
export function kept(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** A browser may refuse to store: then it is kept as long as the page. */
export function keep(name: string, text: string): void {
  try {
    localStorage.setItem(name, text);
  } catch {
    // The page works without.
  }
}

/** Whether an earlier visit has kept a run of this name. */
export const isKept = (name: string): boolean => kept(KEY + name) !== null;

/** Returns the run of a lesson that an earlier visit has kept; undefined: there is none of this lesson's text and this page's engine. */
export async function keptRun(scenario: CarriedScenario, seed?: number): Promise<RunData | undefined> {
  if (scenario.card === undefined) return undefined;
  const text = kept(KEY + scenario.name) ?? '';
  const mark = markOf(scenario);
  if (!text.startsWith(mark)) return undefined;
  try {
    const run = readRecording(await inflated(text.slice(mark.length).replaceAll('-', '+').replaceAll('_', '/')));
    return seed === undefined || run.seed === seed ? run : undefined;
  } catch {
    // It cannot be read: then the engine makes the run.
    return undefined;
  }
}

export async function keepRun(scenario: CarriedScenario, run: RunData): Promise<void> {
  if (scenario.card === undefined) return;
  const text = await packed(recordingText(run));
  if (text.length <= LARGEST) keep(KEY + scenario.name, markOf(scenario) + text);
}

/** Differs for another text or another engine. */
const markOf = ({ text }: CarriedScenario): string =>
  `${text.length}.${hashOf(text)}.${hashOf(document.getElementById('engine')?.textContent ?? '')} `;

/** Of a long text every so many letters count, as packed texts differ everywhere; the digest of the repeated run counts in the end. */
function hashOf(text: string): number {
  let hash = text.length;
  for (let at = 0; at < text.length; at += Math.ceil(text.length / MOST_HASHED)) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
  return hash;
}
