import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { EndpointSlice } from '../../../../src/apiserver/kinds/index.ts';
import {
  areUniform,
  createPlacement,
  misplaced,
  putEntry,
  putSlice,
  slicesToVisit,
} from '../../../../src/controlplane/controllers/endpoint-slice/placement.ts';
import type { Entry } from '../../../../src/controlplane/controllers/endpoint-slice/placement.ts';
import { rearrange, type SliceChanges } from '../../../../src/controlplane/controllers/endpoint-slice/slices.ts';
import { arrange } from './arrange.ts';
import { identityOf, portsText, stateOf, type Endpoint, type SlicePort } from '../../../../src/controlplane/shared/index.ts';
import { slice } from '../endpoints/objects.ts';

const ports = (port: number): readonly SlicePort[] => [{ name: '', port, protocol: 'TCP' }];
const endpoint = (name: number, ready: boolean): Endpoint => ({
  addresses: [`10.0.0.${name}`],
  conditions: { ready },
  targetRef: { kind: 'Pod', namespace: 'default', name: `p${name}`, uid: `u${name}` },
});
const entry = (name: number, ready: boolean, port: number): Entry => {
  const of = endpoint(name, ready);
  return { endpoint: of, identity: identityOf(of), state: stateOf(of), group: portsText(ports(port)), ports: ports(port) };
};
const summary = ({ create, update, remove }: SliceChanges) => ({
  create: create.map(({ ports: of, endpoints }) => `${portsText(of)}: ${endpoints.map(identityOf).toSorted().join(' ')}`).toSorted(),
  update: update
    .map(
      ({ slice: { metadata, ports: of }, endpoints }) =>
        `${metadata.name} ${portsText(of)}: ${endpoints
          .map((one) => `${identityOf(one)} ${stateOf(one)}`)
          .toSorted()
          .join(' ')}`,
    )
    .toSorted(),
  remove: remove.map(({ metadata }) => metadata.name).toSorted(),
});

it('state updated one pod and one slice at a time leads to the same changes as a full comparison', () => {
  const step = fc.oneof(
    fc.record({
      what: fc.constant('pod' as const),
      name: fc.integer({ min: 1, max: 12 }),
      ready: fc.boolean(),
      port: fc.constantFrom(8080, 9090),
      gone: fc.boolean(),
    }),
    fc.record({
      what: fc.constant('slice' as const),
      name: fc.integer({ min: 1, max: 4 }),
      holds: fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { maxLength: 6 }),
      ready: fc.boolean(),
      port: fc.constantFrom(8080, 9090),
      gone: fc.boolean(),
    }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const placement = createPlacement();
      const wanted = new Map<number, Entry>();
      const slices = new Map<string, EndpointSlice>();
      for (const one of steps) {
        if (one.what === 'pod') {
          const before = wanted.get(one.name);
          const next = one.gone ? undefined : entry(one.name, one.ready, one.port);
          if (next === undefined) wanted.delete(one.name);
          else wanted.set(one.name, next);
          putEntry(placement, before, next);
        } else {
          const key = `default/s${one.name}`;
          // Unchanged endpoints keep their identity as objects, as they do in a cache.
          const known = new Map((slices.get(key)?.endpoints ?? []).map((held) => [`${identityOf(held)} ${stateOf(held)}`, held]));
          const holds = one.holds.map((name) => {
            const made = endpoint(name, one.ready);
            return known.get(`${identityOf(made)} ${stateOf(made)}`) ?? made;
          });
          const next = one.gone ? undefined : slice(`s${one.name}`, holds, { ports: ports(one.port) });
          if (next === undefined) slices.delete(key);
          else slices.set(key, next);
          putSlice(placement, key, next);
        }
        const groups = new Map<string, { readonly ports: readonly SlicePort[]; readonly endpoints: Endpoint[] }>();
        for (const { group, ports: of, endpoint: own } of wanted.values())
          groups.set(group, { ports: of, endpoints: [...(groups.get(group)?.endpoints ?? []), own] });
        const order = [...slices.values()];
        // Which of several slices keeps an endpoint depends only on their order, so slices are compared where there is at most one.
        const places = order.flatMap((held) => (held.endpoints ?? []).map(identityOf));
        if (new Set(places).size < places.length) continue;
        const kept = summary(rearrange(order, misplaced(placement, slices), () => false));
        const whole = summary(arrange(order, [...groups.values()], () => false));
        // The assignment of endpoints to free places depends on the order too; the number of written slices does not.
        expect({ create: kept.create.length, update: kept.update.length, remove: kept.remove }).toEqual({
          create: whole.create.length,
          update: whole.update.length,
          remove: whole.remove,
        });
        const all = ({ create, update }: SliceChanges) =>
          [...create, ...update].flatMap(({ endpoints }) => endpoints.map((held) => `${identityOf(held)} ${stateOf(held)}`)).toSorted();
        expect(all(rearrange(order, misplaced(placement, slices), () => false))).toEqual(
          all(arrange(order, [...groups.values()], () => false)),
        );
      }
    }),
    { seed: 23, numRuns: 300 },
  );
});

