import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AGENT_FIELDS } from '../../../src/controlplane/config/agent-fields.ts';
import { agentConfigPath, parseAgentConfig } from '../../../src/controlplane/config/index.ts';
import { settingsOf } from '../../../src/controlplane/config/settings.ts';

const TYPE = { apiVersion: 'agent.config.orch.io/v1beta1', kind: 'AgentConfiguration', enableServer: true };
const parse = (fields: Readonly<Record<string, unknown>> = {}, ...flags: string[]) => parseAgentConfig({ ...TYPE, ...fields }, { flags });
const errorsOf = (fields: Readonly<Record<string, unknown>>, ...flags: string[]): readonly string[] =>
  parse(fields, ...flags).errors.map(({ message }) => message.replace('invalid configuration: ', ''));

describe('defaults', () => {
  it('are those of the specification', () => {
    const { config, errors, warnings } = parse();
    expect([errors, warnings]).toEqual([[], []]);
    expect(config).toMatchObject({
      enableServer: true,
      staticPodPath: '',
      syncFrequency: '1m0s',
      fileCheckFrequency: '20s',
      httpCheckFrequency: '20s',
      address: '0.0.0.0',
      port: 10250,
      readOnlyPort: 0,
      authentication: { anonymous: { enabled: false }, webhook: { enabled: true, cacheTTL: '2m0s' } },
      authorization: { mode: 'Webhook', webhook: { cacheAuthorizedTTL: '5m0s', cacheUnauthorizedTTL: '30s' } },
      registryPullQPS: 5,
      registryBurst: 10,
      eventRecordQPS: 5,
      eventBurst: 10,
      enableDebuggingHandlers: true,
      healthzPort: 10248,
      healthzBindAddress: '127.0.0.1',
      oomScoreAdj: -999,
      streamingConnectionIdleTimeout: '4h0m0s',
      nodeStatusUpdateFrequency: '10s',
      nodeStatusReportFrequency: '5m0s',
      nodeLeaseDurationSeconds: 40,
      imageMinimumGCAge: '2m0s',
      imageGCHighThresholdPercent: 85,
      imageGCLowThresholdPercent: 80,
      volumeStatsAggPeriod: '1m0s',
      cgroupsPerQOS: true,
      cgroupDriver: 'cgroupfs',
      cpuManagerPolicy: 'None',
      cpuManagerReconcilePeriod: '10s',
      memoryManagerPolicy: 'none',
      topologyManagerPolicy: 'none',
      topologyManagerScope: 'container',
      runtimeRequestTimeout: '2m0s',
      hairpinMode: 'promiscuous-bridge',
      maxPods: 110,
      podPidsLimit: -1,
      resolvConf: '/etc/resolv.conf',
      cpuCFSQuota: true,
      cpuCFSQuotaPeriod: '100ms',
      nodeStatusMaxImages: 50,
      maxOpenFiles: 1_000_000,
      contentType: 'application/vnd.orch.protobuf',
      orchAPIQPS: 5,
      orchAPIBurst: 10,
      serializeImagePulls: true,
      evictionHard: { 'memory.available': '100Mi', 'nodefs.available': '10%', 'nodefs.inodesFree': '5%', 'imagefs.available': '15%' },
      evictionPressureTransitionPeriod: '5m0s',
      evictionMaxPodGracePeriod: 0,
      podsPerCore: 0,
      enableControllerAttachDetach: true,
      protectKernelDefaults: false,
    });
  });

  it('differ for access where there is no file: what the flags say', () => {
    const { config, errors } = parseAgentConfig();
    expect(errors).toEqual([]);
    expect([config.authentication.anonymous.enabled, config.authentication.webhook.enabled, config.authorization.mode]).toEqual([
      true,
      false,
      'AlwaysAllow',
    ]);
  });

  it('are overridden by numeric zeros of a file; other zeros count as absent, with a warning', () => {
    const zeros = {
      maxPods: 0,
      registryBurst: 0,
      syncFrequency: '0s',
      address: '',
      registryPullQPS: 0,
      resolvConf: '',
      enableServer: false,
    };
    const { config, warnings, errors } = parse(zeros);
    expect([config.maxPods, config.registryBurst, config.syncFrequency, config.address, config.registryPullQPS, errors]).toEqual([
      0,
      0,
      '1m0s',
      '0.0.0.0',
      0,
      [],
    ]);
    expect([config.resolvConf, config.enableServer]).toEqual(['', false]);
    expect(warnings.map(({ message }) => message).filter((message) => message.includes('counts as nothing'))).toEqual([
      'syncFrequency: "0s" counts as nothing, and the default "1m0s" is used',
      'address: "" counts as nothing, and the default "0.0.0.0" is used',
    ]);
    expect(errorsOf({ nodeLeaseDurationSeconds: 0, port: 0 })).toEqual([
      'port (--port) 0 must be between 1 and 65535, inclusive',
      'nodeLeaseDurationSeconds must be greater than 0',
    ]);
  });

  it('replace zeros in recorded mode, as in v1.24, with a warning', () => {
    const { config, warnings, errors } = parseAgentConfig({ ...TYPE, maxPods: 0, nodeLeaseDurationSeconds: 0 }, { rules: 'recorded' });
    expect([config.maxPods, config.nodeLeaseDurationSeconds, errors]).toEqual([110, 40, []]);
    expect(warnings.map(({ message }) => message)).toEqual([
      'rule agent-configuration/zero-is-said: maxPods: 0 counts as nothing, and the default 110 is used',
      'rule agent-configuration/zero-is-said: nodeLeaseDurationSeconds: 0 counts as nothing, and the default 40 is used',
    ]);
  });

  it('replace a zero of the event flags', () => {
    const { config } = parse({ eventRecordQPS: 0 });
    expect([config.eventRecordQPS, parse({ eventRecordQPS: 0 }, '--event-qps=0', '--event-burst=0').config.eventRecordQPS]).toEqual([0, 5]);
  });

  it('follow the update frequency for the report frequency when that is set', () => {
    expect(parse({ nodeStatusUpdateFrequency: '20s' }).config.nodeStatusReportFrequency).toBe('20s');
    expect(parse({ nodeStatusUpdateFrequency: '20s', nodeStatusReportFrequency: '1m' }).config.nodeStatusReportFrequency).toBe('1m0s');
  });
});

