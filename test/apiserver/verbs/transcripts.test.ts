import { describe, expect, it } from 'vitest';
import { kindsFor } from '../../../src/apiserver/kinds/index.ts';
import { namesFor } from '../../../src/apiserver/vocabulary/index.ts';
import { oracleLines } from '../../support/oracle.ts';
import { replayRecord, type Recorded } from './replay.ts';

const served = new Set(
  kindsFor(namesFor('k8s.io'))
    .list()
    .map(({ kind }) => kind),
);

/** Share of the records that must come out the same; what only HTTP decides is not counted. Raised as the kinds' own rules land. */
const FILES: Readonly<Record<string, number>> = { update: 0.8, delete: 1, list: 0.9, patch: 0.95, errors: 0.98, watch: 1 };

describe('recorded transcripts, in process', () => {
  for (const [file, share] of Object.entries(FILES)) {
    it(`${file}: at least ${share * 100} % the same`, () => {
      const outcomes = (oracleLines(`v1.24/api/${file}.jsonl`) as unknown as Recorded[])
        .filter(({ kind }) => kind === undefined || served.has(kind))
        .map(replayRecord);
      const different = outcomes.filter(({ verdict }) => verdict === 'different');
      const same = outcomes.filter(({ verdict }) => verdict === 'same').length;
      expect(
        same / (same + different.length),
        different
          .map(({ id, step, why }) => `${id} step ${step}: ${why}`)
          .join('\n')
          .slice(0, 4000),
      ).toBeGreaterThanOrEqual(share);
    });
  }
});
