/**
 * The scheduler's flags: defaults, deprecations, validation. The schema of its configuration file is not specified, so a file has one
 * effect only: some deprecated flags are ignored beside it. Models: v1.24 cmd/kube-scheduler/app/options, component-base leader-election
 * validation, client-go NewLeaderElector.
 */
import { parseGoDuration, quote } from '../../schema/values/index.ts';
import { readFlags } from './flags.ts';
import { resolveGates } from '../../apiserver/machinery/index.ts';
import { schedulerOutline } from './outline.ts';
import { choiceProblem, type ConfigResult, type Deprecation, deprecationOf, type EffectiveValue, problemsOf } from './report.ts';
import { SCHEDULER_FIELDS, SCHEDULER_FLAGS, type SchedulerConfiguration } from './scheduler-flags.ts';
import { assemble } from './settings.ts';
import { cipherSuiteProblem, tlsVersionProblem } from './named-values.ts';

/** Returns the effective settings of a scheduler with these arguments: all of them, also where the input is invalid. */
export function parseSchedulerFlags(args: readonly string[]): ConfigResult<SchedulerConfiguration> {
  const errors = problemsOf(undefined);
  const warnings = problemsOf(undefined);
  const deprecations: Deprecation[] = [];
  const flags = readFlags(args, SCHEDULER_FLAGS);
  for (const { flag, message } of flags.errors) errors.add(flag, message);
  if (flags.positional.length > 0)
    errors.add(flags.positional[0] ?? '', `scheduler does not take any arguments, got [${flags.positional.map(quote).join(' ')}]`);
  const hasFile = String(flags.values.get('config') ?? '') !== '';
  if (hasFile) warnings.add('--config', 'the schema of the scheduler configuration file is not specified: its contents are not read');

  const values = new Map<string, EffectiveValue>();
  for (const [name, field] of SCHEDULER_FLAGS) {
    const path = `--${name}`;
    const given = flags.values.get(name);
    if (given !== undefined && field.deprecated !== undefined) {
      deprecations.push(deprecationOf(path, field.deprecated));
      warnings.add(path, `Flag ${path} has been deprecated, ${field.deprecated}`);
    }
    const drop = hasFile && field.ignoredWithConfig === true;
    if (given !== undefined && drop) warnings.add(path, `${path} is ignored because --config is given`);
    values.set(
      name,
      given === undefined || drop ? { path, value: field.default, source: 'default' } : { path, value: given, source: 'flag', flag: path },
    );
    if (given !== undefined && field.among?.includes(String(given)) === false)
      errors.add(path, choiceProblem(path, String(given), field.among));
  }
  // The older flags name the lock where the newer ones are not given.
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
  if (values.get('cert-dir')?.source === 'flag' && hasKeyPair(config))
    warnings.add('--cert-dir', '--cert-dir is ignored because --tls-cert-file and --tls-private-key-file are given');
  return {
    config,
    gates: resolved.gates,
    values: [...values.values()],
    outline: schedulerOutline(config),
    deprecations,
    warnings: warnings.list,
    errors: errors.list,
  };
}

/** The minor version before the simulated one. */
const PREVIOUS_MINOR = '1.23';

type Report = (path: string, message: string) => void;
/** Reports a problem of a flag: the text begins with the flag. */
type Refuse = (name: keyof SchedulerConfiguration, problem: string) => void;

function check(config: SchedulerConfiguration, error: Report): void {
  const refuse: Refuse = (name, problem) => error(`--${name}`, `--${name} ${problem}`);
  for (const name of ['http2-max-streams-per-connection', 'orch-api-burst', 'orch-api-qps'] as const)
    if (config[name] < 0) refuse(name, `${config[name]} must not be a negative number`);
  if (config['orch-api-qps'] > 0 && config['orch-api-burst'] === 0)
    refuse('orch-api-burst', '0 must be greater than 0 where --orch-api-qps is, or no request is ever sent');
  const port = config['secure-port'];
  if (port < 0 || port > 65_535) refuse('secure-port', `${port} must be between 0 and 65535, inclusive. 0 for turning off secure port`);
  const version = tlsVersionProblem(config['tls-min-version']);
  if (version !== undefined) error('--tls-min-version', version);
  for (const suite of config['tls-cipher-suites']) {
    const problem = cipherSuiteProblem(suite);
    if (problem !== undefined) error('--tls-cipher-suites', problem);
  }
  if ((config['tls-cert-file'] === '') !== (config['tls-private-key-file'] === ''))
    refuse('tls-cert-file', 'and --tls-private-key-file must be given together');
  const hidden = config['show-hidden-metrics-for-version'];
  if (hidden !== '' && hidden !== PREVIOUS_MINOR)
    refuse(
      'show-hidden-metrics-for-version',
      `must be omitted or have the value '${PREVIOUS_MINOR}'. Only the previous minor version is allowed, found ${quote(hidden)}`,
    );
  for (const key of Object.keys(config['allow-metric-labels']))
    if (!/^[^,]+,[^,]+$/.test(key))
      error(
        '--allow-metric-labels',
        `the key ${quote(key)} must be <MetricName>,<LabelName>, as in --allow-metric-labels='requests,verb=get'`,
      );
  if (config['leader-elect']) checkLeaderElection(config, refuse, error);
}

const hasKeyPair = (config: SchedulerConfiguration): boolean => config['tls-cert-file'] !== '' && config['tls-private-key-file'] !== '';

/** Nanoseconds. */
const SECOND = 1_000_000_000n;

/** client-go's jitter: the longest wait between attempts, in tenths of the retry period. */
const JITTER_TENTHS = 12n;

function checkLeaderElection(config: SchedulerConfiguration, refuse: Refuse, error: Report): void {
  const lease = config['leader-elect-lease-duration'];
  const renew = config['leader-elect-renew-deadline'];
  const retry = config['leader-elect-retry-period'];
  const ns = (name: keyof SchedulerConfiguration, duration: string): bigint => {
    const value = parseGoDuration(duration).value ?? 0n;
    if (value <= 0n) refuse(name, `${duration} must be greater than zero`);
    return value;
  };
  const leaseNs = ns('leader-elect-lease-duration', lease);
  const renewNs = ns('leader-elect-renew-deadline', renew);
  const retryNs = ns('leader-elect-retry-period', retry);
  if (leaseNs > 0n && leaseNs < SECOND)
    refuse(
      'leader-elect-lease-duration',
      `${lease} must be at least 1s: a lease has whole seconds, and 0 is refused, so there would never be a leader`,
    );
  if (renewNs > leaseNs) refuse('leader-elect-renew-deadline', `${renew} must be at most --leader-elect-lease-duration ${lease}`);
  if (renewNs * 10n <= retryNs * JITTER_TENTHS)
    error(
      '--leader-elect-retry-period',
      `--leader-elect-renew-deadline ${renew} must be greater than --leader-elect-retry-period*JitterFactor (${retry} × 1.2)`,
    );
  for (const name of ['leader-elect-resource-name', 'leader-elect-resource-namespace'] as const)
    if (config[name] === '') refuse(name, 'is required');
}

export function schedulerConfigPath(args: readonly string[]): string | undefined {
  return readFlags(args, SCHEDULER_FLAGS).values.get('config') as string | undefined;
}
