import { describe, expect, it } from 'vitest';
import { compareText } from '../../../src/schema/values/index.ts';
import { oracleLines } from '../../support/oracle.ts';
import { replayRecord, type Recorded } from '../handlers/replay.ts';

/** Intended deviations, and parts outside this module that are not modelled. */
const DEVIATIONS: Readonly<Record<string, readonly string[]>> = {
  'the recording is read with JSON.parse, which rounds the number; parseJson keeps it': [
    'A/Job/set:spec.activeDeadlineSeconds=9223372036854775808',
  ],
};

describe('recorded creates', () => {
  const outcomes = (oracleLines('v1.24/api/admission.jsonl') as unknown as Recorded[]).map(replayRecord);

  it('are complete', () => {
    expect(outcomes).toHaveLength(2893);
    expect(outcomes.filter(({ verdict }) => verdict === 'skipped')).toEqual([]);
  });

  it('have the same result, except for listed deviations', () => {
    const named = new Set(Object.values(DEVIATIONS).flat());
    const different = outcomes.filter(({ verdict }) => verdict === 'different');
    expect(different.filter(({ id }) => !named.has(id)).map(({ id, why }) => `${id}: ${why ?? ''}`.slice(0, 300))).toEqual([]);
    expect(different.map(({ id }) => id).toSorted(compareText)).toEqual([...named].toSorted(compareText));
  });
});
