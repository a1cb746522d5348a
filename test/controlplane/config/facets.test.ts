/** Facets of settings, each as a whole list: what a zero means, bounds, choices, and flags that depend on another one. */
import { describe, expect, it } from 'vitest';
import { parseAgentConfig, parseSchedulerFlags } from '../../../src/controlplane/config/index.ts';
import { AGENT_FLAGS, AGENT_SETTINGS } from '../../../src/controlplane/config/agent-fields.ts';
import { SCHEDULER_FLAGS } from '../../../src/controlplane/config/scheduler-flags.ts';

/** `{ a: { b: value } }` for `a.b`. */
const nested = (path: string, value: unknown): object =>
  path.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as object;
const parsed = (path: string, value: unknown) => parseAgentConfig(nested(path, value), { fragment: true, rules: 'recorded' });
const errorsAt = (path: string, value: unknown, about: RegExp): readonly string[] =>
  parsed(path, value)
    .errors.map(({ message }) => message)
    .filter((message) => message.startsWith(`invalid configuration: ${path} `) && about.test(message));

it('a zero in a file is kept where the field of v1.24 is a pointer', () => {
  const ZEROS: Readonly<Record<string, unknown>> = { bool: false, int32: 0, int64: 0, string: '', ip: '', duration: '0s', strings: [] };
  const kept = [...AGENT_SETTINGS].flatMap(([path, { type }]) => {
    const zero = ZEROS[type];
    return zero !== undefined && parsed(path, zero).values.find((each) => each.path === path)?.source === 'file' ? [path] : [];
  });
  expect(kept.join(' ')).toBe(
    'enableServer authentication.webhook.enabled authentication.anonymous.enabled registryPullQPS eventRecordQPS enableDebuggingHandlers healthzPort oomScoreAdj imageGCHighThresholdPercent imageGCLowThresholdPercent cgroupsPerQOS podPidsLimit resolvConf cpuCFSQuota cpuCFSQuotaPeriod nodeStatusMaxImages orchAPIQPS serializeImagePulls enableControllerAttachDetach makeIPTablesUtilChains failSwapOn containerLogMaxFiles enforceNodeAllocatable registerNode',
  );
});

const BOUNDS: readonly (readonly [path: string, least: number, most?: number, zeroDisables?: true])[] = [
  ['port', 1, 65_535],
  ['healthzPort', 1, 65_535, true],
  ['readOnlyPort', 1, 65_535, true],
  ['oomScoreAdj', -1000, 1000],
  ['imageGCHighThresholdPercent', 81, 100],
  ['imageGCLowThresholdPercent', 0, 84],
  ['registryPullQPS', 0],
  ['registryBurst', 0],
  ['eventRecordQPS', 0],
  ['eventBurst', 0],
  ['orchAPIQPS', 0],
  ['orchAPIBurst', 0],
  ['maxPods', 0],
  ['podsPerCore', 0, 110],
  ['maxOpenFiles', 0],
  ['nodeStatusMaxImages', -1],
  ['containerLogMaxFiles', 2],
];

it('numbers of an agent have bounds', () => {
  const isRefused = (path: string, value: number): boolean => parseAgentConfig({ [path]: value }, { fragment: true }).errors.length > 0;
  for (const [path, least, most, zeroDisables] of BOUNDS) {
    const expected: readonly (readonly [number, boolean])[] = [
      [least - 1, zeroDisables !== true],
      [least, false],
      [most ?? 2_147_483_647, false],
      ...(most === undefined ? [] : [[most + 1, true] as const]),
    ];
    expect([path, expected.map(([value]) => [value, isRefused(path, value)])]).toEqual([path, expected]);
  }
});

