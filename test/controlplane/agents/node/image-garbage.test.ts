/** Image garbage collection: above the threshold, the least recently used images are removed, and no more than needed. */
import { describe, expect, it } from 'vitest';
import { collect, imageGarbage, ImageStore } from '../../../../src/controlplane/agents/node/images/store.ts';
import { at } from '../../../support/objects.ts';
import { decide, linesOf } from '../../../support/reconcile.ts';

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

  const AGAIN = ['wakeAt: @300', 'background: true', 'recurs: {everyMs:300000,does:"checks the disk usage of images"}'];
  const failed = (reason: string, freed: number): string =>
    `event Warning ${reason} of Node n: failed to garbage collect required amount of images. Wanted to free 15 bytes, but freed ${freed} bytes`;
  it.each<readonly [string, number, ImageStore, object | undefined, readonly string[]]>([
    [
      'are left below the high threshold',
      84,
      storeOf({ 'a:1': [0, 1] }),
      { failed: true },
      ['disk usage is below the high threshold: no image is removed', 'memory: {failed:false}', ...AGAIN],
    ],
    [
      'are removed until the low threshold',
      95,
      storeOf({ 'a:1': [0, 1], 'b:1': [0, 2], 'c:1': [0, 3] }),
      { failed: true },
      [
        'disk usage exceeds 85 %: remove 2 unused images, which frees 20 of 15 bytes',
        'actions: [{does:removeImage,image:a:1},{does:removeImage,image:b:1}]',
        'memory: {failed:false}',
        ...AGAIN,
      ],
    ],
    [
      'that are too few are reported',
      95,
      storeOf({ 'a:1': [0, 1] }),
      undefined,
      [
        'disk usage exceeds 85 %: remove 1 unused images, which frees 10 of 15 bytes',
        failed('FreeDiskSpaceFailed', 10),
        'actions: [{does:removeImage,image:a:1}]',
        'memory: {failed:true}',
        ...AGAIN,
      ],
    ],
    [
      'that are too few again are reported twice',
      95,
      storeOf({}),
      { failed: true },
      [
        'disk usage exceeds 85 %: remove 0 unused images, which frees 0 of 15 bytes',
        failed('FreeDiskSpaceFailed', 0),
        failed('ImageGCFailed', 0),
        'actions: []',
        'memory: {failed:true}',
        ...AGAIN,
      ],
    ],
  ])('%s', (_, used, images, memory, expected) => {
    const settings = { imageGCHighThresholdPercent: 85, imageGCLowThresholdPercent: 80, imageMinimumGCAge: '0s' };
    const part = imageGarbage({ nodeName: 'n', images, settings, disk: () => ({ capacity: 100, used }) });
    expect(linesOf(decide(part, { objects: [], key: 'n', memory, now: at(0) }))).toEqual(expected);
  });
});
