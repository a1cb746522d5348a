/** The volume controller of the recorded cluster: it binds claims, provisions those with a node, and reports lost volumes. */
import type { PersistentVolume, PersistentVolumeClaim } from '../../../src/apiserver/kinds/index.ts';
import type { Cluster } from '../../../src/controlplane/cluster.ts';

/** The parts of a world that it needs. */
interface World {
  readonly cluster: Pick<Cluster, 'store'>;
  create(object: Readonly<Record<string, unknown>>): unknown;
  patch(kind: string, namespace: string | undefined, name: string, body: unknown, subresource?: string): unknown;
}

const SELECTED_NODE = 'volume.kubernetes.io/selected-node';

function bind(world: World, claim: PersistentVolumeClaim, volume: string): void {
  const { namespace, name, uid } = claim.metadata;
  world.patch('PersistentVolume', undefined, volume, {
    spec: { claimRef: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace, name, uid } },
  });
  world.patch('PersistentVolume', undefined, volume, { status: { phase: 'Bound' } }, 'status');
  world.patch('PersistentVolumeClaim', namespace, name, {
    metadata: { annotations: { 'pv.kubernetes.io/bind-completed': 'yes' } },
    spec: { volumeName: volume },
  });
  world.patch('PersistentVolumeClaim', namespace, name, { status: { phase: 'Bound' } }, 'status');
}

/** Returns the volume for a claim: a free one of its class, unless its class waits for a consumer, or the one that is reserved for it. */
function volumeFor({ cluster: { store } }: World, { metadata, spec }: PersistentVolumeClaim): PersistentVolume | undefined {
  const volumes = [...store.values('PersistentVolume')];
  const mine = ({ name, namespace }: { readonly name?: string; readonly namespace?: string } = {}): boolean =>
    name === metadata.name && namespace === metadata.namespace;
  const wanted = spec.volumeName ?? volumes.find((volume) => mine(volume.spec.claimRef))?.metadata.name;
  const waits = store.get('StorageClass', spec.storageClassName ?? '')?.volumeBindingMode === 'WaitForFirstConsumer';
  const offered = waits
    ? undefined
    : volumes.find(
        (volume) =>
          volume.spec.storageClassName === spec.storageClassName &&
          volume.spec.claimRef === undefined &&
          volume.status.phase === 'Available',
      );
  const found = offered ?? volumes.find((volume) => volume.metadata.name === wanted);
  return found !== undefined && (found.spec.claimRef === undefined || found.spec.claimRef.name === metadata.name) ? found : undefined;
}

function provision(world: World, claim: PersistentVolumeClaim): void {
  const made = `pvc-${claim.metadata.name}`;
  world.create({
    kind: 'PersistentVolume',
    metadata: { name: made },
    spec: {
      capacity: { storage: '100Gi' },
      accessModes: ['ReadWriteOnce', 'ReadWriteMany', 'ReadOnlyMany'],
      storageClassName: claim.spec.storageClassName,
      persistentVolumeReclaimPolicy: 'Delete',
      csi: { driver: 'csi.example.com', volumeHandle: made },
    },
  });
  bind(world, claim, made);
}

/** Handles every volume and claim once. */
export function tendClaims(world: World): void {
  const { store } = world.cluster;
  // A copy, because the writes below change the store during iteration.
  const volumes = [...store.values('PersistentVolume')];
  for (const { metadata, spec, status } of volumes)
    if ((status.phase ?? 'Pending') === 'Pending' && spec.claimRef === undefined)
      world.patch('PersistentVolume', undefined, metadata.name, { status: { phase: 'Available' } }, 'status');
  const claims = [...store.values('PersistentVolumeClaim')];
  for (const claim of claims) {
    const { namespace, name, annotations = {} } = claim.metadata;
    if (claim.status.phase === 'Lost') continue;
    if (claim.status.phase === 'Bound') {
      if (store.get('PersistentVolume', claim.spec.volumeName ?? '') === undefined)
        world.patch('PersistentVolumeClaim', namespace, name, { status: { phase: 'Lost', accessModes: null, capacity: null } }, 'status');
      continue;
    }
    const found = volumeFor(world, claim);
    if (found !== undefined) bind(world, claim, found.metadata.name);
    else if (annotations[SELECTED_NODE] !== undefined) provision(world, claim);
  }
}
