/** A second set for the same template. */
import { type ApiObject, create, defineController, idle, remove, write } from '../../../../../src/index.ts';
import { custom, ownedBy, resources, specOf, stillThere, watchOwned } from '../kit.ts';
import { defineBug } from '../model.ts';

export const duplicateSets = defineBug({
  name: 'cluster-api-13649',
  source: 'kubernetes-sigs/cluster-api#13649',
  facts: 'When the cache does not show the new machine set in time, the deployment makes another one for the same template.',
  pattern: 'own write unseen',
  kinds: resources('MachineDeployment', 'MachineGroup'),
  story: {
    invariants: [
      `{ name: one-set-a-template, always: "objects('MachineGroup').all(a, objects('MachineGroup').filter(b, a.spec.version == b.spec.version).size() == 1)" }`,
    ],
    steps: `
    - at: 1s
      apply: { apiVersion: example.com/v1, kind: MachineDeployment, metadata: { name: md }, spec: { version: v1 } }
    - at: 3s
      patch: { target: MachineDeployment/md, type: merge, patch: { metadata: { labels: { seen: "yes" } } } }
    - at: 5s
      patch: { target: MachineDeployment/md, type: merge, patch: { spec: { version: v2 } } }
    - after: 10s
      expect: { cel: "objects('MachineGroup').map(g, g.spec.version) == ['v2']" }
`,
  },
  breaks: [/^one-set-a-template$/],
  controllers: (mended) => [
    defineController({
      name: 'machine-deployment',
      reconciles: 'MachineDeployment',
      writes: ['MachineGroup'],
      watches: [watchOwned('MachineGroup', 'MachineDeployment')],
      reconcile({ self, cache, expectationsSatisfied }) {
        if (mended && !expectationsSatisfied) return idle('it waits to see its own writes');
        const { version = '' } = specOf<{ version: string }>(self);
        const sets = cache.controlledBy('MachineGroup', self);
        const isOld = (set: ApiObject): boolean => specOf<{ version: string }>(set).version !== version;
        if (sets.every(isOld)) {
          const of = mended ? { name: `${self.metadata.name}-${version}` } : { generateName: `${self.metadata.name}-` };
          return write(
            'no set has this template',
            stillThere(self),
            create(custom('MachineGroup', ownedBy(self, of), { version }), { tolerate: ['AlreadyExists'] }),
          );
        }
        const old = sets.filter(isOld);
        return old.length === 0 ? idle('the new set has taken over') : write('old sets are not needed', ...old.map((each) => remove(each)));
      },
    }),
  ],
});
