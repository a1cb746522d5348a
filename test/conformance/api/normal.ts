/** Normalises responses: removes identities, revisions and times, by the rules of the recordings' own replayer. */
import { RawNumber } from '../../../src/schema/shape/index.ts';
import { compareText } from '../../../src/schema/values/index.ts';

const UID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const INSTANT = /2026-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z?|2026-\d\d-\d\d \d\d:\d\d:\d\d[^"]*?UTC/g;
const TEXTS: readonly (readonly [RegExp, string])[] = [
  [UID, '<uid>'],
  [INSTANT, '<ts>'],
  [/\\?"resourceVersion\\?":\\?"\d+\\?"/g, '"resourceVersion":"<rv>"'],
  [/resourceVersion: "\d+"/g, 'resourceVersion: <rv>'],
  [/(in record|current:|version: 1) \(?\d+\)?/g, '$1 <rv>'],
  [/too old resource version: \d+ \(\d+\)/g, 'too old resource version: <rv>'],
  [/settled after [\d.]+s/g, 'settled'],
  [/0x[0-9a-f]{8,}/g, '<ptr>'],
  [/10\.0\.0\.\d+(?=")/g, '<ip>'],
  [/(Duration|age|^)\d+(m?s)$/g, '$1<dur>'],
  [/127\.0\.0\.1:\d+/g, '<host>'],
];

/** Lines of a stream have no fixed order, so they are sorted; other texts are unchanged. */
const lines = (text: string): string =>
  text.startsWith('{"type":') && text.includes('}\n{') ? text.split('\n').sort(compareText).join('\n') : text;

/** A value in comparable form: sorted keys, replaced volatile parts. Lists without an order are sorted too. */
function normal(value: unknown, keepFields: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => normal(item, keepFields));
  if (typeof value === 'string') return lines(TEXTS.reduce((text, [pattern, by]) => text.replace(pattern, by), value));
  if (value instanceof RawNumber) return Number(value.text);
  if (typeof value !== 'object' || value === null) return value;
  const result: Record<string, unknown> = {};
  for (const key of Object.keys(value).sort(compareText)) {
    const item = (value as Record<string, unknown>)[key];
    if (item === undefined || (!keepFields && key === 'managedFields')) continue;
    if ((key === 'resourceVersion' || key === 'continue') && typeof item === 'string')
      result[key] = item === '' || item === '0' ? item : '<rv>';
    // Descriptions of columns are not compared.
    else if (key === 'columnDefinitions' && Array.isArray(item))
      result[key] = item.map((column: object) => normal({ ...column, description: '' }, keepFields));
    else if (key === 'seconds') result[key] = '<n>';
    else if ((key === 'items' || key === 'events' || key === 'rows') && Array.isArray(item))
      result[key] = item.map((each) => JSON.stringify(normal(each, keepFields))).sort(compareText);
    else result[key] = normal(item, keepFields);
  }
  return result;
}

const SUFFIX = '[bcdfghjklmnpqrstvwxz2456789]{5}';

/** Returns the first difference between two responses with its context; undefined if they are equal. */
export function difference(
  wanted: unknown,
  got: unknown,
  { keepFields, hints, generateName }: { readonly keepFields: boolean; readonly hints: readonly string[]; readonly generateName: string },
): string | undefined {
  const drawn =
    generateName === '' ? undefined : new RegExp(`${generateName.slice(0, 58).replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}${SUFFIX}`, 'g');
  const text = (value: unknown): string => {
    const made = JSON.stringify(normal(value, keepFields));
    return drawn === undefined ? made : made.replace(drawn, '<drawn>');
  };
  const [a, b] = [text(wanted), text(got)];
  if (a === b || (hints.includes('unorderedCauses') && sortedLetters(a) === sortedLetters(b))) return undefined;
  let from = 0;
  while (a.charAt(from) === b.charAt(from)) from++;
  from = Math.max(0, from - 70);
  return `want ${a.slice(from, from + 240)}\n     got  ${b.slice(from, from + 240)}`;
}

/** Detects causes in another order: they have the same letters. */
const sortedLetters = (text: string): string => [...text].sort(compareText).join('');
