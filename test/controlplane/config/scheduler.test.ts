import { describe, expect, it } from 'vitest';
import { parseSchedulerFlags, schedulerConfigPath } from '../../../src/controlplane/config/index.ts';

const errorsOf = (...args: string[]): readonly string[] => parseSchedulerFlags(args).errors.map(({ message }) => message);

describe('scheduler flags', () => {
  it('have the defaults of the specification', () => {
    const { config, values, errors, warnings } = parseSchedulerFlags([]);
    expect([errors, warnings]).toEqual([[], []]);
    expect(config).toMatchObject({
      'leader-elect': true,
      'leader-elect-lease-duration': '15s',
      'leader-elect-renew-deadline': '10s',
      'leader-elect-retry-period': '2s',
      'leader-elect-resource-lock': 'leases',
      'leader-elect-resource-name': 'orch-scheduler',
      'leader-elect-resource-namespace': 'orch-system',
      'orch-api-qps': 50,
      'orch-api-burst': 100,
      'secure-port': 10259,
      'pod-max-in-unschedulable-pods-duration': '5m0s',
      'authorization-always-allow-paths': ['/healthz', '/readyz', '/livez'],
    });
    expect(values.every(({ source }) => source === 'default')).toBe(true);
  });

  it('give each value its source', () => {
    const { values, gates } = parseSchedulerFlags([
      '--leader-elect-lease-duration=30s',
      '--feature-gates',
      'MinDomainsInPodTopologySpread=True',
    ]);
    expect(values.find(({ path }) => path === '--leader-elect-lease-duration')).toEqual({
      path: '--leader-elect-lease-duration',
      value: '30s',
      source: 'flag',
      flag: '--leader-elect-lease-duration',
    });
    expect(gates['MinDomainsInPodTopologySpread']).toBe(true);
  });

  it('that are deprecated are ignored beside a configuration file', () => {
    const { config, warnings } = parseSchedulerFlags(['--config=s.yaml', '--orch-api-qps=7', '--secure-port=1']);
    expect([config['orch-api-qps'], config['secure-port']]).toEqual([50, 1]);
    expect(warnings.map(({ message }) => message)).toContain('--orch-api-qps is ignored because --config is given');
    expect(parseSchedulerFlags(['--orch-api-qps=7']).config['orch-api-qps']).toBe(7);
    expect(schedulerConfigPath(['--config=s.yaml'])).toBe('s.yaml');
  });

  it('name the lock by the older names too', () => {
    expect(parseSchedulerFlags(['--lock-object-name=a']).config['leader-elect-resource-name']).toBe('a');
    expect(parseSchedulerFlags(['--lock-object-name=a', '--leader-elect-resource-name=b']).config['leader-elect-resource-name']).toBe('b');
  });

  it('are refused with what was expected', () => {
    expect(errorsOf('--leader-elect-renew-deadline=20s')).toEqual([
      '--leader-elect-renew-deadline 20s must be at most --leader-elect-lease-duration 15s',
    ]);
    const short = ['--leader-elect-renew-deadline=300ms', '--leader-elect-retry-period=100ms'];
    expect(errorsOf('--leader-elect-lease-duration=500ms', ...short)).toEqual([
      '--leader-elect-lease-duration 500ms must be at least 1s: a lease has whole seconds, and 0 is refused, so there would never be a leader',
    ]);
    expect(errorsOf('--leader-elect-lease-duration=1s', ...short)).toEqual([]);
    expect(errorsOf('--leader-elect-renew-deadline=15s')).toEqual([]);
    expect(errorsOf('--leader-elect-renew-deadline=20s', '--leader-elect=false')).toEqual([]);
    expect(errorsOf('--leader-elect-retry-period=9s')).toEqual([
      '--leader-elect-renew-deadline 10s must be greater than --leader-elect-retry-period*JitterFactor (9s × 1.2)',
    ]);
    expect(errorsOf('--leader-elect-retry-period=0s')).toEqual(['--leader-elect-retry-period 0s must be greater than zero']);
    expect(errorsOf('--leader-elect-resource-lock=lease')).toEqual([
      '--leader-elect-resource-lock must be one of "leases", "endpointsleases", "configmapsleases", found "lease"; did you mean "leases"?',
    ]);
    expect(errorsOf('--secure-port=70000', '--tls-min-version=VersionTLS14', '--allow-metric-labels=a=b')).toEqual([
      '--secure-port 70000 must be between 0 and 65535, inclusive. 0 for turning off secure port',
      'unknown tls version "VersionTLS14": expected one of VersionTLS10, VersionTLS11, VersionTLS12, VersionTLS13; did you mean "VersionTLS10"?',
      'the key "a" must be <MetricName>,<LabelName>, as in --allow-metric-labels=\'requests,verb=get\'',
    ]);
    expect(errorsOf('--leader-elect-lease-durtion=1s', 'x', '--feature-gates=NoSuch=true')).toEqual([
      'unknown flag: --leader-elect-lease-durtion; did you mean "--leader-elect-lease-duration"?',
      'scheduler does not take any arguments, got ["x"]',
      'unrecognized feature gate: NoSuch',
    ]);
    expect(errorsOf('--feature-gates=JobReadyPods')).toEqual([
      'invalid argument "JobReadyPods" for "--feature-gates" flag: missing bool value for JobReadyPods',
    ]);
  });

  it('parse labels of metrics by pairs of names, several of them in quotes', () => {
    const of = (...args: string[]) => parseSchedulerFlags(args).config['allow-metric-labels'];
    expect(of('--allow-metric-labels=requests,verb=get,list')).toEqual({ 'requests,verb': 'get,list' });
    expect(of('--allow-metric-labels="a,b=1","c,d=2,3"', '--allow-metric-labels=e,f=4')).toEqual({ 'a,b': '1', 'c,d': '2,3', 'e,f': '4' });
    expect(errorsOf('--allow-metric-labels=a,b')).toEqual([
      'invalid argument "a,b" for "--allow-metric-labels" flag: a,b must be formatted as key=value',
    ]);
    expect(errorsOf('--allow-metric-labels="a,b=1,c=2')).toEqual([expect.stringContaining('extraneous or missing " in quoted-field')]);
  });

  it('parse certificates by name, once for each pair, and refuse others', () => {
    const { config, errors } = parseSchedulerFlags(['--tls-sni-cert-key=a.crt,a.key', '--tls-sni-cert-key', 'b.crt,b.key:*.b.com, b.com']);
    expect([config['tls-sni-cert-key'], errors]).toEqual([
      [
        { certFile: 'a.crt', keyFile: 'a.key', names: [] },
        { certFile: 'b.crt', keyFile: 'b.key', names: ['*.b.com', 'b.com'] },
      ],
      [],
    ]);
    for (const [text, problem] of [
      ['a.crt', 'expected comma separated certificate and key file paths'],
      ['a,b,c', 'expected comma separated certificate and key file paths'],
      ['a,b:', 'empty names list is not allowed'],
      ['a,b:x..y', '"x..y" is no domain, no address, and no pattern such as *.example.com'],
    ])
      expect(errorsOf(`--tls-sni-cert-key=${text}`)).toEqual([expect.stringContaining(String(problem))]);
  });

  it('select the best certificate: names before patterns, the earlier of two equal ones', () => {
    const pairs = parseSchedulerFlags(
      ['wild:*.b.com', 'own:x.b.com', 'late:x.b.com', 'none', 'ip:10.0.0.1'].map((each) => {
        const [cert = '', names] = each.split(':');
        return `--tls-sni-cert-key=${cert},k${names === undefined ? '' : `:${names}`}`;
      }),
    ).config['tls-sni-cert-key'];
    expect(pairs.map(({ certFile, names }) => [certFile, ...names])).toEqual([
      ['wild', '*.b.com'],
      ['own', 'x.b.com'],
      ['late', 'x.b.com'],
      ['none'],
      ['ip', '10.0.0.1'],
    ]);
  });

  it('listen on all addresses by default', () => {
    expect(errorsOf('--bind-address=')).toEqual([]);
    expect(parseSchedulerFlags(['--bind-address=']).outline.listeners[0]?.address).toBe('0.0.0.0:10259 (all addresses)');
    expect(errorsOf('--bind-address=here')).toHaveLength(1);
  });

  it('accept only the previous minor version for hidden metrics, and warn of an unused cert-dir', () => {
    expect(errorsOf('--show-hidden-metrics-for-version=1.23')).toEqual([]);
    for (const version of ['1.22', '1.24', 'x'])
      expect(errorsOf(`--show-hidden-metrics-for-version=${version}`)).toEqual([
        `--show-hidden-metrics-for-version must be omitted or have the value '1.23'. Only the previous minor version is allowed, found "${version}"`,
      ]);
    const { warnings } = parseSchedulerFlags(['--cert-dir=/x', '--tls-cert-file=a', '--tls-private-key-file=b']);
    expect(warnings.map(({ message }) => message)).toEqual([
      '--cert-dir is ignored because --tls-cert-file and --tls-private-key-file are given',
    ]);
    expect(errorsOf('--logging-format=json')).toHaveLength(1);
  });
});
