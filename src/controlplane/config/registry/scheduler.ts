/** What each flag of the scheduler does in a run. A new flag without a line here fails a test by its name. */
import * as no from './reasons.ts';
import { because, holds, type Standing } from './standing.ts';

const READ = 'controlplane/config/scheduler.test.ts';
const ANSWERS = 'lab/simulation/process-answers.test.ts';
const ELECTED = 'lab/simulation/processes.test.ts';
const elects = (does: string, words: string, file = ELECTED): Standing => holds(does, file, words);

export const SCHEDULER_STANDINGS: ReadonlyMap<string, Standing> = new Map<string, Standing>([
  ['config', holds('flags marked deprecated are ignored beside it', READ, 'that are deprecated are ignored beside a configuration file')],
  ['help', holds('lists the flags', 'surfaces/cli/config.test.ts', 'lists the flags of each process')],
  ['leader-elect', elects('whether it stands for election', '--leader-elect=false', READ)],
  ['leader-elect-lease-duration', elects('how long others wait for a silent leader', '--leader-elect-lease-duration')],
  ['leader-elect-renew-deadline', elects('how long a leader tries to renew before it steps down', '--leader-elect-renew-deadline')],
  ['leader-elect-retry-period', elects('the time between attempts', '--leader-elect-retry-period')],
  ['leader-elect-resource-name', elects('the name of the lock', '--leader-elect-resource-name')],
  ['leader-elect-resource-namespace', elects('the namespace of the lock', '--leader-elect-resource-namespace')],
  ['lock-object-name', elects('the older name of that', 'name the lock by the older names too', READ)],
  ['lock-object-namespace', elects('the older name of that', 'name the lock by the older names too', READ)],
  ['feature-gates', holds('which gates this scheduler has on', READ, 'MinDomainsInPodTopologySpread')],
  ['logging-format', holds('only text is taken', READ, '--logging-format')],
  [
    'leader-elect-resource-lock',
    elects('what is locked: a lease, or an older object with a lease beside it', '--leader-elect-resource-lock'),
  ],
  ['orch-api-qps', elects('requests a second of its client', '--orch-api-qps')],
  ['orch-api-burst', elects('how many of them at once', '--orch-api-burst')],
  ['pod-max-in-unschedulable-pods-duration', elects('how long a refused pod waits at most', '--pod-max-in-unschedulable-pods-duration')],
  ...because(
    no.NO_METRICS,
    'allow-metric-labels',
    'disabled-metrics',
    'show-hidden-metrics-for-version',
    'contention-profiling',
    'profiling',
  ),
  ...because(no.NO_LOGS, 'log-flush-frequency'),
  ...because(no.OWN_ENCODING, 'orch-api-content-type'),
  ...because('every simulated process asks the one server there is', 'master', 'orchconfig'),
  ...because(no.NO_CLOUD, 'cloudvendor-container-registry-config'),
  ['authentication-kubeconfig', elects('whether tokens are reviewed', '--authentication-kubeconfig', ANSWERS)],
  ['authentication-skip-lookup', elects('whether missing authorities are looked up', '--authentication-skip-lookup', ANSWERS)],
  ['authorization-always-allow-paths', elects('which paths are answered to anybody', '--authorization-always-allow-paths', ANSWERS)],
  ['authorization-kubeconfig', elects('whether anything else is', '--authorization-kubeconfig', ANSWERS)],
  [
    'authorization-webhook-cache-authorized-ttl',
    elects('how long a permission is believed', '--authorization-webhook-cache-authorized-ttl', ANSWERS),
  ],
  [
    'authorization-webhook-cache-unauthorized-ttl',
    elects('how long a refusal is believed', '--authorization-webhook-cache-unauthorized-ttl', ANSWERS),
  ],
  ['client-ca-file', elects('whether client certificates say who somebody is', '--client-ca-file', ANSWERS)],
  ['requestheader-allowed-names', elects('whose headers are believed', '--requestheader-allowed-names', ANSWERS)],
  ['requestheader-client-ca-file', elects('whether headers are', '--requestheader-client-ca-file', ANSWERS)],
  ['secure-port', elects('whether anybody answers', '--secure-port', ANSWERS)],
  ...because(
    no.NO_SOCKETS,
    'authentication-token-webhook-cache-ttl',
    'authentication-tolerate-lookup-failure',
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
