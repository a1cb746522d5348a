/** A driver of half a second for everything. */
import type { StorageDriver } from '../../../../src/controlplane/agents/specs.ts';

export const driverOf = (more: Partial<StorageDriver> = {}): StorageDriver => ({
  name: 'csi.fake.example',
  attachDelayMs: 500,
  detachDelayMs: 300,
  provisionDelayMs: 200,
  storageClasses: [],
  ...more,
});
