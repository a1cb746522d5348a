import { describe, expect, it } from 'vitest';
import { decisionDifferences, type DecisionCase } from '../../../conformance/scheduler/index.ts';
import { oracleLines } from '../../../support/oracle.ts';

const cases = oracleLines('v1.24/scheduler/decisions.jsonl') as unknown as DecisionCase[];

describe('decisions of the recorded scheduler', () => {
  for (const feature of new Set(cases.map((recorded) => recorded.feature))) {
    it(feature, () => {
      for (const recorded of cases) if (recorded.feature === feature) expect(decisionDifferences(recorded), recorded.id).toEqual([]);
    });
  }

  it('are reproduced with other random tie-breaks', () => {
    for (const recorded of cases) if (recorded.tie) expect(decisionDifferences(recorded, 2), recorded.id).toEqual([]);
  });
});
