/** A claim that is not bound: it has no consumer, class or volume yet, or its driver does not respond. */
import type { PersistentVolumeClaim } from '../../../apiserver/kinds/index.ts';
import { isOf } from '../../../controlplane/runtime/index.ts';
import { driverProcess } from '../../../controlplane/shared/index.ts';
import type { Explainer, Situation, Wait } from '../contract.ts';
import { byName, unservedBy } from '../processes.ts';
import { isDone, listed, nameOf } from '../words.ts';

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
