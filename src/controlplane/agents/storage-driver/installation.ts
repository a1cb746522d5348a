/** The objects of an installed driver: its classes, and a CSIDriver where it has settings. */
import { create, defineController, write, type Outcome } from '../../runtime/index.ts';
import type { StorageDriver } from '../specs.ts';

/** The controller that creates a driver's classes and its CSIDriver. */
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
