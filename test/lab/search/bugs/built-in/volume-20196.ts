/** A volume with somebody else's data. */
import { create, defineController, idle, remove, watch, write, writeStatus } from '../../../../../src/index.ts';
import { beside, custom, getLive, keyOf, labelOf, resources, specOf, statusOf, stillThere, watchLabelled } from '../kit.ts';
import { defineBug } from '../model.ts';

export const inheritedVolume = defineBug({
  name: 'volume-20196',
  source: 'kubernetes/kubernetes#20196',
  facts:
    'A claim is deleted and one of the same name is made before the controller has released the volume: the new claim keeps the old volume.',
  pattern: 'name reuse',
  kinds: resources('Claim', 'Disk'),
  story: {
    invariants: [
      `{ name: no-foreign-data, foreach: Claim, always: "!has(self.status.disk) || objects('Disk').all(d, d.metadata.name != self.status.disk || d.spec.dataOf == self.metadata.uid)" }`,
    ],
    steps: `
    - at: 1s
      apply:
        - { apiVersion: example.com/v1, kind: Claim, metadata: { name: data } }
    - waitFor: { cel: "has(object('Claim/data').status.disk)" }
    - after: 5s
      delete: Claim/data
    - waitFor: { absent: Claim/data }
    - after: 2s
      apply: { apiVersion: example.com/v1, kind: Claim, metadata: { name: data } }
    - after: 10s
      expect: { cel: "has(object('Claim/data').status.disk)" }
`,
  },
  breaks: [/^no-foreign-data$/],
  controllers: (mended) => [
    defineController({
      name: 'binder',
      reconciles: 'Claim',
      writes: ['Claim', 'Disk'],
      watches: [watchLabelled('Disk', 'claim')],
      reconcile({ self, cache }) {
        const { name, namespace, uid } = self.metadata;
        if (statusOf<{ disk: string }>(self).disk !== undefined) return idle('it is bound');
        const disks = cache.list('Disk', namespace).filter((each) => labelOf(each, 'claim') === name);
        const mine = disks.find((each) => !mended || specOf<{ dataOf: string }>(each).dataOf === uid);
        if (mine !== undefined) return write('there is a disk for it', writeStatus(self, { disk: mine.metadata.name }));
        const made = custom('Disk', beside(self, { name: `disk-${uid.slice(0, 8)}`, labels: { claim: name } }), { dataOf: uid });
        return write('it needs a disk', stillThere(self), create(made, { tolerate: ['AlreadyExists'] }));
      },
    }),
    defineController({
      name: 'releaser',
      reconciles: 'Disk',
      writes: ['Disk'],
      watches: [
        watch('Claim', ({ object: { metadata } }, { cache }) =>
          cache
            .list('Disk', metadata.namespace)
            .filter((each) => labelOf(each, 'claim') === metadata.name)
            .map(keyOf),
        ),
      ],
      reconcile({ self, cache }) {
        const owner = cache.get('Claim', self.metadata.namespace, labelOf(self, 'claim') ?? '');
        if (owner !== undefined && (!mended || owner.metadata.uid === specOf<{ dataOf: string }>(self).dataOf))
          return idle('its claim exists');
        return write('its claim has gone, it seems', getLive('Claim', self.metadata.namespace, labelOf(self, 'claim') ?? ''));
      },
      resume({ self }, { object }) {
        if (self === undefined || (object !== undefined && (!mended || object.metadata.uid === specOf<{ dataOf: string }>(self).dataOf)))
          return idle('its claim exists');
        return write('its claim has gone', remove(self));
      },
    }),
  ],
});
