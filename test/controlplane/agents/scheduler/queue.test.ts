import { describe, expect, it } from 'vitest';
import { queueDifferences, RACES, type QueueCase } from '../../../conformance/scheduler/index.ts';
import { oracleLines } from '../../../support/oracle.ts';

const cases = oracleLines('v1.24/scheduler/queue.jsonl') as unknown as QueueCase[];

describe('the recorded queue', () => {
  it.each(cases.filter(({ id }) => RACES[id] === undefined).map((recorded) => ({ id: recorded.id, recorded })))('$id', ({ recorded }) => {
    expect(queueDifferences(recorded)).toEqual([]);
  });

  it('has the races that are named, and they still differ', () => {
    for (const id of Object.keys(RACES)) {
      const recorded = cases.find((each) => each.id === id);
      expect(recorded, id).toBeDefined();
      if (recorded !== undefined) expect(queueDifferences(recorded), id).not.toEqual([]);
    }
  });
});
