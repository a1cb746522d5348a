/** What the volumes of a pod allow: disks, claims of one pod, zones, and limits of attachments. */
import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../../src/apiserver/machinery/index.ts';
import { bound, claim, claims, storageClass, two, using, volume, WAIT } from './volume-objects.ts';
import { nodeWith, objectOf, podWith, verdicts, ZONE } from './world.ts';

const fits = 'fits';

describe('a disk', () => {
  const TAKEN = 'VolumeRestrictions: node(s) had no available disk';
  const gce = (pdName: string, readOnly?: boolean) => ({ gcePersistentDisk: { pdName, readOnly } });
  const ebs = (volumeID: string) => ({ awsElasticBlockStore: { volumeID } });
  const iscsi = (iqn: string, readOnly?: boolean) => ({ iscsi: { iqn, readOnly } });
  const rbd = (image: string, monitors: readonly string[] | undefined, readOnly?: boolean, pool = 'p') => ({
    rbd: { image, monitors, readOnly, pool },
  });

  it.each<readonly [string, object, object, boolean]>([
    ['of GCE is used by one pod of a node', gce('d'), gce('d'), false],
    ['of GCE is read by several', gce('d', true), gce('d', true), true],
    ['of GCE is not read beside a writer', gce('d', true), gce('d'), false],
    ['of GCE is not that of another name', gce('d'), gce('e'), true],
    ['of EBS is used by one pod', ebs('d'), ebs('d'), false],
    ['of EBS is not that of another name', ebs('d'), ebs('e'), true],
    ['of iSCSI is used by one pod', iscsi('q'), iscsi('q', true), false],
    ['of iSCSI is read by several', iscsi('q', true), iscsi('q', true), true],
    ['of Ceph is used by one pod', rbd('i', ['m1', 'm2']), rbd('i', ['m2', 'm3']), false],
    ['of Ceph is read by several', rbd('i', ['m1'], true), rbd('i', ['m1'], true), true],
    ['of Ceph with other monitors is another', rbd('i', ['m1']), rbd('i', ['m2']), true],
    ['of Ceph without monitors is another', rbd('i', undefined), rbd('i', ['m1']), true],
    ['of Ceph of another pool is another', rbd('i', ['m1']), rbd('i', ['m1'], false, 'q'), true],
    ['of one system is not that of another', gce('d'), ebs('d'), true],
  ])('%s', (_name, mine, used, isFree) => {
    const made = two([using('q', [{ emptyDir: {} }, used], { nodeName: 'a' })]);
    expect(verdicts(made, using('p', [mine]))).toEqual({ a: isFree ? fits : TAKEN, b: fits });
  });

  it('of a pod without volumes is none', () => {
    const made = two([podWith('q', { spec: { nodeName: 'a' } })]);
    expect(verdicts(made, using('p', [gce('d')]))).toEqual({ a: fits, b: fits });
  });
});

describe('a claim of one pod', () => {
  const HELD =
    'unresolvable, VolumeRestrictions: node has pod using PersistentVolumeClaim with the same name and ReadWriteOncePod access mode';
  const objects = (accessModes: readonly string[], of: object = {}) => [
    volume('pv'),
    bound('c', 'pv', { accessModes }),
    using('q', claims('other', 'c'), { nodeName: 'b' }, of),
  ];
  const verdict = (accessModes: readonly string[], of: object = {}, gates: object = { ReadWriteOncePod: true }) =>
    verdicts(two(objects(accessModes, of), gates), using('p', claims('c')));

  it('is not used by another one, on any node', () => {
    expect(verdict(['ReadWriteOncePod'])).toBe(HELD);
    expect(verdict(['ReadWriteOnce'])).toEqual({ a: fits, b: fits });
    expect(verdict(['ReadWriteOncePod'], { namespace: 'y' })).toEqual({ a: fits, b: fits });
    expect(verdict(['ReadWriteOncePod'], {}, {})).toEqual({ a: fits, b: fits });
  });

  it('is free if no other pod uses it', () => {
    const made = two(
      [
        volume('pv'),
        bound('c', 'pv', { accessModes: ['ReadWriteOncePod'] }),
        using('q', claims('other'), { nodeName: 'b' }),
        podWith('r', { spec: { nodeName: 'a' } }),
      ],
      { ReadWriteOncePod: true },
    );
    expect(verdicts(made, using('p', claims('c')))).toEqual({ a: fits, b: fits });
  });
});

