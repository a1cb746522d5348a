/** Invariants of volumes and the nodes to which they are attached. */
import { storeKey } from '../../apiserver/machinery/index.ts';
import type { PersistentVolume, Pod, VolumeAttachment } from '../../apiserver/kinds/index.ts';
import { attachmentName, driverProcess, mustAttach } from '../../controlplane/shared/index.ts';
import { addTo, removeFrom } from '../../schema/values/index.ts';
import { as, isOver } from './forms.ts';
import { type Facts, type Invariant, checking, nothing, ofChanges } from './invariant.ts';

const volumeNameOf = (attachment: VolumeAttachment): string | undefined => attachment.spec.source.persistentVolumeName;
const asAttachment = as('VolumeAttachment');

const isExclusive = (volume: PersistentVolume | undefined): boolean => {
  const modes = volume?.spec.accessModes ?? [];
  return modes.length > 0 && !modes.includes('ReadWriteMany') && !modes.includes('ReadOnlyMany');
};

const onOneNode = ofChanges(
  'volume-attachment/one-node-at-a-time',
  'A volume that may be used from one node only is attached to one node at most.',
  { kinds: ['VolumeAttachment'] },
  () => new Map<string, Set<string>>(),
  ({ type, object: attachment, previous }, facts, where) => {
    const volume = volumeNameOf(attachment);
    if (volume === undefined) return undefined;
    const { nodeName } = attachment.spec;
    const attached = type !== 'DELETED' && attachment.status.attached;
    (attached ? addTo : removeFrom)(where, volume, nodeName);
    if (!attached || previous?.status.attached === true || !isExclusive(facts.get('PersistentVolume', volume))) return undefined;
    const other = [...(where.get(volume) ?? [])].find((node) => node !== nodeName);
    return other === undefined || `volume ${volume} is attached to ${nodeName} while it is attached to ${other}`;
  },
);

/** Returns the names of the claims that a pod mounts; that of an ephemeral volume is derived from the pod's name. */
const claimsOf = ({ metadata, spec: { volumes = [] } }: Pod): readonly string[] =>
  volumes.flatMap(({ name, persistentVolumeClaim, ephemeral }) =>
    persistentVolumeClaim !== undefined ? [persistentVolumeClaim.claimName] : ephemeral === undefined ? [] : [`${metadata.name}-${name}`],
  );

/** Returns the attachments that a pod's containers need on its node, by name, each with its volume. */
function neededBy(pod: Pod, facts: Facts): readonly { readonly volume: string; readonly attachment: string }[] {
  return claimsOf(pod).flatMap((name) => {
    const claim = facts.get('PersistentVolumeClaim', storeKey(pod.metadata.namespace, name));
    const volume = facts.get('PersistentVolume', claim?.spec.volumeName ?? '');
    const csi = volume?.spec.csi;
    if (volume === undefined || csi === undefined || !mustAttach(facts.get('CSIDriver', csi.driver), facts.gates)) return [];
    return [{ volume: volume.metadata.name, attachment: attachmentName(csi.volumeHandle, csi.driver, pod.spec.nodeName ?? '') }];
  });
}