describe('sources', () => {
  it('rank flags over the file over defaults, and are reported', () => {
    const { config, values } = parseAgentConfig(
      { ...TYPE, maxPods: 50, port: 1234 },
      { flags: ['--max-pods=60', '--cert-dir', '/tmp/pki'], locate: (path) => (path === 'port' ? { line: 4, col: 1 } : undefined) },
    );
    expect([config.maxPods, config.port]).toEqual([60, 1234]);
    const of = (path: string) => values.find((value) => value.path === path);
    expect(of('maxPods')).toEqual({ path: 'maxPods', value: 60, source: 'flag', flag: '--max-pods' });
    expect(of('port')).toEqual({ path: 'port', value: 1234, source: 'file', position: { line: 4, col: 1 } });
    expect(of('oomScoreAdj')).toEqual({ path: 'oomScoreAdj', value: -999, source: 'default' });
    expect(of('--cert-dir')).toEqual({ path: '--cert-dir', value: '/tmp/pki', source: 'flag', flag: '--cert-dir' });
  });

  it('join feature gates of file and flags', () => {
    const { gates, errors } = parse(
      { featureGates: { QOSReserved: true, CPUManager: false } },
      '--feature-gates=CPUManager=true,NodeSwap=T',
    );
    expect([gates['QOSReserved'], gates['CPUManager'], gates['NodeSwap'], errors]).toEqual([true, true, true, []]);
  });

  it('read maps, lists, thresholds and headers from flags', () => {
    const { config, errors } = parse(
      {},
      '--eviction-hard=memory.available<1Gi,nodefs.available<20%',
      '--cluster-dns=10.0.0.10',
      '--cluster-dns=10.0.0.11',
      '--manifest-url-header=a:b,a:c',
      '--anonymous_auth',
    );
    expect(errors).toEqual([]);
    expect([config.evictionHard, config.clusterDNS, config.staticPodURLHeader, config.authentication.anonymous.enabled]).toEqual([
      { 'memory.available': '1Gi', 'nodefs.available': '20%' },
      ['10.0.0.10', '10.0.0.11'],
      { a: ['b', 'c'] },
      true,
    ]);
  });

  it('name the file', () => {
    expect([agentConfigPath(['--config', 'a.yaml']), agentConfigPath([])]).toEqual(['a.yaml', undefined]);
  });
});

