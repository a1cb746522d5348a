/**
 * Limits the number of attached volumes per driver and node. Models: v1.24 plugins/nodevolumelimits. Omits: in-tree drivers migrated to
 * CSI, which count against the built-in limit, (csi.go, non_csi.go).
 */
import { unitsOf } from '../../../../schema/values/index.ts';
import { on } from '../cluster-events.ts';
import type { NodeInfo } from '../node-info.ts';
import { unschedulable, type Plugin, type Refusal, type SchedulerView } from '../plugin.ts';
import { keyOf } from '../../../../apiserver/machinery/index.ts';
import type { Pod } from '../../../../apiserver/kinds/index.ts';
import { claimNameOf, isForPod, storageClassOf } from '../../../shared/index.ts';
import type { Claim } from '../volumes/objects.ts';

/** Volumes by unique name, each with the key of its limit. */
type Attachments = Map<string, string>;

const driverLimitKey = (driver: string): string => `attachable-volumes-csi-${driver}`;

/** In-tree drivers, with the field that names their volumes. */
interface BuiltIn {
  readonly key: string;
  readonly limit: number;
  readonly source: string;
  readonly id: string;
  readonly provisioner: string;
}

const BUILT_IN: Readonly<Record<'ebs' | 'gce' | 'azure', BuiltIn>> = {
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
  const className = storageClassOf(claim, names);
  const found = className === '' ? undefined : cache.get('StorageClass', undefined, className);
  return found === undefined ? undefined : { driver: found.provisioner, handle: `unbound-${keyOf(claim)}` };
}

/** Adds a pod's volumes of storage drivers, as far as its claims are known; returns an error text. */
function addDriverVolumes(pod: Pod, view: SchedulerView, to: Attachments): string | undefined {
  for (const volume of pod.spec.volumes ?? []) {
    const name = claimNameOf(pod, volume);
    if (name === undefined) continue;
    const { namespace = '' } = pod.metadata;
    const claim = view.cache.get('PersistentVolumeClaim', namespace, name);
    if (claim === undefined) continue;
    if (volume.ephemeral !== undefined && !isForPod(pod, claim))
      return `PVC ${namespace}/${name} was not created for pod ${namespace}/${pod.metadata.name} (pod is not owner)`;
    const found = driverVolume(claim, view);
    if (found !== undefined) to.set(`${found.driver}/${found.handle}`, driverLimitKey(found.driver));
  }
  return undefined;
}

function addBuiltInVolumes(pod: Pod, driver: BuiltIn, view: SchedulerView, to: Attachments): void {
  const add = (source: unknown): boolean => {
    if (source === undefined) return false;
    to.set(`${driver.source}/${String((source as Loose)[driver.id])}`, driver.key);
    return true;
  };
  for (const volume of pod.spec.volumes ?? []) {
    if (add((volume as Loose)[driver.source])) continue;
    const name = claimNameOf(pod, volume);
    const claim = name === undefined ? undefined : view.cache.get('PersistentVolumeClaim', pod.metadata.namespace, name);
    if (claim === undefined) continue;
    const bound = view.cache.get('PersistentVolume', undefined, claim.spec.volumeName ?? '');
    if (bound !== undefined) {
      add((bound.spec as Loose)[driver.source]);
      continue;
    }
    const found = view.cache.get('StorageClass', undefined, storageClassOf(claim, view.names));
    if (found?.provisioner === view.names.key('', driver.provisioner)) to.set(`unbound/${keyOf(claim)}`, driver.key);
  }
}

/** Each plugin has its own refusal object, because the scheduler identifies the plugin by that object. */
const tooMany = (): Refusal => unschedulable('node(s) exceed max volume count');
const TOO_MANY = tooMany();

function fits(wanted: Attachments, attached: Attachments, limitOf: (key: string) => number | undefined): boolean {
  const counts = new Map<string, number>();
  for (const key of attached.values()) counts.set(key, (counts.get(key) ?? 0) + 1);
  const touched = new Set<string>();
  for (const [volume, key] of wanted) {
    if (attached.has(volume)) continue;
    counts.set(key, (counts.get(key) ?? 0) + 1);
    touched.add(key);
  }
  for (const key of touched) if ((counts.get(key) ?? 0) > (limitOf(key) ?? Infinity)) return false;
  return true;
}

function limitsOf({ name, node }: NodeInfo, { cache }: SchedulerView): ReadonlyMap<string, number> {
  const limits = new Map<string, number>();
  const allocatable = node?.status.allocatable ?? {};
  for (const key in allocatable) if (key.startsWith('attachable-volumes-')) limits.set(key, unitsOf(allocatable[key] ?? '0'));
  for (const driver of cache.get('CSINode', undefined, name)?.spec?.drivers ?? [])
    if (driver.allocatable?.count !== undefined) limits.set(driverLimitKey(driver.name), driver.allocatable.count);
  return limits;
}

export const nodeVolumeLimits: Plugin = {
  name: 'NodeVolumeLimits',
  events: { CSINode: on('add'), Pod: on('delete') },
  filtersBy: 'volumes',
  filterFor({ pod }, view) {
    const wanted: Attachments = new Map();
    // VolumeBinding refuses a pod whose claims are unknown, or not its own.
    addDriverVolumes(pod, view, wanted);
    if (wanted.size === 0) return undefined;
    return {
      check(node) {
        const limits = limitsOf(node, view);
        if (limits.size === 0) return undefined;
        const attached: Attachments = new Map();
        for (const { pod: other } of node.pods.values()) {
          const wrong = addDriverVolumes(other, view, attached);
          if (wrong !== undefined) return { code: 'error', reasons: [wrong] };
        }
        return fits(wanted, attached, (key) => limits.get(key)) ? undefined : TOO_MANY;
      },
    };
  },
};

function builtInLimits(name: string, driver: BuiltIn): Plugin {
  const full = tooMany();
  return {
    name,
    events: { Node: on('add'), Pod: on('delete') },
    filtersBy: 'volumes',
    filterFor({ pod }, view) {
      const wanted: Attachments = new Map();
      addBuiltInVolumes(pod, driver, view, wanted);
      if (wanted.size === 0) return undefined;
      return {
        check(node) {
          const attached: Attachments = new Map();
          for (const { pod: other } of node.pods.values()) addBuiltInVolumes(other, driver, view, attached);
          const stated = node.node?.status.allocatable?.[driver.key];
          return fits(wanted, attached, () => (stated === undefined ? driver.limit : unitsOf(stated))) ? undefined : full;
        },
      };
    },
  };
}

export const ebsLimits = builtInLimits('EBSLimits', BUILT_IN.ebs);
export const gcePdLimits = builtInLimits('GCEPDLimits', BUILT_IN.gce);
export const azureDiskLimits = builtInLimits('AzureDiskLimits', BUILT_IN.azure);
