import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  endpointState,
  endpointText,
  expandEndpoints,
  joinSlices,
  reachedBy,
  usedEndpoints,
} from '../../../src/apiserver/decisions/index.ts';
import type { ServiceEndpoint } from '../../../src/apiserver/decisions/index.ts';
import { stored } from './objects.ts';

const texts = (all: readonly ServiceEndpoint[]): readonly string[] => all.map(endpointText);
const endpoints = (...subsets: readonly object[]) => stored('Endpoints', 'web', { subsets });
const ips = (...all: readonly string[]) => all.map((ip) => ({ ip }));
const slice = (name: string, ports: readonly object[], ...all: readonly object[]) =>
  stored('EndpointSlice', name, { addressType: 'IPv4', ports, endpoints: all });

describe('Endpoints', () => {
  it('expand to the product of addresses and ports, all subsets joined', () => {
    const written = endpoints(
      {
        addresses: ips('10.10.1.1', '10.10.2.2'),
        ports: [
          { name: 'a', port: 8675 },
          { name: 'b', port: 309 },
        ],
      },
      {
        addresses: ips('10.10.3.3'),
        ports: [
          { name: 'a', port: 93 },
          { name: 'b', port: 76 },
        ],
      },
    );
    expect(texts(expandEndpoints(written))).toEqual([
      '10.10.1.1:8675',
      '10.10.1.1:309',
      '10.10.2.2:8675',
      '10.10.2.2:309',
      '10.10.3.3:93',
      '10.10.3.3:76',
    ]);
  });

  it('are matched by port name, an unnamed port by an unnamed one', () => {
    const all = expandEndpoints(
      endpoints(
        {
          addresses: ips('10.0.0.1'),
          ports: [
            { name: 'http', port: 80 },
            { name: 'other', port: 81 },
          ],
        },
        { addresses: ips('10.0.0.2'), ports: [{ port: 82 }] },
        { addresses: ips('10.0.0.3') },
      ),
    );
    expect(texts(reachedBy([{ name: 'http' }], all))).toEqual(['10.0.0.1:80', '10.0.0.3']);
    expect(texts(reachedBy([{}], all))).toEqual(['10.0.0.2:82', '10.0.0.3']);
    for (const none of [[], null, undefined]) expect(reachedBy(none, all)).toEqual(all);
  });

  it('have as many members as the product', () => {
    const some = (max: number) => fc.uniqueArray(fc.integer({ min: 1, max: 250 }), { maxLength: max });
    fc.assert(
      fc.property(some(6), some(6), some(4), (addresses, others, ports) => {
        const unready = others.filter((one) => !addresses.includes(one));
        const all = expandEndpoints(
          endpoints({
            addresses: ips(...addresses.map((n) => `10.0.0.${n}`)),
            notReadyAddresses: ips(...unready.map((n) => `10.0.0.${n}`)),
            ports: ports.map((port) => ({ name: `p${port}`, port })),
          }),
        );
        return (
          all.length === (addresses.length + unready.length) * Math.max(1, ports.length) &&
          usedEndpoints(all).length === addresses.length * Math.max(1, ports.length)
        );
      }),
      { numRuns: 100 },
    );
  });

  it('are ready for each port: an address may be in several subsets', () => {
    const all = expandEndpoints(
      endpoints(
        { addresses: ips('10.0.0.1'), ports: [{ name: 'a', port: 1 }] },
        { notReadyAddresses: ips('10.0.0.1'), ports: [{ name: 'b', port: 2 }] },
        { notReadyAddresses: ips('10.0.0.1'), ports: [{ name: 'a', port: 1 }] },
      ),
    );
    expect(all.map((one) => [endpointText(one), one.ready])).toEqual([
      ['10.0.0.1:1', true],
      ['10.0.0.1:2', false],
    ]);
  });

  it('without ports are addresses; IPv6 addresses are in brackets', () => {
    expect(texts(expandEndpoints(endpoints({ addresses: ips('10.0.0.1') })))).toEqual(['10.0.0.1']);
    expect(texts(expandEndpoints(endpoints({ addresses: ips('fd00::1'), ports: [{ port: 80 }] })))).toEqual(['[fd00::1]:80']);
    expect(expandEndpoints(stored('Endpoints', 'none', {}))).toEqual([]);
  });
});

describe('conditions', () => {
  it.each([
    [undefined, true, true, false],
    [{}, true, true, false],
    [{ ready: true }, true, true, false],
    [{ ready: false }, false, false, false],
    [{ ready: false, serving: true }, false, true, false],
    [{ terminating: true }, false, true, true],
    [{ ready: true, terminating: true }, false, true, true],
    [{ ready: false, serving: true, terminating: true }, false, true, true],
    [{ ready: false, serving: false, terminating: true }, false, false, true],
    [{ ready: true, terminating: false }, true, true, false],
  ])('%j', (conditions, ready, serving, terminating) => {
    expect(endpointState(conditions)).toEqual({ ready, serving, terminating });
  });
});

