import { describe, expect, it } from 'vitest';
import { oracleLines } from '../../../support/oracle.ts';
import { differences, type DecisionCase } from './replay-decisions.ts';

const cases = oracleLines('v1.24/scheduler/decisions.jsonl') as unknown as DecisionCase[];

/** Recorded slips that are not repeated, each with its reason. */
const DEVIATIONS: Readonly<Record<string, string>> = {};

describe('decisions of the recorded scheduler', () => {
  for (const feature of new Set(cases.map((recorded) => recorded.feature))) {
    it(feature, () => {
      for (const recorded of cases)
        if (recorded.feature === feature && DEVIATIONS[recorded.id] === undefined) expect(differences(recorded), recorded.id).toEqual([]);
    });
  }

  it('hold for other draws of ties', () => {
    for (const recorded of cases)
      if (recorded.tie && DEVIATIONS[recorded.id] === undefined) expect(differences(recorded, 2), recorded.id).toEqual([]);
  });
});
