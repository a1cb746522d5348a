import { expect, it } from 'vitest';
import { oracleLines } from '../../../support/oracle.ts';
import { differences, type DecisionCase } from './replay-decisions.ts';

it('decides as recorded', () => {
  const cases = oracleLines('v1.24/scheduler/decisions.jsonl') as unknown as DecisionCase[];
  const wrong: string[] = [];
  let bad = 0;
  for (const recorded of cases) {
    let found: readonly string[];
    try { found = differences(recorded); } catch (error) { found = [`threw ${error instanceof Error ? error.stack?.split('\n').slice(0, 4).join(' ') ?? '' : String(error)}`]; }
    if (found.length > 0) { bad++; wrong.push(`${recorded.feature} ${recorded.id}\n    ${found.slice(0, 4).join('\n    ')}`); }
  }
  console.log(wrong.join('\n'));
  console.log(`${cases.length - bad} of ${cases.length} as recorded`);
  expect(bad).toBe(0);
});
