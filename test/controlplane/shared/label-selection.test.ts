/** Objects and counts by label sets, and descriptions of pods by labels, namespace and controller. */
import { describe, expect, it } from 'vitest';
import type { Pod } from '../../../src/apiserver/kinds/index.ts';
import { createCache } from '../../../src/controlplane/runtime/index.ts';
import {
  byText,
  createLabelCounts,
  createLabelSets,
  objectsByUid,
  recountLabels,
  selectionOf,
  type PodSelection,
} from '../../../src/controlplane/shared/index.ts';
import { labelMatcher } from '../../../src/schema/values/index.ts';
import { barePod, jobOf, podOf } from '../../support/objects.ts';

const pod = (name: string, labels?: Readonly<Record<string, string>>): Pod => barePod(name, 'Running', { meta: { labels } });
const web = labelMatcher({ matchLabels: { app: 'web' } });

describe('objects by labels', () => {
  const sets = () => createLabelSets<Pod>();

  it('are those of the matching label sets, in order of first appearance', () => {
    const held = sets();
    for (const each of [
      pod('b', { app: 'web', v: '1' }),
      pod('x', { app: 'db' }),
      pod('a', { v: '1', app: 'web' }),
      pod('c', { app: 'web' }),
      pod('n'),
    ])
      held.add(each);
    expect(held.matching(web).map(({ metadata }) => metadata.name)).toEqual(['b', 'a', 'c']);
    expect(held.plain()).toEqual([
      ['', ['uid-n']],
      ['app=db', ['uid-x']],
      ['app=web', ['uid-c']],
      ['app=web,v=1', ['uid-a', 'uid-b']],
    ]);
  });

  it('are forgotten with their last member', () => {
    const held = sets();
    const [a, b] = [pod('a', { app: 'web' }), pod('b', { app: 'web' })];
    held.add(a);
    held.add(b);
    held.remove(pod('c', { app: 'web' }));
    held.remove(pod('a', { app: 'db' }));
    held.remove(a);
    expect(held.plain()).toEqual([['app=web', ['uid-b']]]);
    held.remove(b);
    held.remove(b);
    expect(held.plain()).toEqual([]);
  });

  it('are replaced in their set, or leave it for another', () => {
    const held = sets();
    const before = pod('a', { app: 'web' });
    held.add(before);
    const same = { ...before, status: {} } as Pod;
    held.replace(before, same);
    expect(held.matching(web)).toEqual([same]);
    const moved = pod('a', { app: 'db' });
    held.replace(same, moved);
    expect([held.matching(web), held.plain()]).toEqual([[], [['app=db', ['uid-a']]]]);
  });
});

describe('counts of labels', () => {
  it('are by label set, and leave out none', () => {
    const counts = createLabelCounts();
    counts.count({ app: 'web' }, 1);
    counts.count({ app: 'web' }, 1);
    counts.count(undefined, 1);
    expect([counts.plain(), counts.allMatch(web)]).toEqual([
      [
        ['', 1],
        ['app=web', 2],
      ],
      false,
    ]);
    counts.count(undefined, -1);
    counts.count({ app: 'web' }, -1);
    expect([counts.plain(), counts.allMatch(web)]).toEqual([[['app=web', 1]], true]);
    expect(createLabelCounts().allMatch(web)).toBe(true);
  });

  it('can be by groups of label sets', () => {
    const counts = createLabelCounts((labels) => labels?.['app'] ?? 'none');
    counts.count({ app: 'web', v: '1' }, 1);
    counts.count({ app: 'web', v: '2' }, 1);
    counts.count(undefined, 1);
    expect(counts.plain()).toEqual([
      ['none', 1],
      ['web', 2],
    ]);
  });

  it('move with an object whose labels have changed', () => {
    const counts = createLabelCounts();
    const before = pod('a', { app: 'web' });
    counts.count(before.metadata.labels, 1);
    recountLabels(counts, before, { ...before, status: {} });
    expect(counts.plain()).toEqual([['app=web', 1]]);
    recountLabels(counts, before, pod('a', { app: 'db' }));
    expect(counts.plain()).toEqual([['app=db', 1]]);
  });
});

it('summaries are in the order of their texts', () => {
  const entries = [
    ['b', 1],
    ['a', 2],
    ['B', 3],
  ] as const;
  expect(byText(entries)).toEqual([
    ['B', 3],
    ['a', 2],
    ['b', 1],
  ]);
});

it('an aggregate of objects by uid has those of each group', () => {
  const byNode = objectsByUid('pods by node', 'Pod', ({ spec }) => spec.nodeName);
  const cache = createCache();
  cache.open('Pod');
  cache.addAggregate(byNode);
  for (const name of ['b', 'a', 'c']) cache.set('Pod', `default/${name}`, barePod(name));
  cache.set('Pod', 'default/c', undefined);
  const held = cache.aggregate(byNode, 'node-0');
  expect([...held.keys()]).toEqual(['uid-b', 'uid-a']);
  expect(byNode.plain?.(held)).toEqual(['uid-a', 'uid-b']);
  expect([byNode.name, byNode.kind]).toEqual(['pods by node', 'Pod']);
});

describe('a description of pods', () => {
  const owned = podOf(jobOf('nightly-1'), 'p');
  const found = (selection: PodSelection, of: Pod = owned): boolean => selectionOf([selection])(of) !== undefined;

  it('names a controller by its kind and name, or by the start of its name', () => {
    expect(['Job/nightly-1', 'Job/nightly-*', 'Job/*', 'Job/nightly-1*'].map((owner) => found({ owner }))).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(['Job/nightly', 'Job/nightly-12', 'CronJob/nightly-1', 'Job/night-*', 'CronJob/*'].map((owner) => found({ owner }))).toEqual([
      false,
      false,
      false,
      false,
      false,
    ]);
    expect([found({ owner: 'Job/*' }, barePod('p')), found({}, barePod('p'))]).toEqual([false, true]);
  });

  it('fits pods without labels and namespace', () => {
    const bare = barePod('p', 'Running', { meta: { namespace: undefined } });
    expect([found({ selector: {} }, bare), found({ selector: { matchLabels: { app: 'x' } } }, bare)]).toEqual([true, false]);
    expect([found({ namespace: '' }, bare), found({ namespace: 'default' }, bare)]).toEqual([true, false]);
  });
});
