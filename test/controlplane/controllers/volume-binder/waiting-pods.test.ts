import { describe, expect, it } from 'vitest';
import type { Pod } from '../../../../src/apiserver/kinds/index.ts';
import { followPods, waitingFor, type WaitingPods } from '../../../../src/controlplane/controllers/volume-binder/candidates.ts';
import { barePod } from '../../../support/objects.ts';

const mounting = (name: string, spec: object = {}): Pod =>
  barePod(name, 'Pending', {
    spec: { nodeName: undefined, volumes: [{ name: 'd', persistentVolumeClaim: { claimName: 'data' } }], ...spec },
  });

describe('pods that a claim waits for', () => {
  it('are dropped when they have a node, have ended or are gone', () => {
    const waiting: WaitingPods = new Map();
    const change = (type: 'ADDED' | 'MODIFIED' | 'DELETED', object: Pod, old?: Pod): void =>
      followPods(waiting, { type, kind: 'Pod', key: `default/${object.metadata.name}`, object, old });
    change('ADDED', mounting('a'));
    change('ADDED', mounting('b'));
    change('ADDED', mounting('c'));
    change('ADDED', mounting('d', { nodeName: 'n' }));
    expect(waitingFor(waiting.get('default/data'))).toEqual({
      reason: 'WaitForPodScheduled',
      message: 'waiting for pods a,b,c to be scheduled',
    });
    change('MODIFIED', mounting('a', { nodeName: 'n' }), mounting('a'));
    change('MODIFIED', { ...mounting('b'), status: { phase: 'Failed' } }, mounting('b'));
    expect(waitingFor(waiting.get('default/data')).message).toBe('waiting for pod c to be scheduled');
    change('DELETED', mounting('c'), mounting('c'));
    expect(waiting.size).toBe(0);
    expect(waitingFor(waiting.get('default/data')).reason).toBe('WaitForFirstConsumer');
  });
});
