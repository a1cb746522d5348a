/**
 * Volumes of pods on a node: which exist, and which must be attached before containers start. Claims, volumes and the node itself are read
 * live, one after the other, because caches may be outdated; drivers are watched. Models: v1.24 pkg/kubelet/volumemanager (desired state
 * populator, VerifyControllerAttachedVolume). Simplified: mounting takes no time.
 */
import type { Node, PersistentVolume, Pod } from '../../../apiserver/kinds/index.ts';
import { type ApiObject, type Names, SIM } from '../../../apiserver/machinery/index.ts';
import { isOf, type Write } from '../../runtime/index.ts';
import { attachmentName, claimNameOf, uniqueVolumeName } from '../../shared/index.ts';

export interface PodVolume {
  readonly name: string;
  readonly mustAttach: boolean;
  /** The name in the pod, and the volume as the server has it. */
  readonly volume: string;
  readonly pv: PersistentVolume;
  /** Its attachment has metadata that the mount needs. */
  readonly brings?: true;
}

/** The annotation of a volume with the metadata of its attachments (see the drivers' attacher). */
const ATTACH_METADATA = `${SIM}/attach-metadata`;

export interface Inquiry {
  /** The driver volumes found so far. */
  readonly found: readonly PodVolume[];
  /** The number of resolved claims. */
  readonly settled: number;
  /** The volume that the next claim is bound to, once the claim has been read. */
  readonly volumeName?: string;
}

export const NOTHING_ASKED: Inquiry = { found: [], settled: 0 };

/** The claims that a pod mounts, with their names in the pod. */
const claimsIn = (pod: Pod): readonly { readonly claim: string; readonly volume: string }[] =>
  (pod.spec.volumes ?? []).flatMap((volume) => {
    const claim = claimNameOf(pod, volume);
    return claim === undefined ? [] : [{ claim, volume: volume.name }];
  });

type Get = Extract<Write, { readonly op: 'get' }>;

const get = (kind: string, name: string, namespace?: string): Get => ({
  op: 'get',
  kind,
  name,
  ...(namespace === undefined ? {} : { namespace }),
  tolerate: ['NotFound'],
  resume: true,
});

/** The next live read; undefined: all volumes are found. */
export function nextQuestion(pod: Pod, { settled, volumeName }: Inquiry): Get | undefined {
  if (volumeName !== undefined) return get('PersistentVolume', volumeName);
  const claim = claimsIn(pod)[settled]?.claim;
  return claim === undefined ? undefined : get('PersistentVolumeClaim', claim, pod.metadata.namespace ?? 'default');
}

export const readNode = (nodeName: string): Get => get('Node', nodeName);

/** The inquiry with one more response; undefined: a claim is not bound, so there is nothing further to read. */
export function learn(
  inquiry: Inquiry,
  answer: ApiObject | undefined,
  mustAttachOf: (driver: string) => boolean,
  names: Names,
  pod: Pod,
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
  const brings = mustAttach && pv.metadata.annotations?.[ATTACH_METADATA] !== undefined;
  const one: PodVolume = {
    name: uniqueVolumeName(names, csi.driver, csi.volumeHandle),
    mustAttach,
    volume: claimsIn(pod)[inquiry.settled]?.volume ?? '',
    pv,
    ...(brings ? { brings } : {}),
  };
  return { found: [...found, one], settled };
}

/** The next attachment whose metadata the mounts need; undefined: all are known. */
export function nextAttachment(
  volumes: readonly PodVolume[],
  known: ReadonlyMap<string, unknown>,
  nodeName: string,
): { readonly volume: string; readonly question: Get } | undefined {
  const next = volumes.find(({ name, brings }) => brings === true && !known.has(name));
  const csi = next?.pv.spec.csi;
  if (next === undefined || csi === undefined) return undefined;
  return { volume: next.name, question: get('VolumeAttachment', attachmentName(csi.volumeHandle, csi.driver, nodeName)) };
}

/** The names of volumes that must be attached: the node lists them in volumesInUse. */
export const attachable = (volumes: readonly PodVolume[]): readonly string[] =>
  volumes.filter(({ mustAttach }) => mustAttach).map(({ name }) => name);

/**
 * Whether all volumes of a pod may be mounted, by the node's status: attached, and listed in volumesInUse first. The detaching side reads
 * volumesInUse, so of two concurrent actions one sees the other.
 */
export function mayMount(volumes: readonly PodVolume[], node: Node | undefined): boolean {
  const used: readonly string[] = node?.status.volumesInUse ?? [];
  const attached: readonly { readonly name: string }[] = node?.status.volumesAttached ?? [];
  return volumes.every(({ name, mustAttach }) => !mustAttach || (used.includes(name) && attached.some((one) => one.name === name)));
}
