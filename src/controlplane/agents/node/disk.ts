/** The only disk of a machine, bytes: images and container writes share it. Simplified: nodefs and imagefs are the same. */
import { quantity, quantityValue } from '../../../schema/values/index.ts';
import type { NodeSpec } from '../specs.ts';
import type { Disk } from './images/index.ts';
import type { MachineView } from './machine.ts';

const DEFAULT_CAPACITY = '1Ti';

export const diskOf = ({ capacity }: NodeSpec, { images }: MachineView, now: number): Disk => ({
  capacity: Number(quantityValue(quantity(capacity['ephemeral-storage'] ?? DEFAULT_CAPACITY))),
  used: (images?.there(now) ?? []).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
});
