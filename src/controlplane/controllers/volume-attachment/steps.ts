/**
 * One step for one volume on one node: what to write and what is known afterwards. Models: v1.24 attachdetach/reconciler and pkg/volume/csi
 * attacher.
 */
import type { Names } from '../../../apiserver/vocabulary/index.ts';
import type { Node, Pod, VolumeAttachment } from '../../../apiserver/kinds/index.ts';
import { create, record as event, remove, type Write } from '../../runtime/index.ts';
import { attachmentName, uniqueVolumeName } from '../../shared/index.ts';
import {
  begun,
  checkAtOrAfter,
  FORCE_MS,
  lookedAt,
  OPERATION_MS,
  TICK_MS,
  tickAtOrAfter,
  waitAfter,
  type OnNode,
  type VolumeRecord,
} from './record.ts';

export interface Situation {
  readonly volume: string;
  readonly record: VolumeRecord;
  readonly node: string;
  readonly pods: readonly Pod[];
  readonly attachment: VolumeAttachment | undefined;
  readonly nodeObject: Node | undefined;
  /** It is known that the node will not let go by itself. */
  readonly isOut: boolean;
  readonly names: Names;
  readonly now: number;
  readonly startedAt: number;
}

export interface Step {
  readonly why: string;
  readonly writes: readonly Write[];
  /** What is known then; null: nothing any more. */ readonly next: OnNode | null;
  readonly wakeAt?: number;
  /** Report a multi-attach refusal once. */ readonly refused?: true;
}

const nameOn = ({ record, names }: Situation): string => uniqueVolumeName(names, record.driver, record.handle);

/**
 * Lists the volume as attached on the node, or takes it off the list. Nothing when it stands so already, unless the server has to confirm
 * that the node is as last seen: it refuses the write where the node has changed.
 */
function report(situation: Situation, attached: boolean, confirms = false): readonly Write[] {
  const { nodeObject } = situation;
  if (nodeObject === undefined) return [];
  const name = nameOn(situation);
  const listed = nodeObject.status.volumesAttached ?? [];
  if (!confirms && listed.some((one) => one.name === name) === attached) return [];
  const volumesAttached = attached ? [...listed, { name, devicePath: '' }] : listed.filter((one) => one.name !== name);
  return [
    {
      op: 'patch',
      kind: 'Node',
      name: nodeObject.metadata.name,
      subresource: 'status',
      patchType: 'merge',
      patch: { metadata: { resourceVersion: nodeObject.metadata.resourceVersion }, status: { volumesAttached } },
      awaited: true,
    },
  ];
}

/** Nothing is known of the volume on this node and a pod wants it there. */
export function beginAttach(situation: Situation, others: readonly Pod[], elsewhere: 'no' | 'attached' | 'moving'): Step {
  const { record, volume, node, now, pods, nodeObject } = situation;
  if (nodeObject === undefined) return { why: 'there is no such node', writes: [], next: null, refused: true };
  // One operation on a volume at a time: nothing is said while it is on its way off another node.
  if (record.exclusive && elsewhere === 'moving')
    return { why: 'another operation on the volume is pending', writes: [], next: null, refused: true };
  if (record.exclusive && elsewhere === 'attached') {
    const names0 = others.filter(({ metadata }) => metadata.namespace === pods[0]?.metadata.namespace).map(({ metadata }) => metadata.name);
    const strangers = others.length - names0.length;
    const users =
      others.length === 0
        ? "Volume is already exclusively attached to one node and can't be attached to another"
        : `Volume is already used by ${names0.length > 0 ? `pod(s) ${names0.join(', ')}` : ''}${strangers > 0 ? `${names0.length > 0 ? ' and ' : ''}${strangers} pod(s) in different namespaces` : ''}`;
    const reported = record.refused.includes(node)
      ? []
      : pods.map((pod) => event(pod, 'Warning', 'FailedAttachVolume', `Multi-Attach error for volume "${volume}" ${users}`));
    return { why: `it is still attached to another node and allows one node only`, writes: reported, next: null, refused: true };
  }
  return {
    why: `a pod on ${node} needs it`,
    writes: made(situation),
    next: { state: 'attaching', ...begun(now), notBefore: now, failed: 0, unwantedSince: undefined, inUse: false },
  };
}

/** The attachment that asks the driver, unless there is one. */
const made = ({ record, volume, node, names, attachment }: Situation): readonly Write[] =>
  attachment !== undefined
    ? []
    : [
        create(
          {
            apiVersion: `${names.group('storage')}/v1`,
            kind: 'VolumeAttachment',
            metadata: { name: attachmentName(record.handle, record.driver, node) },
            spec: { attacher: record.driver, nodeName: node, source: { persistentVolumeName: volume } },
          },
          { tolerate: ['AlreadyExists'] },
        ),
      ];

/** Why an attach under way has failed; undefined while it has not. */
function attachFailure({ attachment, record, now }: Situation, { begunAt }: OnNode): string | undefined {
  if (attachment?.metadata.deletionTimestamp !== undefined) return 'volume attachment is being deleted';
  if (attachment?.status.attachError !== undefined) return attachment.status.attachError.message ?? '';
  return now - begunAt < OPERATION_MS
    ? undefined
    : `timed out waiting for external-attacher of ${record.driver} CSI driver to attach volume ${record.handle}`;
}

