/** The claims of a pod: bound, to be bound to a volume that is there, or to be provisioned. */
import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../../src/apiserver/machinery/index.ts';
import { BOUND, bound, claim, claims, meta, onNode, storageClass, two, using, volume, WAIT } from './volume-objects.ts';
import { HOSTNAME, objectOf, podWith, scoresBy, verdicts, ZONE } from './world.ts';

const fits = 'fits';

describe('a claim', () => {
  const NOTHING = "unresolvable, VolumeBinding: node(s) didn't find available persistent volumes to bind";
  const CONFLICT = 'unresolvable, VolumeBinding: node(s) had volume node affinity conflict';
  const verdict = (objects: readonly ApiObject[], volumes: readonly object[] = claims('c'), gates: object = {}): unknown =>
    verdicts(two(objects, gates), using('p', volumes, {}, { uid: 'uid-p' }));
  const ephemeral = [{ ephemeral: {} }];
  const ownedBy = (uid: string) => ({
    ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'p', uid, controller: true }],
    annotations: BOUND,
  });

  it.each<readonly [string, readonly ApiObject[], readonly object[], string]>([
    ['is missing', [], claims('c'), 'persistentvolumeclaim "c" not found'],
    [
      'is lost',
      [claim('c', { volumeName: 'pv' }, {}, { phase: 'Lost' })],
      claims('c'),
      'persistentvolumeclaim "c" bound to non-existent persistentvolume "pv"',
    ],
    [
      'is being deleted',
      [claim('c', {}, { deletionTimestamp: '2024-01-01T00:00:00Z' })],
      claims('c'),
      'persistentvolumeclaim "c" is being deleted',
    ],
    ['is not made yet', [], ephemeral, 'waiting for ephemeral volume controller to create the persistentvolumeclaim "p-v0"'],
    ['is not bound', [claim('c')], claims('c'), 'pod has unbound immediate PersistentVolumeClaims'],
    [
      'has a class that binds at once',
      [claim('c', { storageClassName: 'now' }), storageClass('now', 'Immediate')],
      claims('c'),
      'pod has unbound immediate PersistentVolumeClaims',
    ],
    [
      'names a volume',
      [claim('c', { storageClassName: 'wait', volumeName: 'pv' }), WAIT],
      claims('c'),
      'pod has unbound immediate PersistentVolumeClaims',
    ],
  ])('refuses all nodes if it %s', (_name, objects, volumes, why) => {
    expect(verdict(objects, volumes)).toBe(`unresolvable, VolumeBinding: ${why}`);
  });

  it('of an ephemeral volume must belong to the pod', () => {
    expect(verdict([volume('pv'), claim('p-v0', { volumeName: 'pv' }, ownedBy('uid-p'))], ephemeral)).toEqual({ a: fits, b: fits });
    const why = 'unresolvable, VolumeBinding: PVC x/p-v0 was not created for pod x/p (pod is not owner)';
    expect(verdict([volume('pv'), claim('p-v0', { volumeName: 'pv' }, ownedBy('other'))], ephemeral)).toBe(why);
    expect(verdict([volume('pv'), bound('p-v0', 'pv')], ephemeral)).toBe(why);
  });

  it('that is bound limits the pod to the nodes of its volume', () => {
    expect(verdict([volume('pv', onNode('b')), bound('c', 'pv')])).toEqual({ a: CONFLICT, b: fits });
    const gone = 'VolumeBinding: node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)';
    expect(verdict([bound('c', 'pv')])).toEqual({
      a: `unresolvable, VolumeBinding+VolumeZone: ${gone.slice(15)}; persistentvolume "pv" not found`,
      b: `unresolvable, VolumeBinding+VolumeZone: ${gone.slice(15)}; persistentvolume "pv" not found`,
    });
  });

  const waiting = (name: string, storage = '1Gi', spec: object = {}, more: Readonly<Record<string, unknown>> = {}) =>
    claim(name, { storageClassName: 'wait', resources: { requests: { storage } }, ...spec }, more);
  const free = (name: string, node: string, storage = '1Gi', spec: object = {}, more: Readonly<Record<string, unknown>> = {}) =>
    volume(name, { storageClassName: 'wait', capacity: { storage }, ...onNode(node), ...spec }, more);
  const NONE = storageClass('wait', 'WaitForFirstConsumer', 'kubernetes.io/no-provisioner');

  it.each<readonly [string, ApiObject, boolean]>([
    ['of its size', free('pv', 'b'), true],
    ['that is larger', free('pv', 'b', '2Gi'), true],
    ['that is smaller', free('pv', 'b', '1023Mi'), false],
    ['of another class', free('pv', 'b', '1Gi', { storageClassName: 'other' }), false],
    [
      'of its class by annotation',
      free('pv', 'b', '1Gi', { storageClassName: '' }, { annotations: { 'volume.beta.kubernetes.io/storage-class': 'wait' } }),
      true,
    ],
    ['with more modes', free('pv', 'b', '1Gi', { accessModes: ['ReadOnlyMany', 'ReadWriteOnce'] }), true],
    ['with other modes', free('pv', 'b', '1Gi', { accessModes: ['ReadOnlyMany'] }), false],
    ['of another mode of volumes', free('pv', 'b', '1Gi', { volumeMode: 'Block' }), false],
    ['with the mode stated', free('pv', 'b', '1Gi', { volumeMode: 'Filesystem' }), true],
    ['that is being deleted', free('pv', 'b', '1Gi', {}, { deletionTimestamp: '2024-01-01T00:00:00Z' }), false],
    ['that is not available', { ...free('pv', 'b'), status: { phase: 'Released' } }, false],
    ['reserved for it', free('pv', 'b', '1Gi', { claimRef: { name: 'c', namespace: 'x' } }), true],
    ['reserved for it by uid', free('pv', 'b', '1Gi', { claimRef: { name: 'c', namespace: 'x', uid: 'uid-c' } }), true],
    ['reserved for an earlier claim', free('pv', 'b', '1Gi', { claimRef: { name: 'c', namespace: 'x', uid: 'old' } }), false],
    ['reserved for another', free('pv', 'b', '1Gi', { claimRef: { name: 'd', namespace: 'x' } }), false],
    ['reserved for one of another namespace', free('pv', 'b', '1Gi', { claimRef: { name: 'c', namespace: 'y' } }), false],
  ])('with delayed binding takes a volume or not: %s', (_name, object, isTaken) => {
    expect(verdict([NONE, waiting('c'), object])).toEqual({ a: NOTHING, b: isTaken ? fits : NOTHING });
  });

  it('with a selector takes the volumes that it selects', () => {
    const selecting = waiting('c', '1Gi', { selector: { matchLabels: { tier: 'fast' } } });
    expect(verdict([NONE, selecting, free('p1', 'a'), free('p2', 'b', '1Gi', {}, { labels: { tier: 'fast' } })])).toEqual({
      a: NOTHING,
      b: fits,
    });
  });

  it('and another one take a volume each, the smaller claim the smaller volume', () => {
    const both = [NONE, waiting('large', '3Gi'), waiting('small', '1Gi')];
    const volumes = claims('large', 'small');
    expect(
      verdict([...both, free('p3', 'a', '3Gi'), free('p1', 'a', '1Gi'), free('p2', 'b', '3Gi'), free('p4', 'b', '2Gi')], volumes),
    ).toEqual({ a: fits, b: fits });
    expect(verdict([...both, free('p3', 'a', '3Gi'), free('p2', 'b', '5Gi'), free('p4', 'b', '4Gi')], volumes)).toEqual({
      a: NOTHING,
      b: fits,
    });
  });

  it.each<readonly [string, readonly ApiObject[], string, string]>([
    ['its class', [WAIT], fits, fits],
    ['no provisioner of its class', [storageClass('wait', 'WaitForFirstConsumer', '')], NOTHING, NOTHING],
    [
      'the topology of its class',
      [
        storageClass('wait', 'WaitForFirstConsumer', 'csi.a', {
          allowedTopologies: [{ matchLabelExpressions: [{ key: ZONE, values: ['two', 'three'] }] }],
        }),
      ],
      NOTHING,
      fits,
    ],
    [
      'a term with several labels',
      [
        storageClass('wait', 'WaitForFirstConsumer', 'csi.a', {
          allowedTopologies: [
            {
              matchLabelExpressions: [
                { key: ZONE, values: ['two'] },
                { key: HOSTNAME, values: ['a'] },
              ],
            },
          ],
        }),
      ],
      NOTHING,
      NOTHING,
    ],
    [
      'one of several terms',
      [
        storageClass('wait', 'WaitForFirstConsumer', 'csi.a', {
          allowedTopologies: [
            { matchLabelExpressions: [{ key: 'rack', values: ['1'] }] },
            { matchLabelExpressions: [{ key: ZONE, values: ['one'] }] },
          ],
        }),
      ],
      fits,
      NOTHING,
    ],
    ['no term without labels', [storageClass('wait', 'WaitForFirstConsumer', 'csi.a', { allowedTopologies: [{}] })], NOTHING, NOTHING],
    ['no terms', [storageClass('wait', 'WaitForFirstConsumer', 'csi.a', { allowedTopologies: [] })], fits, fits],
  ])('can be provisioned by %s', (_name, objects, a, b) => {
    expect(verdict([...objects, waiting('c')])).toEqual({ a, b });
  });

  it('with a selected node is provisioned there only', () => {
    expect(verdict([WAIT, waiting('c', '1Gi', {}, { annotations: { 'volume.kubernetes.io/selected-node': 'b' } })])).toEqual({
      a: NOTHING,
      b: fits,
    });
  });

  it('needs capacity where its driver publishes it', () => {
    const NO_SPACE = 'unresolvable, VolumeBinding: node(s) did not have enough free storage';
    const driver = (storageCapacity: boolean) => objectOf('CSIDriver', 'csi.a', { spec: { storageCapacity } });
    const segment = (
      name: string,
      capacity: string,
      zone: string,
      storageClassName = 'wait',
      more: Readonly<Record<string, unknown>> = {},
    ) =>
      objectOf('CSIStorageCapacity', name, { storageClassName, capacity, nodeTopology: { matchLabels: { [ZONE]: zone } }, ...more }, meta);
    const all = [WAIT, waiting('c', '2Gi')];
    expect(verdict([...all, driver(true)])).toEqual({ a: NO_SPACE, b: NO_SPACE });
    expect(verdict([...all, driver(false)])).toEqual({ a: fits, b: fits });
    expect(verdict([...all, driver(true), segment('s1', '2Gi', 'one'), segment('s2', '1Gi', 'two')])).toEqual({ a: fits, b: NO_SPACE });
    expect(
      verdict([
        ...all,
        driver(true),
        segment('s1', '2Gi', 'one', 'other'),
        segment('s2', '3Gi', 'two', 'wait', { maximumVolumeSize: '1Gi' }),
      ]),
    ).toEqual({ a: NO_SPACE, b: NO_SPACE });
    expect(verdict([WAIT, waiting('c', '1Gi', { resources: {} }), driver(true)])).toEqual({ a: fits, b: fits });
  });

  it('of a fitting volume is preferred, with VolumeCapacityPriority', () => {
    const objects = [NONE, waiting('c'), free('p1', 'a', '4Gi'), free('p2', 'b', '2Gi')];
    const by = (gates: object, of = using('p', claims('c'))) => scoresBy(two(objects, gates), 'VolumeBinding', of);
    expect(by({ VolumeCapacityPriority: true })).toEqual({ a: 25, b: 50 });
    expect(by({})).toEqual({ a: 0, b: 0 });
    expect(by({ VolumeCapacityPriority: true }, podWith('p'))).toEqual({ a: 0, b: 0 });
    expect(by({ VolumeCapacityPriority: true }, using('p', claims('gone')))).toEqual({ a: 0, b: 0 });
  });
});