const attachedFirst: Invariant = {
  name: 'volume-attachment/attached-before-running',
  temporal: 'always',
  description: 'A pod starts only after its volumes have been attached to its node.',
  kinds: ['Pod', 'VolumeAttachment'],
  check: checking((exercised) => {
    /**
     * Attachments that a user deleted, which the controller may not notice for up to a minute, and those whose detach has failed: the node
     * lists them again, though the next attempt may succeed unnoticed.
     */
    const doubtful = new Set<string>();
    return {
      describe: () => doubtful,
      onChange({ type, object, previous }, facts, controller) {
        if (object.kind === 'VolumeAttachment') {
          const byHand = controller === undefined && (type === 'DELETED' || object.metadata.deletionTimestamp !== undefined);
          if (byHand || asAttachment(object)?.status.detachError !== undefined) doubtful.add(object.metadata.name);
          if (controller !== undefined && type === 'ADDED') doubtful.delete(object.metadata.name);
          return undefined;
        }
        const pod = object as Pod;
        // An agent that was disconnected may report an old state of a pod that is being deleted.
        if (
          type !== 'MODIFIED' ||
          pod.metadata.deletionTimestamp !== undefined ||
          pod.status.phase !== 'Running' ||
          (previous as Pod | undefined)?.status.phase === 'Running'
        )
          return undefined;
        for (const { volume, attachment } of neededBy(pod, facts)) {
          if (doubtful.has(attachment)) continue;
          if (facts.get('VolumeAttachment', attachment)?.status.attached !== true)
            return {
              message: `pod ${pod.metadata.name} runs on ${pod.spec.nodeName ?? ''} but its volume ${volume} is not attached there`,
              object: pod,
            };
          exercised();
        }
        return undefined;
      },
    };
  }),
};

function calledIn({ metadata, spec: { source } }: VolumeAttachment): string {
  if (source.persistentVolumeName !== undefined) return `volume ${source.persistentVolumeName}`;
  const handle = source.inlineVolumeSpec?.csi?.volumeHandle;
  return handle === undefined ? `the volume of ${metadata.name}` : `inline volume ${handle}`;
}

/** Whether a pod on the node mounts the claim to which the volume is bound. */
function isWanted(attachment: VolumeAttachment, facts: Facts): boolean {
  const claim = facts.get('PersistentVolume', volumeNameOf(attachment) ?? '')?.spec.claimRef;
  if (claim === undefined) return false;
  return facts
    .by('Pod', 'nodeName', attachment.spec.nodeName)
    .some((pod) => pod.metadata.namespace === claim.namespace && !isOver(pod) && claimsOf(pod).some((name) => name === claim.name));
}

const letGo: Invariant = {
  name: 'volume-attachment/unwanted-is-detached',
  temporal: 'stable',
  description: 'When everything has settled, every attachment that a controller has created is needed by a pod on its node.',
  kinds: ['VolumeAttachment'],
  check: checking((exercised) => {
    /** Attachments created by a user or another client outside the cluster, which must delete them too. */
    const others = new Set<string>();
    return {
      describe: () => others,
      onChange({ type, object }, _facts, controller) {
        const { name } = object.metadata;
        if (type === 'ADDED' && controller === undefined) others.add(name);
        return type !== 'DELETED' || others.delete(name) ? undefined : exercised();
      },
      onEnd(facts, settled) {
        for (const object of settled ? facts.list('VolumeAttachment') : []) {
          // A finalizer of a user may keep it.
          if (object.metadata.deletionTimestamp !== undefined || others.has(object.metadata.name)) continue;
          if (!isWanted(object, facts))
            return { message: `${calledIn(object)} is still attached to ${object.spec.nodeName}, where no pod needs it`, object };
          exercised();
        }
        return undefined;
      },
    };
  }),
};

const byItsDriver = ofChanges(
  'volume-attachment/attached-by-its-driver',
  'Of the processes of a cluster only the driver of a volume reports that it is attached.',
  { kinds: ['VolumeAttachment'] },
  nothing,
  ({ type, object: attachment, previous }, _facts, _state, controller, actor) => {
    // Edits by users are not checked.
    if (controller === undefined || type === 'DELETED' || !attachment.status.attached) return undefined;
    if (previous?.status.attached === true) return undefined;
    const driver = driverProcess(attachment.spec.attacher);
    if (actor === driver) return true;
    return `${controller} in ${actor ?? 'the cluster'} reported that ${calledIn(attachment)} is attached, which only ${driver} may report`;
  },
);

export const volumeAttachmentInvariants: readonly Invariant[] = [onOneNode, attachedFirst, letGo, byItsDriver];
