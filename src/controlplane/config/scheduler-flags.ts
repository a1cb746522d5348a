/**
 * The scheduler's flags: types, defaults, and which of them are deprecated and ignored beside a file. Models: v1.24
 * cmd/kube-scheduler/app/options.
 */
import { inert, NO_CLOUD, NO_LOGS, NO_METRICS, NO_SOCKETS, OWN_ENCODING, setting, settingsOf } from './settings.ts';
import type { Effective, Fields, Setting } from './settings.ts';

/** Options of a flag that is deprecated, and ignored when `--config` is given. */
const IGNORED = { ignoredWithConfig: true, deprecated: 'This parameter is ignored if a config file is specified via --config.' } as const;
const replaced = (by: string) =>
  ({ ...IGNORED, deprecated: `This parameter is replaced by ${by}, and ignored if a config file is specified via --config.` }) as const;

export const SCHEDULER_FIELDS = {
  'allow-metric-labels': setting('stringMap', {}, NO_METRICS, { flagSyntax: 'csv' }),
  'authentication-kubeconfig': setting('string', '', 'whether tokens are reviewed'),
  'authentication-skip-lookup': setting('bool', false, 'whether missing authorities are looked up'),
  'authentication-token-webhook-cache-ttl': setting('duration', '10s', NO_SOCKETS),
  'authentication-tolerate-lookup-failure': setting(
    'bool',
    true,
    'false: a scheduler whose look-up is not answered exits, and is started again',
  ),
  'authorization-always-allow-paths': setting('strings', ['/healthz', '/readyz', '/livez'], 'paths that are served without authorization'),
  'authorization-kubeconfig': setting('string', '', 'whether the API server authorizes requests of other paths'),
  'authorization-webhook-cache-authorized-ttl': setting('duration', '10s', 'how long an approval is cached'),
  'authorization-webhook-cache-unauthorized-ttl': setting('duration', '10s', 'how long a refusal is cached'),
  'cloudvendor-container-registry-config': setting('string', '', NO_CLOUD),
  'bind-address': setting('ip', '0.0.0.0', NO_SOCKETS, { flagMayBeBlank: true }),
  'cert-dir': setting('string', '', NO_SOCKETS),
  'client-ca-file': setting('string', '', 'whether client certificates authenticate requests'),
  config: setting('string', '', 'flags marked deprecated are ignored beside it'),
  'contention-profiling': setting('bool', true, NO_METRICS, IGNORED),
  'disabled-metrics': setting('strings', [], NO_METRICS),
  'feature-gates': setting('boolMap', {}, 'feature gates of this scheduler'),
  help: setting('bool', false, 'lists the flags'),
  'http2-max-streams-per-connection': setting('int32', 0, NO_SOCKETS),
  'orch-api-burst': setting('int32', 100, "the burst of requests of the scheduler's client", IGNORED),
  'orch-api-content-type': setting('string', 'application/vnd.orch.protobuf', OWN_ENCODING, IGNORED),
  'orch-api-qps': setting('float', 50, "requests per second of the scheduler's client", IGNORED),
  orchconfig: setting('string', '', inert('every simulated process uses the only API server'), IGNORED),
  'leader-elect': setting('bool', true, 'whether the scheduler takes part in leader election'),
  'leader-elect-lease-duration': setting('duration', '15s', 'how long others wait for a leader without renewals'),
  'leader-elect-renew-deadline': setting('duration', '10s', 'how long a leader tries to renew before it steps down'),
  'leader-elect-resource-lock': setting('string', 'leases', 'the lock object: a lease, or an older kind with a lease beside it', {
    among: ['leases', 'endpointsleases', 'configmapsleases'],
  }),
  'leader-elect-resource-name': setting('string', 'orch-scheduler', 'the name of the lock'),
  'leader-elect-resource-namespace': setting('string', 'orch-system', 'the namespace of the lock'),
  'leader-elect-retry-period': setting('duration', '2s', 'the time between attempts'),
  'lock-object-name': setting(
    'string',
    'orch-scheduler',
    'older name of leader-elect-resource-name',
    replaced('--leader-elect-resource-name'),
  ),
  'lock-object-namespace': setting(
    'string',
    'orch-system',
    'older name of leader-elect-resource-namespace',
    replaced('--leader-elect-resource-namespace'),
  ),
  'log-flush-frequency': setting('duration', '5s', NO_LOGS),
  'logging-format': setting('string', 'text', 'only text is accepted', { among: ['text'] }),
  master: setting('string', '', inert('every simulated process uses the only API server')),
  'permit-address-sharing': setting('bool', false, NO_SOCKETS),
  'permit-port-sharing': setting('bool', false, NO_SOCKETS),
  'pod-max-in-unschedulable-pods-duration': setting('duration', '5m0s', 'the longest wait of an unschedulable pod', {
    deprecated: 'This flag is deprecated and will be removed in 1.26.',
  }),
  profiling: setting('bool', true, 'whether profiles are served', IGNORED),
  'requestheader-allowed-names': setting('strings', [], 'common names whose request headers are accepted'),
  'requestheader-client-ca-file': setting('string', '', 'whether request headers authenticate requests'),
  'requestheader-extra-headers-prefix': setting('strings', ['x-remote-extra-'], NO_SOCKETS),
  'requestheader-group-headers': setting('strings', ['x-remote-group'], NO_SOCKETS),
  'requestheader-username-headers': setting('strings', ['x-remote-user'], NO_SOCKETS),
  'secure-port': setting('int32', 10259, 'whether the port is open'),
  'show-hidden-metrics-for-version': setting('string', '', NO_METRICS),
  'tls-cert-file': setting('string', '', NO_SOCKETS),
  'tls-cipher-suites': setting('strings', [], NO_SOCKETS),
  'tls-min-version': setting('string', '', NO_SOCKETS),
  'tls-private-key-file': setting('string', '', NO_SOCKETS),
  'tls-sni-cert-key': setting('certKeys', [], NO_SOCKETS),
} as const satisfies Fields;

export type SchedulerConfiguration = Effective<typeof SCHEDULER_FIELDS>;

export const SCHEDULER_FLAGS: ReadonlyMap<string, Setting> = new Map(settingsOf(SCHEDULER_FIELDS));
