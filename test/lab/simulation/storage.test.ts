/** Storage and nodes of a scenario in a run: the data or error of a mount, the topology of volumes, free capacity, sandboxes, zones. */
import { compareText } from '../../../src/schema/values/index.ts';
import { describe, expect, it } from 'vitest';
import type { Mount } from '../../../src/controlplane/agents/node/mounts.ts';
import { simulate, type Run } from '../../../src/lab/simulation/index.ts';
import { scenarioIn } from '../../support/scenarios.ts';

const run = (spec: string, documents = ''): Run =>
  simulate(scenarioIn(`apiVersion: scenario.orch.io/v1\nkind: Scenario\nmetadata: { name: a }\nspec:\n${spec}\n${documents}`));
const objects = <K extends string>({ cluster }: Run, kind: K) => [...cluster.store.values(kind)];
const podOf = (ended: Run, name = 'p') => ended.cluster.store.get('Pod', `default/${name}`);
const eventsOf = (ended: Run, reason: string): readonly string[] =>
  objects(ended, 'Event').flatMap((event) => (event.reason === reason ? [event.message ?? ''] : []));
const mountsOf = (ended: Run, name = 'p'): readonly Mount[] => {
  const pod = podOf(ended, name);
  return ended.cluster.world.machine(pod?.spec.nodeName ?? '').mounts(pod?.metadata.uid ?? '');
};

const claim = (more = '', name = 'data'): string =>
  `---\n{ apiVersion: v1, kind: PersistentVolumeClaim, metadata: { name: ${name} }, spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } }${more} } }\n`;
const pod = (volume: string, more = '', name = 'p'): string =>
  `---\n{ apiVersion: v1, kind: Pod, metadata: { name: ${name} }, spec: { containers: [{ name: c, image: "c:1" }], volumes: [{ name: v, ${volume} }]${more} } }\n`;
const onClaim = pod('persistentVolumeClaim: { claimName: data }');
const inline = pod('csi: { driver: disk.example, volumeAttributes: { size: small } }');

const cluster = (driver: string, storageClass = '', nodes = '[{ name: one }]'): string =>
  `  until: 50s\n  cluster:\n    nodes: ${nodes}\n    storageDrivers: [{ name: disk.example, storageClasses: [{ name: disk, isDefault: true${storageClass} }]${driver} }]`;

