/** A simulated storage driver: one process that attaches, detaches, provisions and reclaims with fixed delays and as many failures as asked for. */
import type { Controller, ProcessSpec } from '../../runtime/index.ts';
import type { Agent } from '../agent.ts';
import type { StorageDriver } from '../specs.ts';
import { attacher } from './attacher.ts';
import { installation, provisioner, reclaimer } from './provisioner.ts';

// Controllers of different kinds have no common type of `self`; the runner hands each the kind it names.
const registered = (controller: unknown): Controller => controller as Controller;

export const storageDriver = (driver: StorageDriver): ProcessSpec => ({
  name: `storage-driver/${driver.name}`,
  // The delays that a scenario states for a driver are until its work shows in the API.
  apiLatency: 0,
  controllers: [
    registered(installation(driver)),
    registered(provisioner(driver)),
    registered(attacher(driver)),
    registered(reclaimer(driver)),
  ],
});

/** Those that a cluster is told of. */
export const storageDrivers: Agent = { name: 'storage-driver', processes: (_nodes, options) => options.storageDrivers.map(storageDriver) };
