/** A departure whose second step was never written down. */
import { create, defineController, idle, remove, type Write, write, writeStatus } from '../../../../../src/index.ts';
import { custom, ownedBy, range, removeName, resources, specOf, statusOf, stillThere, watchOwned } from '../kit.ts';
import { IN_THE_END, defineBug } from '../model.ts';

export const unrecordedStep = defineBug({
  name: 'casskop-370',
  source: 'Orange-OpenSource/casskop#370, figure 1 of the Sieve paper',
  facts:
    'It deletes a pod and then records that it finalizes; a crash between the two leaves a claim behind, and every later round fails because the pod is missing.',
  pattern: 'crash between writes',
  kinds: resources('Ring', 'Member', 'Disk'),
  story: {
    steps: `
    - at: 1s
      apply: { apiVersion: example.com/v1, kind: Ring, metadata: { name: ring }, spec: { size: 2 } }
    - at: 10s
      patch: { target: Ring/ring, type: merge, patch: { spec: { size: 1 } } }
    - after: 10s
      expect: { cel: "objects('Member').size() == 1 && objects('Disk').size() == 1 && object('Ring/ring').status.phase == 'Done'" }
`,
  },
  breaks: [IN_THE_END],
  controllers: (mended) => [
    defineController({
      name: 'ring',
      reconciles: 'Ring',
      writes: ['Ring', 'Member', 'Disk'],
      watches: [watchOwned('Member', 'Ring'), watchOwned('Disk', 'Ring')],
      reconcile({ self, cache }) {
        const { size = 0 } = specOf<{ size: number }>(self);
        const { phase = '', known = 0 } = statusOf<{ phase: string; known: number }>(self);
        const nameOf = (at: number): string => `${self.metadata.name}-${at}`;
        const member = cache.get('Member', self.metadata.namespace, nameOf(known - 1));
        const disk = cache.get('Disk', self.metadata.namespace, nameOf(known - 1));
        if (phase === 'Ongoing') {
          const gone = removeName('Member', self.metadata.namespace, nameOf(known - 1));
          if (mended) return write('it leaves, if it is still there', gone, writeStatus(self, { phase: 'Finalizing', known }));
          if (member !== undefined) return write('it leaves', remove(member), writeStatus(self, { phase: 'Finalizing', known }));
          return idle('the member cannot be read');
        }
        if (phase === 'Finalizing') {
          if (member !== undefined) return idle('it has not left yet');
          return write(
            'the last trace goes',
            ...(mended ? [removeName('Disk', self.metadata.namespace, nameOf(known - 1))] : disk === undefined ? [] : [remove(disk)]),
            writeStatus(self, { phase: 'Done', known: known - 1 }),
          );
        }
        if (size < known) return write('one must leave', writeStatus(self, { phase: 'Ongoing', known }));
        if (size > known) return write('one more', writeStatus(self, { phase: 'Done', known: known + 1 }));
        const missing = range(known).filter((at) => cache.get('Member', self.metadata.namespace, nameOf(at)) === undefined);
        if (missing.length === 0) return idle('the ring has its size');
        const safe = { tolerate: ['AlreadyExists'] };
        const both = (name: string): readonly Write[] =>
          ['Disk', 'Member'].map((kind) => create(custom(kind, ownedBy(self, { name })), safe));
        // The same status again is refused where the ring that was read is not the newest.
        const newest = mended ? writeStatus(self, { phase, known }) : stillThere(self);
        return write('members are missing', newest, ...missing.flatMap((at) => both(nameOf(at))));
      },
    }),
  ],
});
