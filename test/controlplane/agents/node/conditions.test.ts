/** The reasons of a node's pressures, which events name. Models: v1.24 pkg/kubelet/nodestatus/setters.go. */
import { expect, it } from 'vitest';
import { pressureReasons } from '../../../../src/controlplane/agents/node/node-object.ts';

it.each([
  ['MemoryPressure', 'True', 'NodeHasInsufficientMemory'],
  ['MemoryPressure', 'False', 'NodeHasSufficientMemory'],
  ['DiskPressure', 'True', 'NodeHasDiskPressure'],
  ['DiskPressure', 'False', 'NodeHasNoDiskPressure'],
  ['PIDPressure', 'True', 'NodeHasInsufficientPID'],
  ['PIDPressure', 'False', 'NodeHasSufficientPID'],
  ['Ready', 'False', undefined],
])('%s %s has the reason %s', (type, status, reason) => {
  expect(pressureReasons(type, status)).toBe(reason);
});
