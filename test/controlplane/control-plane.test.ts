/** The processes of the control plane by its options and flags, and the leases of those that stand for election. */
import { describe, expect, it } from 'vitest';
import { namesFor } from '../../src/apiserver/machinery/index.ts';
import { createWorld } from '../../src/controlplane/agents/index.ts';
import { createCluster, type Cluster, type ClusterOptions } from '../../src/controlplane/cluster.ts';
import { controlPlane, reconfigured, type ControlPlaneOptions, type SchedulerStart } from '../../src/controlplane/control-plane.ts';
import type { Observation, ProcessSpec } from '../../src/controlplane/runtime/index.ts';

const names = namesFor('k8s.io');
/** Name; controllers; requests per second and burst; the lease that it stands for, and its component. */
const summary = ({ name, controllers, requestRate: rate, elector }: ProcessSpec): readonly unknown[] => [
  name,
  controllers.map((controller) => controller.name).join(' '),
  rate === undefined ? '' : `${rate.qps}/${rate.burst}`,
  elector === undefined ? '' : `${String(elector.startKeys?.({ names } as never))} ${String(elector.component)}`,
];
const processes = (options: ControlPlaneOptions, gates?: Readonly<Record<string, boolean>>) => controlPlane([], options, names, gates);
const scheduling = (flags: readonly string[], more: Partial<SchedulerStart> = {}): readonly ProcessSpec[] =>
  processes({ schedulers: [{ name: 'batch', flags, ...more }] }).slice(1);
const MANAGER = ['controller-manager', '', '', ''];
const SCHEDULER = ['scheduler', 'scheduler', '50/100', ''];

describe('the control plane', () => {
  it.each<readonly [string, ControlPlaneOptions, readonly (readonly unknown[])[]]>([
    ['is one manager and one scheduler', {}, [MANAGER, SCHEDULER]],
    [
      'may have candidates for the leases of its components',
      { controllerManager: {}, scheduler: { candidates: 2 } },
      [
        ['controller-manager', '', '', 'kube-system/kube-controller-manager kube-controller-manager'],
        ['scheduler', 'scheduler', '50/100', 'kube-system/kube-scheduler default-scheduler'],
        ['scheduler-1', 'scheduler', '50/100', 'kube-system/kube-scheduler default-scheduler'],
      ],
    ],
    [
      'may have leases elsewhere, and several processes without an election',
      { controllerManager: { lease: { name: 'm', namespace: 'n' } }, scheduler: { elect: false, candidates: 2 } },
      [['controller-manager', '', '', 'n/m kube-controller-manager'], SCHEDULER, ['scheduler-1', 'scheduler', '50/100', '']],
    ],
    [
      'may have several schedulers',
      {
        schedulers: [
          { name: 'a', flags: [] },
          { name: 'b', flags: [], schedulerName: 'b', candidates: 2 },
        ],
        scheduler: {},
      },
      [
        MANAGER,
        ['a', 'scheduler', '50/100', ''],
        ['b', 'scheduler-for-b', '50/100', 'kube-system/kube-scheduler b'],
        ['b-1', 'scheduler-for-b', '50/100', 'kube-system/kube-scheduler b'],
      ],
    ],
  ])('%s', (_, options, expected) => {
    expect(processes(options).map(summary)).toEqual(expected);
  });

  it('has a process that renews the lease of the API server, behind its gate', () => {
    const first = (gates: Readonly<Record<string, boolean>>) => summary(processes({}, gates)[0] as ProcessSpec);
    expect(first({ APIServerIdentity: true })).toEqual(['api-server', 'api-server-identity', '', '']);
    expect(first({ APIServerIdentity: false })).toEqual(MANAGER);
  });
});

