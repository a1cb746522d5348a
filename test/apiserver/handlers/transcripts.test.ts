/**
 * Recorded transcripts on the server as a function, without HTTP and without other components. All have the same result, except for those
 * listed by name with a reason; `test/conformance/tests/api.test.ts` replays every record, including those that are skipped here.
 */
import { describe, expect, it } from 'vitest';
import { oracleLines } from '../../support/oracle.ts';
import { replayRecord, type Recorded } from './replay.ts';

interface Expected {
  readonly records: number;
  /** The different records, by reason. */
  readonly different: Readonly<Record<string, readonly string[]>>;
  /** The number of skipped records, by reason: parts that only HTTP determines, or that controllers cause. */
  readonly skipped: Readonly<Record<string, number>>;
}

const FILES: Readonly<Record<string, Expected>> = {
  update: {
    records: 535,
    different: {},
    skipped: { 'bad JSON': 13, route: 8 },
  },
  delete: {
    records: 234,
    different: {},
    skipped: { method: 1, query: 1, 'content type': 2, route: 1, 'needs controllers': 19 },
  },
  list: {
    records: 42,
    different: {},
    skipped: { query: 1, 'no such resource': 1, accept: 11, watch: 1 },
  },
  patch: { records: 172, different: {}, skipped: { 'bad JSON': 4, 'patch type': 5, 'content type': 2, headers: 1 } },
  errors: {
    records: 208,
    different: { 'which paths there are is decided by HTTP': ['G/404.cluster.as.ns'] },
    skipped: {
      'no such resource': 22,
      route: 31,
      'bad JSON': 9,
      'content type': 16,
      headers: 14,
      accept: 6,
      query: 14,
      watch: 2,
      'body limit': 1,
    },
  },
  watch: { records: 48, different: {}, skipped: { watch: 6 } },
};

const tally = (reasons: readonly string[]): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const reason of reasons) counts[reason] = (counts[reason] ?? 0) + 1;
  return counts;
};

describe('recorded transcripts, in process', () => {
  for (const [file, { records, different, skipped }] of Object.entries(FILES))
    it(`${file}: have the same responses, except for listed deviations`, () => {
      const outcomes = (oracleLines(`v1.24/api/${file}.jsonl`) as unknown as Recorded[]).map(replayRecord);
      expect(outcomes).toHaveLength(records);
      const named = new Set(Object.values(different).flat());
      const found = outcomes.filter(({ verdict }) => verdict === 'different');
      expect(found.filter(({ id }) => !named.has(id)).map(({ id, step, why }) => `${id} step ${step}: ${why}`.slice(0, 600))).toEqual([]);
      expect(found.map(({ id }) => id)).toEqual([...named]);
      const reasons = outcomes.flatMap(({ verdict, why = '' }) =>
        verdict === 'skipped' ? [why.replace(/^(no such resource) .*$/, '$1')] : [],
      );
      expect(tally(reasons)).toEqual(skipped);
    });
});
