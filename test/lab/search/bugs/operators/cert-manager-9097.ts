/** A key that is deleted because the note about it is old. */
import { create, defineController, idle, remove, watch, watchOnly, write, writeStatus } from '../../../../../src/index.ts';
import { custom, ownedBy, patchStatus, resources, statusOf, stillThere, watchOwned } from '../kit.ts';
import { IN_THE_END, defineBug } from '../model.ts';

export const wrongKey = defineBug({
  name: 'cert-manager-9097',
  source: 'cert-manager/cert-manager#9097',
  facts: 'Two rounds make a private key each, and the later one notes its own; a round with an old note deletes the key that is in use.',
  pattern: 'stale read',
  kinds: resources('Certificate', 'Key'),
  story: {
    steps: `
    - at: 1s
      apply: { apiVersion: example.com/v1, kind: Certificate, metadata: { name: tls } }
    - at: 2s
      patch: { target: Certificate/tls, type: merge, patch: { metadata: { labels: { seen: "yes" } } } }
    - at: 4s
      patch: { target: Certificate/tls, type: merge, patch: { metadata: { labels: { seen: twice } } } }
    - after: 10s
      expect: { cel: "objects('Key').map(k, k.metadata.name) == [object('Certificate/tls').status.key]" }
`,
  },
  breaks: [IN_THE_END],
  controllers: (mended) => [
    defineController({
      name: 'key-manager',
      reconciles: 'Certificate',
      writes: ['Certificate', 'Key'],
      watches: [mended ? watchOwned('Key', 'Certificate') : watch('Key', watchOnly)],
      reconcile({ self, cache }) {
        const keys = cache.controlledBy('Key', self);
        const { key } = statusOf<{ key: string }>(self);
        if (mended) {
          const name = `${self.metadata.name}-next`;
          if (keys.length === 0)
            return write(
              'there is no key',
              stillThere(self),
              create(custom('Key', ownedBy(self, { name })), { tolerate: ['AlreadyExists'] }),
            );
          return key === name ? idle('the key is noted') : write('the key is not noted', writeStatus(self, { key: name }));
        }
        if (key === undefined)
          return write(
            'no key is noted',
            create(custom('Key', ownedBy(self, { generateName: `${self.metadata.name}-` })), { resume: true }),
          );
        const others = keys.filter(({ metadata }) => metadata.name !== key);
        return others.length === 0 ? idle('the key is noted') : write('these keys are not noted', ...others.map((each) => remove(each)));
      },
      resume({ self }, { object }) {
        if (self === undefined || object === undefined) return idle('it is gone');
        return write('the key is made', patchStatus(self, { key: object.metadata.name }));
      },
    }),
  ],
});
