/** A finalizer that is stored last. */
import { create, defineController, idle, write } from '../../../../../src/index.ts';
import {
  addFinalizer,
  beside,
  custom,
  dropFinalizer,
  hasFinalizer,
  isDeleting,
  removeName,
  resources,
  stillThere,
  watchLabelled,
} from '../kit.ts';
import { IN_THE_END, defineBug } from '../model.ts';

export const lateFinalizer = defineBug({
  name: 'korifi-1931',
  source: 'cloudfoundry/korifi#1931',
  facts:
    'It makes resources elsewhere first and stores its finalizer at the end of the round; an object that is deleted in between leaves them behind.',
  pattern: 'finalizer order',
  kinds: resources('Space', 'Tenant'),
  story: {
    steps: `
    - at: 1s
      apply: { apiVersion: example.com/v1, kind: Space, metadata: { name: space } }
    - at: 6s
      delete: Space/space
    - after: 10s
      expect: { cel: "objects('Tenant').size() == 0 && objects('Space').size() == 0" }
`,
  },
  breaks: [IN_THE_END],
  controllers: (mended) => [
    defineController({
      name: 'space',
      reconciles: 'Space',
      writes: ['Space', 'Tenant'],
      watches: [watchLabelled('Tenant', 'space')],
      reconcile({ self, cache }) {
        const { name, namespace } = self.metadata;
        if (isDeleting(self))
          return hasFinalizer(self)
            ? write('its tenant goes first', removeName('Tenant', namespace, name), dropFinalizer(self))
            : idle('others hold it');
        const isHeld = hasFinalizer(self);
        const made = create(custom('Tenant', beside(self, { name, labels: { space: name } })), { tolerate: ['AlreadyExists'] });
        if (mended && !isHeld) return write('the finalizer first', addFinalizer(self));
        if (cache.get('Tenant', namespace, name) === undefined)
          return write('there is no tenant', ...(mended ? [stillThere(self)] : []), made, ...(isHeld ? [] : [addFinalizer(self)]));
        return isHeld ? idle('the tenant is there') : write('the finalizer is missing', addFinalizer(self));
      },
      // A request of a process that died may arrive after the clean-up.
      ...(mended
        ? {
            reconcileAbsent({ key, cache }) {
              const [namespace = '', name = ''] = key.split('/');
              return cache.get('Tenant', namespace, name) === undefined
                ? idle('nothing is left')
                : write('its space is gone', removeName('Tenant', namespace, name));
            },
          }
        : {}),
    }),
  ],
});
