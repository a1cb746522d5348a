/**
 * Volumes of pods on a node: which there are, which must be attached before containers start. The server is asked for claims, volumes and
 * the node itself, one after the other, for what was watched may be of yesterday; drivers are watched.
 * Models: v1.24 pkg/kubelet/volumemanager (desired state populator, VerifyControllerAttachedVolume). Simplified: mounting takes no time.
 */
import type { Node, PersistentVolume, Pod } from '../../../apiserver/kinds/index.ts';
import { type ApiObject, type Names, SIM } from '../../../apiserver/machinery/index.ts';
import { isOf, type Write } from '../../runtime/index.ts';
import { attachmentName, uniqueVolumeName } from '../../shared/index.ts';

export interface PodVolume {
  readonly name: string;
  readonly mustAttach: boolean;
  /** What the pod calls it, and the volume as the server had it. */
  readonly volume?: string;
  readonly pv?: PersistentVolume;
  /** Its attachment brings something that the mount is told. */
  readonly brings?: true;
}

/** By which a volume says what attaching it brings (see the drivers' attacher). */
const ATTACH_METADATA = `${SIM}/attach-metadata`;

/** How far the asking has come. */
export interface Inquiry {
  /** The driver volumes found so far. */
  readonly found: readonly PodVolume[];
  /** Claims settled. */
  readonly settled: number;
  /** The volume that the next claim is bound to, once the server has said so. */
  readonly volumeName?: string;
}

export const NOTHING_ASKED: Inquiry = { found: [], settled: 0 };

/** The claims a pod mounts, and what it calls each; an ephemeral volume's is made from the pod's. */
const claimsIn = ({ spec, metadata }: Pod): readonly { readonly claim: string; readonly volume: string }[] =>
  (spec.volumes ?? []).flatMap(({ name: volume, persistentVolumeClaim, ephemeral }) => {
    if (persistentVolumeClaim !== undefined) return [{ claim: persistentVolumeClaim.claimName, volume }];
    return ephemeral === undefined ? [] : [{ claim: `${metadata.name}-${volume}`, volume }];
  });

export const hasClaims = ({ spec }: Pod): boolean =>
  spec.volumes?.some(({ persistentVolumeClaim, ephemeral }) => persistentVolumeClaim !== undefined || ephemeral !== undefined) === true;

type Get = Extract<Write, { readonly op: 'get' }>;

const get = (kind: string, name: string, namespace?: string): Get => ({
  op: 'get',
  kind,
  name,
  ...(namespace === undefined ? {} : { namespace }),
  tolerate: ['NotFound'],
  resume: true,
});

/** What the server is to be asked next; undefined: all volumes are found. */
export function nextQuestion(pod: Pod, { settled, volumeName }: Inquiry): Get | undefined {
  if (volumeName !== undefined) return get('PersistentVolume', volumeName);
  const claim = claimsIn(pod)[settled]?.claim;
  return claim === undefined ? undefined : get('PersistentVolumeClaim', claim, pod.metadata.namespace ?? 'default');
}

/** Asks for the node: what is attached to it. */
export const askNode = (nodeName: string): Get => get('Node', nodeName);

/** The inquiry with one more answer; undefined: a claim is not bound, so there is nothing to ask on for. */
export function learn(
  inquiry: Inquiry,
  answer: ApiObject | undefined,
  mustAttachOf: (driver: string) => boolean,
  names: Names,
  pod?: Pod,
): Inquiry | undefined {
  if (inquiry.volumeName === undefined) {
    if (!isOf('PersistentVolumeClaim', answer)) return undefined;
    const { spec, status } = answer;
    return spec.volumeName === undefined || status.phase !== 'Bound' ? undefined : { ...inquiry, volumeName: spec.volumeName };
  }
  const { found } = inquiry;
  const settled = inquiry.settled + 1;
  const pv = isOf('PersistentVolume', answer) ? answer : undefined;
  const csi = pv?.spec.csi;
  if (pv === undefined || csi === undefined) return { found, settled };
  const mustAttach = mustAttachOf(csi.driver);
  const volume = pod === undefined ? undefined : claimsIn(pod)[inquiry.settled]?.volume;
  const brings = mustAttach && pv.metadata.annotations?.[ATTACH_METADATA] !== undefined;
  const one: PodVolume = {
    name: uniqueVolumeName(names, csi.driver, csi.volumeHandle),
    mustAttach,
    ...(volume === undefined ? {} : { volume, pv }),
    ...(brings ? { brings } : {}),
  };
  return { found: [...found, one], settled };
}

/** The next attachment whose metadata the mounts are told; undefined: all are known. */
export function nextAttachment(
  volumes: readonly PodVolume[],
  known: ReadonlyMap<string, unknown>,
  nodeName: string,
): { readonly volume: string; readonly question: Get } | undefined {
  const next = volumes.find(({ name, brings }) => brings === true && !known.has(name));
  const csi = next?.pv?.spec.csi;
  if (next === undefined || csi === undefined) return undefined;
  return { volume: next.name, question: get('VolumeAttachment', attachmentName(csi.volumeHandle, csi.driver, nodeName)) };
}

/** Names of those that must be attached: what the node states to be in use. */
export const attachable = (volumes: readonly PodVolume[]): readonly string[] =>
  volumes.filter(({ mustAttach }) => mustAttach).map(({ name }) => name);

/**
 * Whether everything the pod mounts may be mounted, as the node's status says: attached, and stated to be in use first. Whoever detaches
 * looks at what is in use, so of two who act at once one sees the other.
 */
export function mayMount(volumes: readonly PodVolume[], node: Node | undefined): boolean {
  const used: readonly string[] = node?.status.volumesInUse ?? [];
  const attached: readonly { readonly name: string }[] = node?.status.volumesAttached ?? [];
  return volumes.every(({ name, mustAttach }) => !mustAttach || (used.includes(name) && attached.some((one) => one.name === name)));
}
