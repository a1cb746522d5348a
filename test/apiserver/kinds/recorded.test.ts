/**
 * Recorded writes of each kind have the same answers: updates, with the members that must not change and what a new status may be; creations
 * of Deployments, ReplicaSets, DaemonSets, autoscalers and disruption budgets. What other versions of a kind answer is decided by HTTP.
 */
import { describe, expect, it } from 'vitest';
import { pushTo } from '../../../src/schema/values/index.ts';
import { oracleLines } from '../../support/oracle.ts';
import { replayRecord, type Recorded } from '../handlers/replay.ts';

const RECORDINGS = ['v1.24/api/update', 'v1.24-workloads/api/update', 'v1.24-workloads/api/admission'];
/** Cases of another version, and one of a number that JSON.parse does not keep. */
const isLeftOut = ({ case: name = '' }: Recorded): boolean => /^v\d+(?:beta\d+)?\.|=1\.0$/.test(name);

describe.each(RECORDINGS)('%s', (path) => {
  const byKind = new Map<string, Recorded[]>();
  for (const record of oracleLines(`${path}.jsonl`) as unknown as readonly Recorded[])
    if (!isLeftOut(record)) pushTo(byKind, record.kind ?? '', record);

  it.each([...byKind])('%s', (_, records) => {
    const outcomes = records.map(replayRecord);
    expect(outcomes.filter(({ verdict }) => verdict === 'different').map(({ id, why }) => `${id}: ${why ?? ''}`.slice(0, 300))).toEqual([]);
    expect(outcomes.some(({ verdict }) => verdict === 'same')).toBe(true);
  });
});
