/** A volume with zone labels can only be used in its zones. Models: v1.24 plugins/volumezone. */
import type { Names } from '../../../../apiserver/machinery/index.ts';
import type { Pod } from '../../../../apiserver/kinds/index.ts';
import { on } from '../cluster-events.ts';
import { unresolvable, type Plugin, type Refusal } from '../plugin.ts';
import type { SchedulerView } from '../view.ts';
import { classNameOf, type Volume } from '../volumes/objects.ts';

const OTHER_ZONE = unresolvable('node(s) had no available volume zone');
/** Separates zones in a label's value: the volume is in all of them. */
const SEPARATOR = '__';

const zoneLabels = (names: Names): readonly string[] => [
  names.key('failure-domain.beta', 'zone'),
  names.key('failure-domain.beta', 'region'),
  names.key('topology', 'zone'),
  names.key('topology', 'region'),
];

/** The volumes of a pod's claims, or why one is unknown. */
function volumesOf(pod: Pod, { cache, names }: SchedulerView): readonly Volume[] | Refusal {
  const volumes: Volume[] = [];
  for (const { persistentVolumeClaim } of pod.spec.volumes ?? []) {
    if (persistentVolumeClaim === undefined) continue;
    const { claimName } = persistentVolumeClaim;
    const claim = cache.get('PersistentVolumeClaim', pod.metadata.namespace, claimName);
    if (claim === undefined) return unresolvable(`persistentvolumeclaim "${claimName}" not found`);
    const { volumeName = '' } = claim.spec;
    if (volumeName === '') {
      const className = classNameOf(claim, names);
      if (className === '') return unresolvable('PersistentVolumeClaim had no pv name and storageClass name');
      const found = cache.get('StorageClass', undefined, className);
      if (found === undefined) return unresolvable(`storageclass.storage.${names.domain} "${className}" not found`);
      if (found.volumeBindingMode === 'WaitForFirstConsumer') continue;
      return unresolvable('PersistentVolume had no name');
    }
    const volume = cache.get('PersistentVolume', undefined, volumeName);
    if (volume === undefined) return unresolvable(`persistentvolume "${volumeName}" not found`);
    volumes.push(volume);
  }
  return volumes;
}

export const volumeZone: Plugin = {
  name: 'VolumeZone',
  events: { StorageClass: on('add'), Node: on('add', 'labels'), PersistentVolumeClaim: on('add'), PersistentVolume: on('add', 'update') },
  filterFor({ pod }, view) {
    if (!(pod.spec.volumes ?? []).some(({ persistentVolumeClaim }) => persistentVolumeClaim !== undefined)) return undefined;
    const labels = zoneLabels(view.names);
    const volumes = volumesOf(pod, view);
    return {
      filter: {
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
      },
    };
  },
};
