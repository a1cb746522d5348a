import { describe, expect, it } from 'vitest';
import { compareText } from '../../../src/schema/values/index.ts';
import { oracleLines } from '../../support/oracle.ts';
import { replayRecord, type Recorded } from '../handlers/replay.ts';

/** Where the project answers otherwise on purpose, or where a part outside this room is not modelled. */
const DEVIATIONS: Readonly<Record<string, readonly string[]>> = {
  'the recording is read with JSON.parse, which rounds the number; parseJson keeps it': [
    'A/Job/set:spec.activeDeadlineSeconds=9223372036854775808',
  ],
};

describe('recorded creates', () => {
  const outcomes = (oracleLines('v1.24/api/admission.jsonl') as unknown as Recorded[]).map(replayRecord);

  it('are all there', () => {
    expect(outcomes).toHaveLength(2893);
    expect(outcomes.filter(({ verdict }) => verdict === 'skipped')).toEqual([]);
  });

  it('come out the same, but where a reason is named', () => {
    const named = new Set(Object.values(DEVIATIONS).flat());
    const different = outcomes.filter(({ verdict }) => verdict === 'different');
    expect(different.filter(({ id }) => !named.has(id)).map(({ id, why }) => `${id}: ${why ?? ''}`.slice(0, 300))).toEqual([]);
    expect(different.map(({ id }) => id).toSorted(compareText)).toEqual([...named].toSorted(compareText));
  });
});
