/**
 * Each invariant of volumes is broken by a mutant of the controller and holds for the real one in the same scenario, with the property
 * exercised.
 */
import { describe, expect, it } from 'vitest';
import type { VolumeAttachment } from '../../../src/apiserver/kinds/index.ts';
import { attachDetach } from '../../../src/controlplane/controllers/volume-attachment/controller.ts';
import type { Cache, Controller, Write } from '../../../src/controlplane/runtime/index.ts';
import { volumeAttachmentInvariants } from '../../../src/lab/invariants/volume-attachment.ts';
import type { Run } from '../../../src/lab/simulation/index.ts';
import { runScenario } from '../../support/scenarios.ts';
import { idleInsteadOf, seeing, withMutant } from '../../support/mutants.ts';

const pod = (name: string, node: string): string =>
  `{ apiVersion: v1, kind: Pod, metadata: { name: ${name} }, spec: { nodeName: ${node}, containers: [{ name: c, image: "c:1", volumeMounts: [{ name: data, mountPath: /data }] }], volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }] } }`;

/** Two pods on two nodes mount one volume; the first is deleted, then the second. */
function run(mutant?: Controller): Run {
  return runScenario(
    `
apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: story }
spec:
  until: 90s
  cluster:
    nodes: { count: 2 }
    podBehaviors: [{ startDelay: 100ms, terminationDelay: 200ms }]
    storageDrivers: [{ name: disk.example.com, attachDelay: 2s, detachDelay: 500ms, storageClasses: [{ name: disk }] }]
  steps:
    - apply: { apiVersion: v1, kind: PersistentVolumeClaim, metadata: { name: data }, spec: { accessModes: [ReadWriteOnce], storageClassName: disk, resources: { requests: { storage: 1Gi } } } }
    - apply: ${pod('first', 'node-0')}
    - { after: 10s, apply: ${pod('second', 'node-1')} }
    - { after: 10s, delete: Pod/first }
    - { after: 20s, delete: Pod/second }
`,
    { invariants: volumeAttachmentInvariants, controllers: withMutant(mutant) },
  );
}

/** The controller with a changed kind in its cache. */
const reported = (kind: string, change: (object: never) => unknown): Controller =>
  seeing(attachDetach, (input) => {
    const cache = (input as unknown as { readonly cache: Cache }).cache;
    const get = (of: string, namespace: string | undefined, name: string): unknown => {
      const found = cache.get(of as never, namespace, name) as unknown;
      return of === kind && found !== undefined ? change(found as never) : found;
    };
    return { ...input, cache: { ...cache, get } };
  });

/** The controller, reporting each attachment that it creates as attached. */
const sayingAttached = (controller: Controller): Controller => ({
  ...controller,
  reconcile(input: never) {
    const outcome = controller.reconcile(input);
    const writes = outcome.writes.flatMap((each): readonly Write[] => {
      if (each.op !== 'create') return [each];
      const { name = '' } = each.object.metadata;
      return [
        each,
        { op: 'patch', kind: 'VolumeAttachment', name, patchType: 'merge', subresource: 'status', patch: { status: { attached: true } } },
      ];
    });
    return { ...outcome, writes };
  },
});

const MUTANTS: readonly { readonly name: string; readonly does: string; readonly mutant: Controller; readonly says: RegExp }[] = [
  {
    name: 'volume-attachment/one-node-at-a-time',
    does: 'takes every volume for one that many nodes may share',
    mutant: reported('PersistentVolume', (volume: { readonly spec: object }) => ({
      ...volume,
      spec: { ...volume.spec, accessModes: ['ReadWriteMany'] },
    })),
    says: /is attached to node-1 while it is attached to node-0/,
  },
  {
    name: 'volume-attachment/attached-before-running',
    does: 'takes what it asked for as done',
    mutant: reported('VolumeAttachment', (attachment: VolumeAttachment) => ({
      ...attachment,
      status: { ...attachment.status, attached: true },
    })),
    says: /pod first runs on node-0 but its volume pvc-.* is not attached there/,
  },
  {
    name: 'volume-attachment/unwanted-is-detached',
    does: 'never takes a volume away',
    mutant: idleInsteadOf(attachDetach, ({ op }) => op === 'delete'),
    says: /is still attached to node-0, where no pod needs it/,
  },
  {
    name: 'volume-attachment/attached-by-its-driver',
    does: 'says for the driver that it has attached',
    mutant: sayingAttached(attachDetach),
    says: /attach-detach in controller-manager reported that volume pvc-.* is attached, which only storage-driver\/disk.example.com may report/,
  },
];

describe('invariants of volumes', () => {
  it('hold for the controller itself, and are exercised', () => {
    const { failures, invariants } = run();
    expect(failures).toEqual([]);
    for (const { name, exercised } of invariants) expect([name, exercised > 0]).toEqual([name, true]);
    expect(invariants.map(({ name }) => name)).toEqual(volumeAttachmentInvariants.map(({ name }) => name));
  });

  it.each(MUTANTS)('$name catches a controller that $does', ({ name, mutant, says }) => {
    const { failures } = run(mutant);
    expect(
      failures
        .filter(({ invariant }) => invariant === name)
        .map(({ message }) => message)
        .join('\n'),
    ).toMatch(says);
  });
});
