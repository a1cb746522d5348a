/** Pods with volumes, claims, volumes and classes, and two nodes in two zones. */
import type { ApiObject } from '../../../../src/apiserver/machinery/index.ts';
import { HOSTNAME, nodeWith, objectOf, podWith, world, ZONE, type World } from './world.ts';

export const meta = { namespace: 'x' };
export const using = (name: string, volumes: readonly object[], spec: object = {}, more: object = {}) =>
  podWith(name, { meta: more as never, spec: { volumes: volumes.map((volume, i) => ({ name: `v${i}`, ...volume })), ...spec } });
export const claims = (...names: readonly string[]) => names.map((claimName) => ({ persistentVolumeClaim: { claimName } }));
export const BOUND = { 'pv.kubernetes.io/bind-completed': 'yes' };
export const claim = (name: string, spec: object = {}, more: object = {}, status: object = {}) =>
  objectOf(
    'PersistentVolumeClaim',
    name,
    { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec }, status },
    { ...meta, ...more },
  );
export const bound = (name: string, volumeName: string, spec: object = {}) => claim(name, { volumeName, ...spec }, { annotations: BOUND });
export const volume = (name: string, spec: object = {}, more: Readonly<Record<string, unknown>> = {}) =>
  objectOf(
    'PersistentVolume',
    name,
    { spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, ...spec }, status: { phase: 'Available' } },
    more,
  );
export const onNode = (node: string) => ({
  nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: HOSTNAME, operator: 'In', values: [node] }] }] } },
});
export const storageClass = (name: string, volumeBindingMode: string, provisioner = 'csi.a', more: object = {}) =>
  objectOf('StorageClass', name, { provisioner, volumeBindingMode, ...more });
export const WAIT = storageClass('wait', 'WaitForFirstConsumer');

export function two(objects: readonly ApiObject[], gates = {}): World {
  const made = world(gates);
  made.set(...objects.filter(({ kind }) => kind !== 'Pod'));
  made.set(
    nodeWith('a', { labels: { [ZONE]: 'one' } }),
    nodeWith('b', { labels: { [ZONE]: 'two' } }),
    ...objects.filter(({ kind }) => kind === 'Pod'),
  );
  return made;
}