describe('the zone of a volume', () => {
  const OTHER = 'unresolvable, VolumeZone: node(s) had no available volume zone';
  const inZone = (labels: object): unknown => verdicts(two([volume('pv', {}, { labels }), bound('c', 'pv')]), using('p', claims('c')));

  it.each<readonly [string, object, string, string]>([
    ['one', { [ZONE]: 'one' }, fits, OTHER],
    ['several', { [ZONE]: 'two__three' }, OTHER, fits],
    ['none', { other: 'x' }, fits, fits],
    ['a region that no node has', { 'topology.kubernetes.io/region': 'r' }, OTHER, OTHER],
    ['an older label', { 'failure-domain.beta.kubernetes.io/zone': 'one' }, OTHER, OTHER],
    ['an older region', { 'failure-domain.beta.kubernetes.io/region': 'r' }, OTHER, OTHER],
  ])('limits the nodes: %s', (_name, labels, a, b) => {
    expect(inZone(labels)).toEqual({ a, b });
  });

  it('of a volume that is gone is unknown on nodes with zones', () => {
    const GONE = 'unresolvable, VolumeBinding+VolumeZone: node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)';
    const made = two([bound('c', 'lost')]);
    made.set(nodeWith('c'));
    expect(verdicts(made, using('p', claims('c')))).toEqual({
      a: `${GONE}; persistentvolume "lost" not found`,
      b: `${GONE}; persistentvolume "lost" not found`,
      c: GONE.replace('+VolumeZone', ''),
    });
  });

  it('does not matter to nodes without zones', () => {
    const made = two([volume('pv', {}, { labels: { [ZONE]: 'two' } }), bound('c', 'pv')]);
    made.set(nodeWith('c'), nodeWith('d', { labels: { 'topology.kubernetes.io/region': 'r' } }));
    expect(verdicts(made, using('p', claims('c')))).toEqual({ a: OTHER, b: fits, c: fits, d: OTHER });
  });
});

