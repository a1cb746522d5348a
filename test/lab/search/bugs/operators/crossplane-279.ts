/** An external resource without a note of its name. */
import { create, defineController, idle, update, write } from '../../../../../src/index.ts';
import { annotationOf, beside, custom, resources } from '../kit.ts';
import { IN_THE_END, defineBug } from '../model.ts';

export const unnamedExternal = defineBug({
  name: 'crossplane-279',
  source: 'crossplane/crossplane-runtime#279',
  facts:
    'The cloud draws the name at the creation; if the name is not stored, or an object without it is read from the cache, a second resource is made and the first is leaked.',
  pattern: 'lost response',
  kinds: resources('Network', 'CloudNetwork'),
  story: {
    steps: `
    - at: 1s
      apply: { apiVersion: example.com/v1, kind: Network, metadata: { name: vpc } }
    - after: 10s
      expect: { cel: "objects('CloudNetwork').map(n, n.metadata.name) == [object('Network/vpc').metadata.annotations.external]" }
`,
  },
  breaks: [IN_THE_END],
  controllers: (mended) => [
    defineController({
      name: 'network',
      reconciles: 'Network',
      writes: ['Network', 'CloudNetwork'],
      reconcile({ self }) {
        if (annotationOf(self, 'external') !== undefined) return idle('the resource is known');
        // The mend gives the cloud a token, so that the same wish made twice is one resource.
        const token = `net-${self.metadata.uid}`;
        const wish = beside(self, mended ? { name: token } : { generateName: 'net-' });
        return write(
          'no resource is known',
          create(custom('CloudNetwork', wish), mended ? { tolerate: ['AlreadyExists'], resume: true } : { resume: true }),
        );
      },
      resume({ self }, { object }) {
        if (self === undefined) return idle('it is gone');
        const name = object?.metadata.name ?? `net-${self.metadata.uid}`;
        const noted = update(self, (draft) => {
          draft.metadata.annotations = { ...draft.metadata.annotations, external: name };
        });
        return write('the resource is made', noted);
      },
    }),
  ],
});
