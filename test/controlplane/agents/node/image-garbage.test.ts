/** Image garbage collection: above the threshold, the least recently used images are removed, and no more than needed. */
import { describe, expect, it } from 'vitest';
import { collect, imageGarbage, ImageStore } from '../../../../src/controlplane/agents/node/images/store.ts';
import { decide } from '../../../support/reconcile.ts';

/** Images of ten bytes each, pulled and last used at these instants, in this order. */
function storeOf(images: Readonly<Record<string, readonly [cameAt: number, usedUntil: number]>>): ImageStore {
  const store = new ImageStore([], 0);
  for (const [name, [cameAt, usedUntil]] of Object.entries(images)) {
    store.act({ does: 'pull', image: { name, sizeBytes: 10, pullMs: 0 }, endsAt: cameAt, fails: false });
    store.act({ does: 'useImage', uid: name, image: name });
    store.release(name, usedUntil);
  }
  return store;
}
const gone = (store: ImageStore, wanted: number, now = 1_000, minAgeMs = 100): readonly string[] =>
  collect(store, wanted, now, minAgeMs).remove.map(({ name }) => name);

describe('images', () => {
  const store = storeOf({ 'lately:1': [1, 500], 'long-ago:1': [2, 100], 'before:1': [3, 300] });

  it('are removed by their last use, and no more than needed', () => {
    expect([1, 10, 11, 1_000].map((wanted) => gone(store, wanted))).toEqual([
      ['long-ago:1'],
      ['long-ago:1'],
      ['long-ago:1', 'before:1'],
      ['long-ago:1', 'before:1', 'lately:1'],
    ]);
  });

  it('below the minimum age stay', () => {
    expect(gone(storeOf({ 'new:1': [901, 950], 'old:1': [900, 960] }), 1_000)).toEqual(['old:1']);
  });

  it.each([
    [84, undefined],
    [85, 10],
    [90, 10],
  ])('of a disk that is %i %% full are collected from the high threshold on: %s', (used, removed) => {
    const settings = { imageGCHighThresholdPercent: 85, imageGCLowThresholdPercent: 80, imageMinimumGCAge: '0s' };
    const part = imageGarbage({ nodeName: 'n', images: storeOf({ 'a:1': [0, 1] }), settings, disk: () => ({ capacity: 100, used }) });
    const { actions = [] } = decide(part, { objects: [], key: 'n' });
    expect(actions.length > 0 ? actions.length * 10 : undefined).toBe(removed);
  });
});
