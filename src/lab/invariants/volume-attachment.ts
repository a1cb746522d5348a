/** Invariants of volumes and the nodes to which they are attached. */
import { type ApiObject, storeKey } from '../../apiserver/machinery/index.ts';
import type { CSIDriver, PersistentVolume, PersistentVolumeClaim, Pod, VolumeAttachment } from '../../apiserver/kinds/index.ts';
import { attachmentName, driverProcess, mustAttach } from '../../controlplane/shared/index.ts';
import { type Facts, type Invariant, type Violation, checking } from './invariant.ts';

const volumeNameOf = (attachment: VolumeAttachment): string | undefined => attachment.spec.source.persistentVolumeName;
const asAttachment = (object: ApiObject | undefined): VolumeAttachment | undefined =>
  object?.kind === 'VolumeAttachment' ? (object as VolumeAttachment) : undefined;

/** Whether only one node may use a volume. */
const isExclusive = (volume: PersistentVolume | undefined): boolean => {
  const modes = volume?.spec.accessModes ?? [];
  return modes.length > 0 && !modes.includes('ReadWriteMany') && !modes.includes('ReadOnlyMany');
};

const onOneNode: Invariant = {
  name: 'volume-attachment/one-node-at-a-time',
  temporal: 'always',
  description: 'A volume that may be used from one node only is attached to one node at most.',
  kinds: ['VolumeAttachment'],
  check: checking((exercised) => {
    /** The nodes to which each volume is attached. */
    const where = new Map<string, Set<string>>();
    return {
      describe: () => where,
      onChange({ type, object, previous }, facts): Violation | undefined {
        const attachment = asAttachment(object);
        const volume = attachment === undefined ? undefined : volumeNameOf(attachment);
        if (attachment === undefined || volume === undefined) return undefined;
        const { nodeName } = attachment.spec;
        const attached = type !== 'DELETED' && attachment.status.attached;
        const before = asAttachment(previous)?.status.attached === true;
        const nodes = where.get(volume) ?? new Set();
        if (!attached) {
          nodes.delete(nodeName);
          if (nodes.size === 0) where.delete(volume);
          return undefined;
        }
        where.set(volume, nodes.add(nodeName));
        if (before || !isExclusive(facts.get('PersistentVolume', volume) as PersistentVolume | undefined)) return undefined;
        exercised();
        const other = [...nodes].find((node) => node !== nodeName);
        return other === undefined
          ? undefined
          : { message: `volume ${volume} is attached to ${nodeName} while it is attached to ${other}`, object: attachment };
      },
    };
  }),
};

/** Returns the attachments that a pod's containers need on its node, by name, each with its volume. */
function neededBy(pod: Pod, facts: Facts): readonly { readonly volume: string; readonly attachment: string }[] {
  return (pod.spec.volumes ?? []).flatMap(({ name, persistentVolumeClaim, ephemeral }) => {
    const claimName = persistentVolumeClaim?.claimName ?? (ephemeral === undefined ? undefined : `${pod.metadata.name}-${name}`);
    const claim =
      claimName === undefined
        ? undefined
        : (facts.get('PersistentVolumeClaim', storeKey(pod.metadata.namespace, claimName)) as PersistentVolumeClaim | undefined);
    const volume =
      claim?.spec.volumeName === undefined
        ? undefined
        : (facts.get('PersistentVolume', claim.spec.volumeName) as PersistentVolume | undefined);
    const csi = volume?.spec.csi;
    if (volume === undefined || csi === undefined || !mustAttach(facts.get('CSIDriver', csi.driver) as CSIDriver | undefined, facts.gates))
      return [];
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
      onChange({ type, object, previous }, facts, controller): Violation | undefined {
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
          if (asAttachment(facts.get('VolumeAttachment', attachment))?.status.attached !== true)
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

/** Returns a description of what an attachment attaches. */
function calledIn({ metadata, spec: { source } }: VolumeAttachment): string {
  if (source.persistentVolumeName !== undefined) return `volume ${source.persistentVolumeName}`;
  const handle = source.inlineVolumeSpec?.csi?.volumeHandle;
  return handle === undefined ? `the volume of ${metadata.name}` : `inline volume ${handle}`;
}

/** Whether a pod on the node mounts the claim to which the volume is bound. */
function isWanted(attachment: VolumeAttachment, facts: Facts): boolean {
  const volume = facts.get('PersistentVolume', volumeNameOf(attachment) ?? '') as PersistentVolume | undefined;
  const claim = volume?.spec.claimRef;
  if (claim === undefined) return false;
  return facts.by('Pod', 'nodeName', attachment.spec.nodeName).some((object) => {
    const pod = object as Pod;
    return (
      pod.metadata.namespace === claim.namespace &&
      pod.status.phase !== 'Succeeded' &&
      pod.status.phase !== 'Failed' &&
      (pod.spec.volumes ?? []).some(
        ({ name, persistentVolumeClaim, ephemeral }) =>
          (persistentVolumeClaim?.claimName ?? (ephemeral === undefined ? undefined : `${pod.metadata.name}-${name}`)) === claim.name,
      )
    );
  });
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
      onEnd(facts, settled): Violation | undefined {
        if (!settled) return undefined;
        for (const object of facts.list('VolumeAttachment')) {
          const attachment = object as VolumeAttachment;
          // A finalizer of a user may keep it.
          if (attachment.metadata.deletionTimestamp !== undefined || others.has(attachment.metadata.name)) continue;
          if (!isWanted(attachment, facts))
            return {
              message: `${calledIn(attachment)} is still attached to ${attachment.spec.nodeName}, where no pod needs it`,
              object: attachment,
            };
          exercised();
        }
        return undefined;
      },
    };
  }),
};

const byItsDriver: Invariant = {
  name: 'volume-attachment/attached-by-its-driver',
  temporal: 'always',
  description: 'Of the processes of a cluster only the driver of a volume reports that it is attached.',
  kinds: ['VolumeAttachment'],
  check: checking((exercised) => ({
    describe: () => undefined,
    onChange({ type, object, previous }, _facts, controller, actor): Violation | undefined {
      const attachment = asAttachment(object);
      // Edits by users are not checked.
      if (attachment === undefined || controller === undefined || type === 'DELETED' || !attachment.status.attached) return undefined;
      if (asAttachment(previous)?.status.attached === true) return undefined;
      exercised();
      const driver = driverProcess(attachment.spec.attacher);
      if (actor === driver) return undefined;
      return {
        message: `${controller} in ${actor ?? 'the cluster'} reported that ${calledIn(attachment)} is attached, which only ${driver} may report`,
        object: attachment,
      };
    },
  })),
};

export const volumeAttachmentInvariants: readonly Invariant[] = [onOneNode, attachedFirst, letGo, byItsDriver];
