import { describe, expect, it } from 'vitest';
import type { EndpointSlice, Node } from '../../../../src/apiserver/kinds/index.ts';
import { namesFor } from '../../../../src/apiserver/machinery/index.ts';
import {
  hintsByZone,
  isOverloaded,
  wantsHints,
  withHints,
  withoutHints,
  createZones,
} from '../../../../src/controlplane/controllers/endpoint-slice/hints.ts';
import type { SliceChanges } from '../../../../src/controlplane/controllers/endpoint-slice/slices.ts';
import type { Endpoint } from '../../../../src/controlplane/shared/index.ts';
import { asObjects, node, service, slice } from '../endpoints/objects.ts';

/** `a`: ready in zone a; `-a`: not ready; `a>b`: with a hint for b. */
const endpoint = (text: string, at: number): Endpoint => {
  const [home = '', hint] = text.replace('-', '').split('>');
  return {
    addresses: [`10.1.0.${at}`],
    conditions: { ready: !text.startsWith('-') },
    ...(home === '' ? {} : { zone: home }),
    ...(hint === undefined ? {} : { hints: { forZones: [{ name: hint }] } }),
  };
};
const endpoints = (texts: string): readonly Endpoint[] => (texts === '' ? [] : texts.split(' ')).map(endpoint);
const text = ({ zone = '', hints, conditions }: Endpoint): string =>
  `${conditions.ready === true ? '' : '-'}${zone}${hints === undefined ? '' : `>${hints.forZones?.map(({ name }) => name).join('+') ?? ''}`}`;
const texts = (all: readonly Endpoint[] | null): string => (all ?? []).map(text).join(' ');
const stored = (name: string, all: string): EndpointSlice => asObjects(slice(name, endpoints(all)))[0] as unknown as EndpointSlice;
const creating = (all: string): SliceChanges => ({ create: [{ ports: [], endpoints: endpoints(all) }], update: [], remove: [] });
const shares = (of: Readonly<Record<string, number>>) => new Map(Object.entries(of));
const HALVES = shares({ a: 0.5, b: 0.5 });

const made = (all: string, by = HALVES): string => texts(withHints(creating(all), [], by).create[0]?.endpoints ?? []);

describe('hints', () => {
  it.each([
    ['are near home where the zones have their share', 'a b a b', HALVES, 'a>a b>b a>a b>b'],
    ['move what a zone has too many of', 'a a a a b b', shares({ a: 0.5, b: 0.5 }), 'a>b a>a a>a a>a b>b b>b'],
    ['follow the processors', 'a a b b', shares({ a: 0.75, b: 0.25 }), 'a>a a>a b>a b>b'],
    ['are for ready endpoints', 'a -a>a b', HALVES, 'a>a -a b>b'],
    ['are for a zone without endpoints of its own', 'a a a a', HALVES, 'a>b a>b a>a a>a'],
    [
      'fill a zone that lacks more than one from zones with less than one too many',
      'a a a a b b b b',
      shares({ a: 0.425, b: 0.425, c: 0.15 }),
      'a>c a>a a>a a>a b>b b>b b>b b>b',
    ],
    [
      'fill a zone that lacks exactly one',
      'a a a a b b b b',
      shares({ a: 0.4375, b: 0.4375, c: 0.125 }),
      'a>c a>a a>a a>a b>b b>b b>b b>b',
    ],
    [
      'move where the other zone lacks less than one',
      'a a a a a a a b b b b c c c c',
      shares({ a: 5.6 / 15, b: 4.7 / 15, c: 4.7 / 15 }),
      'a>b a>a a>a a>a a>a a>a a>a b>b b>b b>b b>b c>c c>c c>c c>c',
    ],
    [
      'stay where neither zone is off by one',
      'a a a a a a b b b b',
      shares({ a: 0.53, b: 0.47 }),
      'a>a a>a a>a a>a a>a a>a b>b b>b b>b b>b',
    ],
    ['of a zone that has no processors are its own', 'a b c c', HALVES, 'a>a b>b c>c c>c'],
  ])('%s', (_, all, by, expected) => {
    expect(made(all, by)).toBe(expected);
  });

  it.each([
    ['there are fewer endpoints than zones', 'a>a', HALVES],
    ['somebody would have to bear too much', 'a>a a b', shares({ a: 0.4, b: 0.3, c: 0.3 })],
    ['an endpoint is nowhere', 'a b a ', HALVES],
    ['not all nodes are known', 'a>a b', undefined],
  ])('are absent where %s', (_, all, by) => {
    const plain = endpoints(all)
      .map((one) => text(one).replace(/>.*/, ''))
      .join(' ');
    expect(texts(withHints(creating(all), [], by).create[0]?.endpoints ?? [])).toBe(plain);
  });

  it('in existing slices are kept while they fit', () => {
    const fitting = stored('s', 'a>a b>b');
    expect(withHints({ create: [], update: [], remove: [] }, [fitting], HALVES).update).toEqual([]);
    const stale = stored('t', 'a>gone b>b');
    expect(withHints({ create: [], update: [], remove: [] }, [stale], HALVES).update.map((one) => texts(one.endpoints))).toEqual([
      'a>a b>b',
    ]);
    // Both slices have all hints for one zone: the second has to change.
    const [one, two] = [stored('s', 'a>a a>a'), stored('t', 'a>a a>a')];
    expect(withHints({ create: [], update: [], remove: [] }, [one, two], HALVES).update.map((each) => texts(each.endpoints))).toEqual([
      'a>b a>b',
    ]);
  });

  it('are removed everywhere at once', () => {
    const changes = withoutHints(
      {
        create: [{ ports: [], endpoints: endpoints('a>a') }],
        update: [{ slice: stored('u', 'b'), endpoints: endpoints('b>b') }],
        remove: [],
      },
      [stored('s', 'a>a'), stored('t', 'a')],
    );
    expect([
      changes.create.map((one) => texts(one.endpoints)),
      changes.update.map((one) => `${one.slice.metadata.name} ${texts(one.endpoints)}`),
    ]).toEqual([['a'], ['u b', 's a']]);
  });

  it('are enabled by an annotation', () => {
    const asks = (value: string) =>
      wantsHints(service({}, { annotations: { 'service.kubernetes.io/topology-aware-hints': value } }), namesFor('k8s.io'));
    expect(['auto', 'Auto', 'AUTO', 'disabled', ''].map(asks)).toEqual([true, true, false, false, false]);
  });

  it('overload a zone with less than its smallest sufficient part', () => {
    const given = hintsByZone([stored('s', 'a>a a>a a>a b>b')]);
    expect([
      isOverloaded(given, shares({ a: 0.75, b: 0.25 })),
      isOverloaded(given, HALVES),
      isOverloaded(given, undefined),
      isOverloaded(new Map(), undefined),
    ]).toEqual([false, true, true, false]);
  });
});

