/** The sets that a change of a pod enqueues, and when. */
import { describe, expect, it } from 'vitest';
import type { Pod } from '../../../../src/apiserver/kinds/index.ts';
import { daemonSet } from '../../../../src/controlplane/controllers/daemon-set/controller.ts';
import { barePod } from '../../../support/objects.ts';
import { enqueued } from '../../../support/reconcile.ts';
import { setOf } from './objects.ts';

const setWith = (minReadySeconds: number) => {
  const set = setOf({ minReadySeconds, selector: { matchLabels: { app: 'd' } }, template: { metadata: {}, spec: { containers: [] } } });
  return { ...set, apiVersion: 'apps/v1', kind: 'DaemonSet' as const, metadata: { ...set.metadata, namespace: 'default' } };
};
const podThat = (isReady: boolean, uid = 'uid-d'): Pod =>
  barePod('p', 'Running', {
    meta: { ownerReferences: [{ apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'd', uid, controller: true }] },
    status: { conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }] },
  });

describe('a pod of a set', () => {
  // A second more than the set asks for, because times in objects are whole seconds.
  const available = { key: 'default/d', afterMs: 11_000 };
  it.each([
    ['that turns ready enqueues it also when the pod is available', 10, false, true, ['default/d', available]],
    ['that stays ready enqueues it once', 10, true, true, ['default/d']],
    ['that is ready no longer enqueues it once', 10, true, false, ['default/d']],
    ['that is still not ready enqueues it once', 10, false, false, ['default/d']],
    ['that turns ready is available at once where no time is asked for', 0, false, true, ['default/d']],
  ])('%s', (_, minReadySeconds, before, after, keys) => {
    const objects = [setWith(minReadySeconds)];
    expect(enqueued(daemonSet, { objects }, { type: 'MODIFIED', old: podThat(before), object: podThat(after) })).toEqual(keys);
  });

  it('that is new, removed, or of another set of this name does not wait', () => {
    const objects = [setWith(10)];
    expect(enqueued(daemonSet, { objects }, { type: 'ADDED', object: podThat(true) })).toEqual(['default/d']);
    expect(enqueued(daemonSet, { objects }, { type: 'DELETED', old: podThat(false), object: podThat(true) })).toEqual(['default/d']);
    const [old, object] = [podThat(false, 'other'), podThat(true, 'other')];
    expect(enqueued(daemonSet, { objects }, { type: 'MODIFIED', old, object })).toEqual([]);
  });
});
