/**
 * A simulated storage driver: one process that attaches, detaches, provisions and reclaims, with fixed delays and as many failures as
 * configured.
 */
import type { ProcessSpec } from '../../runtime/index.ts';
import { driverProcess } from '../../shared/index.ts';
import type { Agent } from '../agent.ts';
import type { StorageDriver } from '../specs.ts';
import { attacher } from './attacher.ts';
import { capacityPublisher } from './segments.ts';
import { installation } from './installation.ts';
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
