import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EndpointSlice } from '../../../../src/apiserver/kinds/index.ts';
import { MOST_ENDPOINTS, type SliceChanges } from '../../../../src/controlplane/controllers/endpoint-slice/slices.ts';
import { arrange } from './arrange.ts';
import { identityOf, portsText, stateOf, type Endpoint, type SlicePort } from '../../../../src/controlplane/shared/index.ts';
import { slice } from '../endpoints/objects.ts';

const PORTS: readonly SlicePort[] = [{ name: '', port: 8080, protocol: 'TCP' }];
const OTHER: readonly SlicePort[] = [{ name: '', port: 9090, protocol: 'TCP' }];
const at = (n: number, ready = true): Endpoint => ({
  addresses: [`10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`],
  conditions: { ready },
  targetRef: { kind: 'Pod', name: `p${n}`, uid: `u${n}` },
});
const range = (from: number, to: number): readonly Endpoint[] => Array.from({ length: to - from }, (_, i) => at(from + i));
const no = (): boolean => false;

/** The endpoints after the changes. */
const after = (
  existing: readonly EndpointSlice[],
  { create, update, remove }: SliceChanges,
): readonly { readonly ports: readonly SlicePort[]; readonly endpoints: readonly Endpoint[] }[] => {
  const updated = new Map(update.map(({ slice: { metadata, ports }, endpoints }) => [metadata.name, { ports: ports ?? [], endpoints }]));
  const removed = new Set(remove.map(({ metadata }) => metadata.name));
  return [
    ...existing
      .filter(({ metadata }) => !removed.has(metadata.name))
      .map((one) => updated.get(one.metadata.name) ?? { ports: one.ports ?? [], endpoints: one.endpoints ?? [] }),
    ...create,
  ];
};
const sizes = (existing: readonly EndpointSlice[], changes: SliceChanges): readonly number[] =>
  after(existing, changes).map(({ endpoints }) => endpoints.length);
const counts = ({ create, update, remove }: SliceChanges): readonly number[] => [create.length, update.length, remove.length];

describe('slices are filled', () => {
  it.each<[string, readonly EndpointSlice[], readonly Endpoint[], readonly number[], readonly number[]]>([
    ['up to a hundred each', [], range(0, 250), [3, 0, 0], [100, 100, 50]],
    ['into one that has room', [slice('a', range(0, 40))], range(0, 90), [0, 1, 0], [90]],
    [
      'into the fullest that has room',
      [slice('a', range(0, 40)), slice('b', range(100, 170))],
      [...range(0, 40), ...range(100, 190)],
      [0, 1, 0],
      [40, 90],
    ],
    ['into a new one when none has room for all', [slice('a', range(0, 98))], range(0, 120), [1, 0, 0], [98, 22]],
    [
      'into those that change anyway, the fullest first',
      [slice('a', range(0, 50)), slice('b', range(50, 130))],
      [...range(1, 50), ...range(51, 130), ...range(200, 230)],
      [0, 2, 0],
      [58, 100],
    ],
    [
      'never rebalanced when they get empty',
      [slice('a', range(0, 100)), slice('b', range(100, 200))],
      [...range(0, 10), ...range(100, 110)],
      [0, 2, 0],
      [10, 10],
    ],
    ['and go when nothing is left in them', [slice('a', range(0, 5)), slice('b', range(100, 105))], range(0, 5), [0, 0, 1], [5]],
  ])('%s', (_, existing, endpoints, changes, filled) => {
    const arranged = arrange(existing, [{ ports: PORTS, endpoints }], no);
    expect(counts(arranged)).toEqual(changes);
    expect(sizes(existing, arranged)).toEqual(filled);
  });

  it('a slice to delete is reused for a new one', () => {
    const existing = [slice('a', range(0, 5))];
    const arranged = arrange(existing, [{ ports: OTHER, endpoints: range(0, 5) }], no);
    expect(counts(arranged)).toEqual([0, 1, 0]);
    expect(arranged.update[0]?.slice.metadata.name).toBe('a');
    expect(portsText(arranged.update[0]?.slice.ports)).toBe(portsText(OTHER));
  });

  it('without endpoints there is one empty slice', () => {
    expect(arrange([], [], no).create).toEqual([{ ports: [], endpoints: [] }]);
    const last = arrange([slice('a', range(0, 1))], [], no);
    expect([counts(last), last.update[0]?.endpoints]).toEqual([[0, 1, 0], []]);
  });

  it('labels alone are reason enough', () => {
    expect(
      counts(
        arrange(
          [slice('a', range(0, 3)), slice('b', range(3, 6))],
          [{ ports: PORTS, endpoints: range(0, 6) }],
          ({ metadata }) => metadata.name === 'b',
        ),
      ),
    ).toEqual([0, 1, 0]);
  });

  it('an endpoint that changes state stays in its slice', () => {
    const arranged = arrange(
      [slice('a', range(0, 3)), slice('b', range(3, 6))],
      [{ ports: PORTS, endpoints: [...range(0, 4), at(4, false), at(5)] }],
      no,
    );
    expect(
      arranged.update.map(
        ({ slice: { metadata }, endpoints }) => `${metadata.name}: ${endpoints.map(({ conditions }) => String(conditions.ready)).join()}`,
      ),
    ).toEqual(['b: true,false,true']);
  });
});

