import { describe, expect, it } from 'vitest';
import { formatDuration, formatDurationMs, parseDuration } from '../../../src/cluster/api/duration.ts';
import { oracleLines } from '../../support/oracle.ts';

const lines = oracleLines('v1.24/api/duration.jsonl');

describe('durations', () => {
  it('parse as recorded', () => {
    for (const { fn, id, in: text, ns, string, error } of lines) {
      if (fn !== 'ParseDuration') continue;
      const parsed = parseDuration(String(text));
      expect({ id, ns: parsed.error === undefined ? String(parsed.ns) : undefined, error: parsed.error }).toEqual({ id, ns, error });
      if (parsed.error === undefined) expect(formatDuration(parsed.ns)).toBe(string);
    }
  });

  it('print as recorded', () => {
    for (const { fn, id, ns, string } of lines) if (fn === 'Duration.String') expect([id, formatDuration(BigInt(String(ns)))]).toEqual([id, string]);
    expect(formatDurationMs(90_500)).toBe('1m30.5s');
  });
});