describe('a mount', () => {
  it('receives no context by default', () => {
    expect(mountsOf(run(cluster(''), claim() + onClaim))).toEqual([
      { volume: 'v', driver: 'disk.example', context: {}, options: [], published: {}, republished: false },
    ]);
  });

  it('receives the pod and tokens by podInfoOnMount and tokenRequests; the parameters of its class are attributes of the volume', () => {
    const driver =
      ', csiDriver: { podInfoOnMount: true, requiresRepublish: true, tokenRequests: [{ audience: "" }, { audience: vault, expirationSeconds: 600 }] }';
    const [mount] = mountsOf(
      run(cluster(driver, ', parameters: { tier: gold, csi.storage.orch.io/fstype: ext4 }, mountOptions: [noatime]'), claim() + onClaim),
    );
    const key = (name: string): string => `csi.storage.orch.io/${name}`;
    expect(mount).toMatchObject({ options: ['noatime'], republished: true });
    expect(mount?.context).toMatchObject({
      tier: 'gold',
      [key('pod.name')]: 'p',
      [key('pod.namespace')]: 'default',
      [key('ephemeral')]: 'false',
    });
    const tokens = JSON.parse(mount?.context[key('serviceAccount.tokens')] ?? '{}') as Record<string, { expirationTimestamp: string }>;
    expect(Object.keys(tokens)).toEqual(['', 'vault']);
    const left = (audience: string): number => Date.parse(tokens[audience]?.expirationTimestamp ?? '');
    expect(left('') - left('vault')).toBe(3_000_000);
  });

  it('is published again every syncFrequency by requiresRepublish: tokens change, and a failure is an event of a pod that runs on', () => {
    const driver =
      ', csiDriver: { requiresRepublish: true, volumeLifecycleModes: [Ephemeral], tokenRequests: [{ audience: vault, expirationSeconds: 600 }] }';
    const nodes = '[{ name: one, agent: { syncFrequency: 10s } }]';
    const expiry = (ended: Run): number => {
      const tokens = mountsOf(ended)[0]?.context['csi.storage.orch.io/serviceAccount.tokens'] ?? '{}';
      return Date.parse((JSON.parse(tokens) as Record<string, { expirationTimestamp: string }>)['vault']?.expirationTimestamp ?? '');
    };
    const first = run(cluster(driver, '', nodes).replace('until: 50s', 'until: 9s'), inline);
    const later = run(cluster(driver, '', nodes), inline);
    expect(expiry(later) - expiry(first)).toBe(50_000);
    expect(eventsOf(later, 'FailedMount')).toEqual([]);
    const steps = `
  steps:
    - { at: 15s, fault: { stop: storage-driver/disk.example } }
    - { at: 16s, delete: CSIDriver/disk.example }`;
    const failing = run(cluster(driver, '', nodes) + steps, inline);
    expect(expiry(failing) - expiry(first)).toBe(10_000);
    expect(eventsOf(failing, 'FailedMount')).toEqual([
      'MountVolume.SetUp failed for volume "v" : kubernetes.io/csi: volume mode "Ephemeral" not supported by driver disk.example (no CSIDriver object)',
    ]);
    expect(podOf(failing)?.status.phase).toBe('Running');
  });

  it.each([
    ['', 'ext4', 2000],
    ['', '', undefined],
    [', csiDriver: { fsGroupPolicy: File }', '', 2000],
    [', csiDriver: { fsGroupPolicy: None }', 'ext4', undefined],
  ])('changes the group of files by fsGroupPolicy (%s, file system %j: %s)', (driver, fsType, group) => {
    const parameters = fsType === '' ? '' : `, parameters: { csi.storage.orch.io/fstype: ${fsType} }`;
    const documents = claim() + pod('persistentVolumeClaim: { claimName: data }', ', securityContext: { fsGroup: 2000 }');
    expect(mountsOf(run(cluster(driver, parameters), documents))[0]?.group).toBe(group);
  });

  it('receives the metadata of the attachment', () => {
    const steps = `\n  steps:
    - { at: 20s, patch: { target: { kind: PersistentVolume, cel: "self.spec.claimRef.name == 'data'" }, patch: { metadata: { annotations: { sim.orch.io/attach-metadata: '{"device":"/dev/sdq"}' } } } } }
    - { at: 21s, apply: { apiVersion: v1, kind: Pod, metadata: { name: p }, spec: { containers: [{ name: c, image: "c:1" }], volumes: [{ name: v, persistentVolumeClaim: { claimName: data } }] } } }`;
    const ended = run(cluster('') + steps, claim());
    expect(ended.failures).toEqual([]);
    expect(mountsOf(ended)[0]?.published).toEqual({ device: '/dev/sdq' });
  });

  it('fails with an option that the driver does not support, and the pod does not start', () => {
    const ended = run(cluster(', mountOptions: [noatime, size]', ', mountOptions: [noatime, size=1, bogus]'), claim() + onClaim);
    expect(podOf(ended)?.status.phase).toBe('Pending');
    expect(eventsOf(ended, 'FailedMount')[0]).toMatch(/^MountVolume.SetUp failed for volume "pvc-.*" : .*unknown mount option "bogus"$/);
    expect(podOf(run(cluster(', mountOptions: [noatime]', ', mountOptions: [noatime]'), claim() + onClaim))?.status.phase).toBe('Running');
  });
});

describe('an inline volume', () => {
  it('is mounted by a driver that mounts such volumes', () => {
    const ended = run(cluster(', csiDriver: { volumeLifecycleModes: [Persistent, Ephemeral], podInfoOnMount: true }'), inline);
    expect(podOf(ended)?.status.phase).toBe('Running');
    expect(mountsOf(ended)[0]?.context).toMatchObject({ size: 'small', 'csi.storage.orch.io/ephemeral': 'true' });
  });

  it.each([
    [
      'of a driver for persistent volumes',
      cluster(', csiDriver: { volumeLifecycleModes: [Persistent] }'),
      /volume mode "Ephemeral" not supported by driver disk.example \(only supports \["Persistent"\]\)/,
    ],
    ['of a driver that says nothing', cluster(''), /not supported by driver disk.example \(no CSIDriver object\)/],
    [
      'of a driver that is not there',
      '  until: 50s\n  cluster: { nodes: [{ name: one }] }',
      /driver name disk.example not found in the list of registered CSI drivers/,
    ],
  ])('%s keeps its pod from running', (_, spec, says) => {
    const ended = run(spec, inline);
    expect(podOf(ended)?.status.phase).toBe('Pending');
    expect(eventsOf(ended, 'FailedMount')[0]).toMatch(says);
  });
});

const ZONES = '[{ name: east, labels: { zone: e } }, { name: west, labels: { zone: w } }]';
const toWest = ', nodeSelector: { zone: w }';

