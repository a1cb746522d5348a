import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../../src/apiserver/vocabulary/index.ts';
import { createWorld } from '../../../../src/controlplane/agents/node/machine.ts';
import { mayMount, volumesOf } from '../../../../src/controlplane/agents/node/volumes.ts';
import { barePod } from '../../../support/objects.ts';
import { claimOf, DRIVER, holding, mounting, names, reported, volumeOf } from '../../controllers/volume-attachment/objects.ts';

const worldOf = (...objects: readonly ApiObject[]) =>
  createWorld((kind, key) =>
    objects.find(
      (object) =>
        object.kind === kind && [object.metadata.namespace, object.metadata.name].filter((part) => part !== undefined).join('/') === key,
    ),
  );
const pod = mounting('p', 'data', 'n');
const exempt = {
  apiVersion: 'storage.k8s.io/v1',
  kind: 'CSIDriver',
  metadata: { name: DRIVER },
  spec: { attachRequired: false },
} as unknown as ApiObject;

describe('the volumes of a pod', () => {
  it('are unknown until its claims are bound', () => {
    expect(volumesOf(pod, worldOf(), names)).toBeUndefined();
    expect(volumesOf(pod, worldOf(claimOf('data', 'pv', 'Pending'), volumeOf('pv', 'data')), names)).toBeUndefined();
    expect(volumesOf(pod, worldOf(claimOf('data', 'pv'), volumeOf('pv', 'data')), names)).toEqual([
      { name: reported('pv'), mustAttach: true },
    ]);
  });

  it('are those of drivers, of claims made for it too', () => {
    const own = barePod('p', 'Pending', {
      spec: {
        volumes: [
          { name: 'scratch', ephemeral: {} },
          { name: 'tmp', emptyDir: {} },
        ],
      },
    });
    expect(volumesOf(own, worldOf(claimOf('p-scratch', 'pv'), volumeOf('pv', 'p-scratch')), names)).toEqual([
      { name: reported('pv'), mustAttach: true },
    ]);
    expect(volumesOf(pod, worldOf(claimOf('data', 'pv'), volumeOf('pv', 'data', { csi: undefined })), names)).toEqual([]);
  });

  it('may be mounted when the node lists them as attached and has said that it uses them, or when they need no attaching', () => {
    const must = volumesOf(pod, worldOf(claimOf('data', 'pv'), volumeOf('pv', 'data')), names) ?? [];
    const nodes = [undefined, holding('n', []), holding('n', ['other'], ['pv']), holding('n', ['pv']), holding('n', ['pv'], ['pv'])];
    expect(nodes.map((node) => mayMount(must, node))).toEqual([false, false, false, false, true]);
    const free = volumesOf(pod, worldOf(claimOf('data', 'pv'), volumeOf('pv', 'data'), exempt), names) ?? [];
    expect(free).toEqual([{ name: reported('pv'), mustAttach: false }]);
    expect(mayMount(free, holding('n', []))).toBe(true);
  });
});
