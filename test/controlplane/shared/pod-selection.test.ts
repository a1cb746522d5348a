/** The description of a pod is the first that fits, whatever namespaces the others are about. */
import { expect, test } from 'vitest';
import type { Pod } from '../../../src/apiserver/kinds/index.ts';
import { type PodSelection, selectionOf } from '../../../src/controlplane/shared/index.ts';

const pod = (namespace: string, app: string, owner?: string): Pod =>
  ({
    metadata: {
      name: 'p',
      namespace,
      labels: { app },
      ...(owner === undefined
        ? {}
        : { ownerReferences: [{ kind: 'Job', name: owner, controller: true, uid: 'u', apiVersion: 'batch/v1' }] }),
    },
  }) as unknown as Pod;

test('the first description that fits counts, in the order in which they stand', () => {
  const all: readonly (PodSelection & { readonly name: string })[] = [
    { name: 'first', selector: { matchLabels: { app: 'a' } } },
    { name: 'shop', namespace: 'shop' },
    { name: 'owned', owner: 'Job/nightly-*' },
    { name: 'later', namespace: 'ops', selector: { matchLabels: { app: 'b' } } },
    { name: 'rest' },
    { name: 'never', namespace: 'shop' },
  ];
  const find = selectionOf(all);
  const named = (...of: Parameters<typeof pod>): string | undefined => find(pod(...of))?.name;
  // The same as trying one after the other.
  expect([named('shop', 'a'), named('shop', 'b'), named('shop', 'b', 'nightly-1')]).toEqual(['first', 'shop', 'shop']);
  expect([named('ops', 'b'), named('ops', 'b', 'nightly-1'), named('ops', 'c')]).toEqual(['later', 'owned', 'rest']);
  expect([named('other', 'b', 'nightly-1'), named('other', 'b', 'daily')]).toEqual(['owned', 'rest']);
  expect(selectionOf<PodSelection>([])(pod('shop', 'a'))).toBeUndefined();
});
