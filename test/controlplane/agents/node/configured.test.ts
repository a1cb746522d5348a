/** The node that an agent registers, by its configuration: name, taints, provider, allocatable. */
import { describe, expect, it } from 'vitest';
import type { Node } from '../../../../src/apiserver/kinds/index.ts';
import { simulate, type Run } from '../../../../src/lab/simulation/index.ts';
import { scenarioIn } from '../../../support/scenarios.ts';

const run = (cluster: string, steps = '[]', until = '1s'): Run =>
  simulate(
    scenarioIn(`apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: configured }
spec:
  until: ${until}
  cluster: ${cluster}
  steps: ${steps}`),
  );
const nodesOf = ({ cluster }: Run): readonly Node[] => [...cluster.store.values('Node')];
const nodeOf = (agent: string, flags = '[]', capacity = '{ cpu: 4, memory: 8Gi, ephemeral-storage: 100Gi }'): Node | undefined =>
  nodesOf(run(`{ nodes: [{ name: a, capacity: ${capacity}, agent: ${agent}, agentFlags: ${flags} }] }`))[0];

describe('registration', () => {
  it('is under the name that --hostname-override gives, in lower case; faults name the machine', () => {
    const overridden = run(
      '{ nodes: [{ name: a, agentFlags: [--hostname-override=Host-1] }] }',
      `
    - apply: { apiVersion: v1, kind: Pod, metadata: { name: p }, spec: { containers: [{ name: c, image: "c:1" }] } }
    - waitFor: { match: { kind: Pod, metadata: { name: p }, spec: { nodeName: host-1 }, status: { phase: Running } }, within: 5s }
    - fault: { nodeNotReady: a }
    - waitFor: { match: { kind: Node, metadata: { name: host-1 }, status: { conditions: [{ type: Ready, status: "False" }] } }, within: 5s }
    - fault: { nodeDown: a }
    - at: 2m
      expect:
        - match: { kind: Node, metadata: { name: host-1 }, status: { conditions: [{ type: Ready, status: Unknown }] } }`,
      '3m',
    );
    expect(overridden.failures).toEqual([]);
    const [node] = nodesOf(overridden);
    expect(node?.metadata.labels?.['orch.io/hostname']).toBe('host-1');
    expect(node?.status.addresses).toContainEqual({ type: 'Hostname', address: 'host-1' });
    expect(overridden.cluster.store.get('Lease', 'orch-node-lease/host-1')).toBeDefined();
  });

  it('takes taints, also those of registerWithTaints, and the providerID', () => {
    const node = nodeOf('{ registerWithTaints: [{ key: k, value: v, effect: NoSchedule }], providerID: "cloud://1" }');
    expect(node?.spec).toMatchObject({ taints: [{ key: 'k', value: 'v', effect: 'NoSchedule' }], providerID: 'cloud://1' });
    const flagged = nodeOf('{}', '["--register-with-taints=a=b:NoExecute,c:NoSchedule", "--provider-id=cloud://2"]');
    expect(flagged?.spec).toMatchObject({
      taints: [
        { key: 'a', value: 'b', effect: 'NoExecute' },
        { key: 'c', effect: 'NoSchedule' },
      ],
      providerID: 'cloud://2',
    });
    expect(() => nodeOf('{ registerWithTaints: [{ key: k, effect: Never }] }')).toThrow(/a list of taints, each with a key and one of/);
    expect(() => nodeOf('{}', '["--register-with-taints=a=b:Never"]')).toThrow(/invalid taint effect: Never/);
  });

  it('keeps a node that another client created, where registerNode is false', () => {
    const made = run(
      '{ nodes: [{ name: a, agentFlags: [--register-node=false] }] }',
      '[{ apply: { apiVersion: v1, kind: Node, metadata: { name: a } } }, { waitFor: { match: { kind: Node, status: { conditions: [{ type: Ready, status: "True" }] } }, within: 5s } }]',
      '20s',
    );
    expect(made.failures).toEqual([]);
    expect(made.cluster.store.get('Lease', 'orch-node-lease/a')).toBeDefined();
  });

  it('updates maxPods and port when an agent restarts with other values', () => {
    const changed = run(
      '{ nodes: [{ name: a, agent: { maxPods: 5 } }] }',
      '[{ fault: { configure: agent/a, config: { maxPods: 7, port: 12 } } }, { fault: { crash: agent/a, restartAfter: 1s } }]',
      '10s',
    );
    expect(nodesOf(changed)[0]?.status).toMatchObject({ capacity: { pods: '7' }, daemonEndpoints: { agentEndpoint: { Port: 12 } } });
  });
});

