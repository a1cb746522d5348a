/** A roll-out by the hash of the configuration. */
import { create, defineController, idle, remove, write } from '../../../../src/index.ts';
import { custom, isDeleting, ownedBy, resources, specOf, stillThere, watchOwned } from '../bugs/kit.ts';
import { defineCorrect, livesOf } from './model.ts';

export const configHash = defineCorrect({
  name: 'config-hash',
  idiom: 'The server carries the configuration that it was made with; one that differs is replaced, whatever was done before.',
  kinds: resources('Site', 'Server'),
  stories: livesOf({
    kind: 'Site',
    spec: '{ theme: light }',
    changed: '{ theme: dark }',
    present: "objects('Server').map(s, s.spec.theme) == ['light']",
    afterwards: "objects('Server').map(s, s.spec.theme) == ['dark']",
    gone: "objects('Server').size() == 0",
  }),
  controllers: () => [
    defineController({
      name: 'site',
      reconciles: 'Site',
      writes: ['Server'],
      watches: [watchOwned('Server', 'Site')],
      reconcile({ self, cache, expectationsSatisfied }) {
        if (isDeleting(self)) return idle('it is being deleted');
        if (!expectationsSatisfied) return idle('it waits to see its own writes');
        const { theme = '' } = specOf<{ theme: string }>(self);
        const [server] = cache.controlledBy('Server', self);
        const name = `${self.metadata.name}-${self.metadata.uid.slice(0, 8)}`;
        if (server === undefined)
          return write(
            'there is no server',
            stillThere(self),
            create(custom('Server', ownedBy(self, { name }), { theme }), { tolerate: ['AlreadyExists'] }),
          );
        return specOf<{ theme: string }>(server).theme === theme ? idle('the server is right') : write('the server is old', remove(server));
      },
    }),
  ],
});