describe('the topology of a volume', () => {
  const placeOf = (ended: Run) =>
    objects(ended, 'PersistentVolume')[0]?.spec.nodeAffinity?.required?.nodeSelectorTerms[0]?.matchExpressions;

  it('is that of the node that the scheduler selected, by the topology keys of its CSINode', () => {
    const ended = run(
      cluster(', topologyKeys: [zone]', ', volumeBindingMode: WaitForFirstConsumer', ZONES),
      claim() + pod('persistentVolumeClaim: { claimName: data }', toWest),
    );
    expect(objects(ended, 'CSINode').map(({ spec }) => spec.drivers?.[0]?.topologyKeys)).toEqual([['zone'], ['zone']]);
    expect(placeOf(ended)).toEqual([{ key: 'zone', operator: 'In', values: ['w'] }]);
    expect(podOf(ended)?.status.phase).toBe('Running');
  });

  it('is any that has a node where no node was selected, and none for a driver without keys', () => {
    expect(placeOf(run(cluster(', topologyKeys: [zone]', '', ZONES), claim()))).toEqual([{ key: 'zone', operator: 'In', values: ['e'] }]);
    expect(placeOf(run(cluster('', '', ZONES), claim()))).toBeUndefined();
  });

  it('cannot be found where no node has the keys: the claim says so', () => {
    const ended = run(cluster(', topologyKeys: [rack]', '', ZONES), claim());
    expect(objects(ended, 'PersistentVolume')).toEqual([]);
    expect(eventsOf(ended, 'ProvisioningFailed')[0]).toMatch(/error generating accessibility requirements: no available topology found/);
  });
});

describe('the capacity of a driver', () => {
  const room = (size: string): string =>
    `, topologyKeys: [zone], capacity: [{ topology: { zone: e }, size: ${size} }, { topology: { zone: w }, size: 10Gi, maximumVolumeSize: 2Gi }]`;
  const left = (ended: Run) => objects(ended, 'CSIStorageCapacity').map(({ storageClassName, capacity }) => [storageClassName, capacity]);

  it('is published for each class, used by provisioned volumes, and released with them', () => {
    const two = claim() + claim('', 'more');
    expect(left(run(cluster(room('4Gi'), '', ZONES), two))).toEqual([
      ['disk', String(2 * 2 ** 30)],
      ['disk', String(10 * 2 ** 30)],
    ]);
    const steps = '\n  steps: [{ at: 25s, delete: PersistentVolumeClaim/more }]';
    expect(left(run(cluster(room('4Gi'), '', ZONES) + steps, two))[0]).toEqual(['disk', String(3 * 2 ** 30)]);
  });

  it('is withdrawn with the class', () => {
    expect(left(run(`${cluster(room('4Gi'), '', ZONES)}\n  steps: [{ at: 10s, delete: StorageClass/disk }]`))).toEqual([]);
  });

  it('decides: without capacity the next segment is used, and without any no volume is provisioned', () => {
    const ended = run(cluster(room('1Gi'), '', ZONES), claim() + claim('', 'more'));
    const places = objects(ended, 'PersistentVolume').map(
      ({ spec }) => spec.nodeAffinity?.required?.nodeSelectorTerms[0]?.matchExpressions?.[0]?.values?.[0],
    );
    expect(places.map(String).toSorted(compareText)).toEqual(['e', 'w']);
    const none = run(cluster(', capacity: [{ size: 512Mi }]'), claim());
    expect(eventsOf(none, 'ProvisioningFailed')[0]).toMatch(/ResourceExhausted/);
    expect(objects(none, 'PersistentVolume')).toEqual([]);
  });

  it('sends a pod elsewhere: the scheduler reads it', () => {
    const ended = run(
      cluster(
        ', topologyKeys: [zone], capacity: [{ topology: { zone: e }, size: 512Mi }, { topology: { zone: w }, size: 10Gi }]',
        ', volumeBindingMode: WaitForFirstConsumer',
        ZONES,
      ),
      claim() + onClaim,
    );
    expect(podOf(ended)?.spec.nodeName).toBe('west');
  });
});

describe('parameters of a class', () => {
  it('that the driver does not support keep it from provisioning', () => {
    const ended = run(cluster(', parameters: [tier]', ', parameters: { teir: gold }'), claim());
    expect(eventsOf(ended, 'ProvisioningFailed')[0]).toBe(
      'failed to provision volume with StorageClass "disk": rpc error: code = InvalidArgument desc = unknown parameter "teir"',
    );
  });
});