describe('allocatable', () => {
  it('leaves out the default hard thresholds, given explicitly or not', () => {
    const cluster = '{ nodes: [{ name: a, capacity: { cpu: 4, memory: 8Gi, ephemeral-storage: 100Gi } }] }';
    const stated = '{ evictionHard: { memory.available: 100Mi, nodefs.available: 10%, nodefs.inodesFree: 5%, imagefs.available: 15% } }';
    for (const node of [nodesOf(run(cluster))[0], nodeOf('{}'), nodeOf('{ maxPods: 5 }'), nodeOf(stated)])
      expect(node?.status.allocatable).toMatchObject({ cpu: '4', memory: '8092Mi', 'ephemeral-storage': '90Gi' });
    expect(nodeOf('{}', '["--experimental-allocatable-ignore-eviction"]')?.status.allocatable).toMatchObject({
      memory: '8Gi',
      'ephemeral-storage': '100Gi',
    });
  });

  it('leaves out systemReserved and orchReserved, and hard thresholds that are set', () => {
    const of = (agent: string, flags?: string) => nodeOf(agent, flags)?.status.allocatable;
    const reserved = 'systemReserved: { cpu: 500m, memory: 1Gi }, orchReserved: { cpu: 250m, ephemeral-storage: 1Gi }';
    expect(of(`{ ${reserved} }`)).toMatchObject({ cpu: '3250m', memory: '7068Mi', 'ephemeral-storage': '89Gi' });
    const thresholds = 'evictionHard: { memory.available: 512Mi, nodefs.available: 10% }';
    expect(of(`{ ${reserved}, ${thresholds} }`)).toMatchObject({ cpu: '3250m', memory: '6656Mi', 'ephemeral-storage': '89Gi' });
    expect(of(`{ ${thresholds} }`, '["--experimental-allocatable-ignore-eviction"]')).toMatchObject({ memory: '8Gi' });
    expect(of('{ systemReserved: { memory: 9Gi } }')).toMatchObject({ memory: '0' });
  });

  it.each(['0%', '100%'])('reserves nothing for a threshold of %s: it is disabled', (off) => {
    const all = { memory: '8Gi', 'ephemeral-storage': '100Gi' };
    const thresholds = `{ memory.available: "${off}", nodefs.available: "${off}" }`;
    expect(nodeOf(`{ evictionHard: ${thresholds} }`)?.status.allocatable).toMatchObject(all);
    expect(nodeOf('{}', `["--eviction-hard=memory.available<${off},nodefs.available<${off}"]`)?.status.allocatable).toMatchObject(all);
  });

  it('refuses resources that cannot be reserved', () => {
    expect(() => nodeOf('{ systemReserved: { memry: 1Gi } }')).toThrow(/cannot reserve "memry" resource.*memory/);
    expect(() => nodeOf('{ orchReserved: { cpu: "-1" } }')).toThrow(/cannot be negative/);
  });
});

