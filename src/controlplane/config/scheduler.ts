/**
 * The scheduler's flags: defaults, deprecations, validation. The schema of its configuration file is not specified, so a file changes one thing only: flags
 * that are ignored beside it are ignored. Models: v1.24 cmd/kube-scheduler/app/options, component-base leader-election validation, client-go NewLeaderElector.
 */
import { didYouMean, parseGoDuration, quote } from '../../grammar/values/index.ts';
import { type FlagSpec, readFlags } from './flags.ts';
import { resolveGates } from '../../apiserver/vocabulary/index.ts';
import { type ConfigProblem, type EffectiveValue, problemsOf, show } from './report.ts';
import {
  assemble,
  type Effective,
  type Fields,
  setting,
  type SettingOptions,
  settingsOf,
  type ValueType,
  type ValueTypes,
} from './settings.ts';
import { cipherSuiteProblem, tlsVersionProblem } from './tls.ts';

/** Deprecated, and ignored when `--config` is given. */
const ignored = <T extends ValueType, D extends ValueTypes[T] | undefined>(
  type: T,
  fallback: D,
  options: SettingOptions<ValueTypes[T]> = {},
) => ({ ...setting(type, fallback, options), ignoredWithConfig: true }) as const;

export const SCHEDULER_FIELDS = {
  'allow-metric-labels': setting('stringMap', {}),
  'authentication-kubeconfig': setting('string', ''),
  'authentication-skip-lookup': setting('bool', false),
  'authentication-token-webhook-cache-ttl': setting('duration', '10s'),
  'authentication-tolerate-lookup-failure': setting('bool', true),
  'authorization-always-allow-paths': setting('strings', ['/healthz', '/readyz', '/livez']),
  'authorization-kubeconfig': setting('string', ''),
  'authorization-webhook-cache-authorized-ttl': setting('duration', '10s'),
  'authorization-webhook-cache-unauthorized-ttl': setting('duration', '10s'),
  'cloudvendor-container-registry-config': setting('string', ''),
  'bind-address': setting('ip', '0.0.0.0'),
  'cert-dir': setting('string', ''),
  'client-ca-file': setting('string', ''),
  config: setting('string', ''),
  'contention-profiling': ignored('bool', true),
  'disabled-metrics': setting('strings', []),
  'feature-gates': setting('boolMap', {}),
  help: setting('bool', false),
  'http2-max-streams-per-connection': setting('int32', 0),
  'orch-api-burst': ignored('int32', 100),
  'orch-api-content-type': ignored('string', 'application/vnd.orch.protobuf'),
  'orch-api-qps': ignored('float', 50),
  orchconfig: ignored('string', ''),
  'leader-elect': setting('bool', true),
  'leader-elect-lease-duration': setting('duration', '15s'),
  'leader-elect-renew-deadline': setting('duration', '10s'),
  'leader-elect-resource-lock': setting('string', 'leases', { choices: ['leases', 'endpointsleases', 'configmapsleases'] }),
  'leader-elect-resource-name': setting('string', 'orch-scheduler'),
  'leader-elect-resource-namespace': setting('string', 'orch-system'),
  'leader-elect-retry-period': setting('duration', '2s'),
  'lock-object-name': ignored('string', 'orch-scheduler'),
  'lock-object-namespace': ignored('string', 'orch-system'),
  'log-flush-frequency': setting('duration', '5s'),
  'logging-format': setting('string', 'text', { choices: ['text'] }),
  master: setting('string', ''),
  'permit-address-sharing': setting('bool', false),
  'permit-port-sharing': setting('bool', false),
  'pod-max-in-unschedulable-pods-duration': setting('duration', '5m0s'),
  profiling: ignored('bool', true),
  'requestheader-allowed-names': setting('strings', []),
  'requestheader-client-ca-file': setting('string', ''),
  'requestheader-extra-headers-prefix': setting('strings', ['x-remote-extra-']),
  'requestheader-group-headers': setting('strings', ['x-remote-group']),
  'requestheader-username-headers': setting('strings', ['x-remote-user']),
  'secure-port': setting('int32', 10259),
  'show-hidden-metrics-for-version': setting('string', ''),
  'tls-cert-file': setting('string', ''),
  'tls-cipher-suites': setting('strings', []),
  'tls-min-version': setting('string', ''),
  'tls-private-key-file': setting('string', ''),
  'tls-sni-cert-key': setting('string', ''),
} as const satisfies Fields;

