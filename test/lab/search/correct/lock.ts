/** A lock that one holds at a time. */
import { create, defineController, idle, remove, write, writeStatus } from '../../../../src/index.ts';
import { custom, ownedBy, resources, statusOf, stillThere, watchForAll } from '../bugs/kit.ts';
import { defineCorrect, livesOf } from './model.ts';

export const lock = defineCorrect({
  name: 'lock',
  idiom: 'The lock is the creation of an object with a fixed name; its holder is in it, and only that one removes it, by its uid.',
  kinds: resources('Tenant', 'Lock'),
  stories: livesOf({
    kind: 'Tenant',
    given: ['{ apiVersion: example.com/v1, kind: Tenant, metadata: { name: z } }'],
    present: "objects('Tenant').all(t, t.status.served == true) && objects('Lock').size() == 0",
    gone: "objects('Tenant').all(t, t.status.served == true) && objects('Lock').size() == 0",
  }),
  controllers: () => [
    defineController({
      name: 'tenant',
      reconciles: 'Tenant',
      writes: ['Tenant', 'Lock'],
      watches: [watchForAll('Lock', 'Tenant')],
      reconcile({ self, cache }) {
        const { uid, namespace } = self.metadata;
        const held = cache.get('Lock', namespace, 'lock');
        const isMine = held?.metadata.ownerReferences?.[0]?.uid === uid;
        const isServed = statusOf<{ served: boolean }>(self).served === true;
        if (isServed) return held !== undefined && isMine ? write('it lets go', remove(held)) : idle('it was served');
        if (held !== undefined)
          return isMine ? write('it is its turn', writeStatus(self, { served: true })) : idle('it waits for its turn');
        return write(
          'the lock is free',
          stillThere(self),
          create(custom('Lock', ownedBy(self, { name: 'lock' })), { tolerate: ['AlreadyExists'] }),
        );
      },
    }),
  ],
});
