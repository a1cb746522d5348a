import { describe, expect, it } from 'vitest';
import { kindsFor } from '../../../src/apiserver/kinds/index.ts';
import { namesFor } from '../../../src/apiserver/vocabulary/index.ts';
import { oracleLines } from '../../support/oracle.ts';
import { replayRecord, type Recorded } from '../verbs/replay.ts';

/** Share of recorded creates (dry run) that must come out the same: code, reason, causes, object and warnings. */
const SHARE = 0.99;

/** Where the project answers otherwise on purpose, or where a part outside this room is not modelled. */
const DEVIATIONS: readonly { readonly id: RegExp; readonly why: string }[] = [
  {
    id: /^A\/Job\/set:spec\.activeDeadlineSeconds=9223372036854775808$/,
    why: 'the recording is read with JSON.parse, which rounds the number; parseJson keeps it',
  },
];

const deviation = (id: string): string | undefined => DEVIATIONS.find((one) => one.id.test(id))?.why;

describe('recorded creates', () => {
  const served = new Set(
    kindsFor(namesFor('k8s.io'))
      .list()
      .map(({ kind }) => kind),
  );
  const records = (oracleLines('v1.24/api/admission.jsonl') as unknown as Recorded[]).filter(
    ({ kind }) => kind !== undefined && served.has(kind),
  );
  const outcomes = records.map(replayRecord).filter(({ verdict }) => verdict !== 'skipped');

  it(`come out the same in ${SHARE * 100} of 100`, () => {
    const same = outcomes.filter(({ verdict }) => verdict === 'same').length;
    expect(records.length).toBeGreaterThan(2800);
    expect(same / outcomes.length).toBeGreaterThanOrEqual(SHARE);
  });

  it('differ only where a reason is named', () => {
    const unexplained = outcomes.filter(({ id, verdict }) => verdict === 'different' && deviation(id) === undefined);
    expect(unexplained.map(({ id, why }) => `${id}: ${why ?? ''}`.slice(0, 300))).toEqual([]);
  });

  it('name no reason that nothing needs', () => {
    const different = outcomes.filter(({ verdict }) => verdict === 'different').map(({ id }) => id);
    expect(DEVIATIONS.filter(({ id }) => !different.some((one) => id.test(one))).map(({ why }) => why)).toEqual([]);
  });
});
