/**
 * The input of a driver when it mounts a pod's volume, or why the volume is not mounted: by the fields of its CSIDriver, the options of the
 * volume and the metadata of its attachment. Models: v1.24 pkg/volume/csi csi_plugin.go (supportsVolumeLifecycleMode), csi_mounter.go
 * (SetUpAt, supportsFSGroup), csi_util.go. Simplified: mounts are only data, so a driver fails only because of its input, and a token is a
 * text that names its service account.
 */
import type { CSIDriver, PersistentVolume, Pod } from '../../../apiserver/kinds/index.ts';
import type { Names } from '../../../apiserver/machinery/index.ts';
import { compareText, formatTime, quote } from '../../../schema/values/index.ts';
import type { StorageDriver } from '../specs.ts';
import type { PodVolume } from './volumes.ts';

export interface Mount {
  /** The name in the pod's spec. */
  readonly volume: string;
  readonly driver: string;
  /** Attributes of the volume, pod information and tokens that the CSIDriver requests. */
  readonly context: Readonly<Record<string, string>>;
  readonly options: readonly string[];
  /** The metadata that the attacher returned for the volume. */
  readonly published: Readonly<Record<string, string>>;
  /** The group that owns the files. */
  readonly group?: number;
  /** The driver is called again periodically. */
  readonly republished: boolean;
}

export interface MountKnowledge {
  readonly names: Names;
  /** The wall clock, for times in tokens. */
  readonly wall: number;
  readonly drivers: readonly StorageDriver[];
  driverOf(name: string): CSIDriver | undefined;
  isInstalled(driver: string): boolean;
  /** The metadata of a volume's attachment, by its unique name. */
  publishedOf(volume: string): Readonly<Record<string, string>> | undefined;
}

type MountDecision = { readonly mounts: readonly Mount[] } | { readonly failure: string };

/** The default lifetime of a token. */
const TOKEN_SECONDS = 3_600;

function podInfo(pod: Pod, { names }: MountKnowledge, ephemeral: boolean): Readonly<Record<string, string>> {
  const key = (name: string): string => `${names.group('csi.storage')}/${name}`;
  return {
    [key('pod.name')]: pod.metadata.name,
    [key('pod.namespace')]: pod.metadata.namespace ?? 'default',
    [key('pod.uid')]: pod.metadata.uid,
    [key('serviceAccount.name')]: pod.spec.serviceAccountName ?? '',
    [key('ephemeral')]: String(ephemeral),
  };
}

/** One token for each audience; the empty audience is that of the API server. */
function tokens(pod: Pod, { spec: { tokenRequests = [] } }: CSIDriver, { names, wall }: MountKnowledge): Readonly<Record<string, string>> {
  if (tokenRequests.length === 0) return {};
  const account = `${pod.metadata.namespace ?? 'default'}/${pod.spec.serviceAccountName ?? 'default'}`;
  const made = tokenRequests.map(({ audience = '', expirationSeconds = TOKEN_SECONDS }) => {
    const token = `token of ${account}${audience === '' ? '' : ` for ${audience}`}`;
    return [audience, { token, expirationTimestamp: formatTime(wall + expirationSeconds * 1_000) }] as const;
  });
  return { [`${names.group('csi.storage')}/serviceAccount.tokens`]: JSON.stringify(Object.fromEntries(made)) };
}

/** The group that will own a volume's files; undefined: they keep theirs. */
function groupOf(
  pod: Pod,
  driver: CSIDriver | undefined,
  fsType: string | undefined,
  modes: readonly string[] | undefined,
): number | undefined {
  const group = pod.spec.securityContext?.fsGroup;
  if (group === undefined) return undefined;
  const policy = driver?.spec.fsGroupPolicy ?? 'ReadWriteOnceWithFSType';
  if (policy === 'None') return undefined;
  if (policy === 'File') return group;
  return fsType !== undefined && fsType !== '' && modes?.includes('ReadWriteOnce') === true ? group : undefined;
}

/** Why the driver does not support this kind of volume; undefined: it does. */
function refusedMode(driver: string, object: CSIDriver | undefined, mode: 'Persistent' | 'Ephemeral'): string | undefined {
  if (object === undefined)
    return mode === 'Persistent' ? undefined : `volume mode ${quote(mode)} not supported by driver ${driver} (no CSIDriver object)`;
  const modes: readonly string[] = object.spec.volumeLifecycleModes ?? [];
  if ((modes.length === 0 ? ['Persistent'] : modes).includes(mode)) return undefined;
  return `volume mode ${quote(mode)} not supported by driver ${driver} (only supports [${modes.map(quote).join(' ') || '"Persistent"'}])`;
}

