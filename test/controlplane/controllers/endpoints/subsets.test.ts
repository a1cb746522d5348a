import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  entryOf,
  MOST_ADDRESSES,
  putEntry,
  sameSubsets,
  subsetsOf,
} from '../../../../src/controlplane/controllers/endpoints/controller.ts';
import type { Entry, Groups } from '../../../../src/controlplane/controllers/endpoints/controller.ts';
import type { Pod, Service } from '../../../../src/apiserver/kinds/index.ts';
import { pod, service } from './objects.ts';

const groupsOf = (pods: readonly Pod[], of: Service): Groups => {
  const groups: Groups = new Map();
  for (const one of pods) putEntry(groups, undefined, entryOf(one, of));
  return groups;
};
const said = (pods: readonly Pod[], of: Service = service()) =>
  subsetsOf(groupsOf(pods, of)).subsets.map(
    ({ addresses = [], notReadyAddresses = [], ports = [] }) =>
      `${addresses.map(({ ip }) => ip).join()} / ${notReadyAddresses.map(({ ip }) => ip).join()} : ${ports.map(({ name = '', port }) => `${name}${port}`).join()}`,
  );

describe('the address of a pod', () => {
  const never = { restartPolicy: 'Never' };
  const onFailure = { restartPolicy: 'OnFailure' };
  const going = { deletionTimestamp: '2024-01-01T00:00:00Z' };
  const all = service({ publishNotReadyAddresses: true });
  it.each<[string, Pod, Service, string | undefined]>([
    ['ready', pod('p'), service(), 'ready'],
    ['not ready', pod('p', { ready: false }), service(), 'unready'],
    ['without an address', pod('p', { ip: '' }), service(), undefined],
    ['on its way out', pod('p', { meta: going }), service(), undefined],
    ['on its way out, published anyway', pod('p', { meta: going, ready: false }), all, 'ready'],
    ['not ready, published anyway', pod('p', { ready: false }), all, 'ready'],
    ['over and done with', pod('p', { ready: false, phase: 'Succeeded', spec: never }), service(), undefined],
    ['over and done with, published anyway', pod('p', { ready: false, phase: 'Failed', spec: never }), all, undefined],
    ['failed, to be restarted', pod('p', { ready: false, phase: 'Failed', spec: onFailure }), service(), 'unready'],
    ['succeeded, not to be restarted', pod('p', { ready: false, phase: 'Succeeded', spec: onFailure }), service(), undefined],
    ['without the port that is asked for', pod('p'), service({ ports: [{ port: 80, targetPort: 'grpc' }] }), undefined],
    ['without ports, of a headless service without ports', pod('p'), service({ clusterIP: 'None', ports: [] }), 'ready'],
    ['without ports, of another service', pod('p'), service({ ports: [] }), undefined],
  ])('%s', (_, object, of, shows) => {
    const entry = entryOf(object, of);
    expect(entry === undefined ? undefined : entry.ready ? 'ready' : 'unready').toBe(shows);
  });

  it('has its host name only in its governing service', () => {
    const named = pod('p', { spec: { hostname: 'db-0', subdomain: 'web' } });
    expect(entryOf(named, service())?.address.hostname).toBe('db-0');
    expect(entryOf(named, service({}, { name: 'other' }))?.address.hostname).toBeUndefined();
  });
});