describe('zones', () => {
  const at = (name: string, zone: string | undefined, cpu: string, ready = 'True', role?: string): Node =>
    ({
      ...node(name, {
        ...(zone === undefined ? {} : { 'topology.kubernetes.io/zone': zone }),
        ...(role === undefined ? {} : { [`node-role.kubernetes.io/${role}`]: '' }),
      }),
      status: { allocatable: { cpu }, conditions: [{ type: 'Ready', status: ready }] },
    }) as unknown as Node;
  const seen = (...nodes: readonly Node[]) => {
    const zones = createZones(namesFor('k8s.io'));
    for (const one of nodes) zones.see(one, false);
    return zones;
  };

  it('share the CPUs of ready nodes', () => {
    expect([
      ...(seen(
        at('n1', 'a', '3'),
        at('n2', 'b', '500m'),
        at('n3', 'b', '500m'),
        at('n4', 'a', '9', 'False'),
        at('n5', undefined, '9', 'True', 'control-plane'),
      ).shares() ?? []),
    ]).toEqual([
      ['a', 0.75],
      ['b', 0.25],
    ]);
  });

  it('are unknown while a node has no zone or no CPUs, or all are in one zone', () => {
    expect(seen(at('n1', 'a', '1'), at('n2', 'b', '1'), at('n3', undefined, '1')).shares()).toBeUndefined();
    expect(seen(at('n1', 'a', '1'), at('n2', 'b', '0')).shares()).toBeUndefined();
    expect(seen(at('n1', 'a', '1'), at('n2', 'a', '1')).shares()).toBeUndefined();
  });

  it('follow nodes that are added, changed and deleted', () => {
    const zones = seen(at('n1', 'a', '1'), at('n2', 'b', '1'));
    const before = zones.shares();
    zones.see(at('n2', 'b', '1'), false);
    expect(zones.shares()).toBe(before);
    zones.see(at('n2', 'b', '1', 'Unknown'), false);
    expect(zones.shares()).toBeUndefined();
    zones.see(at('n3', 'c', '3'), false);
    expect([...(zones.shares() ?? [])]).toEqual([
      ['a', 0.25],
      ['c', 0.75],
    ]);
    zones.see(at('n1', 'a', '1'), true);
    expect(zones.shares()).toBeUndefined();
  });
});
