/** The effect of each flag of the scheduler in a run. A test fails for a flag without a line here, and names it. */
import * as no from './reasons.ts';
import { because, holds, type SupportStatus } from './support-status.ts';

const READ = 'controlplane/config/scheduler.test.ts';
const ANSWERS = 'lab/simulation/process-answers.test.ts';
const ELECTED = 'lab/simulation/processes.test.ts';
const elects = (does: string, words: string, file = ELECTED): SupportStatus => holds(does, file, words);

export const SCHEDULER_SUPPORT: ReadonlyMap<string, SupportStatus> = new Map<string, SupportStatus>([
  ['config', holds('flags marked deprecated are ignored beside it', READ, 'that are deprecated are ignored beside a configuration file')],
  ['help', holds('lists the flags', 'surfaces/cli/config.test.ts', 'lists the flags of each process')],
  [
    'leader-elect',
    elects(
      'whether the scheduler takes part in leader election',
      'hold no lock with --leader-elect=false, and otherwise the one that older flags name',
    ),
  ],
  [
    'leader-elect-lease-duration',
    elects('how long others wait for a leader without renewals', 'follow the flags: the lease duration, and the lock'),
  ],
  [
    'leader-elect-renew-deadline',
    elects('how long a leader tries to renew before it steps down', 'follow the flags: the lease duration, and the lock'),
  ],
  ['leader-elect-retry-period', elects('the time between attempts', 'follow the flags: the lease duration, and the lock')],
  ['leader-elect-resource-name', elects('the name of the lock', 'follow the flags: the lease duration, and the lock')],
  ['leader-elect-resource-namespace', elects('the namespace of the lock', 'follow the flags: the lease duration, and the lock')],
  [
    'lock-object-name',
    elects(
      'older name of leader-elect-resource-name',
      'hold no lock with --leader-elect=false, and otherwise the one that older flags name',
    ),
  ],
  [
    'lock-object-namespace',
    elects(
      'older name of leader-elect-resource-namespace',
      'hold no lock with --leader-elect=false, and otherwise the one that older flags name',
    ),
  ],
  ['feature-gates', elects('feature gates of this scheduler', 'serve the pods that name them, with flags and gates of their own')],
  [
    'logging-format',
    holds('only text is accepted', READ, 'accept only the previous minor version for hidden metrics, and warn of an unused cert-dir'),
  ],
  [
    'leader-elect-resource-lock',
    elects(
      'the lock object: a lease, or an older kind with a lease beside it',
      'is, with --leader-elect-resource-lock=%s, an annotation of %s and the lease beside it, which agree',
    ),
  ],
  [
    'orch-api-qps',
    elects("requests per second of the scheduler's client", 'are throttled by --orch-api-qps, after --orch-api-burst of them'),
  ],
  [
    'orch-api-burst',
    elects("the burst of requests of the scheduler's client", 'are throttled by --orch-api-qps, after --orch-api-burst of them'),
  ],
  [
    'pod-max-in-unschedulable-pods-duration',
    elects('the longest wait of an unschedulable pod', 'are tried again after --pod-max-in-unschedulable-pods-duration'),
  ],
  ...because(no.NO_METRICS, 'allow-metric-labels', 'disabled-metrics', 'show-hidden-metrics-for-version', 'contention-profiling'),
  ['profiling', elects('whether profiles are served', 'of profiles decide: %s', ANSWERS)],
  [
    'authentication-tolerate-lookup-failure',
    elects(
      'false: a scheduler whose look-up is not answered exits, and is started again',
      'exit when their look-up fails with --authentication-tolerate-lookup-failure=false',
    ),
  ],
  ...because(no.NO_LOGS, 'log-flush-frequency'),
  ...because(no.OWN_ENCODING, 'orch-api-content-type'),
  ...because('every simulated process uses the only API server', 'master', 'orchconfig'),
  ...because(no.NO_CLOUD, 'cloudvendor-container-registry-config'),
  [
    'authentication-kubeconfig',
    elects('whether tokens are reviewed', 'answers its listed paths to any user, and nothing else without a kubeconfig', ANSWERS),
  ],
  ['authentication-skip-lookup', elects('whether missing authorities are looked up', 'of a scheduler decide: %s', ANSWERS)],
  ['authorization-always-allow-paths', elects('paths that are served without authorization', 'of a scheduler decide: %s', ANSWERS)],
  [
    'authorization-kubeconfig',
    elects(
      'whether the API server authorizes requests of other paths',
      'answers its listed paths to any user, and nothing else without a kubeconfig',
      ANSWERS,
    ),
  ],
  [
    'authorization-webhook-cache-authorized-ttl',
    elects('how long an approval is cached', '--authorization-webhook-cache-authorized-ttl sets how long a permission is cached', ANSWERS),
  ],
  ['authorization-webhook-cache-unauthorized-ttl', elects('how long a refusal is cached', 'set how long a refusal is cached: %s', ANSWERS)],
  ['client-ca-file', elects('whether client certificates authenticate requests', 'of a scheduler decide: %s', ANSWERS)],
  [
    'requestheader-allowed-names',
    elects(
      'common names whose request headers are accepted',
      'answers its listed paths to any user, and nothing else without a kubeconfig',
      ANSWERS,
    ),
  ],
  ['requestheader-client-ca-file', elects('whether request headers authenticate requests', 'of a scheduler decide: %s', ANSWERS)],
  [
    'secure-port',
    elects('whether the port is open', 'answers its listed paths to any user, and nothing else without a kubeconfig', ANSWERS),
  ],
  ...because(
    no.NO_SOCKETS,
    'authentication-token-webhook-cache-ttl',
    'bind-address',
    'cert-dir',
    'http2-max-streams-per-connection',
    'permit-address-sharing',
    'permit-port-sharing',
    'requestheader-extra-headers-prefix',
    'requestheader-group-headers',
    'requestheader-username-headers',
    'tls-cert-file',
    'tls-cipher-suites',
    'tls-min-version',
    'tls-private-key-file',
    'tls-sni-cert-key',
  ),
]);
