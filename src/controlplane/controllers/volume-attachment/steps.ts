/**
 * One step for a volume on a node: its writes, and the state after it. Models: v1.24 attachdetach/reconciler and pkg/volume/csi attacher.
 */
import type { Names } from '../../../apiserver/machinery/index.ts';
import type { Node, Pod, VolumeAttachment } from '../../../apiserver/kinds/index.ts';
import { create, exponentialDelayMs, record as event, remove, type Write } from '../../runtime/index.ts';
import { attachmentName, mergePatch, uniqueVolumeName } from '../../shared/index.ts';

export interface Situation {
  readonly volume: string;
  readonly record: VolumeRecord;
  readonly node: string;
  readonly pods: readonly Pod[];
  readonly attachment: VolumeAttachment | undefined;
  readonly nodeObject: Node | undefined;
  /** The node is out of service, so it will not release the volume. */
  readonly isOut: boolean;
  readonly names: Names;
  readonly now: number;
  readonly startedAt: number;
}

export interface Step {
  readonly why: string;
  readonly writes: readonly Write[];
  /** What is known then; null: nothing any more. */
  readonly next: OnNode | null;
  readonly wakeAt?: number;
  /** Report a multi-attach refusal once. */
  readonly refused?: true;
}

const nameOn = ({ record, names }: Situation): string => uniqueVolumeName(names, record.driver, record.handle);

/** Whether the status of the node lists the volume as in use. A deleted node reports nothing, so that the answer stays as it was. */
export const isUsed = (situation: Situation, before: boolean): boolean => {
  const { nodeObject } = situation;
  return nodeObject === undefined ? before : nodeObject.status.volumesInUse?.includes(nameOn(situation)) === true;
};

/**
 * Adds the volume to the node's list of attached volumes, or removes it. Returns no write where nothing changes, unless the server must
 * confirm the node: it refuses the write where the node has changed.
 */
function report(situation: Situation, attached: boolean, confirms = false): readonly Write[] {
  const { nodeObject } = situation;
  if (nodeObject === undefined) return [];
  const name = nameOn(situation);
  const listed = nodeObject.status.volumesAttached ?? [];
  if (!confirms && listed.some((one) => one.name === name) === attached) return [];
  const volumesAttached = attached ? [...listed, { name, devicePath: '' }] : listed.filter((one) => one.name !== name);
  const { resourceVersion } = nodeObject.metadata;
  return [mergePatch(nodeObject, { metadata: { resourceVersion }, status: { volumesAttached } }, { subresource: 'status', awaited: true })];
}

const warned = (pods: readonly Pod[], message: string): readonly Write[] =>
  pods.map((pod) => event(pod, 'Warning', 'FailedAttachVolume', message));

/** An operation has failed: the next attempt waits for its back-off. */
function failed(known: OnNode, now: number, state: OnNode['state'], why: string, writes: readonly Write[]): Step {
  const failures = known.failed + 1;
  const notBefore = now + waitAfter(failures);
  return { why, writes, next: { ...known, state, failed: failures, notBefore }, wakeAt: notBefore };
}

/** The volume has no state on this node, and a pod there needs it. */
export function beginAttach(situation: Situation, others: readonly Pod[], elsewhere: 'no' | 'attached' | 'moving'): Step {
  const { record, volume, node, now, pods, nodeObject } = situation;
  if (nodeObject === undefined) return { why: 'there is no such node', writes: [], next: null, refused: true };
  // One operation per volume at a time: no event while it is being detached from another node.
  if (record.exclusive && elsewhere === 'moving')
    return { why: 'another operation on the volume is pending', writes: [], next: null, refused: true };
  if (record.exclusive && elsewhere === 'attached') {
    // A volume has one claim, so all pods that use it are in one namespace.
    const users =
      others.length === 0
        ? "Volume is already exclusively attached to one node and can't be attached to another"
        : `Volume is already used by pod(s) ${others.map(({ metadata }) => metadata.name).join(', ')}`;
    const writes = record.refused.includes(node) ? [] : warned(pods, `Multi-Attach error for volume "${volume}" ${users}`);
    return { why: 'it is still attached to another node and allows one node only', writes, next: null, refused: true };
  }
  return {
    why: `a pod on ${node} needs it`,
    writes: made(situation),
    next: { state: 'attaching', ...startedNow(now), notBefore: now, failed: 0, unwantedSince: undefined, inUse: false },
  };
}

