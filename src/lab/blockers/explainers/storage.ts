/** What claims, attachments and the volumes of pods wait for. */
import type { PersistentVolumeClaim, Pod, VolumeAttachment } from '../../../apiserver/kinds/index.ts';
import { claimsOf, driverProcess, uniqueVolumeName } from '../../../controlplane/shared/index.ts';
import { byName, troubleOf, unservedBy, at, instantOf, isDone, nameOf, namesOf, explainerOf } from '../situation.ts';
import type { Situation, Wait } from '../situation.ts';
import { present } from '../../../schema/values/index.ts';

export const claim = explainerOf('claim', 'PersistentVolumeClaim', (object, situation) =>
  isDone(object) ? [] : [unservedBy(situation, byName('volume-binder'), 'a volume') ?? unbound(object, situation)],
);

function unbound(object: PersistentVolumeClaim, situation: Situation): Wait {
  const { world, names } = situation;
  const { volumeName = '', storageClassName = '' } = object.spec;
  if (volumeName !== '' && world.get('PersistentVolume', undefined, volumeName) === undefined)
    return { text: `waits for a volume ${volumeName}, which does not exist (spec.volumeName)` };
  if (volumeName !== '') return { text: `waits to be bound to volume ${volumeName}` };
  if (storageClassName === '') return { text: 'waits for a matching volume: it names no class, so no driver provisions one' };
  const storage = world.get('StorageClass', undefined, storageClassName);
  if (storage === undefined) return { text: `waits for a class ${storageClassName}, which does not exist (spec.storageClassName)` };
  const node = object.metadata.annotations?.[names.key('volume', 'selected-node')];
  if (storage.volumeBindingMode === 'WaitForFirstConsumer' && node === undefined) {
    const uses = ({ spec: { volumes = [] } }: Pod): boolean =>
      volumes.some(({ persistentVolumeClaim: used }) => used?.claimName === object.metadata.name);
    const open = world.list('Pod', object.metadata.namespace).filter((pod) => uses(pod) && !isDone(pod));
    const who =
      open.length === 0
        ? `its first consumer: no pod uses it, and class ${storageClassName} binds no sooner`
        : `${namesOf(open)} to get a node`;
    return {
      text: `waits for ${who} (volumeBindingMode: WaitForFirstConsumer)`,
      ...(open.length === 0 ? {} : { leadsTo: open.map(nameOf) }),
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

function attaching({ metadata, spec, status }: VolumeAttachment, situation: Situation): readonly Wait[] {
  const { attacher, nodeName } = spec;
  const { attachError, detachError, attached } = status;
  // The finalizer is explained by the explainer of deletions.
  if (metadata.deletionTimestamp !== undefined)
    return detachError === undefined ? [] : [{ text: `could not be detached from ${nodeName}${errorText(detachError, situation)}` }];
  if (attached) return [];
  const driver = situation.introspection.processes.find(({ name }) => name === driverProcess(attacher));
  const trouble = driver === undefined ? { text: 'there is no such driver (spec.cluster.storageDrivers)' } : troubleOf(situation, driver);
  const why = trouble === undefined ? errorText(attachError, situation) : `: ${trouble.text}`;
  return [{ ...trouble, text: `waits for driver ${attacher} to attach it to ${nodeName}${why}` }];
}
export const attachment = explainerOf('attachment', 'VolumeAttachment', attaching, true);

/** Returns the last failure that the driver reported, with its time. */
function errorText(error: VolumeAttachment['status']['attachError'], situation: Situation): string {
  if (error === undefined) return '';
  const when = instantOf(error.time);
  return `: its last attempt failed${when === undefined ? '' : ` at ${at(situation, when)}`}: ${error.message ?? 'the driver gave no message'}`;
}

export const volumes = explainerOf('volumes', 'Pod', (pod, situation) => {
  const { nodeName = '' } = pod.spec;
  const { initContainerStatuses = [], containerStatuses = [] } = pod.status;
  // A container that has started had its volumes.
  const started = [...initContainerStatuses, ...containerStatuses].some(({ state }) => state !== undefined && state.waiting === undefined);
  return isDone(pod) || nodeName === '' || started ? [] : claimsOf(pod).flatMap((key) => ofClaim(key, nodeName, situation));
});

function ofClaim(key: string, node: string, situation: Situation): readonly Wait[] {
  const { world } = situation;
  const claim = world.byKey('PersistentVolumeClaim', key);
  // The explainer of claims says why there is no volume.
  const [namespace, name = ''] = key.split('/');
  const missing = present({ kind: 'PersistentVolumeClaim', name, namespace });
  if (claim === undefined) return [{ text: `waits for claim ${name}, which does not exist`, leadsTo: [missing] }];
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
    .filter((pod) => !isDone(pod) && pod.spec.nodeName === nodeName && claimsOf(pod).includes(key));
  const used =
    users.length > 0 ? `, where ${namesOf(users)} uses it` : isInUse(volumeName, nodeName, situation) ? ', which reports it in use' : '';
  return [
    {
      text: `waits for volume ${volumeName} to be detached from ${nodeName}${used}`,
      leadsTo: [...users.map(nameOf), nameOf(elsewhere), { kind: 'Node', name: nodeName }],
    },
  ];
}

/** Whether the last status of a node lists a volume as in use; such a volume stays attached for six minutes more. */
function isInUse(volumeName: string, nodeName: string, { world, names }: Situation): boolean {
  const csi = world.get('PersistentVolume', undefined, volumeName)?.spec.csi;
  const inUse = world.get('Node', undefined, nodeName)?.status.volumesInUse;
  return csi !== undefined && inUse?.includes(uniqueVolumeName(names, csi.driver, csi.volumeHandle)) === true;
}

const attachmentsOf = (volume: string, { world }: Situation): readonly VolumeAttachment[] =>
  world.list('VolumeAttachment').filter(({ spec }) => spec.source.persistentVolumeName === volume);