describe('the expansion of a claim', () => {
  const grow = (driver: string, storageClass: string) =>
    run(
      `${cluster(driver, storageClass)}\n  steps: [{ at: 20s, patch: { target: PersistentVolumeClaim/data, patch: { spec: { resources: { requests: { storage: 3Gi } } } } } }]`,
      claim(),
    );

  it('is complete when the driver has expanded its volume', () => {
    const ended = grow(', expandDelay: 5s', ', allowVolumeExpansion: true');
    expect(ended.failures).toEqual([]);
    expect(objects(ended, 'PersistentVolumeClaim')[0]?.status.capacity).toEqual({ storage: '3Gi' });
    expect(objects(ended, 'PersistentVolume')[0]?.spec.capacity).toEqual({ storage: '3Gi' });
    expect(eventsOf(ended, 'VolumeResizeSuccessful')).toEqual(['Resize volume succeeded']);
  });

  it('is refused by a class that does not allow it, and waits indefinitely for a driver that cannot', () => {
    expect(grow(', expandDelay: 5s', '').failures[0]?.message).toMatch(/must support resize/);
    expect(objects(grow('', ', allowVolumeExpansion: true'), 'PersistentVolumeClaim')[0]?.status.capacity).toEqual({ storage: '1Gi' });
  });
});

const CLASS = '---\n{ apiVersion: node.orch.io/v1, kind: RuntimeClass, metadata: { name: vm }, handler: kata }\n';
const inClass =
  '---\n{ apiVersion: v1, kind: Pod, metadata: { name: p }, spec: { runtimeClassName: vm, containers: [{ name: c, image: "c:1" }] } }\n';

describe('a RuntimeClass', () => {
  it.each([
    ['[{ name: one, runtimeHandlers: [runc] }]', 'Pending'],
    ['[{ name: one, runtimeHandlers: [runc, kata] }]', 'Running'],
    ['[{ name: one }]', 'Running'],
  ])('needs its handler on the node: %s, %s', (nodes, phase) => {
    const ended = run(`  until: 20s\n  cluster: { nodes: ${nodes} }`, CLASS + inClass);
    expect(podOf(ended)?.status.phase).toBe(phase);
    expect(eventsOf(ended, 'FailedCreatePodSandBox')[0]).toBe(
      phase === 'Running'
        ? undefined
        : 'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to get sandbox runtime: no runtime for "kata" is configured',
    );
  });
});

describe('addresses of pods', () => {
  it("come from the podCIDR of their node, and not from another's", () => {
    const ended = run(
      '  until: 10s\n  cluster: { nodes: [{ name: one, podCIDR: 10.9.8.0/24 }] }',
      pod('emptyDir: {}') + pod('emptyDir: {}', ', hostNetwork: true', 'h'),
    );
    expect(podOf(ended)?.status.podIP).toBe('10.9.8.2');
    expect(podOf(ended, 'h')?.status.podIP).not.toMatch(/^10\.9\.8\./);
  });

  it('are checked before the run', () => {
    expect(() => run('  cluster: { nodes: [{ name: one, podCIDR: 10.9.8.0 }] }')).toThrow(/a range such as 10.244.1.0\/24/);
  });
});

describe('the time zone of the controller manager', () => {
  const cron = (more = '') =>
    `---\n{ apiVersion: batch/v1, kind: CronJob, metadata: { name: c, creationTimestamp: null }, spec: { schedule: "30 13 * * *"${more}, jobTemplate: { spec: { template: { spec: { restartPolicy: Never, containers: [{ name: c, image: "c:1" }] } } } } } }\n`;
  const firstRun = (spec: string, more = '', gates = '') =>
    objects(run(`  until: 30h\n${gates}  cluster: { nodes: []${spec} }`, cron(more)), 'CronJob')[0]?.status.lastScheduleTime;

  it('is that of schedules without one', () => {
    expect(firstRun('')).toMatch(/T13:30:00Z$/);
    expect(firstRun(', timeZone: America/New_York')).toMatch(/T18:30:00Z$/);
  });

  it('is overridden by the zone of a CronJob, behind its gate', () => {
    const tokyo = ', timeZone: Asia/Tokyo';
    expect(firstRun(', timeZone: America/New_York', tokyo, '  featureGates: { CronJobTimeZone: true }\n')).toMatch(/T04:30:00Z$/);
    expect(firstRun(', timeZone: America/New_York', tokyo)).toMatch(/T18:30:00Z$/);
  });

  it('must exist', () => {
    expect(() => run('  cluster: { timeZone: Mars/Base }')).toThrow(/the name of a time zone/);
  });
});

describe('attachments that a user creates', () => {
  const attachment = `---
{ apiVersion: storage.orch.io/v1, kind: VolumeAttachment, metadata: { name: by-hand }, spec: { attacher: disk.example, nodeName: one, source: { inlineVolumeSpec: { accessModes: [ReadWriteOnce], csi: { driver: disk.example, volumeHandle: h } } } } }
`;
  it('are deleted by that user: no invariant breaks', () => {
    expect(run(`${cluster('')}\n  invariants: [volume-attachment/*]`, attachment).failures).toEqual([]);
  });
});