interface MountRequest {
  readonly volume: string;
  /** The name in messages. */
  readonly called: string;
  readonly driver: string;
  readonly mode: 'Persistent' | 'Ephemeral';
  readonly attributes: Readonly<Record<string, string>> | undefined;
  readonly fsType: string | undefined;
  readonly modes: readonly string[] | undefined;
  readonly options: readonly string[];
  readonly published: Readonly<Record<string, string>> | undefined;
}

function mountOf(pod: Pod, requested: MountRequest, knowledge: MountKnowledge): Mount | { readonly failure: string } {
  const { volume, driver, mode, attributes = {}, options, published = {} } = requested;
  const failed = (why: string): { readonly failure: string } => ({
    failure: `MountVolume.SetUp failed for volume ${quote(requested.called)} : ${why}`,
  });
  const object = knowledge.driverOf(driver);
  if (mode === 'Ephemeral' && !knowledge.isInstalled(driver))
    return failed(
      `kubernetes.io/csi: mounter.SetUpAt failed to get CSI client: driver name ${driver} not found in the list of registered CSI drivers`,
    );
  const refused = refusedMode(driver, object, mode);
  if (refused !== undefined) return failed(`kubernetes.io/csi: ${refused}`);
  const known = knowledge.drivers.find(({ name }) => name === driver)?.mountOptions;
  const unknown = known === undefined ? undefined : options.find((option) => !known.includes(option.split('=')[0] ?? ''));
  if (unknown !== undefined) return failed(`rpc error: code = InvalidArgument desc = unknown mount option ${quote(unknown)}`);
  const group = groupOf(pod, object, requested.fsType, requested.modes);
  const context = {
    ...attributes,
    ...(object?.spec.podInfoOnMount === true ? podInfo(pod, knowledge, mode === 'Ephemeral') : {}),
    ...(object === undefined ? {} : tokens(pod, object, knowledge)),
  };
  const republished = object?.spec.requiresRepublish === true;
  return { volume, driver, context, options, published, republished, ...(group === undefined ? {} : { group }) };
}

const ofClaim = (volume: string, pv: PersistentVolume, published: MountRequest['published']): readonly MountRequest[] => {
  const { csi, mountOptions = [], accessModes: modes } = pv.spec;
  if (csi === undefined) return [];
  const { driver, volumeAttributes: attributes, fsType } = csi;
  return [{ volume, called: pv.metadata.name, driver, mode: 'Persistent', attributes, fsType, modes, options: mountOptions, published }];
};

/** Mounts all driver volumes of a pod, or none: the first error counts. `found`: the volumes of its claims, all of them attached. */
export function mountsOf(pod: Pod, found: readonly PodVolume[], knowledge: MountKnowledge): MountDecision {
  const requested: readonly MountRequest[] = [
    ...found.flatMap(({ name, volume, pv }) => ofClaim(volume, pv, knowledge.publishedOf(name))),
    ...(pod.spec.volumes ?? []).flatMap(({ name, csi }): readonly MountRequest[] => {
      if (csi === undefined) return [];
      const { driver, volumeAttributes: attributes, fsType } = csi;
      const own = { volume: name, called: name, driver, attributes, fsType };
      return [{ ...own, mode: 'Ephemeral', modes: ['ReadWriteOnce'], options: [], published: undefined }];
    }),
  ];
  const mounts: Mount[] = [];
  for (const each of requested) {
    const mount = mountOf(pod, each, knowledge);
    if ('failure' in mount) return mount;
    mounts.push(mount);
  }
  return { mounts };
}

/**
 * Publishes a mounted volume again: its content may change, its mount does not. Models: v1.24 csi_plugin.go RequiresRemount, csi_mounter.go
 * SetUpAt.
 */
export function republish(pod: Pod, mount: Mount, knowledge: MountKnowledge): Mount | { readonly failure: string } {
  const { volume, driver, context } = mount;
  const object = knowledge.driverOf(driver);
  const isOwn = pod.spec.volumes?.find(({ name }) => name === volume)?.csi !== undefined;
  const refused = refusedMode(driver, object, isOwn ? 'Ephemeral' : 'Persistent');
  if (refused !== undefined) return { failure: `MountVolume.SetUp failed for volume ${quote(volume)} : kubernetes.io/csi: ${refused}` };
  return object === undefined ? mount : { ...mount, context: { ...context, ...tokens(pod, object, knowledge) } };
}

/** The inputs of a mount beyond the volume, for people; undefined: none. */
export function mountText({ volume, context, options, published, group, republished }: Mount): string | undefined {
  const inputs = [
    ...Object.keys(context).sort(compareText),
    ...(options.length === 0 ? [] : [`options ${options.join(',')}`]),
    ...Object.entries(published).map(([name, value]) => `${name}=${value} of its attachment`),
    ...(group === undefined ? [] : [`group ${group}`]),
    ...(republished ? ['published again every minute'] : []),
  ];
  return inputs.length === 0 ? undefined : `${volume} is mounted with ${inputs.join(', ')}`;
}