describe('a pod', () => {
  it('with unsafe sysctls is refused, unless allowedUnsafeSysctls has them', () => {
    const phase = (agent: string, sysctl: string, more = '') => {
      const ran = run(
        `{ nodes: [{ name: a, agent: ${agent} }] }`,
        `[{ apply: { apiVersion: v1, kind: Pod, metadata: { name: p }, spec: { ${more} securityContext: { sysctls: [{ name: ${sysctl}, value: "1" }] }, containers: [{ name: c, image: "c:1" }] } } }]`,
        '5s',
      );
      return ran.cluster.store.get('Pod', 'default/p')?.status;
    };
    expect(phase('{}', 'net.core.somaxconn')).toMatchObject({
      phase: 'Failed',
      reason: 'SysctlForbidden',
      message: 'Pod forbidden sysctl: "net.core.somaxconn" not allowlisted',
    });
    for (const allowed of ['net.core.somaxconn', 'net.core.*', 'net.*'])
      expect(phase(`{ allowedUnsafeSysctls: ["${allowed}"] }`, 'net.core.somaxconn')?.phase).toBe('Running');
    expect(phase('{}', 'net.ipv4.tcp_syncookies')?.phase).toBe('Running');
    expect(phase('{ allowedUnsafeSysctls: ["kernel.msg*"] }', 'net.core.somaxconn')?.phase).toBe('Failed');
  });

  it('that another client marked unready is corrected after syncFrequency', () => {
    /** The failed invariants when the pod must be ready again between these seconds after it was marked. */
    const failures = (agent: string, from: number, to: number) =>
      run(
        `{ nodes: [{ name: a, agent: ${agent} }] }`,
        `
    - apply: { apiVersion: v1, kind: Pod, metadata: { name: p }, spec: { containers: [{ name: c, image: "c:1" }] } }
    - at: 10s
      patch: { target: Pod/p, subresource: status, type: merge, patch: { status: { conditions: [{ type: Ready, status: "False" }] } } }
    - waitFor: { match: { kind: Pod, status: { conditions: [{ type: Ready, status: "True" }] } } }
      expect:
        - cel: elapsed >= duration('${10 + from}s') && elapsed <= duration('${10 + to}s')`,
        '3m',
      ).failures.map(({ message }) => message);
    expect(failures('{ syncFrequency: 20s }', 20, 21)).toEqual([]);
    expect(failures('{}', 60, 61)).toEqual([]);
  });
});

describe('requests and events', () => {
  const PODS = `[{ apply: { apiVersion: apps/v1, kind: ReplicaSet, metadata: { name: w }, spec: { replicas: 12, selector: { matchLabels: { a: w } }, template: { metadata: { labels: { a: w } }, spec: { containers: [{ name: c, image: "c:1" }] } } } } }]`;
  /** The number of pods that run after so many seconds, and the number of Started events. */
  const seen = (agent: string, until: string): readonly [running: number, reported: number] => {
    const { cluster } = run(`{ podEvents: true, nodes: [{ name: a, agent: { ${agent} } }] }`, PODS, until);
    const reported = [...cluster.store.values('Event')].filter((event) => (event as unknown as { reason: string }).reason === 'Started');
    return [[...cluster.store.values('Pod')].filter(({ status }) => status.phase === 'Running').length, reported.length];
  };

  it('are throttled to orchAPIQPS after orchAPIBurst, except reports about the node', () => {
    expect(seen('orchAPIQPS: 2, orchAPIBurst: 4, eventRecordQPS: 0', '1s')).toEqual([6, 12]);
    expect(seen('orchAPIQPS: 2, orchAPIBurst: 4', '10s')[0]).toBe(12);
    expect(seen('orchAPIQPS: 0', '1s')[0]).toBe(12);
    const slow = run('{ nodes: [{ name: a, agent: { orchAPIQPS: 1, orchAPIBurst: 1, nodeLeaseDurationSeconds: 4 } }] }', PODS, '6s');
    const lease = slow.cluster.store.get('Lease', 'orch-node-lease/a');
    expect(Date.parse(lease?.spec.renewTime ?? '')).toBeGreaterThan(slow.cluster.startAt + 4_000);
  });

  it('are throttled to eventRecordQPS after eventBurst, events only', () => {
    // Each pod has four: Pulling, Pulled, Created, Started.
    const [running, reported] = seen('eventRecordQPS: 8, eventBurst: 8', '2s');
    expect(running).toBe(12);
    expect(reported).toBeLessThan(12);
    expect(seen('eventRecordQPS: 8, eventBurst: 8', '10s')).toEqual([12, 12]);
    expect(seen('eventRecordQPS: 0', '2s')).toEqual([12, 12]);
  });

  it('are throttled by the defaults, given explicitly or not', () => {
    const unstated = run('{ podEvents: true, nodes: [{ name: a }] }', PODS, '1300ms').digest;
    const digests = ['', 'enableServer: true', 'orchAPIQPS: 5, orchAPIBurst: 10, eventRecordQPS: 5, eventBurst: 10'].map(
      (agent) => run(`{ podEvents: true, nodes: [{ name: a, agent: { ${agent} } }] }`, PODS, '1300ms').digest,
    );
    expect(new Set([unstated, ...digests]).size).toBe(1);
    expect(seen('', '1300ms')).not.toEqual(seen('orchAPIQPS: 0, eventRecordQPS: 0', '1300ms'));
  });
});
