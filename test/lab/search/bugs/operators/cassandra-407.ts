/** A claim that goes with a pod of the same name. */
import { create, defineController, idle, remove, write } from '../../../../../src/index.ts';
import {
  claim,
  getLive,
  isDeleting,
  labelOf,
  ownedBy,
  pod,
  range,
  removeAs,
  resources,
  specOf,
  stillThere,
  watchLabelled,
  watchOwned,
} from '../kit.ts';
import { defineBug } from '../model.ts';

export const claimOfTheNewPod = defineBug({
  name: 'cassandra-407',
  source: 'instaclustr/cassandra-operator#407',
  facts: 'After a scale-down and a scale-up, an old view of the pods makes it delete the claim that the new pod of that name uses.',
  pattern: 'time travel',
  kinds: resources('Datacenter'),
  story: {
    nodes: 1,
    invariants: [
      `{ name: claim-of-a-living-pod, foreach: PersistentVolumeClaim, always: "!has(self.metadata.deletionTimestamp) || !objects('Pod').exists(p, p.metadata.uid == self.metadata.?labels.?pod.orValue('') && !has(p.metadata.deletionTimestamp))" }`,
    ],
    steps: `
    - at: 1s
      apply: { apiVersion: example.com/v1, kind: Datacenter, metadata: { name: dc }, spec: { nodes: 2 } }
    - at: 10s
      patch: { target: Datacenter/dc, type: merge, patch: { spec: { nodes: 1 } } }
    - waitFor: { cel: "objects('PersistentVolumeClaim').size() == 1 && objects('Pod').size() == 1" }
    - after: 5s
      patch: { target: Datacenter/dc, type: merge, patch: { spec: { nodes: 2 } } }
    - after: 10s
      expect: { cel: "objects('PersistentVolumeClaim').size() == 2 && objects('Pod').size() == 2" }
`,
  },
  breaks: [/^claim-of-a-living-pod$/],
  controllers: (mended) => [
    defineController({
      name: 'datacenter',
      reconciles: 'Datacenter',
      writes: ['Pod', 'PersistentVolumeClaim'],
      watches: [watchOwned('Pod', 'Datacenter'), watchLabelled('PersistentVolumeClaim', 'datacenter')],
      reconcile({ self, cache, expectationsSatisfied }) {
        if (!expectationsSatisfied) return idle('it waits to see its own writes');
        const { name, namespace } = self.metadata;
        const { nodes = 0 } = specOf<{ nodes: number }>(self);
        const pods = cache.controlledBy('Pod', self);
        const claims = cache.list('PersistentVolumeClaim', namespace).filter((each) => labelOf(each, 'datacenter') === name);
        const leaving = pods.filter(isDeleting);
        const released = claims.filter((each) =>
          leaving.some(
            (old) => each.metadata.name === `data-${old.metadata.name}` && (!mended || labelOf(each, 'pod') === old.metadata.uid),
          ),
        );
        const doomed = released.filter((each) => !isDeleting(each));
        if (doomed.length > 0) return write('their pods leave', ...doomed.map((each) => removeAs(mended, each)));
        const orphans = claims.filter((each) => !isDeleting(each) && !pods.some(({ metadata }) => metadata.uid === labelOf(each, 'pod')));
        const [orphan] = orphans;
        if (mended && orphan !== undefined)
          return write('its pod has gone, it seems', getLive('Pod', namespace, orphan.metadata.name.slice('data-'.length)));
        if (orphans.length > 0) return write('their pods have gone', stillThere(self), ...orphans.map((each) => remove(each)));
        const surplus = pods.filter((each) => !isDeleting(each) && Number(labelOf(each, 'at')) >= nodes);
        if (surplus.length > 0) return write('there are nodes too many', stillThere(self), ...surplus.map((each) => remove(each)));
        const bare = pods.filter((each) => !isDeleting(each) && !claims.some((of) => of.metadata.name === `data-${each.metadata.name}`));
        if (bare.length > 0)
          return write(
            'pods have no claim',
            ...bare.map(({ metadata: { name: of, uid } }) =>
              create(claim(ownedBy(self, { name: `data-${of}`, labels: { datacenter: name, pod: uid } })), { tolerate: ['AlreadyExists'] }),
            ),
          );
        const missing = range(nodes).filter((at) => !pods.some((each) => labelOf(each, 'at') === `${at}`));
        if (missing.length === 0) return idle('each node runs');
        const metadata = (at: number) => ownedBy(self, { name: `${name}-${at}`, labels: { at: `${at}` } });
        return write(
          'nodes are missing',
          stillThere(self),
          ...missing.map((at) => create(pod(metadata(at)), { tolerate: ['AlreadyExists'] })),
        );
      },
      resume({ self, cache }, { write: asked, object }) {
        if (self === undefined || asked.op !== 'get') return idle('it is gone');
        const orphan = cache.get('PersistentVolumeClaim', self.metadata.namespace, `data-${asked.name}`);
        if (orphan === undefined || isDeleting(orphan) || object?.metadata.uid === labelOf(orphan, 'pod')) return idle('its pod is there');
        return write('its pod has gone', stillThere(self), remove(orphan));
      },
    }),
  ],
});
