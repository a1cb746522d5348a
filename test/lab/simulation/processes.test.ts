/** The processes of a scenario in a run: leader election by flags, feature gates. */
import { describe, expect, it } from 'vitest';
import type { HorizontalPodAutoscaler } from '../../../src/apiserver/kinds/index.ts';
import { simulate, type Run } from '../../../src/lab/simulation/index.ts';
import { scenarioIn } from '../../support/scenarios.ts';

const run = (spec: string, documents = '', trace = false): Run =>
  simulate(scenarioIn(`apiVersion: scenario.orch.io/v1\nkind: Scenario\nmetadata: { name: a }\nspec:\n${spec}\n${documents}`), { trace });
const objects = <K extends string>({ cluster }: Run, kind: K) => [...cluster.store.values(kind)];

describe('elections', () => {
  it('follow the flags: the lease duration, and the lock', () => {
    const holder = (until: number) => {
      const lease = objects(
        run(`  until: ${until}s
  cluster:
    schedulers: 2
    scheduler: [--leader-elect-lease-duration=6s, --leader-elect-renew-deadline=4s, --leader-elect-retry-period=1s, --leader-elect-resource-name=lock, --leader-elect-resource-namespace=default]
  steps:
    - { at: 1s, fault: { crash: scheduler } }`),
        'Lease',
      ).find(({ metadata }) => metadata.name === 'lock' && metadata.namespace === 'default');
      return [lease?.spec.leaseDurationSeconds, lease?.spec.holderIdentity?.split('_')[0]];
    };
    expect(holder(4)).toEqual([6, 'scheduler']);
    expect(holder(12)).toEqual([6, 'scheduler-1']);
  });
});

describe('schedulers', () => {
  it('hold no lock with --leader-elect=false, and otherwise the one that older flags name', () => {
    const locks = (flags: string) =>
      objects(run(`  until: 4s\n  cluster: { schedulers: 2, scheduler: [${flags}] }`), 'Lease')
        .filter(({ spec }) => spec.holderIdentity?.startsWith('scheduler_') === true)
        .map(({ metadata }) => `${metadata.namespace ?? ''}/${metadata.name}`);
    expect(locks('--leader-elect=false')).toEqual([]);
    expect(locks('--leader-elect=true')).toEqual(['orch-system/orch-scheduler']);
    expect(locks('--lock-object-name=old, --lock-object-namespace=default')).toEqual(['default/old']);
  });
});

describe('schedulers that look up authorities', () => {
  /** How often the scheduler started after the beginning, where the first request after its second start fails. */
  const starts = (flags: string): number =>
    (
      run(
        `  until: 20s
  cluster: { nodes: { count: 1 }, scheduler: [${flags}] }
  steps:
    - { at: 1s, fault: { failRequest: scheduler } }
    - { fault: { crash: scheduler, restartAfter: 1s } }
    - at: 5s
      apply: { apiVersion: v1, kind: Pod, metadata: { name: p }, spec: { containers: [{ name: c, image: "c:1" }] } }
    - at: 20s
      expect: { match: { kind: Pod, metadata: { name: p }, status: { phase: Running } } }`,
        '',
        true,
      ).trace?.entries ?? []
    ).filter((entry) => entry.type === 'process' && entry.process === 'scheduler' && entry.what === 'started').length;

  it('exit when their look-up fails with --authentication-tolerate-lookup-failure=false', () => {
    const kubeconfig = '--authentication-kubeconfig=/k';
    const strict = '--authentication-tolerate-lookup-failure=false';
    expect(starts(`${kubeconfig}, ${strict}`)).toBe(2);
    for (const flags of ['', kubeconfig, strict, `${kubeconfig}, ${strict}, --authentication-skip-lookup`]) expect(starts(flags)).toBe(1);
  });
});