describe('for any existing and wanted endpoints', () => {
  const numbers = fc.uniqueArray(fc.integer({ min: 0, max: 450 }), { maxLength: 450 });
  const world = fc.record({
    placed: numbers,
    cuts: fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 8, maxLength: 8 }),
    wanted: numbers,
    others: fc.uniqueArray(fc.integer({ min: 500, max: 650 }), { maxLength: 150 }),
    turned: fc.integer({ min: 0, max: 20 }),
  });
  const sliced = (list: readonly number[], cuts: readonly number[]): readonly EndpointSlice[] => {
    const slices: EndpointSlice[] = [];
    for (let i = 0, from = 0; from < list.length; i++) {
      const size = cuts[i % cuts.length] ?? 100;
      slices.push(
        slice(
          `s${i}`,
          list.slice(from, from + size).map((n) => at(n)),
        ),
      );
      from += size;
    }
    return slices;
  };

  it('no slice has more than a hundred, every endpoint is up to date in one slice, and as few slices change as possible', () => {
    fc.assert(
      fc.property(world, ({ placed, cuts, wanted, others, turned }) => {
        const existing = sliced(placed, cuts);
        const endpoints = wanted.map((n, i) => at(n, i >= turned));
        const arranged = arrange(
          existing,
          [
            ...(endpoints.length === 0 ? [] : [{ ports: PORTS, endpoints }]),
            ...(others.length === 0 ? [] : [{ ports: OTHER, endpoints: others.map((n) => at(n)) }]),
          ],
          no,
        );
        const result = after(existing, arranged);
        for (const one of result) expect(one.endpoints.length).toBeLessThanOrEqual(MOST_ENDPOINTS);
        const held = result.flatMap(({ ports, endpoints: list }) =>
          list.map((endpoint) => `${portsText(ports)} ${identityOf(endpoint)} ${stateOf(endpoint)}`),
        );
        const asked = [
          ...endpoints.map((endpoint) => `${portsText(PORTS)} ${identityOf(endpoint)} ${stateOf(endpoint)}`),
          ...others.map((n) => `${portsText(OTHER)} ${identityOf(at(n))} ${stateOf(at(n))}`),
        ];
        expect(held.toSorted()).toEqual(asked.toSorted());
        // Slices with only unchanged endpoints are not written, except for one that takes the remaining new endpoints.
        const right = new Map(endpoints.map((endpoint) => [identityOf(endpoint), stateOf(endpoint)]));
        const mustChange = existing.filter(({ endpoints: list }) =>
          (list ?? []).some((endpoint) => right.get(identityOf(endpoint)) !== stateOf(endpoint)),
        );
        const touched = arranged.update.filter(({ slice: { metadata } }) => !mustChange.some((one) => one.metadata.name === metadata.name));
        expect(touched.length).toBeLessThanOrEqual(1);
        // The number of new slices is the number that the new endpoints fill.
        const isNew = endpoints.filter((endpoint) => !placed.includes(Number(endpoint.targetRef?.uid?.slice(1))));
        expect(arranged.create.length).toBeLessThanOrEqual(
          Math.max(1, Math.ceil(isNew.length / MOST_ENDPOINTS) + Math.ceil(others.length / MOST_ENDPOINTS)),
        );
      }),
      { seed: 17, numRuns: 150 },
    );
  });
});
