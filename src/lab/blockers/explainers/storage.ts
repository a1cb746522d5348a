/** What claims, attachments and the volumes of pods wait for. */
import type { PersistentVolumeClaim, VolumeAttachment } from '../../../apiserver/kinds/index.ts';
import { isOf, type ObjectOf } from '../../../controlplane/runtime/index.ts';
import { claimsOf, driverProcess, uniqueVolumeName } from '../../../controlplane/shared/index.ts';
import { byName, troubleOf, unservedBy, at, instantOf, isDone, listed, nameOf } from '../words.ts';
import type { Explainer, Situation, Wait } from '../situation.ts';

export const claim: Explainer = {
  name: 'claim',
  kinds: ['PersistentVolumeClaim'],
  explain(object, situation) {
    if (!isOf('PersistentVolumeClaim', object) || isDone(object) || object.metadata.deletionTimestamp !== undefined) return [];
    return [unservedBy(situation, byName('volume-binder'), 'a volume') ?? unbound(object, situation)];
  },
};

function unbound(object: PersistentVolumeClaim, situation: Situation): Wait {
  const { world, names } = situation;
  const { volumeName = '', storageClassName = '' } = object.spec;
  if (volumeName !== '') {
    const volume = world.get('PersistentVolume', undefined, volumeName);
    return {
      text:
        volume === undefined
          ? `waits for a volume ${volumeName}, which does not exist (spec.volumeName)`
          : `waits to be bound to volume ${volumeName}`,
    };
  }
  if (storageClassName === '') return { text: 'waits for a matching volume: it names no class, so no driver provisions one' };
  const storage = world.get('StorageClass', undefined, storageClassName);
  if (!isOf('StorageClass', storage))
    return { text: `waits for a class ${storageClassName}, which does not exist (spec.storageClassName)` };
  const node = object.metadata.annotations?.[names.key('volume', 'selected-node')];
  if (storage.volumeBindingMode === 'WaitForFirstConsumer' && node === undefined) {
    const users = world
      .list('Pod', object.metadata.namespace)
      .filter(
        (pod) =>
          isOf('Pod', pod) && (pod.spec.volumes ?? []).some(({ persistentVolumeClaim: used }) => used?.claimName === object.metadata.name),
      );
    const open = users.filter((pod) => !isDone(pod));
    return open.length === 0
      ? {
          text: `waits for its first consumer: no pod uses it, and class ${storageClassName} binds no sooner (volumeBindingMode: WaitForFirstConsumer)`,
        }
      : {
          text: `waits for ${listed(open.map(({ metadata }) => metadata.name))} to get a node (volumeBindingMode: WaitForFirstConsumer)`,
          leadsTo: open.map(nameOf),
        };
  }
  const { provisioner } = storage;
  if (provisioner === names.key('', 'no-provisioner'))
    return { text: `waits for a matching volume of class ${storageClassName}: the class provisions none` };
  const driver = situation.introspection.processes.find(({ name }) => name === driverProcess(provisioner));
  if (driver === undefined)
    return { text: `waits for driver ${provisioner} to provision a volume, and there is no such driver (spec.cluster.storageDrivers)` };
  return (
    unservedBy(
      situation,
      ({ reconciles }) => reconciles === 'PersistentVolumeClaim' && driver.controllers.some((own) => own.reconciles === reconciles),
      `driver ${provisioner}`,
    ) ?? { text: `waits for driver ${provisioner} to provision a volume${node === undefined ? '' : ` for ${node}`}` }
  );
}

export const attachment: Explainer = {
  name: 'attachment',
  kinds: ['VolumeAttachment'],
  explain(object, situation) {
    if (!isOf('VolumeAttachment', object)) return [];
    const { detachError, attached } = object.status;
    // The finalizer is explained by the explainer of deletions.
    if (object.metadata.deletionTimestamp !== undefined)
      return detachError === undefined
        ? []
        : [{ text: `could not be detached from ${object.spec.nodeName}${errorText(detachError, situation)}` }];
    if (attached) return [];
    const { attacher, nodeName } = object.spec;
    const driver = situation.introspection.processes.find(({ name }) => name === driverProcess(attacher));
    const trouble = driver === undefined ? { text: 'there is no such driver (spec.cluster.storageDrivers)' } : troubleOf(situation, driver);
    const { attachError } = object.status;
    return [
      {
        text: `waits for driver ${attacher} to attach it to ${nodeName}${trouble === undefined ? errorText(attachError, situation) : `: ${trouble.text}`}`,
        ...(trouble?.until === undefined ? {} : { until: trouble.until }),
      },
    ];
  },
};

