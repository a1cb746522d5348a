/**
 * The scheduler's flags: types, defaults, and which of them are deprecated and ignored beside a file. Models: v1.24
 * cmd/kube-scheduler/app/options.
 */
import type { FlagSpec } from './flags.ts';
import { type Effective, type Fields, setting, type SettingOptions, settingsOf, type ValueType, type ValueTypes } from './settings.ts';

/** A flag that is deprecated, and ignored when `--config` is given. */
const ignored = <T extends ValueType, D extends ValueTypes[T] | undefined>(
  type: T,
  fallback: D,
  options: SettingOptions<ValueTypes[T]> = {},
) => ({ ...setting(type, fallback, options), ignoredWithConfig: true }) as const;

export const SCHEDULER_FIELDS = {
  'allow-metric-labels': setting('stringMap', {}, { flagSyntax: 'csv' }),
  'authentication-kubeconfig': setting('string', ''),
  'authentication-skip-lookup': setting('bool', false),
  'authentication-token-webhook-cache-ttl': setting('duration', '10s'),
  'authentication-tolerate-lookup-failure': setting('bool', true),
  'authorization-always-allow-paths': setting('strings', ['/healthz', '/readyz', '/livez']),
  'authorization-kubeconfig': setting('string', ''),
  'authorization-webhook-cache-authorized-ttl': setting('duration', '10s'),
  'authorization-webhook-cache-unauthorized-ttl': setting('duration', '10s'),
  'cloudvendor-container-registry-config': setting('string', ''),
  'bind-address': setting('ip', '0.0.0.0', { flagMayBeBlank: true }),
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
  'tls-sni-cert-key': setting('certKeys', []),
} as const satisfies Fields;

/** Effective values by flag name, without dashes. */
export type SchedulerConfiguration = Effective<typeof SCHEDULER_FIELDS>;

export const IGNORED_WITH_CONFIG: ReadonlySet<string> = new Set(
  Object.entries(SCHEDULER_FIELDS).flatMap(([name, field]) => ('ignoredWithConfig' in field ? [name] : [])),
);

/** The text after "Flag --x has been deprecated, ". */
export const SCHEDULER_DEPRECATIONS: ReadonlyMap<string, string> = new Map([
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

export const SCHEDULER_FLAGS: ReadonlyMap<string, FlagSpec> = new Map(
  [...settingsOf(SCHEDULER_FIELDS)].map(([name, field]): [string, FlagSpec] => {
    const deprecated = SCHEDULER_DEPRECATIONS.get(name);
    return [name, deprecated === undefined ? field : { ...field, deprecated }];
  }),
);