describe('subsets', () => {
  it('hold addresses in order, ready ones apart', () => {
    expect(said([pod('b', { ip: '10.1.0.2' }), pod('a', { ip: '10.1.0.1' }), pod('c', { ip: '10.1.0.3', ready: false })])).toEqual([
      '10.1.0.1,10.1.0.2 / 10.1.0.3 : 8080',
    ]);
  });

  it('combine ports with the same addresses, and separate others', () => {
    const of = service({
      ports: [
        { name: 'a', port: 1, targetPort: 1 },
        { name: 'h', port: 80, targetPort: 'http' },
        { name: 'b', port: 2, targetPort: 2 },
      ],
    });
    const other = pod('q', {
      ip: '10.1.0.2',
      spec: { containers: [{ name: 'c', ports: [{ name: 'http', containerPort: 9090, protocol: 'TCP' }] }] },
    });
    expect(said([pod('p'), other], of)).toEqual(['10.1.0.1,10.1.0.2 /  : a1,b2', '10.1.0.1 /  : h8080', '10.1.0.2 /  : h9090']);
  });

  it('know the protocol of a named port', () => {
    expect(said([pod('p')], service({ ports: [{ port: 80, targetPort: 'http', protocol: 'UDP' }] }))).toEqual([]);
  });

  const many = (ready: number, unready: number): readonly Pod[] =>
    Array.from({ length: ready + unready }, (_, i) => pod(`p${i}`, { ip: `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`, ready: i < ready }));
  it.each([
    [1000, 0, 1000, 0, false],
    [1001, 0, 1000, 0, true],
    [900, 200, 900, 100, true],
    [1500, 500, 1000, 0, true],
    [0, 1200, 0, 1000, true],
  ])('%i ready and %i not: %i and %i are listed', (ready, unready, shownReady, shownUnready, cut) => {
    const { subsets, truncated } = subsetsOf(groupsOf(many(ready, unready), service()));
    expect([subsets[0]?.addresses?.length ?? 0, subsets[0]?.notReadyAddresses?.length ?? 0, truncated]).toEqual([
      shownReady,
      shownUnready,
      cut,
    ]);
  });

  it('share the limit in proportion', () => {
    const of = service({ ports: [{ port: 80, targetPort: 'http' }] });
    const named = (i: number, port: number) =>
      pod(`p${port}-${i}`, {
        ip: `10.${port % 256}.${(i >> 8) & 255}.${i & 255}`,
        spec: { containers: [{ name: 'c', ports: [{ name: 'http', containerPort: port, protocol: 'TCP' }] }] },
      });
    const pods = [...Array.from({ length: 1500 }, (_, i) => named(i, 8080)), ...Array.from({ length: 500 }, (_, i) => named(i, 9090))];
    const { subsets } = subsetsOf(groupsOf(pods, of));
    expect(subsets.map(({ addresses = [] }) => addresses.length)).toEqual([750, 250]);
    expect(subsets.reduce((sum, { addresses = [] }) => sum + addresses.length, 0)).toBe(MOST_ADDRESSES);
  });

  it('updated one pod at a time equal those computed from scratch', () => {
    const facts = fc.record({
      name: fc.integer({ min: 0, max: 9 }),
      ready: fc.boolean(),
      ip: fc.constantFrom('', '10.1.0.1', '10.1.0.2', '10.1.0.3'),
      port: fc.constantFrom(8080, 9090),
      gone: fc.boolean(),
    });
    const of = service({
      ports: [
        { name: 'h', port: 80, targetPort: 'http' },
        { name: 'x', port: 1, targetPort: 1 },
      ],
    });
    fc.assert(
      fc.property(fc.array(facts, { maxLength: 40 }), (steps) => {
        const groups: Groups = new Map();
        const now = new Map<number, { readonly object: Pod; readonly entry: Entry | undefined }>();
        for (const { name, ready, ip, port, gone } of steps) {
          const object = pod(`p${name}`, {
            ready,
            ip,
            spec: { containers: [{ name: 'c', ports: [{ name: 'http', containerPort: port, protocol: 'TCP' }] }] },
          });
          const entry = gone ? undefined : entryOf(object, of);
          putEntry(groups, now.get(name)?.entry, entry);
          if (gone) now.delete(name);
          else now.set(name, { object, entry });
          expect(subsetsOf(groups)).toEqual(
            subsetsOf(
              groupsOf(
                [...now.values()].map((one) => one.object),
                of,
              ),
            ),
          );
        }
      }),
      { seed: 5, numRuns: 200 },
    );
  });

  it('are compared by content', () => {
    const { subsets } = subsetsOf(groupsOf([pod('p'), pod('q', { ip: '10.1.0.2' })], service()));
    const copy = structuredClone(subsets);
    expect(sameSubsets(copy, subsets)).toBe(true);
    expect(sameSubsets(undefined, [])).toBe(true);
    expect(sameSubsets(subsets, subsetsOf(groupsOf([pod('p')], service())).subsets)).toBe(false);
    expect(
      sameSubsets(subsets, subsetsOf(groupsOf([pod('p', { meta: { uid: 'another' } }), pod('q', { ip: '10.1.0.2' })], service())).subsets),
    ).toBe(false);
  });
});
