/** An eviction that meets the replacement. */
import { create, defineController, idle, watch, write } from '../../../../../src/index.ts';
import { custom, onDeletion, ownedBy, removeAs, resources, specOf, stillThere, watchForAll, watchOwned } from '../kit.ts';
import { defineBug } from '../model.ts';

export const evictedReplacement = defineBug({
  name: 'node-29522',
  source: 'kubernetes/kubernetes#29522 (also the kubelet in kubernetes/kubernetes#25169)',
  facts:
    'Pods of a lost node are deleted by their names; a set has made a pod of the same name on another node meanwhile, and that one goes.',
  pattern: 'missing uid',
  kinds: resources('Group', 'Copy', 'Host'),
  invariants: [
    onDeletion('only-copies-on-lost-hosts-go', 'Copy', 'its host is healthy', (gone, list) =>
      list('Host').some(
        (host) => host.metadata.name === specOf<{ host: string }>(gone).host && specOf<{ lost: boolean }>(host).lost === true,
      ),
    ),
  ],
  story: {
    steps: `
    - at: 1s
      apply:
        - { apiVersion: example.com/v1, kind: Host, metadata: { name: a }, spec: { lost: false } }
        - { apiVersion: example.com/v1, kind: Host, metadata: { name: b }, spec: { lost: false } }
        - { apiVersion: example.com/v1, kind: Group, metadata: { name: db } }
    - waitFor: { match: { kind: Copy, metadata: { name: db-0 } } }
    - after: 5s
      patch: { target: Host/a, type: merge, patch: { spec: { lost: true } } }
    - after: 3s
      patch: { target: Host/a, type: merge, patch: { metadata: { labels: { seen: "yes" } } } }
    - after: 10s
      expect: { match: { kind: Copy, metadata: { name: db-0 }, spec: { host: b } } }
`,
  },
  breaks: [/^only-copies-on-lost-hosts-go$/],
  controllers: (mended) => [
    defineController({
      name: 'group',
      reconciles: 'Group',
      writes: ['Copy'],
      watches: [watchOwned('Copy', 'Group'), watchForAll('Host', 'Group')],
      reconcile({ self, cache }) {
        const { name, namespace } = self.metadata;
        if (cache.get('Copy', namespace, `${name}-0`) !== undefined) return idle('the copy is there');
        const host = cache.list('Host', namespace).find((each) => specOf<{ lost: boolean }>(each).lost !== true)?.metadata.name;
        if (host === undefined) return idle('no host is healthy');
        return write(
          'the copy is missing',
          stillThere(self),
          create(custom('Copy', ownedBy(self, { name: `${name}-0` }), { host }), { tolerate: ['AlreadyExists'] }),
        );
      },
    }),
    defineController({
      name: 'evictor',
      reconciles: 'Host',
      writes: ['Copy'],
      watches: [watch('Copy', ({ object }) => `${object.metadata.namespace ?? ''}/${specOf<{ host: string }>(object).host ?? ''}`)],
      reconcile({ self, cache }) {
        const { name, namespace } = self.metadata;
        const here = cache.list('Copy', namespace).filter((each) => specOf<{ host: string }>(each).host === name);
        if (specOf<{ lost: boolean }>(self).lost !== true || here.length === 0) return idle('nothing is to be evicted');
        return write('the host is lost', ...here.map((each) => removeAs(mended, each)));
      },
    }),
  ],
});