/** Effective values by flag name, without dashes. */
export type SchedulerConfiguration = Effective<typeof SCHEDULER_FIELDS>;

const IGNORED_WITH_CONFIG: ReadonlySet<string> = new Set(
  Object.entries(SCHEDULER_FIELDS).flatMap(([name, field]) => ('ignoredWithConfig' in field ? [name] : [])),
);

const DEPRECATIONS: ReadonlyMap<string, string> = new Map([
  ...[...IGNORED_WITH_CONFIG].map((name) => [name, 'This parameter is ignored if a config file is specified via --config.'] as const),
  [
    'lock-object-name',
    'This parameter is replaced by --leader-elect-resource-name, and ignored if a config file is specified via --config.',
  ],
  [
    'lock-object-namespace',
    'This parameter is replaced by --leader-elect-resource-namespace, and ignored if a config file is specified via --config.',
  ],
  ['pod-max-in-unschedulable-pods-duration', 'This flag is deprecated and will be removed in 1.26.'],
]);

const SCHEDULER_FLAGS: ReadonlyMap<string, FlagSpec> = new Map(
  [...settingsOf(SCHEDULER_FIELDS)].map(([name, field]): [string, FlagSpec] => {
    const deprecated = DEPRECATIONS.get(name);
    return [name, deprecated === undefined ? field : { ...field, deprecated }];
  }),
);

export interface SchedulerResult {
  readonly config: SchedulerConfiguration;
  readonly gates: Readonly<Record<string, boolean>>;
  /** Every flag's value, by `--name`. */
  readonly values: readonly EffectiveValue[];
  readonly warnings: readonly ConfigProblem[];
  readonly errors: readonly ConfigProblem[];
}

/** The effective settings of a scheduler started with these arguments. Always answers with all of them, whatever is wrong. */
export function parseSchedulerFlags(args: readonly string[]): SchedulerResult {
  const errors = problemsOf(undefined);
  const warnings = problemsOf(undefined);
  const flags = readFlags(args, SCHEDULER_FLAGS);
  for (const { flag, message } of flags.errors) errors.add(flag, message);
  if (flags.positional.length > 0)
    errors.add(flags.positional[0] ?? '', `scheduler does not take any arguments, got [${flags.positional.map(quote).join(' ')}]`);
  const hasFile = String(flags.values.get('config') ?? '') !== '';
  if (hasFile) warnings.add('--config', 'the schema of the scheduler configuration file is not specified: its contents are not read');

  const values = new Map<string, EffectiveValue>();
  for (const [name, field] of settingsOf(SCHEDULER_FIELDS)) {
    const path = `--${name}`;
    const given = flags.values.get(name);
    const deprecated = DEPRECATIONS.get(name);
    if (given !== undefined && deprecated !== undefined) warnings.add(path, `Flag ${path} has been deprecated, ${deprecated}`);
    const drop = hasFile && IGNORED_WITH_CONFIG.has(name);
    if (given !== undefined && drop) warnings.add(path, `${path} is ignored because --config is given`);
    values.set(
      name,
      given === undefined || drop ? { path, value: field.default, source: 'default' } : { path, value: given, source: 'flag', flag: path },
    );
    if (given !== undefined && field.choices !== undefined && !field.choices.includes(given as never)) {
      errors.add(
        path,
        `${path} must be one of ${field.choices.map(show).join(', ')}, found ${show(given)}${didYouMean(String(given), field.choices.map(String))}`,
      );
    }
  }
  // The older names still name the lock where the newer ones do not.
  for (const part of ['name', 'namespace']) {
    const older = values.get(`lock-object-${part}`);
    const newer = values.get(`leader-elect-resource-${part}`);
    if (older?.source === 'flag' && newer?.source === 'default')
      values.set(`leader-elect-resource-${part}`, { ...newer, value: older.value, source: 'flag', flag: older.path });
  }
  const config = assemble(SCHEDULER_FIELDS, (name) => values.get(name)?.value) as unknown as SchedulerConfiguration;
  const resolved = resolveGates(config['feature-gates']);
  for (const { message } of resolved.errors) errors.add('--feature-gates', message);
  check(config, errors.add);
  return { config, gates: resolved.gates, values: [...values.values()], warnings: warnings.list, errors: errors.list };
}