it('settings with choices accept these and no others', () => {
  const choices = [...AGENT_SETTINGS].flatMap(([path, { type }]) => {
    if (type !== 'string') return [];
    const [error] = errorsAt(path, 'x-x', /must be one of/);
    const named = /must be one of (.*), found "x-x"/.exec(error ?? '')?.[1]?.replaceAll('"', '');
    if (named === undefined) return [];
    expect(named.split(', ').flatMap((value) => errorsAt(path, value, /must be one of/))).toEqual([]);
    return [`${path}: ${named}`];
  });
  expect(choices).toEqual([
    'authorization.mode: AlwaysAllow, Webhook',
    'cgroupDriver: cgroupfs, systemd',
    'cpuManagerPolicy: None, none, static',
    'memoryManagerPolicy: None, none, Static',
    'topologyManagerPolicy: restricted, best-effort, none, single-numa-node',
    'topologyManagerScope: container, pod',
    'hairpinMode: promiscuous-bridge, hairpin-veth, none',
  ]);
  const flagged = (flag: string): string | undefined => parseSchedulerFlags([flag]).errors[0]?.message;
  expect([flagged('--leader-elect-resource-lock=x-x'), flagged('--logging-format=x-x')]).toEqual([
    '--leader-elect-resource-lock must be one of "leases", "endpointsleases", "configmapsleases", found "x-x"',
    '--logging-format must be one of "text", found "x-x"',
  ]);
});

describe('flags', () => {
  const VALUES: Readonly<Record<string, string>> = {
    bool: 'true',
    duration: '7s',
    stringMap: 'a=b',
    listMap: 'a:b',
    taints: 'a=b:NoSchedule',
    ip: '10.0.0.7',
    boolMap: 'AllAlpha=false',
  };
  const textOf = ({
    type,
    flagSyntax,
    among,
  }: {
    readonly type: string;
    readonly flagSyntax?: string;
    readonly among?: Iterable<unknown>;
  }) => (flagSyntax === 'langle' ? 'memory.available<1Mi' : String([...(among ?? [])][0] ?? VALUES[type] ?? '7'));
  const warned = (flags: readonly string[], about: RegExp): readonly string[] =>
    parseAgentConfig(undefined, { flags }).warnings.flatMap(({ path, message }) => (about.test(message) ? [path] : []));

  it('of an agent that belong to one container runtime are warned of beside the other', () => {
    const under = (runtime: string): readonly string[] =>
      [...AGENT_FLAGS].flatMap(([name, spec]) =>
        warned([`--container-runtime=${runtime}`, `--${name}=${textOf(spec)}`], / works only with /),
      );
    expect(under('legacy')).toEqual(['--container-log-max-size', '--container-log-max-files']);
    expect(under('remote')).toEqual(['--cni-bin-dir', '--cni-cache-dir', '--cni-conf-dir', '--legacy-endpoint']);
  });

  it('of an agent that are not deprecated are those without a field', () => {
    const kept = [...AGENT_FLAGS].flatMap(([name, spec]) =>
      warned([`--${name}=${textOf(spec)}`], /has been deprecated/).length === 0 ? [name] : [],
    );
    expect(kept.join(' ')).toBe(
      'cloudvendor-container-registry-config bootstrap-orchconfig cert-dir config container-runtime container-runtime-endpoint exit-on-lock-contention experimental-log-sanitization help hostname-override image-credential-provider-bin-dir image-credential-provider-config node-ip node-labels orchconfig root-dir v',
    );
  });

  it('of an agent whose zero is its default are those about events', () => {
    const values = (name: string): unknown =>
      parseAgentConfig(undefined, { flags: [`--${name}=0`] }).values.find(({ flag }) => flag === `--${name}`)?.value;
    const zeros = [...AGENT_FLAGS].flatMap(([name, { type }]) =>
      type === 'int32' && values(name) !== 0 ? [`${name} ${String(values(name))}`] : [],
    );
    expect(zeros).toEqual(['event-qps 5', 'event-burst 10']);
  });

  it('of a scheduler that a file replaces are ignored beside one', () => {
    const ignored = [...SCHEDULER_FLAGS].flatMap(([name, spec]) => {
      const { warnings } = parseSchedulerFlags(['--config=f', `--${name}=${textOf(spec)}`]);
      return warnings.some(({ message }) => message === `--${name} is ignored because --config is given`) ? [name] : [];
    });
    expect(ignored.join(' ')).toBe(
      'contention-profiling orch-api-burst orch-api-content-type orch-api-qps orchconfig lock-object-name lock-object-namespace profiling',
    );
  });
});
