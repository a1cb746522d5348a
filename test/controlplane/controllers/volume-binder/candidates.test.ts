import { describe, expect, it } from 'vitest';
import type { PersistentVolume } from '../../../../src/apiserver/kinds/index.ts';
import { createCache, type DeltaType } from '../../../../src/controlplane/runtime/index.ts';
import { candidatesFor, createCandidates, observeCandidates } from '../../../../src/controlplane/controllers/volume-binder/candidates.ts';
import { claimBinder } from '../../../../src/controlplane/controllers/volume-binder/claim.ts';
import { decide } from '../../../support/reconcile.ts';
import { claimOf, names, volumeOf } from '../volume-attachment/objects.ts';

const claim = claimOf('data', undefined, 'Pending');
const free = (name: string, storageClassName?: string): PersistentVolume => ({
  ...volumeOf(name, 'x', { claimRef: undefined, ...(storageClassName === undefined ? {} : { storageClassName }) }),
  status: { phase: 'Available' },
});

function bench() {
  const state = createCandidates();
  const cache = createCache();
  cache.open('PersistentVolume');
  return {
    state,
    see(type: DeltaType, object: PersistentVolume, old?: PersistentVolume): void {
      cache.set('PersistentVolume', object.metadata.name, type === 'DELETED' ? undefined : object);
      observeCandidates(state, { type, kind: 'PersistentVolume', key: object.metadata.name, object, old }, names);
    },
    found: (onlyMade = false) => [...candidatesFor(claim, state, cache, names, onlyMade)].map(({ metadata }) => metadata.name),
  };
}

describe('candidate volumes of a claim', () => {
  it('are the pre-bound ones, then the available ones of its class', () => {
    const { see, found } = bench();
    for (const volume of [free('a'), free('b', 'fast'), volumeOf('c', 'other'), volumeOf('d', 'data'), free('e')]) see('ADDED', volume);
    expect(found()).toEqual(['d', 'a', 'e']);
    expect(found(true)).toEqual(['d']);
  });

  it('follow changes of volumes, without remains', () => {
    const { state, see, found } = bench();
    see('ADDED', free('a'));
    see('ADDED', free('b'));
    see('MODIFIED', free('a'), free('a'));
    expect(found()).toEqual(['a', 'b']);
    see('MODIFIED', volumeOf('a', 'other'), free('a'));
    expect(found()).toEqual(['b']);
    see('MODIFIED', free('a'), volumeOf('a', 'other'));
    expect(found()).toEqual(['b', 'a']);
    see('DELETED', free('a'), free('a'));
    see('DELETED', free('b'), free('b'));
    expect([found(), state.made.size, state.free.size]).toEqual([[], 0, 0]);
  });

  it('are found without visiting all volumes', () => {
    expect(decide(claimBinder, { objects: [claim, free('pv')], noScans: true }).writes).toHaveLength(3);
  });
});
