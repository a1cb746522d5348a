/** A restart that is due, and noted nowhere. */
import { create, defineController, idle, remove, update, write, writeStatus } from '../../../../../src/index.ts';
import { configMap, custom, dataOf, ownedBy, resources, specOf, statusOf, stillThere, watchOwned } from '../kit.ts';
import { IN_THE_END, defineBug } from '../model.ts';

export const lostRestart = defineBug({
  name: 'nifikop-130',
  source: 'Orange-OpenSource/nifikop#130',
  facts:
    'It updates the configuration and then notes that nodes must restart; after a crash between the two the configuration looks right, and no node restarts.',
  pattern: 'crash between writes',
  kinds: resources('Flow', 'Server'),
  story: {
    steps: `
    - at: 1s
      apply: { apiVersion: example.com/v1, kind: Flow, metadata: { name: nifi }, spec: { banner: old } }
    - at: 10s
      patch: { target: Flow/nifi, type: merge, patch: { spec: { banner: new } } }
    - after: 10s
      expect: { cel: "object('Server/nifi').spec.banner == 'new'" }
`,
  },
  breaks: [IN_THE_END],
  controllers: (mended) => [
    defineController({
      name: 'flow',
      reconciles: 'Flow',
      writes: ['Flow', 'ConfigMap', 'Server'],
      watches: [watchOwned('ConfigMap', 'Flow'), watchOwned('Server', 'Flow')],
      reconcile({ self, cache, expectationsSatisfied }) {
        if (!expectationsSatisfied) return idle('it waits to see its own writes');
        const { banner = '' } = specOf<{ banner: string }>(self);
        const { name, namespace } = self.metadata;
        const config = cache.get('ConfigMap', namespace, name);
        const server = cache.get('Server', namespace, name);
        if (config === undefined)
          return write(
            'there is no configuration',
            stillThere(self),
            create(configMap(ownedBy(self, { name }), { banner }), { tolerate: ['AlreadyExists'] }),
          );
        if (dataOf(config)['banner'] !== banner) {
          const changed = update(config, (draft) => {
            draft.data = { banner };
          });
          return write('the configuration differs', changed, ...(mended ? [] : [writeStatus(self, { stale: true })]));
        }
        if (server === undefined) {
          const made = create(custom('Server', ownedBy(self, { name }), { banner }), { tolerate: ['AlreadyExists'] });
          return write('there is no server', stillThere(self), made, ...(mended ? [] : [writeStatus(self, { stale: false })]));
        }
        const isStale = mended ? specOf<{ banner: string }>(server).banner !== banner : statusOf<{ stale: boolean }>(self).stale === true;
        return isStale ? write('the server has an old configuration', remove(server)) : idle('the server is up to date');
      },
    }),
  ],
});
