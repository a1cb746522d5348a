/**
 * Pairs whose keys and values may contain commas: one pair is taken as it is, several are comma-separated values in quotes. Models:
 * spf13/pflag string_to_string.go.
 */
import type { Read } from './read.ts';

/** The pairs of a text, added to those of earlier occurrences. */
export function readCsvPairs(text: string, before: unknown): Read {
  const pairs = new Map(Object.entries((before as Readonly<Record<string, string>> | undefined) ?? {}));
  const records = (text.match(/=/g) ?? []).length > 1 ? splitRecord(text) : [text.replace(/^"+|"+$/g, '')];
  if (records === undefined) return { error: 'parse error on line 1, column 1: extraneous or missing " in quoted-field' };
  for (const record of records) {
    const at = record.indexOf('=');
    if (at < 0) return { error: `${record} must be formatted as key=value` };
    pairs.set(record.slice(0, at), record.slice(at + 1));
  }
  return { value: Object.fromEntries(pairs) };
}

/** The fields of one line of comma-separated values; undefined where quotes are unbalanced. */
function splitRecord(line: string): readonly string[] | undefined {
  const field = /"((?:[^"]|"")*)"(?=,|$)|[^",]*(?=,|$)/y;
  const fields: string[] = [];
  for (let at = 0; at <= line.length;) {
    field.lastIndex = at;
    const found = field.exec(line);
    if (found === null) return undefined;
    fields.push(found[1]?.replaceAll('""', '"') ?? found[0]);
    at += found[0].length + 1;
  }
  return fields;
}