/** An attach is under way. */
export function awaitAttach(situation: Situation, known: OnNode): Step {
  const { attachment, volume, now, pods } = situation;
  if (now < known.pollAt) return { why: 'the driver is attaching it', writes: [], next: known, wakeAt: known.pollAt };
  if (attachment?.status.attached === true && attachment.metadata.deletionTimestamp === undefined) {
    const reported = pods.map((pod) =>
      event(pod, 'Normal', 'SuccessfulAttachVolume', `AttachVolume.Attach succeeded for volume "${volume}" `),
    );
    // Who wanted it may have gone meanwhile, and the node with it: then nothing else leads to another look.
    return {
      why: 'it is attached',
      writes: [...reported, ...report(situation, true)],
      next: { ...known, state: 'attached', failed: 0 },
      wakeAt: now + TICK_MS,
    };
  }
  const failure = attachFailure(situation, known);
  if (failure !== undefined) {
    const failed = known.failed + 1;
    const reported = pods.map((pod) =>
      event(pod, 'Warning', 'FailedAttachVolume', `AttachVolume.Attach failed for volume "${volume}" : ${failure}`),
    );
    const next: OnNode = { ...known, state: 'uncertain', failed, notBefore: now + waitAfter(failed) };
    return { why: 'the driver could not attach it', writes: reported, next, wakeAt: next.notBefore };
  }
  const looked = lookedAt(known, now);
  return { why: 'the driver is attaching it', writes: [], next: { ...known, ...looked }, wakeAt: looked.pollAt };
}

/** It may be attached or not: who wants it tries again, and when nobody wants it any more it is detached like one that is. */
export function resolve(situation: Situation, known: OnNode): Step {
  const { now, pods } = situation;
  if (pods.length === 0) return letGo(situation, known);
  if (now < known.notBefore)
    return { why: 'the next attempt to attach it waits for its back-off', writes: [], next: known, wakeAt: known.notBefore };
  return {
    why: 'it is attached again',
    writes: made(situation),
    next: { ...known, state: 'attaching', ...begun(now), unwantedSince: undefined },
  };
}

/**
 * It is attached where it is wanted: as far as is known. Whoever deleted its attachment by hand is found out by the check of each minute.
 */
export function keep(situation: Situation, known: OnNode): Step {
  const { attachment, now, startedAt } = situation;
  const next = known.unwantedSince === undefined ? known : { ...known, unwantedSince: undefined };
  if (attachment?.status.attached === true) return { why: 'it is attached as needed', writes: report(situation, true), next };
  const checkAt = checkAtOrAfter(startedAt, now);
  if (now < checkAt) return { why: 'its VolumeAttachment is gone; the next verification notices it', writes: [], next, wakeAt: checkAt };
  return { why: 'a verification finds that it is no longer attached', writes: report(situation, false), next: null };
}

/** It is attached and no pod wants it there. */
export function letGo(situation: Situation, known: OnNode): Step {
  const { attachment, nodeObject, now, startedAt } = situation;
  const since = known.unwantedSince ?? now;
  const waiting = { ...known, unwantedSince: since };
  if (now < known.notBefore)
    return { why: 'the next attempt to detach it waits for its back-off', writes: [], next: waiting, wakeAt: known.notBefore };
  // A node that was deleted cannot say that it has let go.
  const inUse = nodeObject === undefined ? known.inUse : nodeObject.status.volumesInUse?.includes(nameOn(situation)) === true;
  if (inUse && !situation.isOut && now - since < FORCE_MS)
    return {
      why: 'the node still lists it in volumesInUse',
      writes: [],
      next: waiting,
      wakeAt: tickAtOrAfter(startedAt, since + FORCE_MS),
    };
  const gone = attachment === undefined ? [] : [remove(attachment)];
  const why = !inUse
    ? 'no pod on the node needs it, and the node does not use it'
    : situation.isOut
      ? 'no pod on the node needs it, and the node is out of service: force detach'
      : 'the node has used it for six minutes after its pod was gone: force detach';
  if (attachment === undefined) return { why: 'it is detached', writes: report(situation, false), next: null };
  // Models: verifyVolumeIsSafeToDetach, which a detach by force spares itself.
  return { why, writes: [...report(situation, false, !inUse), ...gone], next: { ...waiting, state: 'detaching', ...begun(now) } };
}

/** A detach is under way. */
export function awaitDetach(situation: Situation, known: OnNode): Step {
  const { attachment, now, pods } = situation;
  if (now < known.pollAt) return { why: 'the driver is detaching it', writes: [], next: known, wakeAt: known.pollAt };
  if (attachment === undefined) return { why: 'it is detached', writes: [], next: null };
  // The deletion did not go through: the node's status had changed under it. It is as attached as before, and may be wanted again.
  if (attachment.metadata.deletionTimestamp === undefined) {
    const attached: OnNode = { ...known, state: 'attached' };
    return pods.length > 0 ? keep(situation, attached) : letGo(situation, attached);
  }
  if (attachment.status.detachError !== undefined || now - known.begunAt >= OPERATION_MS) {
    const failed = known.failed + 1;
    return {
      why: 'the driver could not detach it',
      writes: report(situation, true),
      next: { ...known, state: 'attached', failed, notBefore: now + waitAfter(failed) },
      wakeAt: now + waitAfter(failed),
    };
  }
  const looked = lookedAt(known, now);
  return { why: 'the driver is detaching it', writes: [], next: { ...known, ...looked }, wakeAt: looked.pollAt };
}
