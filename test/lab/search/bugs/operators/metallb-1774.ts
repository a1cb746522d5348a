/** One address for two services. */
import { create, defineController, idle, write, writeStatus } from '../../../../../src/index.ts';
import { beside, configMap, labelOf, listLive, range, resources, statusOf } from '../kit.ts';
import { defineBug } from '../model.ts';

export const oneAddressTwice = defineBug({
  name: 'metallb-1774',
  source: 'metallb/metallb#1774 (also k8snetworkplumbingwg/whereabouts#110)',
  facts:
    'It gives out addresses that it believes to be free; after a restart, before it has seen all services, it gives one away that is in use.',
  pattern: 'stale read',
  kinds: resources('Front'),
  story: {
    invariants: [
      `{ name: each-address-once, always: "objects('Front').filter(f, has(f.status.address)).all(a, objects('Front').filter(f, has(f.status.address)).filter(b, a.status.address == b.status.address).size() == 1)" }`,
    ],
    steps: `
    - at: 1s
      apply: { apiVersion: example.com/v1, kind: Front, metadata: { name: one } }
    - at: 6s
      apply: { apiVersion: example.com/v1, kind: Front, metadata: { name: two } }
    - after: 10s
      expect: { cel: "objects('Front').all(f, has(f.status.address))" }
`,
  },
  breaks: [/^each-address-once$/],
  controllers: (mended) => [
    defineController({
      name: 'allocator',
      reconciles: 'Front',
      writes: ['Front', 'ConfigMap'],
      reconcile({ self, cache, key }) {
        if (statusOf<{ address: string }>(self).address !== undefined) return idle('it has an address');
        // Asks the server in place of the cache which addresses are taken: their reservations have the address as name.
        if (mended) return write('it needs an address', listLive('ConfigMap', self));
        const taken = cache.list('Front').map((each) => statusOf<{ address: string }>(each).address);
        const free = range(9).find((at) => !taken.includes(`10.0.0.${at}`)) ?? 9;
        return write(`${key} needs an address`, writeStatus(self, { address: `10.0.0.${free}` }));
      },
      resume({ self }, { write: asked, objects = [], object }) {
        if (self === undefined) return idle('it is gone');
        const own = objects.find((each) => labelOf(each, 'front') === self.metadata.uid) ?? (asked.op === 'create' ? object : undefined);
        if (own !== undefined) return write('it has reserved an address', writeStatus(self, { address: own.metadata.name }));
        const free = range(9).find((at) => !objects.some(({ metadata }) => metadata.name === `10.0.0.${at}`)) ?? 9;
        return write(
          'it reserves an address',
          create(configMap(beside(self, { name: `10.0.0.${free}`, labels: { front: self.metadata.uid } })), { resume: true }),
        );
      },
    }),
  ],
});
