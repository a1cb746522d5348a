/** The attachable volumes of a pod, by the limit that they count against. Models: v1.24 plugins/nodevolumelimits (csi.go, non_csi.go). */
import { keyOf } from '../../../../apiserver/machinery/index.ts';
import type { Pod } from '../../../../apiserver/kinds/index.ts';
import type { SchedulerView } from '../view.ts';
import { claimNameOf, classNameOf, isForPod, type Claim } from '../volumes/objects.ts';

/** Volumes by unique name, each with the key of its limit. */
export type Attachments = Map<string, string>;

/** The key of a storage driver's limit. */
export const driverLimitKey = (driver: string): string => `attachable-volumes-csi-${driver}`;

/** In-tree drivers, with the field that names their volumes. */
export interface BuiltIn {
  readonly key: string;
  readonly limit: number;
  readonly source: string;
  readonly id: string;
  readonly provisioner: string;
}

/** The in-tree drivers with limits of their own. */
export const BUILT_IN: Readonly<Record<'ebs' | 'gce' | 'azure', BuiltIn>> = {
  ebs: { key: 'attachable-volumes-aws-ebs', limit: 39, source: 'awsElasticBlockStore', id: 'volumeID', provisioner: 'aws-ebs' },
  gce: { key: 'attachable-volumes-gce-pd', limit: 16, source: 'gcePersistentDisk', id: 'pdName', provisioner: 'gce-pd' },
  azure: { key: 'attachable-volumes-azure-disk', limit: 16, source: 'azureDisk', id: 'diskName', provisioner: 'azure-disk' },
};

type Loose = Readonly<Record<string, unknown>>;

/** The volume of a claim: its handle, or a unique placeholder while the claim is not bound. */
function driverVolume(claim: Claim, { cache, names }: SchedulerView): { readonly driver: string; readonly handle: string } | undefined {
  const volume = (claim.spec.volumeName ?? '') === '' ? undefined : cache.get('PersistentVolume', undefined, claim.spec.volumeName ?? '');
  if (volume !== undefined)
    return volume.spec.csi === undefined ? undefined : { driver: volume.spec.csi.driver, handle: volume.spec.csi.volumeHandle };
  const className = classNameOf(claim, names);
  const found = className === '' ? undefined : cache.get('StorageClass', undefined, className);
  return found === undefined ? undefined : { driver: found.provisioner, handle: `unbound-${keyOf(claim)}` };
}

/** Adds a pod's volumes of storage drivers. The claims of a new pod must exist; returns an error text. */
export function addDriverVolumes(pod: Pod, isNew: boolean, view: SchedulerView, to: Attachments): string | undefined {
  for (const volume of pod.spec.volumes ?? []) {
    const named = claimNameOf(pod, volume);
    if (named === undefined) continue;
    const { namespace = '' } = pod.metadata;
    const claim = view.cache.get('PersistentVolumeClaim', namespace, named.name);
    if (claim === undefined) {
      if (isNew) return `looking up PVC ${namespace}/${named.name}: persistentvolumeclaim "${named.name}" not found`;
      continue;
    }
    if (named.ephemeral && !isForPod(pod, claim))
      return `PVC ${namespace}/${named.name} was not created for pod ${namespace}/${pod.metadata.name} (pod is not owner)`;
    const found = driverVolume(claim, view);
    if (found !== undefined) to.set(`${found.driver}/${found.handle}`, driverLimitKey(found.driver));
  }
  return undefined;
}

/** Adds a pod's volumes of an in-tree driver, named directly or through a claim. */
export function addBuiltInVolumes(pod: Pod, driver: BuiltIn, view: SchedulerView, to: Attachments): void {
  const add = (source: unknown): boolean => {
    if (source === undefined) return false;
    to.set(`${driver.source}/${String((source as Loose)[driver.id])}`, driver.key);
    return true;
  };
  for (const volume of pod.spec.volumes ?? []) {
    if (add((volume as Loose)[driver.source])) continue;
    const named = claimNameOf(pod, volume);
    const claim = named === undefined ? undefined : view.cache.get('PersistentVolumeClaim', pod.metadata.namespace, named.name);
    if (claim === undefined) continue;
    const bound = view.cache.get('PersistentVolume', undefined, claim.spec.volumeName ?? '');
    if (bound !== undefined) {
      add((bound.spec as Loose)[driver.source]);
      continue;
    }
    const found = view.cache.get('StorageClass', undefined, classNameOf(claim, view.names));
    if (found?.provisioner === view.names.key('', driver.provisioner)) to.set(`unbound/${keyOf(claim)}`, driver.key);
  }
}
