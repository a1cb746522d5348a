/** Bootstrap objects of a later world are those of the full path, with uids that a dump leaves. */
import { expect, it } from 'vitest';
import { createBootstrapObjects } from '../../../src/apiserver/handlers/index.ts';
import { type Domain, type FeatureGates, namesFor } from '../../../src/apiserver/machinery/index.ts';
import { setup } from './setup.ts';

/** The bootstrap objects of a world; they are remembered by the identity of its gates. */
function objectsOf(domain: Domain, gates: FeatureGates, takenUids: ReadonlySet<string> = new Set()) {
  const { server, store } = setup(domain, gates, { takenUids });
  createBootstrapObjects(server, namesFor(domain));
  return store.kinds().flatMap((kind) => [...store.values(kind)]);
}

it.each(['orch.io', 'k8s.io'] as const)('are the same in %s as where nothing is remembered', (domain) => {
  const full = objectsOf(domain, {});
  expect(full.length).toBeGreaterThan(50);
  const taken = new Set(full.map(({ metadata }) => metadata.uid));
  const fullRestored = objectsOf(domain, {}, taken);
  // The first world of these gates is the last one that is remembered.
  const gates = {};
  for (let world = 0; world < 2; world++) expect(objectsOf(domain, gates)).toEqual(full);
  const restored = objectsOf(domain, gates, taken);
  expect(restored).toEqual(fullRestored);
  expect(restored.filter(({ metadata }) => taken.has(metadata.uid))).toEqual([]);
});
