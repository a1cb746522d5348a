/** The index of pods without a controller reference: those that may be adopted, and no others. */
import { describe, expect, it } from 'vitest';
import type { Pod } from '../../../src/apiserver/kinds/index.ts';
import { createCache, recount } from '../../../src/controlplane/runtime/index.ts';
import { unmanagedPods } from '../../../src/controlplane/shared/index.ts';
import { barePod, jobOf, podOf } from '../../support/objects.ts';

/** The contents of the index after a pod had these states, one after the other; undefined: deleted. */
function heldAfter(...steps: readonly (Pod | undefined)[]): readonly string[] {
  const cache = createCache();
  cache.open('Pod');
  cache.addAggregate(unmanagedPods);
  for (const pod of steps) cache.set('Pod', 'default/p', pod);
  const held = cache.aggregate(unmanagedPods, 'default');
  expect(held.plain()).toEqual(recount(unmanagedPods, cache.list('Pod'), 'default'));
  return held.matching(() => true).map(({ metadata }) => metadata.uid);
}

describe('the index of pods without a controller', () => {
  const job = jobOf('j');
  const alone = barePod('p');
  const managed = podOf(job, 'p');
  const labelled = barePod('p', 'Running', { meta: { labels: { app: 'web' } } });
  const namesake = barePod('p', 'Running', { meta: { uid: 'another' } });

  it.each<[string, readonly (Pod | undefined)[], readonly string[]]>([
    ['holds one that has no owner', [alone], ['uid-p']],
    ['leaves out one that is managed', [managed], []],
    ['leaves out one that has been adopted', [alone, managed], []],
    ['holds one that has been released', [managed, alone], ['uid-p']],
    ['holds one once whose labels have changed', [alone, labelled], ['uid-p']],
    ['holds the namesake alone where the one before it went unseen', [alone, namesake], ['another']],
    ['leaves out one that is gone', [alone, labelled, undefined], []],
  ])('%s', (_, steps, held) => {
    expect(heldAfter(...steps)).toEqual(held);
  });
});
