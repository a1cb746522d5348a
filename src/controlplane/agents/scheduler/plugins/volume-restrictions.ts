/** Disks that only one node, one pod of a node, or one pod of all may mount at a time. Models: v1.24 plugins/volumerestrictions. */
import type { Pod } from '../../../../apiserver/kinds/index.ts';
import type { PodSpec } from '../../../../apiserver/machinery/index.ts';
import { on } from '../cluster-events.ts';
import { unresolvable, unschedulable, type Plugin } from '../plugin.ts';
import type { SchedulerView } from '../view.ts';
import { claimNameOf } from '../volumes/objects.ts';

const HELD = unresolvable('node has pod using PersistentVolumeClaim with the same name and ReadWriteOncePod access mode');
const TAKEN = unschedulable('node(s) had no available disk');

/** A disk with its conflict rule. */
interface Disk {
  readonly id: string;
  readonly readOnly: boolean;
  readonly monitors: readonly string[] | undefined;
  /** Not even reading twice. */ readonly exclusive: boolean;
}

function disksOf({ volumes = [] }: PodSpec): readonly Disk[] {
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
}

const known = new WeakMap<NonNullable<PodSpec['volumes']>, readonly Disk[]>();
const NO_DISKS: readonly Disk[] = [];

function diskList({ spec }: Pod): readonly Disk[] {
  if (spec.volumes === undefined) return NO_DISKS;
  let disks = known.get(spec.volumes);
  if (disks === undefined) known.set(spec.volumes, (disks = disksOf(spec)));
  return disks;
}

function conflict(a: Disk, b: Disk): boolean {
  if (a.id !== b.id || (!a.exclusive && a.readOnly && b.readOnly)) return false;
  return a.monitors === undefined || a.monitors.some((monitor) => b.monitors?.includes(monitor) === true);
}

/** Names of a pod's claims with access for one pod only. */
const onePodClaims = (pod: Pod, { cache }: SchedulerView): readonly string[] =>
  (pod.spec.volumes ?? []).flatMap((volume) => {
    const name = claimNameOf(pod, volume)?.name;
    if (name === undefined) return [];
    const modes = cache.get('PersistentVolumeClaim', pod.metadata.namespace, name)?.spec.accessModes;
    return modes?.includes('ReadWriteOncePod') === true ? [name] : [];
  });

/** Whether a pod on any node mounts a claim of this pod's namespace. */
const isMounted = ({ metadata: { namespace } }: Pod, claim: string, view: SchedulerView): boolean =>
  view
    .nodes()
    .some(({ pods }) =>
      [...pods.values()].some(
        ({ pod }) =>
          pod.metadata.namespace === namespace && pod.spec.volumes?.some((volume) => claimNameOf(pod, volume)?.name === claim) === true,
      ),
    );

export const volumeRestrictions: Plugin = {
  name: 'VolumeRestrictions',
  events: { Pod: on('delete'), Node: on('add'), PersistentVolumeClaim: on('add', 'update') },
  filterFor({ pod }, view) {
    if (view.gates['ReadWriteOncePod'] === true && onePodClaims(pod, view).some((name) => isMounted(pod, name, view)))
      return { refusal: HELD };
    const wanted = diskList(pod);
    if (wanted.length === 0) return undefined;
    return {
      filter: {
        check(node) {
          for (const { pod: other } of node.pods.values()) {
            for (const used of diskList(other)) if (wanted.some((disk) => conflict(disk, used))) return TAKEN;
          }
          return undefined;
        },
      },
    };
  },
};
