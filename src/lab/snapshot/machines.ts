/** The machines and storage drivers of a dump: what is not in the API of a cluster, and follows from what is. */
import type { CSIDriver, Node } from '../../apiserver/kinds/index.ts';
import type { ApiObject } from '../../apiserver/machinery/index.ts';
import type { NodeSpec, StorageDriver } from '../../controlplane/agents/index.ts';
import { compareText } from '../../schema/values/index.ts';

const of = <T extends ApiObject>(objects: readonly ApiObject[], kind: string): readonly T[] =>
  objects.filter((each) => each.kind === kind) as T[];

/** The machines of nodes. A node whose state is unknown is silent. */
export const nodesOf = (objects: readonly ApiObject[]): readonly NodeSpec[] =>
  of<Node>(objects, 'Node').map(({ metadata: { name, labels }, spec: { podCIDR }, status }) => ({
    name,
    restored: status.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'Unknown') === true ? 'down' : 'up',
    capacity: { ...status.capacity },
    ...(labels === undefined ? {} : { labels }),
    ...(podCIDR === undefined ? {} : { podCIDR }),
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
  const described = new Map(of<CSIDriver>(objects, 'CSIDriver').map((driver) => [driver.metadata.name, driver]));
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
