/** Steps that are written down before they are taken. */
import { create, defineController, idle, type Outcome, write, writeStatus } from '../../../../src/index.ts';
import { custom, isDeleting, ownedBy, resources, statusOf, stillThere, watchOwned } from '../bugs/kit.ts';
import { defineCorrect, livesOf } from './model.ts';

export const phases = defineCorrect({
  name: 'phases',
  idiom: 'Each step is recorded first and can be repeated, so that a crash at any point leads on from the record.',
  kinds: resources('Journey', 'Ticket', 'Room'),
  stories: livesOf({
    kind: 'Journey',
    present: "objects('Ticket').size() == 1 && objects('Room').size() == 1 && object('Journey/x').status.phase == 'Booked'",
    gone: "objects('Ticket').size() == 0 && objects('Room').size() == 0",
  }),
  controllers: () => [
    defineController({
      name: 'journey',
      reconciles: 'Journey',
      writes: ['Journey', 'Ticket', 'Room'],
      watches: [watchOwned('Ticket', 'Journey'), watchOwned('Room', 'Journey')],
      reconcile({ self, cache }) {
        if (isDeleting(self)) return idle('it is being deleted');
        const { phase = '' } = statusOf<{ phase: string }>(self);
        const { uid, namespace } = self.metadata;
        const name = `${self.metadata.name}-${uid.slice(0, 8)}`;
        const step = (kind: string, next: string): Outcome =>
          cache.get(kind, namespace, name) === undefined
            ? write(`no ${kind} yet`, stillThere(self), create(custom(kind, ownedBy(self, { name })), { tolerate: ['AlreadyExists'] }))
            : write(`there is a ${kind}`, writeStatus(self, { phase: next }));
        if (phase === '') return write('it begins', writeStatus(self, { phase: 'Ticket' }));
        if (phase === 'Ticket') return step('Ticket', 'Room');
        return phase === 'Room' ? step('Room', 'Booked') : idle('all is booked');
      },
    }),
  ],
});
