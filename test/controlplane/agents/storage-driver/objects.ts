/** A driver with a delay of half a second for every operation. */
import type { StorageDriver } from '../../../../src/controlplane/agents/specs.ts';

export const driverOf = (more: Partial<StorageDriver> = {}): StorageDriver => ({
  name: 'csi.fake.example',
  attachDelayMs: 500,
  detachDelayMs: 300,
  provisionDelayMs: 200,
  storageClasses: [],
  ...more,
});
