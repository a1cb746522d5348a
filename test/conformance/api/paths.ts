/** Paths in JSON values, and templates that quote earlier responses: `{{3.metadata|uid}}`. */

import { RawNumber } from '../../../src/schema/shape/index.ts';

type Json = Record<string, unknown>;
type Container = Json | unknown[];

const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null && !(value instanceof RawNumber);
const inside = (value: unknown, key: string): unknown => (isContainer(value) ? (value as Json)[key] : undefined);

/** Returns the value at a path with parts separated by `|`. */
export const at = (value: unknown, path: string): unknown => path.split('|').reduce(inside, value);

/** Sets a value and creates missing objects; an index beyond the end appends. */
export function setAt(value: unknown, path: string, given: unknown): void {
  const keys = path.split('|');
  const last = keys.pop() ?? '';
  let here = value;
  for (const key of keys) {
    if (!isContainer(here)) return;
    const next = inside(here, key);
    if (!isContainer(next)) (here as Json)[key] = {};
    here = inside(here, key);
  }
  if (Array.isArray(here) && Number(last) >= here.length) here.push(given);
  else if (isContainer(here)) (here as Json)[last] = given;
}

export function unsetAt(value: unknown, path: string): void {
  const keys = path.split('|');
  const last = keys.pop() ?? '';
  const here = keys.reduce(inside, value);
  if (Array.isArray(here)) here.splice(Number(last), 1);
  else if (isContainer(here)) delete (here as Json)[last];
}

const TEMPLATE = /\{\{(\d+)\.([^}]+)\}\}/g;
const WHOLE = /^\{\{(\d+)\.([^}]+)\}\}$/;

/** Fills in templates; a text that is a single template becomes the value with its type. */
export function filled(value: unknown, answers: readonly unknown[]): unknown {
  if (typeof value === 'string') {
    const whole = WHOLE.exec(value);
    if (whole !== null) return at(answers[Number(whole[1])], whole[2] ?? '');
    return value.replace(TEMPLATE, (_, n: string, path: string) => {
      const found = at(answers[Number(n)], path);
      return typeof found === 'string' ? found : (JSON.stringify(found) ?? '');
    });
  }
  if (Array.isArray(value)) return value.map((item) => filled(item, answers));
  if (isContainer(value)) return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, filled(item, answers)]));
  return value;
}
