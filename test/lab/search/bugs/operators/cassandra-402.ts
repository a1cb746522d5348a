/** A datacenter that takes the claims of its namesake along. */
import { create, defineController, idle, write } from '../../../../../src/index.ts';
import {
  addFinalizer,
  claim,
  dropFinalizer,
  hasFinalizer,
  isDeleting,
  labelOf,
  listLive,
  ownedBy,
  range,
  removeAs,
  resources,
  specOf,
  stillThere,
  watchLabelled,
} from '../kit.ts';
import { defineBug } from '../model.ts';

export const namesakeClaims = defineBug({
  name: 'cassandra-402',
  source:
    'instaclustr/cassandra-operator#402 (also pravega/zookeeper-operator#312, datastax/cass-operator#412, Orange-OpenSource/casskop#316)',
  facts: 'After a restart it reads the deletion of an earlier datacenter of the same name, and deletes the claims that carry this name.',
  pattern: 'time travel',
  missed: 'a restart with lists as of between the creation and the end of the pod',
  kinds: resources('Datacenter'),
  story: {
    invariants: [
      `{ name: claims-of-the-living, foreach: PersistentVolumeClaim, always: "!has(self.metadata.deletionTimestamp) || !objects('Datacenter').exists(d, d.metadata.uid == self.metadata.?labels.?uid.orValue('') && !has(d.metadata.deletionTimestamp))" }`,
    ],
    steps: `
    - at: 1s
      apply: { apiVersion: example.com/v1, kind: Datacenter, metadata: { name: dc }, spec: { nodes: 2 } }
    - at: 10s
      delete: Datacenter/dc
    - waitFor: { absent: Datacenter/dc }
    - after: 5s
      apply: { apiVersion: example.com/v1, kind: Datacenter, metadata: { name: dc }, spec: { nodes: 2 } }
    - after: 10s
      expect: { cel: "objects('PersistentVolumeClaim').size() == 2" }
`,
  },
  breaks: [/^claims-of-the-living$/],
  takes: [`{ at: "decide controller-manager datacenter default/dc w20+2", crash: before, restartAfter: 1ms, staleBy: 5144ms }`],
  controllers: (mended) => [
    defineController({
      name: 'datacenter',
      reconciles: 'Datacenter',
      writes: ['Datacenter', 'PersistentVolumeClaim'],
      watches: [watchLabelled('PersistentVolumeClaim', 'datacenter')],
      reconcile({ self, cache }) {
        if (isDeleting(self))
          return hasFinalizer(self)
            ? write('it is deleted: look for its claims', listLive('PersistentVolumeClaim', self))
            : idle('others hold it');
        if (!hasFinalizer(self)) return write('its claims must not outlive it', addFinalizer(self));
        const { name, namespace, uid } = self.metadata;
        const missing = range(specOf<{ nodes: number }>(self).nodes ?? 0)
          .map((at) => `data-${name}-${at}`)
          .filter((each) => cache.get('PersistentVolumeClaim', namespace, each) === undefined);
        if (missing.length === 0) return idle('each node has a claim');
        const claims = missing.map((each) => create(claim(ownedBy(self, { name: each, labels: { datacenter: name, uid } }))));
        return write('nodes have no claim', stillThere(self), ...claims);
      },
      resume({ self }, { objects = [] }) {
        if (self === undefined || (mended && !isDeleting(self))) return idle('the cache has moved on');
        const { name, uid } = self.metadata;
        const own = objects.filter((each) => labelOf(each, 'datacenter') === name && (!mended || labelOf(each, 'uid') === uid));
        if (own.length === 0) return write('it has no claims any more', dropFinalizer(self));
        return write('its claims go first', ...own.filter((each) => !isDeleting(each)).map((each) => removeAs(mended, each)));
      },
    }),
  ],
});
