/** Volumes bound to claims, attachments, and nodes with their lists of volumes. */
import { namesFor } from '../../../../src/apiserver/machinery/index.ts';
import type { Node, PersistentVolume, PersistentVolumeClaim, Pod, VolumeAttachment } from '../../../../src/apiserver/kinds/index.ts';
import { attachmentName, uniqueVolumeName } from '../../../../src/controlplane/shared/volumes.ts';
import type { OnNode } from '../../../../src/controlplane/controllers/volume-attachment/steps.ts';
import { at, barePod, nodeOf } from '../../../support/objects.ts';

export const names = namesFor('k8s.io');
export const DRIVER = 'csi.fake.example';
let revision = 1000;
const meta = (name: string, more: object = {}) => ({
  name,
  uid: `uid-${name}`,
  resourceVersion: String(++revision),
  creationTimestamp: '2024-01-01T00:00:00Z',
  ...more,
});

export const volumeOf = (name: string, claim: string, spec: object = {}): PersistentVolume =>
  ({
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: meta(name),
    spec: {
      accessModes: ['ReadWriteOnce'],
      capacity: { storage: '1Gi' },
      csi: { driver: DRIVER, volumeHandle: `h-${name}` },
      claimRef: { namespace: 'default', name: claim, uid: `uid-${claim}` },
      ...spec,
    },
    status: { phase: 'Bound' },
  }) as unknown as PersistentVolume;

export const claimOf = (name: string, volumeName: string | undefined, phase = 'Bound', more: object = {}): PersistentVolumeClaim =>
  ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: meta(name, { namespace: 'default', ...more }),
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '1Gi' } },
      ...(volumeName === undefined ? {} : { volumeName }),
    },
    status: { phase },
  }) as unknown as PersistentVolumeClaim;

/** A pod on a node that mounts a claim. */
export const mounting = (
  name: string,
  claim: string,
  nodeName: string | undefined,
  more: { readonly meta?: object; readonly status?: object; readonly phase?: string } = {},
): Pod =>
  barePod(name, more.phase ?? 'Pending', {
    meta: { ...more.meta },
    spec: { nodeName, volumes: [{ name: 'v', persistentVolumeClaim: { claimName: claim } }] },
    status: { ...more.status },
  });

export const reported = (volume: string): string => uniqueVolumeName(names, DRIVER, `h-${volume}`);
export const nameOn = (volume: string, node: string): string => attachmentName(`h-${volume}`, DRIVER, node);

/** A node with these volumes in volumesAttached and volumesInUse. */
export const holding = (name: string, attached: readonly string[], used: readonly string[] = []): Node =>
  ({
    ...nodeOf(name),
    status: { volumesAttached: attached.map((volume) => ({ name: reported(volume), devicePath: '' })), volumesInUse: used.map(reported) },
  }) as unknown as Node;

export const attachmentOf = (volume: string, nodeName: string, status: object, more: object = {}): VolumeAttachment =>
  ({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'VolumeAttachment',
    metadata: meta(nameOn(volume, nodeName), more),
    spec: { attacher: DRIVER, nodeName, source: { persistentVolumeName: volume } },
    status: { attached: false, ...status },
  }) as unknown as VolumeAttachment;

/** A volume that is bound to the claim of the pods. */
export const BOUND = [volumeOf('pv', 'data'), claimOf('data', 'pv')];

/** What is known of a volume on a node: attached and not in use, if nothing else is given. */
export const onNode = (more: Partial<OnNode> = {}): OnNode => ({
  state: 'attached',
  begunAt: at(0),
  pollAt: at(0),
  pollMs: 525,
  notBefore: at(0),
  failed: 0,
  unwantedSince: undefined,
  inUse: false,
  ...more,
});
