/**
 * The rules of the specification that are sentences, not rows of settings: each in our words, by section in the order of the specification.
 * Bounds are listed by setting, as they are checked.
 */
import { type Inert, NO_CLOUD } from '../settings.ts';

/** What a rule says, and why it has no effect, if it has none. */
export type Statement = string | readonly [says: string, effect: Inert];

export const STATEMENTS: Readonly<Record<string, Readonly<Record<string, Statement>>>> = {
  'What the service does': {
    'registers its node': 'an agent registers its Node',
    'registers by provider': ['a cloud provider may name the node', NO_CLOUD],
    'keeps pods running': 'the containers of its pods are started, watched and restarted',
    'pods of others': 'containers it did not create are left alone',
    'pods from the API server': 'pods bound to the node reach its agent',
    'pods from files': 'a file or folder is read periodically',
    'pods from a URL': 'an endpoint is requested periodically',
    'pods by submission': "the agent's server accepts pods",
    'finds a node': 'a pod in the queue gets a node that fits, the best of them',
    'several schedulers': 'more than one may run in a cluster',
    'flags over file': 'flags of the agent override its file, and that the defaults',
    'no file': "without a file the flags' defaults apply",
    'deprecated beside a file': 'the scheduler ignores deprecated flags beside a file',
  },
  CredentialProviderConfig: {
    'apiVersion, kind': 'are as specified',
    providers: 'there is at least one',
    combined: 'every provider that matches an image is called',
    'the earlier wins': 'for the same registry the provider listed first wins',
  },
  Endpoints: {
    'agent, secured': 'address and port, 10250 by default',
    'agent, read-only': 'closed by default',
    'agent, health': '127.0.0.1:10248 by default',
    scheduler: '0.0.0.0:10259 by default',
    'scheduler, always allowed': 'three health paths need no authorization',
    'debugging handlers': 'logs, exec, attach, port-forward, where they are enabled',
  },
  Authentication: {
    'agent, anonymous': 'flag: on, file: off',
    'agent, tokens': 'flag: off, file: on, kept for two minutes',
    'agent, certificates': 'of an authority of the client CA file',
    'agent, authorization': 'flag: AlwaysAllow, file: Webhook',
    'agent, read-only port': 'does not authenticate',
    'scheduler, tokens': 'are reviewed with its kubeconfig; without one all requests are anonymous',
    'scheduler, headers': 'identities in headers of requests with a verified certificate',
    'scheduler, authorization': 'without a kubeconfig only listed paths are allowed',
  },
  Limits: {
    'port, healthzPort': '1 to 65535',
    readOnlyPort: '1 to 65535, or 0',
    oomScoreAdj: '-1000 to 1000',
    'imageGC…ThresholdPercent': '0 to 100, and high above low',
    'registryPullQPS, registryBurst': 'not negative',
    'eventRecordQPS, eventBurst': 'not negative',
    orchAPIBurst: 'not negative',
    maxPods: 'not negative',
    podsPerCore: 'not negative, and at most maxPods',
    maxOpenFiles: 'not negative',
    cpuCFSQuotaPeriod: '1µs to 1s',
    nodeLeaseDurationSeconds: 'above 0',
    nodeStatusMaxImages: '-1 or more',
    containerLogMaxFiles: 'at least 2',
    '--leader-elect-renew-deadline': 'at most the lease duration',
    '--orch-api-qps, --orch-api-burst': '50 and 100 by default',
  },
  Versioning: {
    'apiVersion of files': 'agent.config.orch.io/v1beta1',
    'flags move to the file': 'each warns',
    'dynamic configuration': 'an agent with dynamic configuration restarts to use the ConfigMap of spec.configSource',
    removal: 'the warning of a deprecated flag names the version that removes it, where that is known',
  },
};