describe('the lock of an election', () => {
  const LEADER = 'control-plane.alpha.orch.io/leader';
  const holders = (lock: string, kind: 'Endpoints' | 'ConfigMap', steps = '[]', until = '4s') => {
    const ended = run(`  until: ${until}
  cluster:
    schedulers: 2
    scheduler: [--leader-elect-resource-lock=${lock}, --leader-elect-lease-duration=6s, --leader-elect-renew-deadline=4s, --leader-elect-retry-period=1s]
  steps: ${steps}`);
    const at = 'orch-system/orch-scheduler';
    const text = ended.cluster.store.get(kind, at)?.metadata.annotations?.[LEADER];
    const older = text === undefined ? undefined : (JSON.parse(text) as Record<string, unknown>);
    return { older, lease: ended.cluster.store.get('Lease', at)?.spec, failures: ended.failures };
  };

  it.each([
    ['endpointsleases', 'Endpoints'],
    ['configmapsleases', 'ConfigMap'],
  ] as const)('is, with --leader-elect-resource-lock=%s, an annotation of %s and the lease beside it, which agree', (lock, kind) => {
    const { older, lease } = holders(lock, kind);
    expect(lease?.holderIdentity).toMatch(/^scheduler_/);
    expect(older).toMatchObject({ holderIdentity: lease?.holderIdentity, leaseDurationSeconds: 6, leaderTransitions: 0 });
    expect(older?.['renewTime']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    const after = holders(lock, kind, '[{ at: 1s, fault: { crash: scheduler } }]', '14s');
    expect(after.lease?.holderIdentity).toMatch(/^scheduler-1_/);
    expect(after.older).toMatchObject({ holderIdentity: after.lease?.holderIdentity, leaderTransitions: 1 });
  });

  it('is released in both', () => {
    const { older, lease } = holders(
      'endpointsleases',
      'Endpoints',
      '[{ at: 1s, fault: { stop: scheduler } }, { at: 1s, fault: { stop: scheduler-1 } }]',
    );
    expect([older?.['holderIdentity'], lease?.holderIdentity]).toEqual(['', '']);
  });

  it('whose objects disagree has no known holder: it is acquired after its duration', () => {
    const split = `[{ at: 1s, fault: { crash: scheduler } }, { at: 1s, patch: { target: Lease/orch-system/orch-scheduler, type: merge, patch: { spec: { holderIdentity: stranger } } } }]`;
    const { older, lease } = holders('endpointsleases', 'Endpoints', split, '14s');
    expect([older?.['holderIdentity'], lease?.holderIdentity]).toEqual([expect.stringMatching(/^scheduler-1_/), older?.['holderIdentity']]);
  });

  it('alone leaves no older object behind', () => {
    expect(holders('leases', 'Endpoints').older).toBeUndefined();
  });
});

describe('requests of a scheduler', () => {
  const pods = (length: number) =>
    Array.from(
      { length },
      (_, i) => `---\n{ apiVersion: v1, kind: Pod, metadata: { name: p${i} }, spec: { containers: [{ name: c, image: "c:1" }] } }\n`,
    ).join('');
  const startAt = Date.UTC(2024, 2, 1);
  const boundBy = (scheduler: string, ms: number, length = 12) =>
    run(`  until: 20s\n  cluster: { nodes: [{ name: a }, { name: b }]${scheduler} }`, pods(length), true).trace?.entries.filter(
      (entry) => entry.type === 'write' && entry.actor === 'scheduler' && entry.change.kind === 'Pod' && entry.at <= startAt + ms,
    ).length ?? 0;
  const boundWithin = (flags: string, ms: number) => boundBy(`, scheduler: [${flags}]`, ms);

  it('are throttled by --orch-api-qps, after --orch-api-burst of them', () => {
    const limited = '--orch-api-qps=2, --orch-api-burst=4';
    expect([boundWithin(limited, 100), boundWithin(limited, 2_100), boundWithin(limited, 20_000)]).toEqual([4, 8, 12]);
    expect(boundWithin('--leader-elect=false', 100)).toBe(12);
    expect(boundWithin('--orch-api-qps=0', 100)).toBe(12);
  });

  it('are throttled by the defaults, 50 and 100, whether or not they are given', () => {
    for (const flags of ['', ', scheduler: [--leader-elect=false]', ', scheduler: [--orch-api-qps=50, --orch-api-burst=100]'])
      expect([boundBy(flags, 100, 130), boundBy(flags, 20_000, 130)], flags).toEqual([105, 130]);
  });

  it('are not throttled by flags that are ignored beside --config', () => {
    expect(boundWithin('--config=/etc/scheduler.yaml, --orch-api-qps=2, --orch-api-burst=4', 100)).toBe(12);
  });

  it('are never sent with a burst of nothing: it does not start', () => {
    expect(() => run('  cluster: { scheduler: [--orch-api-burst=0] }')).toThrow(/--orch-api-burst 0 must be greater than 0/);
  });
});

const SPREAD = `---
apiVersion: v1
kind: Pod
metadata: { name: p, labels: { app: p } }
spec:
  containers: [{ name: c, image: "c:1" }]
  topologySpreadConstraints: [{ maxSkew: 1, minDomains: 3, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, labelSelector: { matchLabels: { app: p } } }]
---
apiVersion: v1
kind: Pod
metadata: { name: q, labels: { app: p } }
spec:
  containers: [{ name: c, image: "c:1" }]
  topologySpreadConstraints: [{ maxSkew: 1, minDomains: 3, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, labelSelector: { matchLabels: { app: p } } }]
`;

describe('an agent', () => {
  it('registers its node', () => {
    const names = objects(run('  until: 1s\n  cluster: { nodes: [{ name: east }] }'), 'Node').map(({ metadata }) => metadata.name);
    expect(names).toEqual(['east']);
  });
});

describe('configuration', () => {
  const nodes = (spec: string, until = '1s') =>
    new Map(objects(run(`  until: ${until}\n${spec}`), 'Node').map((node) => [node.metadata.name, node]));

  it("is a node's own before that of all, its flags after those of all, and flags override files", () => {
    const seen = nodes(`  cluster:
    agent: { maxPods: 5 }
    agentFlags: [--port=11]
    nodes:
      - { name: plain }
      - { name: group, count: 2, agent: { maxPods: 7, nodeLeaseDurationSeconds: 20 } }
      - { name: own, agentFlags: [--max-pods=9, --port=12, "--node-labels=a=b"] }
      - { name: dense, agent: { podsPerCore: 2, maxPods: 100 } }
`);
    const stated = (name: string) => {
      const text = JSON.stringify(seen.get(name));
      return [/"pods":"(\d+)"/.exec(text)?.[1], /"Port":(\d+)/.exec(text)?.[1]];
    };
    expect([...seen.keys()].sort()).toEqual(['dense', 'group-0', 'group-1', 'own', 'plain']);
    expect(['plain', 'group-0', 'group-1', 'own', 'dense'].map(stated)).toEqual([
      ['5', '11'],
      ['7', '11'],
      ['7', '11'],
      ['9', '12'],
      ['8', '11'],
    ]);
    expect(seen.get('own')?.metadata.labels).toMatchObject({ a: 'b' });
  });

  it('decides how long a lease lasts and how often it is renewed, node by node', () => {
    const ended = run(`  until: 1m
  cluster: { nodes: [{ name: a, agent: { nodeLeaseDurationSeconds: 20 } }, { name: b }] }`);
    const leases = objects(ended, 'Lease').filter(({ metadata }) => ['a', 'b'].includes(metadata.name));
    expect(leases.map(({ metadata, spec }) => [metadata.name, spec.leaseDurationSeconds])).toEqual([
      ['a', 20],
      ['b', 40],
    ]);
  });

  it('decides how often an unchanged status is posted, and whether a node is registered at all', () => {
    const heartbeat = (agent: string) =>
      nodes(`  cluster: { nodes: [{ name: a, agent: ${agent} }] }\n`, '4m').get('a')?.status.conditions?.[0]?.lastHeartbeatTime;
    const [often, rarely] = [heartbeat('{ nodeStatusReportFrequency: 1m }'), heartbeat('{}')];
    expect(Date.parse(String(often)) - Date.parse(String(rarely))).toBeGreaterThan(60_000);
    expect(heartbeat('{ nodeStatusUpdateFrequency: 20s }')).not.toBe(rarely);
    expect([...nodes('  cluster: { nodes: [{ name: a, agentFlags: [--register-node=false] }] }\n').keys()]).toEqual([]);
  });

  it('is applied by a restart', () => {
    const port = (steps: string) =>
      objects(run(`  until: 30s\n  cluster: { nodes: [{ name: a }] }\n  steps:\n${steps}`), 'Lease').find(
        ({ metadata }) => metadata.name === 'a',
      )?.spec.leaseDurationSeconds;
    const changed = '    - fault: { configure: agent/a, config: { nodeLeaseDurationSeconds: 12 } }\n';
    expect([port(changed), port(`${changed}    - fault: { crash: agent/a, restartAfter: 1s }\n`)]).toEqual([40, 12]);
  });
});

describe('a start that is refused', () => {
  const refused = (expected: string) =>
    run(`  until: 5s
  cluster: { nodes: [{ name: a }], scheduler: [--leader-elect-lease-duration=5s, --leader-elect-renew-deadline=10s] }
  steps:
    - expectError: { start: ${expected} }`).failures.map(({ message }) => message);

  it('is an outcome that a step expects', () => {
    expect(refused('scheduler, message: must be at most --leader-elect-lease-duration')).toEqual([]);
  });

  it('comes of a lease of half a second too, when it was set meanwhile', () => {
    const flags = '--leader-elect-lease-duration=500ms, --leader-elect-renew-deadline=300ms, --leader-elect-retry-period=100ms';
    const steps = `[{ fault: { configure: scheduler, flags: [${flags}] } }, { at: 1s, fault: { crash: scheduler, restartAfter: 1s } }]`;
    expect(run(`  until: 5s\n  steps: ${steps}`).failures.map(({ message }) => message)).toEqual([
      expect.stringContaining('scheduler does not start: --leader-elect-lease-duration 500ms must be at least 1s'),
    ]);
  });

  it('fails the run where no step expects it, or a step expects another error', () => {
    const [first, ...more] = refused('agent/a, message: x');
    expect([first, more]).toEqual([
      'agent/a is up: it has not refused to start',
      [expect.stringContaining('scheduler does not start: --leader-elect-renew-deadline 10s must be at most')],
    ]);
    expect(refused('scheduler, message: another')[0]).toBe('scheduler refused to start with another message');
  });

  it('is a problem of the file where no step expects a refused start', () => {
    expect(() => run('  cluster: { agentFlags: [--max-pods=-1] }\n  steps: []')).toThrow(
      /flags that the agent accepts, found .*must not be a negative number/,
    );
  });
});

describe('warnings about configuration', () => {
  it('name the gates in which a process differs from its cluster, and the settings without effect', () => {
    const { lintWarnings } = run(`  until: 1s
  featureGates: { EphemeralContainers: false, JobReadyPods: true }
  cluster:
    agent: { hairpinMode: none, maxPods: 3 }
    nodes: [{ name: a, agentFlags: ["--feature-gates=NodeSwap=true"] }]
    scheduler: [--contention-profiling=false, --leader-elect=false]`);
    expect(lintWarnings.map(({ text }) => text)).toEqual([
      'agent/a has its own gates: NodeSwap on',
      'gate EphemeralContainers changes nothing in a run: simulated pods take no ephemeral containers',
      'hairpinMode of agent/a changes nothing in a run: no traffic flows between simulated pods, and no DNS name is resolved',
      'gate NodeSwap of agent/a changes nothing in a run: a simulated node has no operating system to adjust',
      '--contention-profiling of scheduler changes nothing in a run: simulated processes publish no metrics and no profiles',
    ]);
  });

  it('name each setting once, of the first process that has it', () => {
    const { lintWarnings } = run(`  until: 1s
  cluster:
    agentFlags: [--hairpin-mode=none]
    nodes: [{ name: a }, { name: b, agentFlags: ["--feature-gates=NodeSwap=true,GracefulNodeShutdown=false"] }, { name: c, agentFlags: [--max-pods=3] }]
    schedulers: [{ name: one }, { name: two, flags: [--contention-profiling=false] }, { name: three, flags: [--contention-profiling=false] }]`);
    expect(lintWarnings.map(({ text }) => text.replace(/ changes nothing.*/, ''))).toEqual([
      'agent/b has its own gates: GracefulNodeShutdown off, NodeSwap on',
      'hairpinMode of agent/a',
      'gate NodeSwap of agent/b',
      '--contention-profiling of two',
    ]);
    expect(run('  until: 1s\n  cluster: { schedulers: 2 }').lintWarnings).toEqual([]);
  });
});

describe('cpuCFSQuota', () => {
  const OWN = 'metadata: { annotations: { sim.orch.io/cpu: "2" }, name: told, labels: { app: a } }';
  const pod = (meta: string) =>
    `---\n{ apiVersion: v1, kind: Pod, ${meta}, spec: { containers: [{ name: c, image: "c:1", resources: { requests: { cpu: 250m }, limits: { cpu: 500m } } }] } }\n`;
  /** The usage that an autoscaler reads of a pod that would use four times its limit. */
  const seen = (agent: string, usage: string, meta: string) => {
    const { cluster } = run(
      `  until: 1m\n  cluster: { nodes: [{ name: a, agent: ${agent} }]${usage} }`,
      `${pod(meta)}---
{ apiVersion: apps/v1, kind: ReplicaSet, metadata: { name: s }, spec: { replicas: 1, selector: { matchLabels: { app: a } }, template: { metadata: { labels: { app: a } }, spec: { containers: [{ name: c, image: "c:1", resources: { requests: { cpu: 250m } } }] } } } }
---
{ apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: { name: h }, spec: { maxReplicas: 1, scaleTargetRef: { apiVersion: apps/v1, kind: ReplicaSet, name: s }, metrics: [{ type: Resource, resource: { name: cpu, target: { type: Utilization, averageUtilization: 50 } } }] } }
`,
    );
    const [scaler] = cluster.store.values('HorizontalPodAutoscaler');
    return (scaler as HorizontalPodAutoscaler | undefined)?.status.currentMetrics?.[0]?.resource?.current?.averageUtilization;
  };

  it('throttles containers at their limits, unless it is false', () => {
    const usage = ', usage: [{ selector: { matchLabels: { app: a } }, cpu: "2" }]';
    const meta = 'metadata: { name: p, labels: { app: a } }';
    expect([seen('{}', usage, meta), seen('{ cpuCFSQuota: false }', usage, meta)]).toEqual([200, 800]);
    expect([seen('{}', '', OWN), seen('{ cpuCFSQuota: false }', '', OWN)]).toEqual([200, 800]);
  });
});

describe('events of containers', () => {
  it('are recorded where a step expects one of their reasons, not where it expects another reason', () => {
    const reasons = (reason: string) =>
      objects(
        run(
          `  until: 5s
  cluster: { nodes: [{ name: a }] }
  steps: [{ waitFor: { match: { kind: Event, metadata: { namespace: default }, reason: ${reason} } } }]`,
          '---\n{ apiVersion: v1, kind: Pod, metadata: { name: p }, spec: { containers: [{ name: c, image: "c:1" }] } }\n',
        ),
        'Event',
      ).map((event) => event.reason);
    expect(reasons('Started')).toEqual(expect.arrayContaining(['Scheduled', 'Pulled', 'Created', 'Started']));
    expect(reasons('Scheduled')).toContain('Scheduled');
    expect(reasons('Scheduled')).not.toContain('Started');
  });
});

describe('refused pods', () => {
  it('are tried again after --pod-max-in-unschedulable-pods-duration', () => {
    const attempts = (flag: string) =>
      run(
        `  until: 4m\n  cluster: { nodes: [{ name: a }], scheduler: [${flag}] }`,
        '---\n{ apiVersion: v1, kind: Pod, metadata: { name: p }, spec: { nodeSelector: { no: where }, containers: [{ name: c, image: "c:1" }] } }\n',
        true,
      ).trace?.entries.filter((entry) => entry.type === 'reconcile' && entry.controller === 'scheduler' && entry.key === 'default/p')
        .length ?? 0;
    expect(attempts('--pod-max-in-unschedulable-pods-duration=30s')).toBeGreaterThan(attempts('--profiling') + 2);
  });
});

describe('several schedulers', () => {
  it('serve the pods that name them, with flags and gates of their own', () => {
    const ended = run(
      `  until: 20s
  cluster:
    nodes: [{ name: a }]
    schedulers: [{ name: scheduler }, { name: batch, schedulerName: batch, flags: ["--feature-gates=MinDomainsInPodTopologySpread=true"] }]
  steps:
    - { at: 5s, fault: { crash: batch } }
    - { at: 6s, apply: { apiVersion: v1, kind: Pod, metadata: { name: late }, spec: { schedulerName: batch, containers: [{ name: c, image: "c:1" }] } } }`,
      ['default-scheduler', 'batch', 'nobody']
        .map(
          (name) =>
            `---\n{ apiVersion: v1, kind: Pod, metadata: { name: ${name} }, spec: { schedulerName: ${name}, containers: [{ name: c, image: "c:1" }] } }\n`,
        )
        .join(''),
    );
    expect(ended.failures).toEqual([]);
    const placed = objects(ended, 'Pod').filter(({ spec }) => spec.nodeName !== undefined);
    expect(placed.map(({ metadata }) => metadata.name).sort()).toEqual(['batch', 'default-scheduler']);
    expect(ended.cluster.runtime.process('batch')?.spec.gates?.['MinDomainsInPodTopologySpread']).toBe(true);
    expect(ended.cluster.gates['MinDomainsInPodTopologySpread']).toBe(false);
  });
});

describe('credential providers', () => {
  const LINKED = '--image-credential-provider-config=/etc/p.yaml, --image-credential-provider-bin-dir=/opt/p';
  const phase = (flags: string, steps = '') => {
    const ended = run(
      `  until: 20s
  cluster:
    nodes: [{ name: a, agentFlags: [${flags}] }]
    images: [{ name: "r.example/app:1", size: 1Mi, private: { username: u, password: p } }]
    credentialProviders: [{ name: x, matchImages: [r.example], auth: { r.example: { username: u, password: p } } }]${steps}`,
      '---\n{ apiVersion: v1, kind: Pod, metadata: { name: p }, spec: { containers: [{ name: c, image: "r.example/app:1" }] } }\n',
    );
    return objects(ended, 'Pod')[0]?.status.phase;
  };

  it('are called by agents whose flags name both a configuration and a folder, unless AgentCredentialProviders is off', () => {
    expect(phase(LINKED)).toBe('Running');
    expect(phase('')).toBe('Pending');
    expect(phase('--image-credential-provider-config=/etc/p.yaml')).toBe('Pending');
    expect(phase(`${LINKED}, "--feature-gates=AgentCredentialProviders=false"`)).toBe('Pending');
  });
});

describe('gates', () => {
  it.each([
    [true, 1],
    [false, 2],
  ])('MinDomainsInPodTopologySpread %s: with one domain of three that there should be, %i of two pods get a node', (on, placed) => {
    const ended = run(
      `  until: 5s
  featureGates: { MinDomainsInPodTopologySpread: ${on} }
  cluster: { nodes: [{ name: node, labels: { zone: z } }] }`,
      SPREAD,
    );
    expect(objects(ended, 'Pod').filter(({ spec }) => spec.nodeName !== undefined)).toHaveLength(placed);
  });
});
