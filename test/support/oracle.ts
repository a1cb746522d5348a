/** Reads the packed recordings of the real control plane (test/oracle); test/oracle/README.md describes the paths. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import type { RecordedActions } from '../conformance/recording.ts';

const folder = join(import.meta.dirname, '..', 'oracle');

export type OracleVersion = 'v1.24' | 'v1.24-gates' | 'v1.24-workloads';

export interface OracleCase {
  readonly name: string;
  readonly actions: RecordedActions;
  /** Object changes in the order of the recording. */
  readonly trace: readonly RecordedChange[];
  /** The manifests of the case, YAML. */
  readonly input: string;
}

export interface RecordedChange {
  /** Seconds since the start of the case. */
  readonly t: number;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: Record<string, unknown>;
}

const texts = new Map<string, string>();
const cases = new Map<string, readonly OracleCase[]>();

/**
 * Returns the records of a JSON-lines file, parsed at every call: `oracleLines('v1.24/api/quantity.jsonl')`. `parse` reads lines with
 * numbers that JavaScript cannot hold.
 */
export function oracleLines(path: string, parse?: (line: string) => unknown): Record<string, unknown>[] {
  return jsonLines(oracleText(path), parse) as Record<string, unknown>[];
}

/** Returns the value of a JSON file: `oracleJson('v1.24/api/discovery/apis.json')`. */
export function oracleJson(path: string): unknown {
  return JSON.parse(oracleText(path));
}

/**
 * Returns all recorded controller cases of one control plane, sorted by name. They are parsed once, so they must be treated as read-only.
 */
export function oracleCases(version: OracleVersion): readonly OracleCase[] {
  const known = cases.get(version);
  if (known !== undefined) return known;
  const read = (jsonLines(oracleText(`${version}/traces.jsonl`)) as (Omit<OracleCase, 'name'> & { case: string })[]).map(
    ({ case: name, actions, trace, input }) => ({ name, actions, trace, input }),
  );
  cases.set(version, read);
  return read;
}

function oracleText(path: string): string {
  const known = texts.get(path);
  if (known !== undefined) return known;
  const file = join(folder, `${path}.br`);
  if (!existsSync(file)) throw new Error(`no recording ${path}; there are: ${recordings().join(', ')}`);
  const text = brotliDecompressSync(readFileSync(file)).toString('utf8');
  texts.set(path, text);
  return text;
}

/** Returns the paths of all recordings, as accepted by the functions above. */
export function recordings(): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.br'))
    .map((path) => path.replaceAll('\\', '/').slice(0, -'.br'.length))
    .sort((a, b) => (a < b ? -1 : 1));
}

function jsonLines(text: string, parse: (line: string) => unknown = (line) => JSON.parse(line) as unknown): unknown[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(parse);
}