type Report = (path: string, message: string) => void;

function check(config: SchedulerConfiguration, error: Report): void {
  const notNegative = (name: 'http2-max-streams-per-connection' | 'orch-api-burst' | 'orch-api-qps'): void => {
    if (config[name] < 0) error(`--${name}`, `--${name} ${config[name]} must not be a negative number`);
  };
  notNegative('http2-max-streams-per-connection');
  notNegative('orch-api-burst');
  notNegative('orch-api-qps');
  const port = config['secure-port'];
  if (port < 0 || port > 65_535)
    error('--secure-port', `--secure-port ${port} must be between 0 and 65535, inclusive. 0 for turning off secure port`);
  const version = tlsVersionProblem(config['tls-min-version']);
  if (version !== undefined) error('--tls-min-version', version);
  for (const suite of config['tls-cipher-suites']) {
    const problem = cipherSuiteProblem(suite);
    if (problem !== undefined) error('--tls-cipher-suites', problem);
  }
  if ((config['tls-cert-file'] === '') !== (config['tls-private-key-file'] === ''))
    error('--tls-cert-file', '--tls-cert-file and --tls-private-key-file must be given together');
  const hidden = config['show-hidden-metrics-for-version'];
  if (hidden !== '' && !/^\d+\.\d+$/.test(hidden))
    error('--show-hidden-metrics-for-version', `--show-hidden-metrics-for-version must be <major>.<minor>, found ${quote(hidden)}`);
  for (const key of Object.keys(config['allow-metric-labels'])) {
    if (!/^[^,]+,[^,]+$/.test(key)) error('--allow-metric-labels', `the key ${quote(key)} must be <MetricName>,<LabelName>`);
  }
  if (config['leader-elect']) checkLeaderElection(config, error);
}

/** What client-go holds back between attempts, at most, in tenths of the retry period. */
const JITTER_TENTHS = 12n;

function checkLeaderElection(config: SchedulerConfiguration, error: Report): void {
  const ns = (name: 'leader-elect-lease-duration' | 'leader-elect-renew-deadline' | 'leader-elect-retry-period'): bigint => {
    const duration = parseGoDuration(config[name]).value ?? 0n;
    if (duration <= 0n) error(`--${name}`, `--${name} ${config[name]} must be greater than zero`);
    return duration;
  };
  const lease = ns('leader-elect-lease-duration');
  const renew = ns('leader-elect-renew-deadline');
  const retry = ns('leader-elect-retry-period');
  if (renew > lease)
    error(
      '--leader-elect-renew-deadline',
      `--leader-elect-renew-deadline ${config['leader-elect-renew-deadline']} must be at most --leader-elect-lease-duration ${config['leader-elect-lease-duration']}`,
    );
  if (renew * 10n <= retry * JITTER_TENTHS)
    error(
      '--leader-elect-retry-period',
      `--leader-elect-renew-deadline ${config['leader-elect-renew-deadline']} must be greater than --leader-elect-retry-period*JitterFactor (${config['leader-elect-retry-period']} × 1.2)`,
    );
  if (config['leader-elect-resource-name'] === '') error('--leader-elect-resource-name', '--leader-elect-resource-name is required');
  if (config['leader-elect-resource-namespace'] === '')
    error('--leader-elect-resource-namespace', '--leader-elect-resource-namespace is required');
}

/** The file that the arguments name, if any. */
export function schedulerConfigPath(args: readonly string[]): string | undefined {
  return readFlags(args, SCHEDULER_FLAGS).values.get('config') as string | undefined;
}
