/** What an agent writes of its node at a time, whole: its status, its lease, its drivers and its events. */
import { describe, expect, it } from 'vitest';
import { type ApiObject, namesFor } from '../../../../src/apiserver/machinery/index.ts';
import { defaultSettings, type AgentSettings } from '../../../../src/controlplane/agents/node/configuration.ts';
import { createWorld } from '../../../../src/controlplane/agents/node/machine.ts';
import { nodeConditions, nodeFacts, nodeObject } from '../../../../src/controlplane/agents/node/node-object.ts';
import { nodeRegistration } from '../../../../src/controlplane/agents/node/registration.ts';
import type { NodeSpec } from '../../../../src/controlplane/agents/specs.ts';
import type { Outcome } from '../../../../src/controlplane/runtime/index.ts';
import { at } from '../../../support/objects.ts';
import { decide } from '../../../support/reconcile.ts';
import { driverOf } from '../storage-driver/objects.ts';

const names = namesFor('k8s.io');
const time = (seconds: number): string => new Date(at(seconds)).toISOString().replace('.000', '');
const settingsWith = (more: Partial<AgentSettings> = {}): AgentSettings => ({
  ...defaultSettings({ clusterGates: {}, leaseSeconds: 40 }),
  ...more,
});
const SPEC: NodeSpec = { name: 'n', capacity: {} };