function made({ record, volume, node, names, attachment }: Situation): readonly Write[] {
  if (attachment !== undefined) return [];
  const apiVersion = `${names.group('storage')}/v1`;
  const metadata = { name: attachmentName(record.handle, record.driver, node) };
  const spec = { attacher: record.driver, nodeName: node, source: { persistentVolumeName: volume } };
  return [create({ apiVersion, kind: 'VolumeAttachment', metadata, spec }, { tolerate: ['AlreadyExists'] })];
}

/** Why an attach in progress has failed; undefined: it has not. */
function attachFailure({ attachment, record, now }: Situation, { begunAt }: OnNode): string | undefined {
  if (attachment?.metadata.deletionTimestamp !== undefined) return 'volume attachment is being deleted';
  if (attachment?.status.attachError !== undefined) return attachment.status.attachError.message ?? '';
  return now - begunAt < OPERATION_MS
    ? undefined
    : `timed out waiting for external-attacher of ${record.driver} CSI driver to attach volume ${record.handle}`;
}

export function awaitAttach(situation: Situation, known: OnNode): Step {
  const { attachment, volume, now, pods } = situation;
  if (now < known.pollAt) return { why: 'the driver is attaching it', writes: [], next: known, wakeAt: known.pollAt };
  if (attachment?.status.attached === true && attachment.metadata.deletionTimestamp === undefined) {
    const reported = pods.map((pod) =>
      event(pod, 'Normal', 'SuccessfulAttachVolume', `AttachVolume.Attach succeeded for volume "${volume}" `),
    );
    const next: OnNode = { ...known, state: 'attached', failed: 0 };
    // The pods may be gone by now, or the node: no other event would cause the next reconcile.
    return { why: 'it is attached', writes: [...reported, ...report(situation, true)], next, wakeAt: now + TICK_MS };
  }
  const failure = attachFailure(situation, known);
  if (failure !== undefined) {
    const writes = warned(pods, `AttachVolume.Attach failed for volume "${volume}" : ${failure}`);
    return failed(known, now, 'uncertain', 'the driver could not attach it', writes);
  }
  return polled(known, now, 'the driver is attaching it');
}

/** It may be attached or not: the attach is retried while a pod needs it; otherwise it is detached like an attached one. */
export function resolve(situation: Situation, known: OnNode): Step {
  const { now, pods } = situation;
  if (pods.length === 0) return detachUnneeded(situation, known);
  if (now < known.notBefore)
    return { why: 'the next attempt to attach it waits for its back-off', writes: [], next: known, wakeAt: known.notBefore };
  const next: OnNode = { ...known, state: 'attaching', ...startedNow(now), unwantedSince: undefined };
  return { why: 'it is attached again', writes: made(situation), next };
}

/** The volume is attached where it is needed, as far as is known. A deleted VolumeAttachment is noticed by the next verification. */
export function keep(situation: Situation, known: OnNode): Step {
  const { attachment, now, startedAt } = situation;
  const next = known.unwantedSince === undefined ? known : { ...known, unwantedSince: undefined };
  if (attachment?.status.attached === true) return { why: 'it is attached as needed', writes: report(situation, true), next };
  const checkAt = checkAtOrAfter(startedAt, now);
  if (now < checkAt) return { why: 'its VolumeAttachment is gone; the next verification notices it', writes: [], next, wakeAt: checkAt };
  return { why: 'a verification finds that it is no longer attached', writes: report(situation, false), next: null };
}

/** The volume is attached, and no pod on the node needs it. */
export function detachUnneeded(situation: Situation, known: OnNode): Step {
  const { attachment, now, startedAt } = situation;
  const since = known.unwantedSince ?? now;
  const waiting = { ...known, unwantedSince: since };
  if (now < known.notBefore)
    return { why: 'the next attempt to detach it waits for its back-off', writes: [], next: waiting, wakeAt: known.notBefore };
  const inUse = isUsed(situation, known.inUse);
  if (inUse && !situation.isOut && now - since < FORCE_MS) {
    const wakeAt = tickAtOrAfter(startedAt, since + FORCE_MS);
    return { why: 'the node still lists it in volumesInUse', writes: [], next: waiting, wakeAt };
  }
  const gone = attachment === undefined ? [] : [remove(attachment)];
  const why = !inUse
    ? 'no pod on the node needs it, and the node does not use it'
    : situation.isOut
      ? 'no pod on the node needs it, and the node is out of service: force detach'
      : 'the node has used it for six minutes after its pod was gone: force detach';
  if (attachment === undefined) return { why: 'it is detached', writes: report(situation, false), next: null };
  // Models: verifyVolumeIsSafeToDetach, which a forced detach skips.
  return { why, writes: [...report(situation, false, !inUse), ...gone], next: { ...waiting, state: 'detaching', ...startedNow(now) } };
}

