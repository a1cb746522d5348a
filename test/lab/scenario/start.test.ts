/** Manifests that a cluster printed, as the start of a scenario: what is removed, left to controllers, or becomes a machine. */
import { expect, it } from 'vitest';
import { startOf } from '../../../src/lab/scenario/dump.ts';

const of = (kind: string, metadata: object, more: object = {}) => ({
  object: { apiVersion: 'v1', kind, metadata: { name: 'a', ...metadata }, ...more },
  source: { file: 'f', line: 1, col: 1 },
});
const PRINTED = { uid: 'u', resourceVersion: '1' };
const note = (rest: string): string =>
  `the manifests come from a cluster: uid, resourceVersion, status and other fields of the server are set again, ${rest}`;

it('manifests that no cluster printed are kept', () => {
  const given = [of('Pod', { uid: 'u' }), of('Pod', { resourceVersion: '1' }), { object: { kind: 'Pod' } }];
  expect(startOf(given, false)).toEqual({ manifests: given });
});

it('what the server sets is removed from those that one printed', () => {
  const labels = { a: 'b' };
  const set = {
    ...PRINTED,
    generation: 1,
    creationTimestamp: 'T',
    deletionTimestamp: 'T',
    deletionGracePeriodSeconds: 1,
    managedFields: [],
    selfLink: '/',
    ownerReferences: [{ uid: 'elsewhere', controller: true }],
  };
  const written = of('ConfigMap', {}, { status: { x: 1 } });
  expect(startOf([of('Pod', { ...set, labels }, { spec: { x: 1 }, status: { phase: 'Running' } }), written], false)).toEqual({
    manifests: [of('Pod', { labels }, { spec: { x: 1 } }), written],
    lintWarning: note('0 objects that controllers made are left to them, 0 Nodes are machines of the cluster'),
  });
});

it('what controllers made of others is left to them', () => {
  const owned = (owner: unknown) => of('Pod', { ...PRINTED, uid: 'p', ownerReferences: owner });
  const set = of('ReplicaSet', PRINTED);
  const { manifests, lintWarning } = startOf(
    [set, owned([{ uid: 'u', controller: true }]), owned([{ uid: 'u' }]), owned('none'), owned([null])],
    false,
  );
  expect(manifests.map(({ object }) => object.kind)).toEqual(['ReplicaSet', 'Pod', 'Pod', 'Pod']);
  expect(lintWarning).toBe(note('1 object that controllers made is left to them, 0 Nodes are machines of the cluster'));
});

it('nodes are machines, unless the scenario has its own', () => {
  const node = of(
    'Node',
    { ...PRINTED, labels: { zone: 'a', n: 1 } },
    {
      spec: { taints: [{ key: 'k', value: 'v', effect: 'NoExecute' }, { key: 'l', effect: 'NoSchedule' }, null] },
      status: { capacity: { cpu: 4 } },
    },
  );
  const nodes = [
    {
      name: 'a',
      labels: { zone: 'a', n: '1' },
      capacity: { cpu: '4' },
      taints: [
        { key: 'k', value: 'v', effect: 'NoExecute' },
        { key: 'l', effect: 'NoSchedule' },
      ],
    },
  ];
  const lintWarning = note('0 objects that controllers made are left to them, 1 Node is a machine of the cluster');
  expect(startOf([node], false)).toEqual({ manifests: [], nodes, lintWarning });
  expect(startOf([node], true)).toEqual({ manifests: [], lintWarning });
  for (const more of [{}, { spec: null, status: null }, { spec: { taints: 'x' }, status: { capacity: 1 } }])
    expect(startOf([of('Node', PRINTED, more)], false).nodes).toEqual([{ name: 'a' }]);
  const written = of('Node', {});
  expect(startOf([written, of('Pod', PRINTED)], false)).toMatchObject({ manifests: [written, of('Pod', {})] });
});
