/** A volume that is deleted because its claim was out of sight. */
import { defineController, idle, remove, write } from '../../../../../src/index.ts';
import { getLive, onDeletion, resources, specOf, watchForAll } from '../kit.ts';
import { defineBug } from '../model.ts';

export const claimOutOfSight = defineBug({
  name: 'volume-141891',
  source: 'kubernetes/kubernetes#141891',
  facts: 'A volume counts as released when its claim is not in the cache, and its storage is deleted; a miss of the cache is no proof.',
  pattern: 'unverified absence',
  kinds: resources('Claim', 'Disk'),
  invariants: [
    onDeletion(
      'claimed-disks-stay',
      'Disk',
      'its claim exists',
      (gone, list) => !list('Claim').some(({ metadata }) => metadata.name === specOf<{ claim: string }>(gone).claim),
    ),
  ],
  story: {
    steps: `
    - at: 1s
      apply: { apiVersion: example.com/v1, kind: Claim, metadata: { name: data } }
    - at: 3s
      apply: { apiVersion: example.com/v1, kind: Disk, metadata: { name: disk }, spec: { claim: data } }
    - after: 5s
      delete: Claim/data
    - after: 10s
      expect: { absent: Disk/disk }
`,
  },
  breaks: [/^claimed-disks-stay$/],
  controllers: (mended) => [
    defineController({
      name: 'releaser',
      reconciles: 'Disk',
      writes: ['Disk'],
      watches: [watchForAll('Claim', 'Disk')],
      reconcile({ self, cache }) {
        const { claim = '' } = specOf<{ claim: string }>(self);
        if (cache.get('Claim', self.metadata.namespace, claim) !== undefined) return idle('its claim exists');
        return mended
          ? write('its claim has gone, it seems', getLive('Claim', self.metadata.namespace, claim))
          : write('its claim has gone', remove(self));
      },
      resume: ({ self }, { object }) =>
        self === undefined || object !== undefined ? idle('its claim exists') : write('its claim has gone', remove(self)),
    }),
  ],
});