export function awaitDetach(situation: Situation, known: OnNode): Step {
  const { attachment, now, pods } = situation;
  if (now < known.pollAt) return { why: 'the driver is detaching it', writes: [], next: known, wakeAt: known.pollAt };
  if (attachment === undefined) return { why: 'it is detached', writes: [], next: null };
  // The deletion was not made, because the node's status had changed. The volume is still attached, and may be needed again.
  if (attachment.metadata.deletionTimestamp === undefined) {
    const attached: OnNode = { ...known, state: 'attached' };
    return pods.length > 0 ? keep(situation, attached) : detachUnneeded(situation, attached);
  }
  if (attachment.status.detachError !== undefined || now - known.begunAt >= OPERATION_MS) {
    return failed(known, now, 'attached', 'the driver could not detach it', report(situation, true));
  }
  return polled(known, now, 'the driver is detaching it');
}

/** The controller's state of a volume on a node: its part of upstream's actual state of the world, with the operation in progress. */
export interface OnNode {
  /** `uncertain`: an attach failed, or an earlier incarnation started it; the volume may be attached or not. */
  readonly state: 'attaching' | 'attached' | 'detaching' | 'uncertain';
  /** When the operation in progress started, when it is polled next, and the delay until that poll. */
  readonly begunAt: number;
  readonly pollAt: number;
  readonly pollMs: number;
  /** No attempt is made before this instant. */
  readonly notBefore: number;
  readonly failed: number;
  readonly unwantedSince: number | undefined;
  /** Whether the node reported that it uses the volume, by its last known status. */
  readonly inUse: boolean;
}

/** The state of a volume, by node. Driver and handle are kept when the PersistentVolume object is gone. */
export interface VolumeRecord {
  readonly driver: string;
  readonly handle: string;
  readonly exclusive: boolean;
  readonly nodes: Readonly<Record<string, OnNode>>;
  /** Nodes for which a multi-attach error was reported. */
  readonly refused: readonly string[];
}

export const TICK_MS = 100;
/**
 * The delay before an attach or detach first polls its VolumeAttachment; each further delay is a little longer. Upstream adds up to a tenth
 * at random; this is the mean. Milliseconds.
 */
const POLL_MS = 525;
const POLL_GROWTH = 1.05;
/** The time limit of an operation, milliseconds. */
const OPERATION_MS = 120_000;
/** The period after which attached volumes are verified: at the first tick more than a minute after the last verification. */
const CHECK_MS = 60_100;
/** A volume that is still in use is force-detached after this time, milliseconds. */
export const FORCE_MS = 360_000;
const BACKOFF_MS = 500;
const MOST_BACKOFF_MS = 122_000;

export const tickAtOrAfter = (startedAt: number, at: number): number => startedAt + Math.ceil((at - startedAt) / TICK_MS) * TICK_MS;

/** The back-off after so many failures: 0.5 s, doubling to 2 min 2 s. Models: goroutinemap/exponentialbackoff. */
export const waitAfter = (failed: number): number => exponentialDelayMs(failed - 1, BACKOFF_MS, MOST_BACKOFF_MS);

const startedNow = (now: number) => ({ begunAt: now, pollAt: now + POLL_MS, pollMs: POLL_MS });
/** A poll without a result. */
function polled(known: OnNode, now: number, why: string): Step {
  const pollMs = Math.round(known.pollMs * POLL_GROWTH);
  return { why, writes: [], next: { ...known, pollAt: now + pollMs, pollMs }, wakeAt: now + pollMs };
}

const checkAtOrAfter = (startedAt: number, at: number): number =>
  startedAt + Math.max(1, Math.ceil((at - startedAt) / CHECK_MS)) * CHECK_MS;
