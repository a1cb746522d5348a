import { describe, expect, it } from 'vitest';
import { isTolerated, mayStayMs, tolerates, untoleratedTaint } from '../../../src/apiserver/decisions/index.ts';
import type { Taint } from '../../../src/apiserver/kinds/index.ts';
import type { Toleration } from '../../../src/apiserver/machinery/index.ts';

const taint: Taint = { key: 'k', value: 'v', effect: 'NoExecute' };

describe('a toleration', () => {
  it.each<[Toleration, boolean]>([
    [{ key: 'k', operator: 'Equal', value: 'v', effect: 'NoExecute' }, true],
    [{ key: 'k', value: 'v' }, true],
    [{ key: 'k', operator: 'Equal', value: 'w' }, false],
    [{ key: 'k', operator: 'Exists' }, true],
    [{ key: 'j', operator: 'Exists' }, false],
    [{ operator: 'Exists' }, true],
    [{ operator: 'Exists', effect: 'NoSchedule' }, false],
    [{ key: 'k' }, false],
    [{ key: 'k', operator: 'Maybe', value: 'v' }, false],
  ])('%j: %s', (toleration, expected) => {
    expect(tolerates(toleration, taint)).toBe(expected);
  });
});

describe('a pod', () => {
  it('is repelled by the first untolerated taint', () => {
    const taints: Taint[] = [{ key: 'soft', effect: 'PreferNoSchedule' }, taint, { key: 'other', effect: 'NoSchedule' }];
    expect(untoleratedTaint(taints, [{ key: 'k', operator: 'Exists' }], ({ effect }) => effect !== 'PreferNoSchedule')).toBe(taints[2]);
    expect([isTolerated(taint, undefined), untoleratedTaint(undefined, undefined, () => true)]).toEqual([false, undefined]);
  });

  it.each<[string, readonly Toleration[] | undefined, number]>([
    ['is evicted at once without a toleration', undefined, 0],
    ['stays without limit without a time', [{ key: 'k', operator: 'Exists' }], Infinity],
    [
      'stays for the shortest time',
      [
        { key: 'k', operator: 'Exists', tolerationSeconds: 30 },
        { operator: 'Exists', tolerationSeconds: 5 },
      ],
      5_000,
    ],
    ['is evicted at once with a negative time', [{ key: 'k', operator: 'Exists', tolerationSeconds: -3 }], 0],
  ])('%s', (_, tolerations, ms) => {
    expect(mayStayMs(tolerations, [taint])).toBe(ms);
  });

  it('stays without limit without taints', () => {
    expect(mayStayMs(undefined, [])).toBe(Infinity);
  });
});
