/** Conditions of objects, nodes out of service, finished Jobs. */
import { describe, expect, it } from 'vitest';
import { namesFor } from '../../../src/apiserver/machinery/index.ts';
import { conditionOf, finishedCondition, isOutOfService, withCondition } from '../../../src/controlplane/shared/index.ts';
import { jobOf, nodeOf } from '../../support/objects.ts';

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly lastTransitionTime?: string | null;
}
const A: Condition = { type: 'A', status: 'True', reason: 'old', lastTransitionTime: 'then' };
const B: Condition = { type: 'B', status: 'False', lastTransitionTime: 'then' };

describe('conditions', () => {
  it('are found by type', () => {
    expect([conditionOf([A, B], 'B'), conditionOf([A, B], 'C'), conditionOf(undefined, 'A'), conditionOf(null, 'A')]).toEqual([
      B,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('keep their place, and their time while the status stays', () => {
    const next = { type: 'A', status: 'True', reason: 'new', lastTransitionTime: 'now' };
    expect(withCondition([A, B], next)).toEqual([{ ...next, lastTransitionTime: 'then' }, B]);
    expect(withCondition([B, A], { ...next, status: 'False' })).toEqual([B, { ...next, status: 'False' }]);
    expect([withCondition([B], next), withCondition(undefined, next)]).toEqual([[B, next], [next]]);
  });
});

describe('a node is out of service', () => {
  const names = namesFor('k8s.io');
  const tainted = (...keys: readonly string[]) => ({ ...nodeOf('n'), spec: { taints: keys.map((key) => ({ key, effect: 'NoExecute' })) } });
  const gates = { NodeOutOfServiceVolumeDetach: true };

  it('by its taint, where the gate is on', () => {
    const node = tainted('other', 'node.kubernetes.io/out-of-service');
    expect([isOutOfService(node, names, gates), isOutOfService(node, names, {})]).toEqual([true, false]);
    expect([tainted('other'), tainted(), nodeOf('n'), undefined].map((one) => isOutOfService(one, names, gates))).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });
});

describe('a Job has finished', () => {
  const finished = (...conditions: readonly (readonly [string, string])[]) =>
    finishedCondition(jobOf('j', {}, { conditions: conditions.map(([type, status]) => ({ type, status })) } as never))?.type;

  it('once it is complete or failed', () => {
    expect([finished(['Suspended', 'True'], ['Complete', 'True']), finished(['Failed', 'True'])]).toEqual(['Complete', 'Failed']);
    expect([finished(['Complete', 'False']), finished(['Failed', 'Unknown']), finished(['Suspended', 'True']), finished()]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(finishedCondition(jobOf('j'))).toBeUndefined();
  });
});
