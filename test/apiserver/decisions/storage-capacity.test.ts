import { describe, expect, it } from 'vitest';
import { storageCapacity } from '../../../src/apiserver/decisions/index.ts';
import { stored } from './objects.ts';

const capacity = (name: string, parts: object) =>
  stored('CSIStorageCapacity', name, { storageClassName: 'fast', nodeTopology: {}, ...parts });
const ask = (parts: object, size = '10Gi', nodeLabels: Record<string, string> = { zone: 'a' }) =>
  storageCapacity({ storageClass: 'fast', size, nodeLabels }, [capacity('c', parts)]);

describe('capacity for a claim', () => {
  it.each<[string, object, boolean]>([
    ['as much as is left', { capacity: '10Gi' }, true],
    ['in another notation', { capacity: '10737418240' }, true],
    ['a byte less', { capacity: '10737418239' }, false],
    ['nothing is left', { capacity: '0' }, false],
    ['nothing is set', {}, false],
    ['the maximum volume size is enough', { maximumVolumeSize: '10Gi', capacity: '1Ti' }, true],
    ['the maximum volume size is too small, although capacity is left', { maximumVolumeSize: '9Gi', capacity: '1Ti' }, false],
    ['only the maximum volume size decides if it is set', { maximumVolumeSize: '10Gi' }, true],
    ['another class', { storageClassName: 'slow', capacity: '1Ti' }, false],
    ['reachable from all nodes', { capacity: '1Ti', nodeTopology: {} }, true],
    ['not reachable from any node', { capacity: '1Ti', nodeTopology: undefined }, false],
    ['reachable from this node', { capacity: '1Ti', nodeTopology: { matchLabels: { zone: 'a' } } }, true],
    [
      'reachable from other nodes',
      { capacity: '1Ti', nodeTopology: { matchExpressions: [{ key: 'zone', operator: 'NotIn', values: ['a'] }] } },
      false,
    ],
  ])('%s', (_, parts, sufficient) => {
    expect(ask(parts).sufficient).toBe(sufficient);
  });

  it('is in any reachable segment, and the decision names it', () => {
    const all = [capacity('small', { capacity: '1Gi' }), capacity('large', { capacity: '1Ti' })];
    expect(storageCapacity({ storageClass: 'fast', size: '10Gi' }, all)).toEqual({
      sufficient: true,
      why: 'default/large has 1Ti left',
      by: ['default/large'],
    });
    expect(storageCapacity({ storageClass: 'fast', size: '2Ti' }, all).why).toBe(
      '2Ti of class fast are requested; default/large, the largest, has 1Ti left',
    );
    expect(storageCapacity({ storageClass: 'none', size: '1' }, all).why).toBe('no CSIStorageCapacity is for class none');
    expect(ask({ capacity: '1Ti', nodeTopology: { matchLabels: { zone: 'b' } } }).why).toBe(
      'no segment of class fast reaches the node: default/c requires zone=b',
    );
  });
});
