/**
 * A simulated storage driver: one process that attaches, detaches, provisions and reclaims, with fixed delays and as many failures as
 * configured.
 */
import { type ProcessSpec, create, defineController, write, type Outcome } from '../../runtime/index.ts';
import { driverProcess } from '../../shared/index.ts';
import type { Agent } from '../agent.ts';
import type { StorageDriver } from '../specs.ts';
import { attacher } from './attacher.ts';
import { capacityPublisher } from './segments.ts';
import { provisioner, reclaimer } from './provisioner.ts';
import { resizer } from './resizer.ts';

const storageDriver = (driver: StorageDriver): ProcessSpec => ({
  name: driverProcess(driver.name),
  // The delays in a scenario include the time until the result is in the API.
  apiLatency: 0,
  controllers: [
    installation(driver),
    provisioner(driver),
    attacher(driver),
    reclaimer(driver),
    ...(driver.expandDelayMs === undefined ? [] : [resizer(driver, driver.expandDelayMs)]),
    ...(driver.capacity === undefined ? [] : [capacityPublisher(driver)]),
  ],
});

export const storageDrivers: Agent = { name: 'storage-driver', processes: (_nodes, options) => options.storageDrivers.map(storageDriver) };

export const installation = (driver: StorageDriver) =>
  defineController({
    name: 'installation',
    writes: ['StorageClass', 'CSIDriver'],
    models: 'The objects that an administrator applies with a driver.',
    startKeys: () => ['install'],
    reconcile({ names }): Outcome<never> {
      const apiVersion = `${names.group('storage')}/v1`;
      const classes = driver.storageClasses.map(({ name, isDefault, ...fields }) => {
        const annotations = isDefault === true ? { annotations: { [names.key('storageclass', 'is-default-class')]: 'true' } } : {};
        const object = { apiVersion, kind: 'StorageClass', metadata: { name, ...annotations }, provisioner: driver.name, ...fields };
        return create(object, { tolerate: ['AlreadyExists'] });
      });
      const said = {
        ...driver.csiDriver,
        ...(driver.attachRequired === false ? { attachRequired: false } : {}),
        ...(driver.capacity === undefined ? {} : { storageCapacity: true }),
      };
      const described =
        Object.keys(said).length === 0
          ? []
          : [create({ apiVersion, kind: 'CSIDriver', metadata: { name: driver.name }, spec: said }, { tolerate: ['AlreadyExists'] })];
      return write('the driver and its StorageClasses are installed', ...classes, ...described);
    },
  });