describe('an agent', () => {
  const REPORTED = ['MemoryPressure', 'DiskPressure', 'PIDPressure', 'Ready'];
  const conditions = (seconds: number, ready = 'True') =>
    REPORTED.map((type) => ({
      type,
      status: type === 'Ready' ? ready : 'False',
      lastHeartbeatTime: time(seconds),
      lastTransitionTime: time(0),
    }));
  const node = (status: object, meta: object = {}): ApiObject =>
    ({
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'n', uid: 'uid-n', resourceVersion: '5', ...meta },
      spec: {},
      status: { nodeInfo: { machineID: 'n' }, ...status },
    }) as unknown as ApiObject;
  const lease = (seconds: number): ApiObject =>
    ({
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: 'n', namespace: 'kube-node-lease', uid: 'u', resourceVersion: '6' },
      spec: { renewTime: time(seconds).replace('Z', '.000000Z') },
    }) as unknown as ApiObject;
  type Options = Parameters<typeof nodeRegistration>[0];
  function decided(
    objects: readonly ApiObject[],
    seconds: number,
    memory?: object,
    { change, gone, ...more }: Partial<Options> & { readonly change?: (machine: Options['machine']) => void; readonly gone?: true } = {},
  ): Outcome {
    const machine = createWorld().machine('n');
    change?.(machine);
    const controller = nodeRegistration({ machine, spec: SPEC, settings: settingsWith(), storageDrivers: [], ...more });
    if (gone === true) return controller.reconcileAbsent?.({ names, memory } as never) as Outcome;
    return decide(controller, { objects, key: 'n', now: at(seconds), startedAt: at(0), memory });
  }
  const renewal = (seconds: number) => ({
    op: 'patch',
    kind: 'Lease',
    namespace: 'kube-node-lease',
    name: 'n',
    patchType: 'merge',
    patch: { spec: { holderIdentity: 'n', leaseDurationSeconds: 40, renewTime: time(seconds).replace('Z', '.000000Z') } },
    tolerate: ['NotFound', 'Conflict'],
  });
  const beat = (until: number) => ({
    lease: { namespace: 'kube-node-lease', name: 'n' },
    everyMs: 10_000,
    until: at(until),
    seenWithinMs: 40_000,
  });
  const status = (more: object) => ({
    op: 'patch',
    kind: 'Node',
    name: 'n',
    patchType: 'merge',
    subresource: 'status',
    patch: { status: more },
    tolerate: ['NotFound', 'Conflict'],
  });

  it('registers its node once, unless it must not', () => {
    expect(decided([], 0, undefined, { gone: true })).toEqual({
      why: 'the node is not registered yet',
      writes: [{ op: 'create', object: nodeObject(names, SPEC, settingsWith()), tolerate: ['AlreadyExists'] }],
    });
    expect(decided([], 0, { renewedAt: 0 }, { gone: true })).toEqual({ why: 'the node was deleted', writes: [] });
    expect(decided([], 0, undefined, { gone: true, settings: settingsWith({ registerNode: false }) })).toEqual({
      why: 'registerNode is false',
      writes: [],
    });
  });

  it('of a new node writes the facts and the conditions, its lease and its drivers', () => {
    const drivers = [driverOf({ volumesPerNode: 3, topologyKeys: ['zone'] }), driverOf({ name: 'other' })];
    const owner = { ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: 'n', uid: 'uid-n' }] };
    const others = [{ type: 'NetworkUnavailable', status: 'False' }];
    const outcome = decided([node({ nodeInfo: {}, conditions: others })], 9, undefined, { storageDrivers: drivers });
    expect(outcome).toEqual({
      why: 'the node status is due',
      writes: [
        {
          op: 'create',
          object: {
            apiVersion: 'coordination.k8s.io/v1',
            kind: 'Lease',
            metadata: { name: 'n', namespace: 'kube-node-lease', ...owner },
            spec: { holderIdentity: 'n', leaseDurationSeconds: 40, renewTime: '2024-01-01T00:00:09.000000Z' },
          },
          tolerate: ['AlreadyExists'],
        },
        status({
          ...nodeFacts(names, SPEC, settingsWith(), createWorld().machine('n')),
          conditions: [...nodeConditions(names, true, undefined, at(9)), ...others],
        }),
        {
          op: 'create',
          object: {
            apiVersion: 'storage.k8s.io/v1',
            kind: 'CSINode',
            metadata: { name: 'n', ...owner },
            spec: {
              drivers: [
                { name: 'csi.fake.example', nodeID: 'n', topologyKeys: ['zone'], allocatable: { count: 3 } },
                { name: 'other', nodeID: 'n', topologyKeys: [] },
              ],
            },
          },
          tolerate: ['AlreadyExists'],
        },
      ],
      memory: { renewedAt: at(9), reportedAt: at(9) },
      wakeAt: at(19),
      heartbeat: beat(9),
      background: true,
    });
  });

  it('renews its lease every quarter of its duration, and reports every five minutes', () => {
    const since = [node({ conditions: conditions(0) }), lease(10)];
    const idle = { writes: [], background: true, heartbeat: beat(300) };
    expect(decided(since, 19, { renewedAt: at(5) })).toEqual({
      why: 'lease and status are up to date',
      ...idle,
      memory: { renewedAt: at(10) },
      wakeAt: at(20),
    });
    expect(decided(since, 20, { renewedAt: at(10), reportedAt: at(0) })).toEqual({
      why: 'the lease is renewed at a quarter of its duration',
      ...idle,
      writes: [renewal(20)],
      memory: { renewedAt: at(20), reportedAt: at(0) },
      wakeAt: at(30),
    });
    expect(decided(since, 13, undefined)).toMatchObject({ writes: [renewal(13)], memory: { renewedAt: at(13) } });
    expect(decided(since, 299, { renewedAt: at(299) }).writes).toEqual([]);
    expect(decided(since, 300, { renewedAt: at(299) }).writes).toEqual([
      status({ conditions: nodeConditions(names, true, conditions(0), at(300)) }),
    ]);
  });

  it('of a restored node keeps the lease and the conditions that its agent reported', () => {
    const restored = { spec: { ...SPEC, restored: 'up' } as const };
    const some = node({ conditions: conditions(0).slice(3) });
    expect(decided([some, lease(5)], 9, undefined, restored).writes).toEqual([]);
    expect(decided([some, lease(5)], 9, { renewedAt: at(5) }).writes).toHaveLength(1);
    expect(decided([node({ conditions: conditions(0, 'False') }), lease(5)], 9, { renewedAt: at(5) }, restored).writes).toHaveLength(1);
  });

  it('with another configuration writes the facts again, and who attaches volumes', () => {
    const annotated = (value: string) =>
      node({ conditions: conditions(0) }, { annotations: { 'volumes.kubernetes.io/controller-managed-attach-detach': value } });
    const attach = (value: string | null): unknown =>
      expect.objectContaining({
        kind: 'Node',
        patch: { metadata: { annotations: { 'volumes.kubernetes.io/controller-managed-attach-detach': value } } },
      });
    const facts = expect.objectContaining({
      kind: 'Node',
      subresource: 'status',
      patch: { status: expect.objectContaining({ capacity: expect.anything(), conditions: expect.anything() }) },
    });
    const begins = (object: ApiObject, attaches?: 'controller' | 'agent') =>
      decided([object, lease(5)], 9, undefined, { restates: true, settings: settingsWith(attaches === undefined ? {} : { attaches }) })
        .writes;
    expect(begins(annotated('true'))).toEqual([renewal(9), attach(null), facts]);
    expect(begins(annotated('true'), 'controller')).toEqual([renewal(9), facts]);
    expect(begins(annotated('true'), 'agent')).toEqual([renewal(9), attach('false'), facts]);
    expect(begins(node({ conditions: conditions(0) }))).toEqual([renewal(9), facts]);
    expect(decided([annotated('true'), lease(5)], 9, { renewedAt: at(5) }, { restates: true }).writes).toEqual([]);
  });

  it('tells of pressures when they begin and end', () => {
    const said = (short: readonly ('MemoryPressure' | 'DiskPressure')[], before: readonly object[]) =>
      decided([node({ conditions: before }), lease(5)], 9, { renewedAt: at(5) }, { pressures: () => short }).writes.flatMap((write) =>
        write.op === 'event' ? [[write.event.type, write.event.reason, write.event.message, write.event.about.metadata.uid]] : [],
      );
    expect(said(['MemoryPressure'], conditions(0))).toEqual([
      ['Normal', 'NodeHasInsufficientMemory', 'Node n status is now: NodeHasInsufficientMemory', 'n'],
    ]);
    const short = conditions(0).map((each) => (each.type === 'DiskPressure' ? { ...each, status: 'True' } : each));
    expect(said([], short)).toEqual([['Normal', 'NodeHasNoDiskPressure', 'Node n status is now: NodeHasNoDiskPressure', 'n']]);
    expect(said(['DiskPressure'], short)).toEqual([]);
  });

  it('reads what changes without an event at every sync', () => {
    const wakes = (seconds: number, more: Partial<Options>) =>
      decided([node({ conditions: conditions(0) }), lease(9)], seconds, { renewedAt: at(9) }, more);
    expect([
      wakes(13, { pressures: () => [] }).wakeAt,
      wakes(10, { pressures: () => [] }).wakeAt,
      wakes(13, { renewsEach: true }).wakeAt,
    ]).toEqual([at(19), at(19), at(19)]);
    expect(wakes(13, { renewsEach: true })).not.toHaveProperty('heartbeat');
    expect(wakes(18, { settings: settingsWith({ nodeLeaseDurationSeconds: 400 }), renewsEach: true }).wakeAt).toBe(at(20));
    expect(wakes(20, { settings: settingsWith({ nodeLeaseDurationSeconds: 400 }), renewsEach: true }).wakeAt).toBe(at(30));
  });

  it('has a limit of volumes by the annotation of its node', () => {
    const drivers = (annotation: string) =>
      decided(
        [node({ conditions: conditions(0) }, { annotations: { 'sim.orch.io/csi-limit': annotation } }), lease(5)],
        9,
        { renewedAt: at(5) },
        { storageDrivers: [driverOf({ volumesPerNode: 3 })] },
      ).writes.flatMap((write) =>
        write.op === 'create'
          ? (write.object['spec'] as { readonly drivers: readonly { readonly allocatable: object }[] }).drivers.map(
              ({ allocatable }) => allocatable,
            )
          : [],
      );
    expect(['7', '0', '1.5', 'x'].map(drivers)).toEqual([[{ count: 7 }], [{ count: 3 }], [{ count: 3 }], [{ count: 3 }]]);
  });

  it('reads the API about its own node only, and says what it writes', () => {
    const {
      name,
      component,
      writes,
      watches = [],
      self,
      startKeys,
    } = nodeRegistration({ machine: createWorld().machine('n'), spec: SPEC, settings: settingsWith(), storageDrivers: [] });
    const onlyOf = (watched: { readonly only?: unknown } | undefined): unknown => {
      const only = watched?.only as { readonly index: string; value(): string } | undefined;
      return only === undefined ? undefined : [only.index, only.value()];
    };
    expect([name, component, writes, startKeys?.({} as never)]).toEqual([
      'node-registration',
      'kubelet',
      ['Node', 'Lease', 'CSINode'],
      ['n'],
    ]);
    expect([onlyOf(self), ...watches.map((each) => [each.kind, onlyOf(each), each.renewals])]).toEqual([
      ['name', 'n'],
      ['Lease', ['name', 'n'], false],
      ['CSINode', ['name', 'n'], undefined],
    ]);
  });
});