describe('the flags of a scheduler', () => {
  it.each<readonly [string, readonly string[], readonly unknown[]]>([
    ['limit its requests', ['--orch-api-qps=7', '--orch-api-burst=9'], ['batch', 'scheduler', '7/9', '']],
    ['switch the limit off', ['--orch-api-qps=0'], ['batch', 'scheduler', '', '']],
    [
      'make it look authorities up before it starts',
      ['--authentication-kubeconfig=k', '--authentication-tolerate-lookup-failure=false'],
      ['batch', 'authentication-lookup scheduler', '50/100', ''],
    ],
    ['tolerate that the look-up fails', ['--authentication-kubeconfig=k'], ['batch', 'scheduler', '50/100', '']],
    ['skip it without a kubeconfig', ['--authentication-tolerate-lookup-failure=false'], ['batch', 'scheduler', '50/100', '']],
    [
      'skip it where they say so',
      ['--authentication-kubeconfig=k', '--authentication-tolerate-lookup-failure=false', '--authentication-skip-lookup'],
      ['batch', 'scheduler', '50/100', ''],
    ],
    ['make it stand for election', ['--leader-elect'], ['batch', 'scheduler', '50/100', 'kube-system/kube-scheduler default-scheduler']],
    ['make it lead without one', ['--leader-elect=false'], ['batch', 'scheduler', '50/100', '']],
    [
      'name its lease',
      ['--leader-elect-resource-name=l', '--leader-elect-resource-namespace=n'],
      ['batch', 'scheduler', '50/100', 'n/l default-scheduler'],
    ],
    ['name its lease as before', ['--lock-object-name=l'], ['batch', 'scheduler', '50/100', 'kube-system/l default-scheduler']],
  ])('%s', (_, flags, expected) => {
    const specs = scheduling(flags);
    expect(specs.map(summary)).toEqual([expected]);
    expect([specs[0]?.start, specs[0]?.refusal, specs[0]?.gates]).toEqual([{ flags }, undefined, undefined]);
  });

  it('set its gates, beside those of the cluster', () => {
    const gates = { CSIDriverRegistry: false, PodDeletionCost: false };
    const flags = ['--feature-gates=PodDeletionCost=true,MinDomainsInPodTopologySpread=true'];
    const [, spec] = processes({ schedulers: [{ name: 'batch', flags }] }, gates);
    expect(spec?.gates).toMatchObject({ CSIDriverRegistry: false, PodDeletionCost: true, MinDomainsInPodTopologySpread: true });
  });

  it('that are invalid are why none of its processes starts', () => {
    const flags = ['--leader-elect-retry-period=0s', '--secure-port=-1'];
    const refusal =
      '--secure-port -1 must be between 0 and 65535, inclusive. 0 for turning off secure port; --leader-elect-retry-period 0s must be greater than zero';
    expect(scheduling(flags).map(({ name, refusal: why, elector }) => [name, why, elector])).toEqual([['batch', refusal, undefined]]);
    const several = scheduling(flags, { candidates: 2 });
    expect(several.map(({ name, refusal: why }) => [name, why])).toEqual([
      ['batch', refusal],
      ['batch-1', refusal],
    ]);
  });

  it('that are absent are not shown', () => {
    expect(scheduling([])[0]).not.toHaveProperty('start');
  });
});

describe('another configuration', () => {
  const world = createWorld(0, { images: [], startAt: 0, hosts: new Map(), taken: [] });
  const agentOptions = { world, podBehaviors: [], storageDrivers: [], nodeLeaseDurationSeconds: 40, startAt: 0 };
  const options = {
    nodes: [{ name: 'n', capacity: { cpu: '1' }, agent: { maxPods: 5 }, agentFlags: ['--v=1'] }],
    controlPlane: { schedulers: [{ name: 'batch', flags: ['--orch-api-qps=7'], candidates: 2 }] },
  };
  const after = (process: string, how: Parameters<typeof reconfigured>[2], of: object = options): ProcessSpec | undefined =>
    reconfigured({ options: of, agentOptions }, process, how);

  it('of an agent replaces its file or its flags, and leaves the other', () => {
    expect(after('agent/n', { config: { maxPods: 6 } })?.start).toEqual({ config: { maxPods: 6 }, flags: ['--v=1'] });
    expect(after('agent/n', { flags: ['--v=2'] })?.start).toEqual({ config: { maxPods: 5 }, flags: ['--v=2'] });
    expect(after('agent/other', { config: { maxPods: 6 } })).toMatchObject({ name: 'agent/other', start: { config: { maxPods: 6 } } });
  });

  it('of a scheduler replaces the flags of one of its processes', () => {
    const spec = after('batch-1', { flags: ['--orch-api-qps=8'] });
    expect(spec === undefined ? undefined : summary(spec)).toEqual([
      'batch-1',
      'scheduler',
      '8/100',
      'kube-system/kube-scheduler default-scheduler',
    ]);
    expect([after('batch', {})?.start, after('batch-2', {}), after('scheduler', {})]).toEqual([
      { flags: ['--orch-api-qps=7'] },
      undefined,
      undefined,
    ]);
    expect(after('scheduler', { flags: ['--v=x'] }, {})?.refusal).toContain('unknown flag: --v');
    expect(after('controller-manager', { flags: [] }, {})).toBeUndefined();
  });
});

