/** What an agent's file and flags mean for it: all settings that its configuration does not state itself. */
import { describe, expect, it } from 'vitest';
import { configurationReader, milliseconds } from '../../../../src/controlplane/agents/node/configuration.ts';
import { parseAgentConfig } from '../../../../src/controlplane/config/index.ts';
import type { NodeSpec } from '../../../../src/controlplane/agents/index.ts';

const CLUSTER = { clusterGates: {}, leaseSeconds: 7 };
const nodeOf = (more: Partial<NodeSpec>): NodeSpec => ({ name: 'n', capacity: {}, ...more });
const read = (agent: object | undefined, flags: readonly string[] = [], ofAll = {}) =>
  configurationReader(ofAll, CLUSTER)(nodeOf({ ...(agent === undefined ? {} : { agent }), agentFlags: flags } as Partial<NodeSpec>));
/** The settings that are not members of a configuration, without those that are off. */
const derived = (agent: object | undefined, ...flags: readonly string[]) => {
  const { settings } = read(agent, flags);
  const stated = { ...parseAgentConfig({}, { fragment: true }).config, ...agent, reserved: [] };
  return Object.fromEntries(Object.entries(settings).filter(([name, value]) => !(name in stated) && value !== false));
};
const USUAL = { isolatesStorage: true };
const dns = (more: object) => ({ dns: { servers: [], domain: '', file: '/etc/resolv.conf', ...more } });
const PROVIDERS = ['--image-credential-provider-config=c', '--image-credential-provider-bin-dir=b'] as const;

describe('an agent', () => {
  it.each<readonly [string, () => object, object]>([
    ['has no settings of its own at first', () => derived(undefined), USUAL],
    ['asks credential providers with both flags', () => derived({}, ...PROVIDERS), { ...USUAL, asksProviders: true }],
    ['asks none without their configuration', () => derived({}, PROVIDERS[1]), USUAL],
    ['asks none without their folder', () => derived({}, PROVIDERS[0]), USUAL],
    ['asks none without the gate', () => derived({ featureGates: { AgentCredentialProviders: false } }, ...PROVIDERS), USUAL],
    ['asks for its certificate', () => derived({}, '--bootstrap-orchconfig=b'), { ...USUAL, bootstraps: true }],
    [
      'follows a source',
      () => derived({ featureGates: { DynamicKubeletConfig: true } }, '--dynamic-config-dir=d'),
      { ...USUAL, followsSource: true },
    ],
    ['knows that its number of pods was stated', () => derived({}, '--max-pods=5'), { ...USUAL, statedMaxPods: 5 }],
    ['has a name in lower case', () => derived({}, '--hostname-override= Big '), { ...USUAL, nodeName: 'big' }],
    ['has labels', () => derived({}, '--node-labels=a=b,c=d'), { ...USUAL, labels: { a: 'b', c: 'd' } }],
    ['is alone', () => derived({ podCIDR: '10.1.0.0/24' }, '--orchconfig='), { ...USUAL, alone: { podCIDR: '10.1.0.0/24' } }],
    ['attaches volumes', () => derived({ enableControllerAttachDetach: false }), { ...USUAL, attaches: 'agent' }],
    ['lets the controller attach them', () => derived({ enableControllerAttachDetach: true }), { ...USUAL, attaches: 'controller' }],
    [
      'shuts down gracefully',
      () => derived({ shutdownGracePeriod: '30s', shutdownGracePeriodCriticalPods: '10s' }),
      { ...USUAL, shutdown: { totalMs: 30_000, criticalMs: 10_000 } },
    ],
    [
      'has resolvers, without invalid addresses, and a limit of processes',
      () => derived({ clusterDNS: ['10.0.0.1', 'x'], clusterDomain: 'c.local', podPidsLimit: 9 }),
      { ...USUAL, given: { ...dns({ servers: ['10.0.0.1'], domain: 'c.local' }), pidsLimit: 9 } },
    ],
    ['has no limit of 0', () => derived({ podPidsLimit: 0 }), { ...USUAL, given: dns({}) }],
    ['has a file of resolvers', () => derived({ resolvConf: '/r' }), { ...USUAL, given: dns({ file: '/r' }) }],
    ['expands names', () => derived({ featureGates: { ExpandedDNSConfig: true } }), { ...USUAL, expandsNames: true }],
    ['does not isolate storage', () => derived({ featureGates: { LocalStorageCapacityIsolation: false } }), {}],
  ])('%s', (_, shown, expected) => {
    expect(shown()).toEqual(expected);
  });

  it.each<readonly [string, object, string | undefined]>([
    [
      'contradictions, all of them',
      { maxPods: -5, podsPerCore: -1 },
      'invalid configuration: maxPods (--max-pods) -5 must not be a negative number; invalid configuration: podsPerCore (--pods-per-core) -1 must not be a negative number',
    ],
    ...[{}, { systemReserved: { cpu: '0' } }, { systemReserved: { memory: '1Gi' } }].map((reserved): readonly [string, object, string] => [
      `exclusive CPUs without reserved ones: ${JSON.stringify(reserved)}`,
      { cpuManagerPolicy: 'static', ...reserved },
      'failed to initialize cpu manager: the static policy requires systemReserved.cpu (--system-reserved) + orchReserved.cpu (--orch-reserved) to be greater than zero',
    ]),
    ['not what is reserved for it', { cpuManagerPolicy: 'static', orchReserved: { cpu: '1m' } }, undefined],
  ])('refuses %s', (_, config, refusal) => {
    expect(read(config).refusal).toBe(refusal);
  });

  it('has the lease of its cluster without a configuration', () => {
    const leases = [read(undefined), read({}), read(undefined, ['--max-pods=3'])].map(({ settings }) => settings.nodeLeaseDurationSeconds);
    expect(leases).toEqual([7, 40, 40]);
  });

  it('has gates of its own where its file sets some', () => {
    expect([read({ featureGates: { NodeSwap: true } }).gates?.['NodeSwap'], read({}).gates]).toEqual([true, undefined]);
  });

  it('has the file of all agents unless it has its own, and its flags after theirs', () => {
    const ofAll = { config: { podsPerCore: 4, maxPods: 30 }, flags: ['--max-pods=8'] };
    const settings = [read(undefined, [], ofAll), read({ podsPerCore: 2 }, [], ofAll), read(undefined, ['--max-pods=9'], ofAll)];
    expect(settings.map(({ settings: { maxPods, podsPerCore } }) => [maxPods, podsPerCore])).toEqual([
      [8, 4],
      [8, 2],
      [9, 4],
    ]);
  });
});

it('a duration has whole milliseconds', () => {
  expect(['1m0s', '1.5ms', '', 'x'].map(milliseconds)).toEqual([60_000, 1, 0, 0]);
});
