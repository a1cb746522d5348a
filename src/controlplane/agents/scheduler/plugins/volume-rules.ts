/**
 * Plugins by the volumes of a pod: disks that only one node, one pod of a node, or one pod of a cluster can use, and volumes with zone
 * labels, which can only be used in their zones. Models: v1.24 plugins/volumerestrictions.
 */
import { perObject } from '../../../../engine/index.ts';
import type { Pod } from '../../../../apiserver/kinds/index.ts';
import type { PodSpec, Names } from '../../../../apiserver/machinery/index.ts';
import { on } from '../cluster-events.ts';
import { unresolvable, unschedulable, type Plugin, type SchedulerView, type Refusal } from '../plugin.ts';
import type { Volume } from '../volumes/objects.ts';
import { claimNameOf } from '../../../shared/index.ts';

const HELD = unresolvable('node has pod using PersistentVolumeClaim with the same name and ReadWriteOncePod access mode');
const TAKEN = unschedulable('node(s) had no available disk');

interface Disk {
  readonly id: string;
  readonly readOnly: boolean;
  readonly monitors: readonly string[] | undefined;
  /** Not even reading twice. */ readonly exclusive: boolean;
}

const disksIn = perObject((volumes: NonNullable<PodSpec['volumes']>): readonly Disk[] => {
  const disks: Disk[] = [];
  for (const { gcePersistentDisk: gce, awsElasticBlockStore: ebs, iscsi, rbd } of volumes) {
    if (gce !== undefined) disks.push({ id: `gce/${gce.pdName}`, readOnly: gce.readOnly === true, monitors: undefined, exclusive: false });
    if (ebs !== undefined) disks.push({ id: `ebs/${ebs.volumeID}`, readOnly: false, monitors: undefined, exclusive: true });
    if (iscsi !== undefined)
      disks.push({ id: `iscsi/${iscsi.iqn}`, readOnly: iscsi.readOnly === true, monitors: undefined, exclusive: false });
    if (rbd !== undefined)
      disks.push({ id: `rbd/${rbd.pool}/${rbd.image}`, readOnly: rbd.readOnly === true, monitors: rbd.monitors ?? [], exclusive: false });
  }
  return disks;
});

const NO_DISKS: readonly Disk[] = [];
const diskList = ({ spec: { volumes } }: Pod): readonly Disk[] => (volumes === undefined ? NO_DISKS : disksIn(volumes));

function conflict(a: Disk, b: Disk): boolean {
  if (a.id !== b.id || (!a.exclusive && a.readOnly && b.readOnly)) return false;
  return a.monitors === undefined || a.monitors.some((monitor) => b.monitors?.includes(monitor) === true);
}

const onePodClaims = (pod: Pod, { cache }: SchedulerView): readonly string[] =>
  (pod.spec.volumes ?? []).flatMap((volume) => {
    const name = claimNameOf(pod, volume);
    if (name === undefined) return [];
    const modes = cache.get('PersistentVolumeClaim', pod.metadata.namespace, name)?.spec.accessModes;
    return modes?.includes('ReadWriteOncePod') === true ? [name] : [];
  });

/** Whether a pod on any node mounts a claim of this pod's namespace. */
const isMounted = ({ metadata: { namespace } }: Pod, claim: string, view: SchedulerView): boolean =>
  view.model
    .nodes()
    .some(({ pods }) =>
      [...pods.values()].some(
        ({ pod }) =>
          pod.metadata.namespace === namespace && pod.spec.volumes?.some((volume) => claimNameOf(pod, volume) === claim) === true,
      ),
    );

export const volumeRestrictions: Plugin = {
  name: 'VolumeRestrictions',
  events: { Pod: on('delete'), Node: on('add'), PersistentVolumeClaim: on('add', 'update') },
  filtersBy: 'volumes',
  filterFor({ pod }, view) {
    if (view.gates['ReadWriteOncePod'] === true && onePodClaims(pod, view).some((name) => isMounted(pod, name, view))) return HELD;
    const wanted = diskList(pod);
    if (wanted.length === 0) return undefined;
    return {
      check(node) {
        for (const { pod: other } of node.pods.values()) {
          for (const used of diskList(other)) if (wanted.some((disk) => conflict(disk, used))) return TAKEN;
        }
        return undefined;
      },
    };
  },
};

const OTHER_ZONE = unresolvable('node(s) had no available volume zone');
/** Separates zones in a label's value: the volume is in all of them. */
const SEPARATOR = '__';

const zoneLabels = (names: Names): readonly string[] => [
  names.key('failure-domain.beta', 'zone'),
  names.key('failure-domain.beta', 'region'),
  names.key('topology', 'zone'),
  names.key('topology', 'region'),
];

/** The volumes of a pod's claims, or why one is unknown. Pods with unknown or unbound claims were refused by VolumeBinding. */
function volumesOf(pod: Pod, { cache }: SchedulerView): readonly Volume[] | Refusal {
  const volumes: Volume[] = [];
  for (const { persistentVolumeClaim } of pod.spec.volumes ?? []) {
    const claim = cache.get('PersistentVolumeClaim', pod.metadata.namespace, persistentVolumeClaim?.claimName ?? '');
    const volumeName = claim?.spec.volumeName ?? '';
    if (volumeName === '') continue;
    const volume = cache.get('PersistentVolume', undefined, volumeName);
    if (volume === undefined) return unresolvable(`persistentvolume "${volumeName}" not found`);
    volumes.push(volume);
  }
  return volumes;
}

/** A volume with zone labels can only be used in its zones. Models: v1.24 plugins/volumezone. */
export const volumeZone: Plugin = {
  name: 'VolumeZone',
  events: { StorageClass: on('add'), Node: on('add', 'labels'), PersistentVolumeClaim: on('add'), PersistentVolume: on('add', 'update') },
  filtersBy: 'volumes',
  filterFor({ pod }, view) {
    const volumes = volumesOf(pod, view);
    if (!('code' in volumes) && volumes.length === 0) return undefined;
    const labels = zoneLabels(view.names);
    return {
      check({ node }) {
        const has = node?.metadata.labels ?? {};
        // A node without zone labels accepts every volume.
        if (!labels.some((label) => has[label] !== undefined)) return undefined;
        if ('code' in volumes) return volumes;
        for (const { metadata } of volumes) {
          for (const label of labels) {
            const zones = metadata.labels?.[label];
            if (zones !== undefined && !zones.split(SEPARATOR).includes(has[label] ?? '')) return OTHER_ZONE;
          }
        }
        return undefined;
      },
    };
  },
};
