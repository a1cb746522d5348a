/** Every open recording of the real control plane, replayed: it agrees, or differs as `deviations.ts` foresees. */
import { describe, expect, it } from 'vitest';
import { DEVIATIONS, isScenario, replay, runCase, type RecordedCase } from '../../../src/surfaces/conformance/index.ts';
import { oracleCases } from '../../support/oracle.ts';

/** Cases that may not agree yet: a list to be emptied. */
const NOT_YET: ReadonlySet<string> = new Set([
  'v1.24/gc-cross-namespace-owner', 'v1.24/l-volumeattachment', 'v1.24/ns-delete-with-workloads', 'v1.24/pv-static-bind', 'v1.24/va-attach-required-false', 'v1.24-gates/l-volumeattachment',
]);

describe.each([['v1.24', false], ['v1.24-gates', true]] as const)('recordings %s', (folder, gates) => {
  const recorded: readonly RecordedCase[] = oracleCases(folder);
  const judge = (each: RecordedCase) => replay(each, runCase, { folder, gates });
  const isOpen = ({ name }: RecordedCase): boolean => NOT_YET.has(`${folder}/${name}`);

  it.each(recorded.filter((each) => isScenario(each) && !isOpen(each)).map((each) => [each.name, each] as const))('%s', (name, each) => {
    const { verdict, differences, reason } = judge(each);
    const foreseen = DEVIATIONS.some((deviation) => deviation.case === name && (deviation.folder ?? folder) === folder);
    expect({ verdict, ...(verdict === (foreseen ? 'deviation' : 'ok') ? {} : { differences, reason }) }).toEqual({ verdict: foreseen ? 'deviation' : 'ok' });
  });

  const open = recorded.filter(isOpen);
  it.runIf(open.length > 0).each(open.map((each) => [each.name, each] as const))('%s may not agree yet', (_name, each) => {
    // One that agrees can leave the list; whoever made it agree need not know of it.
    expect(['differs', 'ok', 'deviation']).toContain(judge(each).verdict);
  });
});

it('the list of what does not agree yet names cases that exist', () => {
  const names = new Set((['v1.24', 'v1.24-gates'] as const).flatMap((folder) => oracleCases(folder).map(({ name }) => `${folder}/${name}`)));
  expect([...NOT_YET].filter((name) => !names.has(name))).toEqual([]);
});