it('slices that are full and unchanged need no visit', () => {
  const run = fc.record({
    /** How many endpoints each slice has. */
    sizes: fc.array(fc.oneof(fc.constant(100), fc.integer({ min: 95, max: 100 })), { minLength: 1, maxLength: 5 }),
    gone: fc.uniqueArray(fc.integer({ min: 0, max: 499 }), { maxLength: 3 }),
    unready: fc.uniqueArray(fc.integer({ min: 0, max: 499 }), { maxLength: 2 }),
    more: fc.integer({ min: 0, max: 120 }),
  });
  let skipped = 0;
  fc.assert(
    fc.property(run, ({ sizes, gone, unready, more }) => {
      const placement = createPlacement();
      let next = 0;
      for (const [at, size] of sizes.entries()) {
        const holds = Array.from({ length: size }, () => endpoint(next++, true));
        putSlice(placement, `default/s${at}`, slice(`s${at}`, holds, { ports: ports(8080) }));
      }
      for (let name = 0; name < next + more; name++)
        if (name >= next || !gone.includes(name)) putEntry(placement, undefined, entry(name, !unready.includes(name), 8080));
      const wrong = misplaced(placement, placement.slices);
      const { ownerReferences = [], labels = {} } = [...placement.slices.values()][0]?.metadata ?? {};
      expect(areUniform(placement, ownerReferences[0]?.uid ?? '', labels)).toBe(true);
      const existing = slicesToVisit(placement, wrong);
      skipped += placement.slices.size - existing.length;
      expect(rearrange(existing, wrong, () => false, placement.slices.size - existing.length)).toEqual(
        rearrange([...placement.slices.values()], wrong, () => false),
      );
    }),
    { seed: 24, numRuns: 200 },
  );
  expect(skipped).toBeGreaterThan(100);
});

it('slices of another owner, with other labels or with ports that are not wanted are visited', () => {
  const placement = createPlacement();
  putEntry(placement, undefined, entry(1, true, 8080));
  putSlice(placement, 'default/s1', slice('s1', [endpoint(1, true)], { ports: ports(8080) }));
  const { ownerReferences = [], labels = {} } = placement.slices.get('default/s1')?.metadata ?? {};
  const owner = ownerReferences[0]?.uid ?? '';
  expect(areUniform(placement, owner, labels)).toBe(true);
  expect(areUniform(placement, 'another', labels)).toBe(false);
  expect(areUniform(placement, owner, { ...labels, more: '' })).toBe(false);
  putSlice(placement, 'default/s2', slice('s2', [], { ports: ports(9090) }));
  expect(areUniform(placement, owner, labels)).toBe(false);
  putSlice(placement, 'default/s2', undefined);
  expect(areUniform(placement, owner, labels)).toBe(true);
});