/** Returns the last failure that the driver reported, with its time. */
function errorText(error: VolumeAttachment['status']['attachError'], situation: Situation): string {
  if (error === undefined) return '';
  const when = instantOf(error.time);
  return `: its last attempt failed${when === undefined ? '' : ` at ${at(situation, when)}`}: ${error.message ?? 'the driver gave no message'}`;
}

export const volumes: Explainer = {
  name: 'volumes',
  kinds: ['Pod'],
  explain(pod, situation) {
    if (!isOf('Pod', pod) || isDone(pod) || pod.metadata.deletionTimestamp !== undefined) return [];
    const { nodeName = '' } = pod.spec;
    // A container that has started had its volumes.
    const started = [...(pod.status.initContainerStatuses ?? []), ...(pod.status.containerStatuses ?? [])].some(
      ({ state }) => state !== undefined && state.waiting === undefined,
    );
    return nodeName === '' || started ? [] : claimsOf(pod).flatMap((key) => ofClaim(key, nodeName, situation));
  },
};

function ofClaim(key: string, node: string, situation: Situation): readonly Wait[] {
  const { world } = situation;
  const claim = world.byKey('PersistentVolumeClaim', key);
  // The explainer of claims says why there is no volume.
  const [namespace, name = ''] = key.split('/');
  if (!isOf('PersistentVolumeClaim', claim))
    return [
      {
        text: `waits for claim ${name}, which does not exist`,
        leadsTo: [{ kind: 'PersistentVolumeClaim', name, ...(namespace === undefined ? {} : { namespace }) }],
      },
    ];
  const { volumeName = '' } = claim.spec;
  if (claim.status.phase !== 'Bound' || volumeName === '')
    return [{ text: `waits for claim ${claim.metadata.name} to be bound`, leadsTo: [nameOf(claim)] }];
  const attachments = attachmentsOf(volumeName, situation);
  const here = attachments.find(({ spec }) => spec.nodeName === node);
  if (here !== undefined)
    return here.status.attached ? [] : [{ text: `waits for volume ${volumeName} to be attached to ${node}`, leadsTo: [nameOf(here)] }];
  const [elsewhere] = attachments;
  if (elsewhere === undefined) return [];
  const { nodeName } = elsewhere.spec;
  const users = situation.world
    .list('Pod', namespace)
    .filter((pod) => isOf('Pod', pod) && !isDone(pod) && pod.spec.nodeName === nodeName && claimsOf(pod).includes(key));
  const used =
    users.length > 0
      ? `, where ${listed(users.map(({ metadata }) => metadata.name))} uses it`
      : isInUse(volumeName, nodeName, situation)
        ? ', which reports it in use'
        : '';
  return [
    {
      text: `waits for volume ${volumeName} to be detached from ${nodeName}${used}`,
      leadsTo: [...users.map(nameOf), nameOf(elsewhere), { kind: 'Node', name: nodeName }],
    },
  ];
}

/** Whether the last status of a node lists a volume as in use; such a volume stays attached for six minutes more. */
function isInUse(volumeName: string, nodeName: string, { world, names }: Situation): boolean {
  const node = world.get('Node', undefined, nodeName);
  const volume = world.get('PersistentVolume', undefined, volumeName);
  const csi = isOf('PersistentVolume', volume) ? volume.spec.csi : undefined;
  return (
    csi !== undefined &&
    isOf('Node', node) &&
    node.status.volumesInUse?.includes(uniqueVolumeName(names, csi.driver, csi.volumeHandle)) === true
  );
}

const attachmentsOf = (volume: string, { world }: Situation): readonly ObjectOf<'VolumeAttachment'>[] =>
  world.list('VolumeAttachment').flatMap((each) => (isOf('VolumeAttachment', each) && sourceOf(each) === volume ? [each] : []));

const sourceOf = ({ spec }: VolumeAttachment): string | undefined => spec.source.persistentVolumeName;