describe('slices', () => {
  it('are one set without duplicates, in any order', () => {
    const slices = [
      slice('a', [{ name: 'http', port: 80 }], { addresses: ['10.0.0.1', '10.0.0.9'] }, { addresses: ['10.0.0.2'] }),
      slice('b', [{ name: 'http', port: 80 }], { addresses: ['10.0.0.2'], conditions: { ready: false } }, { addresses: ['10.0.0.3'] }),
      slice('c', [{ name: 'https', port: 443 }], { addresses: ['10.0.0.1'] }),
    ];
    expect(texts(joinSlices(slices))).toEqual(['10.0.0.1:80', '10.0.0.1:443', '10.0.0.2:80', '10.0.0.3:80']);
    expect(joinSlices(slices.toReversed())).toEqual(joinSlices(slices));
    expect(texts(usedEndpoints(joinSlices(slices)))).toEqual(['10.0.0.1:80', '10.0.0.1:443', '10.0.0.3:80']);
  });

  it('without ports have none; a port without number means every port', () => {
    expect(texts(joinSlices([slice('a', [], { addresses: ['10.0.0.1'] }), slice('b', [{}], { addresses: ['10.0.0.2'] })]))).toEqual([
      '10.0.0.1',
      '10.0.0.2:*',
    ]);
    expect(joinSlices([stored('EndpointSlice', 'empty', { addressType: 'IPv4' })])).toEqual([]);
  });
});

describe('the endpoints of a service', () => {
  it('are terminating but serving ones if none is ready, with ProxyTerminatingEndpoints', () => {
    const ends = { ready: false, terminating: true };
    const slices = [
      slice(
        's',
        [{ port: 80 }],
        { addresses: ['10.0.0.1'], conditions: { ...ends, serving: true } },
        { addresses: ['10.0.0.2'], conditions: { ...ends, serving: false } },
        { addresses: ['10.0.0.3'], conditions: { ready: false } },
      ),
    ];
    const used = (on: boolean, ...more: typeof slices) =>
      texts(usedEndpoints(joinSlices([...slices, ...more]), undefined, { ProxyTerminatingEndpoints: on }));
    expect([used(false), used(true)]).toEqual([[], ['10.0.0.1:80']]);
    const ready = slice('t', [{ port: 80 }], { addresses: ['10.0.0.4'] });
    expect([used(false, ready), used(true, ready)]).toEqual([['10.0.0.4:80'], ['10.0.0.4:80']]);
  });
});

describe('a consumer', () => {
  const at = (ip: string, zones: readonly string[], more: object = {}) => ({
    addresses: [ip],
    ...(zones.length === 0 ? {} : { hints: { forZones: zones.map((name) => ({ name })) } }),
    ...more,
  });
  const used = (zone: string | undefined, ...all: readonly object[]) =>
    usedEndpoints(joinSlices([slice('s', [], ...all)]), zone).map(({ address }) => address);
  it.each<[string, string | undefined, readonly object[], readonly string[]]>([
    ['uses endpoints for its zone', 'n', [at('10.0.0.1', ['n']), at('10.0.0.2', ['s'])], ['10.0.0.1']],
    ['uses endpoints for several zones', 's', [at('10.0.0.1', ['n', 's']), at('10.0.0.2', ['s'])], ['10.0.0.1', '10.0.0.2']],
    ['uses all where one lacks a hint', 'n', [at('10.0.0.1', ['n']), at('10.0.0.2', [])], ['10.0.0.1', '10.0.0.2']],
    [
      'ignores the hints of endpoints that are not ready',
      'n',
      [at('10.0.0.1', ['n']), at('10.0.0.2', [], { conditions: { ready: false } }), at('10.0.0.3', ['s'])],
      ['10.0.0.1'],
    ],
    ['uses all where none is for its zone', 'w', [at('10.0.0.1', ['n']), at('10.0.0.2', ['s'])], ['10.0.0.1', '10.0.0.2']],
    [
      "uses all where its zone's is not ready",
      'n',
      [at('10.0.0.1', ['n'], { conditions: { ready: false } }), at('10.0.0.2', ['s'])],
      ['10.0.0.2'],
    ],
    ['of no zone uses all', undefined, [at('10.0.0.1', ['n']), at('10.0.0.2', ['s'])], ['10.0.0.1', '10.0.0.2']],
  ])('%s', (_, zone, all, expected) => {
    expect(used(zone, ...all)).toEqual(expected);
  });
});