describe('an election', () => {
  const SETTINGS = { leaseDurationMs: 30_000, renewDeadlineMs: 12_000, retryPeriodMs: 5_000 };
  const open = (plane: ControlPlaneOptions, more: Partial<ClusterOptions> = {}): Cluster =>
    createCluster({ domain: 'k8s.io', controlPlane: plane, warmUpMs: 10_000, ...more });
  const leaseIn = (cluster: Cluster, key: string) => cluster.store.get('Lease', key)?.spec;
  const byFlags = (...flags: readonly string[]): ControlPlaneOptions => ({ schedulers: [{ name: 'batch', flags }] });
  const FLAGS = ['--leader-elect-lease-duration=30s', '--leader-elect-renew-deadline=12s', '--leader-elect-retry-period=5s'];

  it.each<readonly [string, ControlPlaneOptions, string, string]>([
    ['options', { controllerManager: { settings: SETTINGS } }, 'kube-system/kube-controller-manager', 'controller-manager'],
    ['flags', byFlags(...FLAGS), 'kube-system/kube-scheduler', 'batch'],
  ])('has the durations of the %s', (_, plane, key, process) => {
    const ends: number[] = [];
    const onObservation = (one: Observation): void =>
      void (one.type === 'process' && one.process === process && one.what === 'crashed' ? ends.push(one.at) : 0);
    const cluster = open(plane, { onObservation });
    const renewals = new Set<string>();
    for (let at = 0; at < 30; at++) {
      cluster.runUntil(cluster.now + 1_000);
      renewals.add(leaseIn(cluster, key)?.renewTime ?? '');
    }
    const times = [...renewals].map((time) => Date.parse(time));
    expect(leaseIn(cluster, key)?.leaseDurationSeconds).toBe(30);
    expect(new Set(times.slice(1).map((time, at) => time - (times[at] ?? 0)))).toEqual(new Set([5_000]));
    const last = times.at(-1) ?? 0;
    cluster.addFaults({ request: ({ by }) => (by.process === process ? { fail: { status: 'Failure', code: 500 } as never } : undefined) });
    cluster.runUntil(cluster.now + 60_000);
    // The deadline counts from the first renewal that failed.
    expect(ends[0]).toBe(last + 5_000 + 12_000);
  });

  it.each<readonly [string, ControlPlaneOptions, readonly unknown[]]>([
    ['leases', { controllerManager: {} }, [undefined, undefined]],
    [
      'endpointsleases',
      { controllerManager: { lock: 'endpointsleases', lease: { name: 'l', namespace: 'default' } } },
      ['controller-manager', undefined],
    ],
    [
      'configmapsleases',
      byFlags(
        '--leader-elect-resource-lock=configmapsleases',
        '--leader-elect-resource-name=l',
        '--leader-elect-resource-namespace=default',
      ),
      [undefined, 'batch'],
    ],
  ])('may be held with %s', (_, plane, expected) => {
    const cluster = open(plane);
    const holderIn = (kind: 'Endpoints' | 'ConfigMap'): string | undefined => {
      const text = cluster.store.get(kind, 'default/l')?.metadata.annotations?.['control-plane.alpha.kubernetes.io/leader'];
      return text === undefined ? undefined : (JSON.parse(text) as { holderIdentity: string }).holderIdentity.split('_')[0];
    };
    expect([holderIn('Endpoints'), holderIn('ConfigMap')]).toEqual(expected);
  });

  it('ends with a release by a scheduler that stops, and without one by a manager', () => {
    const cluster = open({ controllerManager: {}, scheduler: {} });
    cluster.runtime.stop('scheduler');
    cluster.runtime.stop('controller-manager');
    cluster.runUntil(cluster.now + 1_000);
    expect(['kube-scheduler', 'kube-controller-manager'].map((name) => leaseIn(cluster, `kube-system/${name}`)?.holderIdentity)).toEqual([
      '',
      expect.stringMatching(/^controller-manager_/),
    ]);
  });
});