describe('the number of attached volumes', () => {
  const TOO_MANY = 'node(s) exceed max volume count';
  const csiNode = (name: string, count: number | undefined, driver = 'csi.a') =>
    objectOf('CSINode', name, {
      spec: { drivers: [{ name: driver, nodeID: name, ...(count === undefined ? {} : { allocatable: { count } }) }] },
    });
  const csi = (name: string, handle = name, driver = 'csi.a') => volume(name, { csi: { driver, volumeHandle: handle } });
  const used = (...names: readonly string[]) => using('q', claims(...names), { nodeName: 'a' });
  const both = (...names: readonly string[]) => names.flatMap((name) => [csi(`pv-${name}`), bound(name, `pv-${name}`)]);
  const verdict = (objects: readonly ApiObject[], ...wanted: readonly string[]): unknown =>
    verdicts(two(objects), using('p', claims(...wanted)));
  const refused = { a: `NodeVolumeLimits: ${TOO_MANY}`, b: fits };
  const free = { a: fits, b: fits };

  it('of a driver has the limit of the node, each volume counted once', () => {
    const objects = [...both('c1', 'c2', 'c3'), used('c1', 'c2')];
    expect(verdict([...objects, csiNode('a', 2)], 'c3')).toEqual(refused);
    expect(verdict([...objects, csiNode('a', 3)], 'c3')).toEqual(free);
    expect(verdict([...objects, csiNode('a', 2)], 'c1')).toEqual(free);
    expect(verdict([...objects, csiNode('a', undefined)], 'c3')).toEqual(free);
    expect(verdict([...objects, csiNode('a', 1, 'csi.b')], 'c3')).toEqual(free);
    expect(verdict([...objects, csi('pv-d', 'd', 'csi.b'), bound('d', 'pv-d'), csiNode('a', 1)], 'd')).toEqual(free);
    expect(verdict([...objects, csi('pv-e', 'pv-c1'), bound('e', 'pv-e'), csiNode('a', 2)], 'e')).toEqual(free);
  });

  it('of a driver may be limited by what the node states', () => {
    const made = two([...both('c1', 'c2'), used('c1')]);
    made.set(nodeWith('a', { allocatable: { cpu: '4', memory: '8Gi', pods: '110', 'attachable-volumes-csi-csi.a': '1' } }));
    expect(verdicts(made, using('p', claims('c2')))).toEqual(refused);
  });

  it('counts claims that are not bound yet by their class', () => {
    const waiting = (name: string) => claim(name, { storageClassName: 'wait' });
    const objects = [WAIT, waiting('w1'), waiting('w2'), csiNode('a', 1), used('w1')];
    expect(verdict(objects, 'w2')).toEqual(refused);
    expect(verdict(objects, 'w1')).toEqual(free);
    expect(verdict([...objects, claim('x')], 'x')).toBe('unresolvable, VolumeBinding: pod has unbound immediate PersistentVolumeClaims');
  });

  it('ignores claims of pods on the node that are gone', () => {
    expect(verdict([...both('c1'), csiNode('a', 1), used('gone')], 'c1')).toEqual(free);
  });

  it('cannot be known where a pod on the node has an ephemeral volume that is not its own', () => {
    const foreign = using('q', [{ ephemeral: {} }], { nodeName: 'a' });
    expect(verdict([...both('c1'), csiNode('a', 1), claim('q-v0'), foreign], 'c1')).toEqual({
      a: 'error, NodeVolumeLimits: PVC x/q-v0 was not created for pod x/q (pod is not owner)',
      b: fits,
    });
  });

  it.each([
    ['EBSLimits', 'aws-ebs', 39, (id: string) => ({ awsElasticBlockStore: { volumeID: id } })],
    ['GCEPDLimits', 'gce-pd', 16, (id: string) => ({ gcePersistentDisk: { pdName: id, readOnly: true } })],
    ['AzureDiskLimits', 'azure-disk', 16, (id: string) => ({ azureDisk: { diskName: id } })],
  ])('by %s for %s is %i, or what the node states', (plugin, key, limit, disk) => {
    const on = (count: number, name = 'q') =>
      using(
        name,
        Array.from({ length: count }, (_, i) => disk(`d${i}`)),
        { nodeName: 'a' },
      );
    const verdictOf = (...objects: readonly ApiObject[]): unknown => verdicts(two(objects), using('p', [disk('new')]));
    const full = { a: `${plugin}: ${TOO_MANY}`, b: fits };
    expect([verdictOf(on(limit - 1)), verdictOf(on(limit))]).toEqual([free, full]);
    const stated = two([on(1)]);
    stated.set(nodeWith('a', { allocatable: { cpu: '4', memory: '8Gi', pods: '110', [`attachable-volumes-${key}`]: '1' } }));
    expect(verdicts(stated, using('p', [disk('new')]))).toEqual(full);
    expect(verdicts(stated, using('p', [disk('d0')]))).toEqual(plugin === 'EBSLimits' ? expect.objectContaining({ b: fits }) : free);
    expect(verdicts(stated, using('p', [{ emptyDir: {} }]))).toEqual(free);
    const ofClaim = two([volume('pv', disk('d9')), bound('c', 'pv'), using('q', claims('c'), { nodeName: 'a' })]);
    ofClaim.set(nodeWith('a', { allocatable: { cpu: '4', memory: '8Gi', pods: '110', [`attachable-volumes-${key}`]: '1' } }));
    expect(verdicts(ofClaim, using('p', [disk('new')]))).toEqual(full);
    const byClass = (provisioner: string) => {
      const made = two([
        storageClass('old', 'WaitForFirstConsumer', provisioner),
        claim('c', { storageClassName: 'old' }),
        using('q', claims('c'), { nodeName: 'a' }),
      ]);
      made.set(nodeWith('a', { allocatable: { cpu: '4', memory: '8Gi', pods: '110', [`attachable-volumes-${key}`]: '1' } }));
      return verdicts(made, using('p', [disk('new')]));
    };
    expect([byClass(`kubernetes.io/${key}`), byClass('csi.a')]).toEqual([full, free]);
  });
});
