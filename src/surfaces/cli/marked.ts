/** Whether a text in a folder is meant as a scenario: it says so at its left edge, well spelt or not. */
import { nearest } from '../../schema/values/index.ts';

/** Schemas and reports have scenarios in them, and are none. */
export function isMeantAsScenario(text: string): boolean {
  const json = text.trimStart().startsWith('{') ? parsed(text) : undefined;
  return json === undefined ? [...text.matchAll(AS_YAML)].some(([, key = '']) => isMark(key)) : isMarked(json);
}

/** What may be a mark at the left edge of a document. */
const AS_YAML = /^(?:\{\s*)?["']?(\w+)["']?\s*:\s*["']?scenario(?:\.|\b)/gim;
const MARKS = ['apiVersion', 'kind'];

/** Well spelt or not. */
const isMark = (key: string): boolean => MARKS.includes(key) || nearest(key, MARKS) !== undefined;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isMarked = (json: unknown): boolean =>
  typeof json === 'object' &&
  json !== null &&
  Object.entries(json).some(([key, value]) => isMark(key) && typeof value === 'string' && /^scenario(?:\.|$)/i.test(value));
