/** The machines, storage drivers and usage of a dump: what is not in the API of a cluster, and follows from what is. */
import type { CSIDriver, HorizontalPodAutoscaler, Node } from '../../apiserver/kinds/index.ts';
import type { ApiObject } from '../../apiserver/machinery/index.ts';
import type { NodeSpec, StorageDriver } from '../../controlplane/agents/index.ts';
import { conditionOf } from '../../controlplane/shared/index.ts';
import { compareText, milliUnitsOf, present, unitsOf } from '../../schema/values/index.ts';
import type { UsageSpec } from '../../controlplane/usage/index.ts';
import { objectsOf } from './state.ts';

/** The machines of nodes. A node whose state is unknown is silent. */
export const nodesOf = (objects: readonly ApiObject[]): readonly NodeSpec[] =>
  objectsOf<Node>({ objects }, 'Node').map(({ metadata: { name, labels }, spec: { podCIDR }, status }) => ({
    name,
    restored: conditionOf(status.conditions, 'Ready')?.status === 'Unknown' ? 'down' : 'up',
    capacity: { ...status.capacity },
    ...present({ labels, podCIDR }),
  }));

/** How long an imported driver takes, milliseconds. */
const ATTACH_MS = 1_000;
const PROVISION_MS = 2_000;

/** Provisioners that provision nothing. */
const NONE = /no-provisioner$/;

/** A driver for each one that classes, volumes, nodes and attachments speak of. */
export function storageDriversOf(objects: readonly ApiObject[]): readonly StorageDriver[] {
  const names = new Set<string>();
  for (const object of objects as readonly (ApiObject & Speaking)[]) {
    const { kind, provisioner, spec, metadata } = object;
    if (kind === 'StorageClass' && provisioner !== undefined && !NONE.test(provisioner)) names.add(provisioner);
    if (kind === 'CSIDriver') names.add(metadata.name);
    if (kind === 'VolumeAttachment' && spec?.attacher !== undefined) names.add(spec.attacher);
    if (kind === 'PersistentVolume' && spec?.csi !== undefined) names.add(spec.csi.driver);
    if (kind === 'CSINode') for (const { name } of spec?.drivers ?? []) names.add(name);
  }
  const described = new Map(objectsOf<CSIDriver>({ objects }, 'CSIDriver').map((driver) => [driver.metadata.name, driver]));
  return [...names].sort(compareText).map((name) => ({
    name,
    attachDelayMs: ATTACH_MS,
    detachDelayMs: ATTACH_MS,
    provisionDelayMs: PROVISION_MS,
    expandDelayMs: PROVISION_MS,
    storageClasses: [],
    ...(described.get(name)?.spec.attachRequired === false ? { attachRequired: false } : {}),
  }));
}

interface Speaking {
  readonly provisioner?: string;
  readonly spec?: {
    readonly attacher?: string;
    readonly csi?: { readonly driver: string };
    readonly drivers?: readonly { readonly name: string }[] | null;
  };
}

/** Returns what an autoscaler measured last of a resource, on average of the pods. */
export const measuredBy = ({ status }: HorizontalPodAutoscaler, resource: string): string | undefined =>
  status?.currentMetrics?.find((each) => each.resource?.name === resource)?.resource?.current.averageValue;

type Target = ApiObject & { readonly spec?: { readonly selector?: UsageSpec['selector'] } };

/**
 * The usage of the pods of each autoscaler's target, as it was measured: the load stays, and more pods share it. With it autoscalers keep to
 * their decisions; without, none has metrics.
 */
export function usageOf(objects: readonly ApiObject[]): readonly UsageSpec[] {
  const byName = new Map(objects.map((each) => [`${each.kind} ${each.metadata.namespace}/${each.metadata.name}`, each]));
  return objectsOf<HorizontalPodAutoscaler>({ objects }, 'HorizontalPodAutoscaler').flatMap((scaler) => {
    const { namespace } = scaler.metadata;
    const { kind, name } = scaler.spec.scaleTargetRef;
    const target: Target | undefined = byName.get(`${kind} ${namespace}/${name}`);
    const selector = target?.spec?.selector;
    const [cpu, memory] = [measuredBy(scaler, 'cpu'), measuredBy(scaler, 'memory')];
    if (selector === undefined || namespace === undefined || (cpu === undefined && memory === undefined)) return [];
    const constant = (is: number) => ({ shape: 'constant', is }) as const;
    const pods = Math.max(scaler.status?.currentReplicas ?? 1, 1);
    const used = present({
      cpu: cpu === undefined ? undefined : constant(milliUnitsOf(cpu) * pods),
      memory: memory === undefined ? undefined : constant(unitsOf(memory)),
    });
    return [{ selector, namespace, shared: true, ...used }];
  });
}
