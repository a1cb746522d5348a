/** Sets of earlier templates: history limits, rollbacks, and waiting for their pods. */
import { describe, expect, it } from 'vitest';
import type { Pod, ReplicaSet } from '../../../../src/apiserver/kinds/index.ts';
import { truncateHistory, oldPodsRun } from '../../../../src/controlplane/controllers/deployment/rolling.ts';
import type { Template } from '../../../../src/controlplane/controllers/deployment/input.ts';
import { rollBack } from '../../../../src/controlplane/controllers/deployment/controller.ts';
import { createCache } from '../../../../src/controlplane/runtime/index.ts';
import { barePod } from '../../../support/objects.ts';
import { phrase } from '../../../support/reconcile.ts';
import { deploymentOf, draftFor, setOf, setsOf } from './objects.ts';

describe('the history of a Deployment', () => {
  it.each<[string, readonly ReplicaSet[], readonly string[]]>([
    [
      'loses the lowest revisions, however old their sets are',
      [setOf('third', 0, 0, { revision: 3 }), setOf('first', 0, 0, { revision: 1 }), setOf('second', 0, 0, { revision: 2 })],
      ['first', 'second'],
    ],
    [
      'keeps a set that is to have pods, and takes no other for it',
      [setOf('first', 1, 1, { revision: 1 }), setOf('second', 0, 0, { revision: 2 }), setOf('third', 0, 0, { revision: 3 })],
      ['second'],
    ],
    ['keeps as many as it may', [setOf('first', 0, 0, { revision: 1 })], []],
  ])('%s', (_, old, gone) => {
    const draft = draftFor(deploymentOf({ revisionHistoryLimit: 1 }));
    truncateHistory(draft, setsOf(undefined, ...old).old);
    expect(draft.writes.map(phrase)).toEqual(gone.map((name) => `delete ReplicaSet ${name}`));
  });
});

describe('a rollback', () => {
  const template = (image: string): Template => ({ metadata: {}, spec: { containers: [{ name: 'c', image }] } }) as unknown as Template;
  const old = [
    setOf('again', 0, 0, { revision: 3, spec: { template: template('c:3') } }),
    setOf('between', 0, 0, { revision: 2, spec: { template: template('c:2') } }),
  ];
  /** The image that a rollback gives, or the event that refuses it. */
  const back = (revision: number): unknown => {
    const draft = draftFor(deploymentOf({ template: template('c:4') }));
    rollBack(draft, setsOf(undefined, ...old), revision);
    const [write] = draft.writes;
    if (write?.op === 'event') return write.event.message;
    return write?.op === 'update' ? (write.object['spec'] as { template: Template }).template.spec.containers?.[0]?.image : undefined;
  };

  it('to revision 0 goes to the second greatest revision, whichever set is older', () => {
    expect(back(0)).toBe('c:2');
  });

  it('goes to the given revision, with an event if there is none', () => {
    expect([3, 7].map(back)).toEqual(['c:3', 'Unable to find the revision to rollback to.']);
  });
});

describe('a Deployment with the strategy Recreate', () => {
  const set = setOf('old', 0, 0);
  const labels = { app: 'web' };
  const pod = (phase: string, of: ReplicaSet): Pod =>
    barePod('p', phase, {
      meta: {
        labels,
        ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: of.metadata.name, uid: of.metadata.uid, controller: true }],
      },
    });
  const waits = (held: Pod): boolean => {
    const cache = createCache();
    cache.open('Pod');
    cache.set('Pod', 'default/p', held);
    const sets = setsOf(setOf('new', 0, 0), set);
    return oldPodsRun(draftFor(deploymentOf({ selector: { matchLabels: labels } }), { cache }), sets);
  };

  it.each([
    ['Running', true],
    ['Pending', true],
    ['Succeeded', false],
    ['Failed', false],
  ])('waits for one that is %s: %s', (phase, expected) => {
    expect(waits(pod(phase, set))).toBe(expected);
  });

  it('does not wait for new ones', () => {
    expect(waits(pod('Running', setOf('new', 0, 0)))).toBe(false);
  });
});