describe('problems', () => {
  it('of bounds are found all at once', () => {
    expect(
      errorsOf({
        port: 70_000,
        maxPods: -1,
        nodeLeaseDurationSeconds: -5,
        oomScoreAdj: 2000,
        imageGCLowThresholdPercent: 90,
        nodeStatusMaxImages: -2,
        registryBurst: -1,
      }),
    ).toEqual([
      'port (--port) 70000 must be between 1 and 65535, inclusive',
      'oomScoreAdj (--oom-score-adj) 2000 must be between -1000 and 1000, inclusive',
      'registryBurst (--registry-burst) -1 must not be a negative number',
      'maxPods (--max-pods) -1 must not be a negative number',
      'imageGCLowThresholdPercent (--image-gc-low-threshold) 90 must be less than imageGCHighThresholdPercent (--image-gc-high-threshold) 85',
      'nodeLeaseDurationSeconds must be greater than 0',
      'nodeStatusMaxImages (--node-status-max-images) -2 must be -1 or greater',
    ]);
    expect(errorsOf({ podsPerCore: 120 })).toEqual(['podsPerCore (--pods-per-core) 120 cannot exceed maxPods (--max-pods) 110']);
    expect(errorsOf({ readOnlyPort: 70_000 })).toEqual([
      'readOnlyPort (--read-only-port) 70000 must be between 1 and 65535, inclusive, or 0 to disable it',
    ]);
  });

  it('of missing gates name the gate', () => {
    expect(errorsOf({ cpuCFSQuotaPeriod: '50ms', qosReserved: { memory: '50%' } })).toEqual([
      'cpuCFSQuotaPeriod (--cpu-cfs-quota-period) 50ms requires feature gate CustomCPUCFSQuotaPeriod',
      'qosReserved (--qos-reserved) requires feature gate QOSReserved',
    ]);
    expect(errorsOf({ cpuCFSQuotaPeriod: '50ms', qosReserved: { cpu: '50%' } }, '--feature-gates=AllAlpha=true')).toEqual([
      'resource "cpu" is not supported for qosReserved: only "memory" is',
    ]);
    expect(errorsOf({ cpuCFSQuotaPeriod: '2s', featureGates: { CustomCPUCFSQuotaPeriod: true } })).toEqual([
      'cpuCFSQuotaPeriod (--cpu-cfs-quota-period) 2s must be between 1µs and 1s, inclusive',
    ]);
    expect(errorsOf({ topologyManagerPolicy: 'best-effort', serverTLSBootstrap: true, cpuManagerPolicy: 'static' })).toEqual([]);
    expect(errorsOf({ topologyManagerPolicy: 'best-effort', featureGates: { TopologyManager: false } })).toEqual([
      'topologyManagerPolicy (--topology-manager-policy) "best-effort" requires feature gate TopologyManager',
    ]);
  });

  it('of eviction name the signal', () => {
    expect(
      errorsOf({ evictionHard: { 'memory.availible': '1Gi', 'nodefs.available': 'lots' }, evictionSoft: { 'memory.available': '2Gi' } }),
    ).toEqual([
      'unsupported eviction signal memory.availible; did you mean "memory.available"?',
      expect.stringContaining('"lots" is neither a percentage nor a quantity'),
      'grace period must be specified for the soft eviction threshold memory.available',
    ]);
    expect(
      errorsOf({
        evictionHard: { 'memory.available': '0%' },
        evictionSoft: { 'memory.available': '2Gi' },
        evictionSoftGracePeriod: { 'memory.available': '90s' },
      }),
    ).toEqual([]);
  });

  it('of eviction leave out soft thresholds that are off, and want some of what is to be reclaimed', () => {
    for (const off of ['0%', '100%']) expect(errorsOf({ evictionSoft: { 'memory.available': off, 'nodefs.available': off } })).toEqual([]);
    expect(errorsOf({ evictionSoft: { 'memory.available': '99%' } })).toHaveLength(1);
    expect(errorsOf({ evictionMinimumReclaim: { 'memory.available': '0%' } })).toEqual([
      'eviction percentage minimum reclaim memory.available must be positive: 0%',
    ]);
    for (const amount of ['1%', '100%', '0', '5Mi'])
      expect(errorsOf({ evictionMinimumReclaim: { 'memory.available': amount } })).toEqual([]);
  });

  it('of choices, cgroups and types say what was expected', () => {
    expect(
      errorsOf({
        cgroupDriver: 'systemdd',
        maxPods: 'many',
        syncFrequency: 10,
        enforceNodeAllocatable: ['none', 'system-reserved'],
        systemCgroups: '/sys',
        address: 'here',
      }),
    ).toEqual([
      'maxPods: expected a whole number (int32), found "many"',
      'syncFrequency: expected a duration such as 10s or 1m30s, found 10',
      'address: expected an IP address, found "here"',
      'cgroupDriver must be one of "cgroupfs", "systemd", found "systemdd"; did you mean "systemd"?',
      'systemCgroups (--system-cgroups) was specified and cgroupRoot (--cgroup-root) was not specified',
      'enforceNodeAllocatable (--enforce-node-allocatable) may not contain additional enforcements when "none" is specified',
      'systemReservedCgroup (--system-reserved-cgroup) must be specified when "system-reserved" is contained in enforceNodeAllocatable (--enforce-node-allocatable)',
    ]);
  });

  it('of the file as a whole', () => {
    const messages = (file: unknown, fragment = false) => parseAgentConfig(file, { fragment }).errors.map(({ message }) => message);
    expect(messages({})).toEqual([
      'apiVersion: expected agent.config.orch.io/v1beta1, found nothing',
      'kind: expected AgentConfiguration, found nothing',
    ]);
    expect(messages({ ...TYPE, kind: 'Agent' })).toEqual(['kind: expected AgentConfiguration, found "Agent"']);
    expect(messages([])).toEqual(['expected a mapping with apiVersion, kind and settings, found []']);
    expect(messages({ nodeLeaseDurationSeconds: 40 }, true)).toEqual([]);
  });

  it('of unknown names give the nearest: an error, or a warning in recorded mode', () => {
    const message = 'unknown field maxPod; did you mean "maxPods"?';
    expect(parse({ maxPod: 5 }).errors).toEqual([{ path: 'maxPod', message }]);
    expect(parseAgentConfig({ maxPod: 5 }, { fragment: true }).errors).toEqual([{ path: 'maxPod', message }]);
    const recorded = parseAgentConfig({ ...TYPE, maxPod: 5 }, { rules: 'recorded' });
    expect([recorded.errors, recorded.warnings]).toEqual([
      [],
      [{ path: 'maxPod', message: `rule agent-configuration/fields-are-known: maxPod: ${message}: it is not read` }],
    ]);
    expect(errorsOf({ featureGates: { CPUManger: true } })).toEqual(['unrecognized feature gate: CPUManger; did you mean "CPUManager"?']);
  });

  it('of flags use the words of the reference', () => {
    expect(
      errorsOf({}, '--max-podz=3', '--max-pods', 'x', '--anonymous-auth=maybe', '--sync-frequency=5', '--address=here', 'stray', '--port'),
    ).toEqual([
      'unknown flag: --max-podz; did you mean "--max-pods"?',
      'invalid argument "x" for "--max-pods" flag: strconv.ParseInt: parsing "x": invalid syntax',
      'invalid argument "maybe" for "--anonymous-auth" flag: strconv.ParseBool: parsing "maybe": invalid syntax',
      'invalid argument "5" for "--sync-frequency" flag: time: missing unit in duration "5"',
      'invalid argument "here" for "--address" flag: failed to parse IP: "here"',
      'flag needs an argument: --port',
      'unknown command: stray',
    ]);
  });

  it('of flags that are deprecated or belong to the other runtime are warnings', () => {
    expect(parse({}, '--cni-bin-dir=/x', '--container-runtime=remote', '--max-pods=5').warnings.map(({ message }) => message)).toEqual([
      'Flag --cni-bin-dir has been deprecated, will be removed along with the legacy runtime shim.',
      "Flag --max-pods has been deprecated, This parameter should be set via the config file specified by the agent's --config flag.",
      '--cni-bin-dir works only with --container-runtime=legacy; here it is remote',
    ]);
    expect(errorsOf({}, '--dynamic-config-dir=/x')).toEqual(['--dynamic-config-dir requires feature gate DynamicKubeletConfig']);
    expect(errorsOf({}, '--dynamic-config-dir=/x', '--feature-gates=DynamicKubeletConfig=true')).toEqual([]);
  });

  it('of endpoint schemes, sysctls, and a period that needs its gate', () => {
    const endpoint = (text: string) => errorsOf({}, `--container-runtime-endpoint=${text}`);
    expect(endpoint('unix:///run/c.sock')).toEqual([]);
    expect(endpoint('tcp://localhost:1')).toEqual([
      '--container-runtime-endpoint "tcp://localhost:1": expected unix:// and the path of a socket; tcp is for AltOS, and simulated nodes are linux',
    ]);
    expect(endpoint('unixx:///a')).toEqual([
      '--container-runtime-endpoint "unixx:///a": expected unix:// and the path of a socket; did you mean "unix"?',
    ]);
    expect(parse({}, '--container-runtime-endpoint=/run/c.sock').warnings.map(({ message }) => message)).toEqual([
      'a runtime endpoint without a scheme is deprecated: unix:///run/c.sock',
    ]);
    expect(
      errorsOf({ allowedUnsafeSysctls: ['net.*', 'kernel.msg*', 'net/core/somaxconn', 'kernel.sem', 'kernel.shm_rmid_forced'] }),
    ).toEqual([]);
    expect(errorsOf({}, '--allowed-unsafe-sysctls=vm.swappiness,net.*.x,NET.x')).toEqual([
      'the sysctl "vm.swappiness" is not known to be namespaced: those of kernel.shm*, kernel.msg*, fs.mqueue.*, net.* and kernel.sem are',
      'sysctl "net.*.x" must have at most 253 characters and be a name such as net.core.somaxconn, or end in * as net.* does',
      'sysctl "NET.x" must have at most 253 characters and be a name such as net.core.somaxconn, or end in * as net.* does',
    ]);
    expect(errorsOf({ cpuManagerReconcilePeriod: '5s', featureGates: { CPUManager: false } })).toEqual([
      'cpuManagerReconcilePeriod (--cpu-manager-reconcile-period) requires feature gate CPUManager',
    ]);
    expect(errorsOf({ featureGates: { CPUManager: false } })).toEqual([]);
    const warned = parse({ tlsCertFile: 'a', tlsPrivateKeyFile: 'b' }, '--cert-dir=/pki').warnings.map(({ message }) => message);
    expect(warned).toEqual(['--cert-dir is ignored because tlsCertFile and tlsPrivateKeyFile are given']);
  });

  it('of settings without effect, with and without an API server', () => {
    const warned = (...flags: readonly string[]) => parse({ podCIDR: '10.1.0.0/24' }, ...flags).warnings.map(({ message }) => message);
    expect(warned()).toEqual([
      'podCIDR has no effect beside an API server, where addresses are those of the Node; an empty --orchconfig is without one',
    ]);
    expect(warned('--orchconfig=')).toEqual([
      '--orchconfig is empty: there is no API server, so only static pods run, and none is reported',
    ]);
    expect(parse({}, '--orchconfig=/etc/config').warnings).toEqual([]);
    expect(errorsOf({ podCIDR: '10.1.0.0/99' }, '--orchconfig=')).toEqual([
      'podCIDR (--pod-cidr): expected a range of addresses such as 10.9.0.0/24, found "10.1.0.0/99"',
    ]);
    // Where it has no effect, it is not judged.
    expect(errorsOf({ podCIDR: '10.1.0.0/99' })).toEqual([]);
  });

  it.each([
    ['CPUManagerPolicyOptions', { cpuManagerPolicyOptions: { 'full-pcpus-only': 'true' } }],
    ['MemoryManager', { memoryManagerPolicy: 'Static' }],
    ['RotateAgentServerCertificate', { serverTLSBootstrap: true }],
  ])('of what needs the gate %s name it', (gate, fields) => {
    expect(errorsOf(fields)).toEqual([]);
    expect(errorsOf({ ...fields, featureGates: { [gate]: false } })).toEqual([expect.stringContaining(`requires feature gate ${gate}`)]);
  });

  it.each([
    [{ eventRecordQPS: -1 }, 'eventRecordQPS (--event-qps) -1 must not be a negative number'],
    [{ eventBurst: -1 }, 'eventBurst (--event-burst) -1 must not be a negative number'],
    [{ orchAPIBurst: -1 }, 'orchAPIBurst (--orch-api-burst) -1 must not be a negative number'],
    [{ maxOpenFiles: -1 }, 'maxOpenFiles (--max-open-files) -1 must not be a negative number'],
    [{ podsPerCore: -1 }, 'podsPerCore (--pods-per-core) -1 must not be a negative number'],
    [{ containerLogMaxFiles: 1 }, 'containerLogMaxFiles (--container-log-max-files) 1 must be at least 2'],
    [{ healthzPort: 70_000 }, 'healthzPort (--healthz-port) 70000 must be between 1 and 65535, inclusive, or 0 to disable it'],
  ])('of bounds name the setting: %j', (fields, message) => {
    expect(errorsOf(fields)).toEqual([message]);
  });

  it('never prevent a result, whatever the file contains', () => {
    const names = [...settingsOf(AGENT_FIELDS)].map(([path]) => path.split('.')[0] ?? '');
    fc.assert(
      fc.property(fc.dictionary(fc.oneof(fc.constantFrom(...names), fc.string()), fc.jsonValue()), fc.array(fc.string()), (file, flags) => {
        const { config, values } = parseAgentConfig(file, { flags });
        expect(config.port).toBeTypeOf('number');
        expect(values.length).toBeGreaterThan(names.length);
      }),
    );
  });
});
