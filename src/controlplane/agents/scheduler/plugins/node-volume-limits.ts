/**
 * Limits the number of attached volumes per driver and node. Models: v1.24 plugins/nodevolumelimits. Omits: in-tree drivers migrated to
 * CSI, which count against the built-in limit.
 */
import { unitsOf } from '../../../../schema/values/index.ts';
import { on } from '../cluster-events.ts';
import type { NodeInfo } from '../node-info.ts';
import { unschedulable, type Plugin, type Refusal } from '../plugin.ts';
import type { SchedulerView } from '../view.ts';
import { addBuiltInVolumes, addDriverVolumes, BUILT_IN, driverLimitKey, type Attachments, type BuiltIn } from './attached-volumes.ts';

const TOO_MANY = unschedulable('node(s) exceed max volume count');

/** Whether the new volumes, without those attached already, are within the limits. */
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
  filterFor({ pod }, view) {
    if ((pod.spec.volumes ?? []).length === 0) return undefined;
    const wanted: Attachments = new Map();
    const problem = addDriverVolumes(pod, true, view, wanted);
    if (problem === undefined && wanted.size === 0) return undefined;
    const failure: Refusal | undefined = problem === undefined ? undefined : { code: 'error', reasons: [problem] };
    return {
      filter: {
        check(node) {
          if (failure !== undefined) return failure;
          const limits = limitsOf(node, view);
          if (limits.size === 0) return undefined;
          const attached: Attachments = new Map();
          for (const { pod: other } of node.pods.values()) {
            const wrong = addDriverVolumes(other, false, view, attached);
            if (wrong !== undefined) return { code: 'error', reasons: [wrong] };
          }
          return fits(wanted, attached, (key) => limits.get(key)) ? undefined : TOO_MANY;
        },
      },
    };
  },
};

const builtInLimits = (name: string, driver: BuiltIn): Plugin => ({
  name,
  events: { Node: on('add'), Pod: on('delete') },
  filterFor({ pod }, view) {
    if ((pod.spec.volumes ?? []).length === 0) return undefined;
    const wanted: Attachments = new Map();
    addBuiltInVolumes(pod, driver, view, wanted);
    if (wanted.size === 0) return undefined;
    return {
      filter: {
        check(node) {
          const attached: Attachments = new Map();
          for (const { pod: other } of node.pods.values()) addBuiltInVolumes(other, driver, view, attached);
          const stated = node.node?.status.allocatable?.[driver.key];
          return fits(wanted, attached, () => (stated === undefined ? driver.limit : unitsOf(stated))) ? undefined : TOO_MANY;
        },
      },
    };
  },
});

export const ebsLimits = builtInLimits('EBSLimits', BUILT_IN.ebs);
export const gcePdLimits = builtInLimits('GCEPDLimits', BUILT_IN.gce);
export const azureDiskLimits = builtInLimits('AzureDiskLimits', BUILT_IN.azure);
