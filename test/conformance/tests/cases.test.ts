/** Every recording of the real control plane, replayed: it agrees, or differs as `deviations.ts` lists. */
import { describe, expect, it } from 'vitest';
import { DEVIATIONS, isScenario, replay, runCase, type RecordedCase } from '../index.ts';
import { oracleCases } from '../../support/oracle.ts';

describe.each([
  ['v1.24', false],
  ['v1.24-gates', true],
  ['v1.24-workloads', false],
] as const)('recordings %s', (folder, gates) => {
  const recorded: readonly RecordedCase[] = oracleCases(folder);
  const judge = (each: RecordedCase) => replay(each, runCase, { folder, gates });

  it.each(recorded.filter(isScenario).map((each) => [each.name, each] as const))('%s', (name, each) => {
    const { verdict, differences, reason } = judge(each);
    const foreseen = DEVIATIONS.some((deviation) => deviation.case === name && (deviation.folder ?? folder) === folder);
    expect({ verdict, ...(verdict === (foreseen ? 'deviation' : 'ok') ? {} : { differences, reason }) }).toEqual({
      verdict: foreseen ? 'deviation' : 'ok',
    });
  });
});
