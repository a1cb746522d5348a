/**
 * The rules of the specification that are sentences, not rows of settings: each in our words, with its support status. Bounds are listed by
 * setting, as they are checked.
 */
import * as no from './reasons.ts';
import { holds, inert, type SupportStatus } from './support-status.ts';

const AGENT = 'controlplane/config/agent.test.ts';
const SCHEDULER = 'controlplane/config/scheduler.test.ts';
const PROVIDERS = 'controlplane/config/credential-provider.test.ts';
const PROCESSES = 'controlplane/config/outline.test.ts';

type Statement = readonly [name: string, says: string, supportStatus: SupportStatus];

const SERVICE: readonly Statement[] = [
  ['registers its node', 'an agent registers its Node', holds('', 'lab/simulation/processes.test.ts', 'registers its node')],
  ['registers by provider', 'a cloud provider may name the node', inert(no.NO_CLOUD)],
  [
    'keeps pods running',
    'the containers of its pods are started, watched and restarted',
    holds('', 'controlplane/agents/node/start.test.ts', 'are created, then run, a request later'),
  ],
  [
    'pods of others',
    'containers it did not create are left alone',
    holds(
      '',
      'controlplane/agents/node/foreign-containers.test.ts',
      'are ignored, by evictions and by a restarted agent, until they end by themselves',
    ),
  ],
  [
    'pods from the API server',
    'pods bound to the node reach its agent',
    holds('', 'controlplane/agents/node/start.test.ts', 'are created, then run, a request later'),
  ],
  [
    'pods from files',
    'a file or folder is read periodically',
    holds('', 'controlplane/agents/node/static-pods.test.ts', 'of staticPodPath, a folder or a file, runs and has a mirror pod'),
  ],
  [
    'pods from a URL',
    'an endpoint is requested periodically',
    holds(
      '',
      'controlplane/agents/node/static-pods.test.ts',
      'starts where staticPodURLHeader is accepted, at httpCheckFrequency, and stays when the URL does not answer',
    ),
  ],
  [
    'pods by submission',
    "the agent's server accepts pods",
    holds(
      '',
      'controlplane/agents/node/static-pods.test.ts',
      'runs at once, has a mirror, and ends when it is withdrawn; a closed server accepts none',
    ),
  ],
  [
    'finds a node',
    'a pod in the queue gets a node that fits, the best of them',
    holds('', 'controlplane/agents/scheduler/scheduler.test.ts', 'binds, with an event'),
  ],
  [
    'several schedulers',
    'more than one may run in a cluster',
    holds('', 'lab/simulation/processes.test.ts', 'serve the pods that name them, with flags and gates of their own'),
  ],
  [
    'flags over file',
    'flags of the agent override its file, and that the defaults',
    holds('', AGENT, 'rank flags over the file over defaults, and are reported'),
  ],
  ['no file', "without a file the flags' defaults apply", holds('', AGENT, 'differ for access where there is no file: what the flags say')],
  [
    'deprecated beside a file',
    'the scheduler ignores deprecated flags beside a file',
    holds('', SCHEDULER, 'that are deprecated are ignored beside a configuration file'),
  ],
];

const PROVIDER_STATEMENTS: readonly Statement[] = [
  ['apiVersion, kind', 'are as specified', holds('', PROVIDERS, 'are read with the source of every value')],
  ['providers', 'there is at least one', holds('', PROVIDERS, 'are read with the source of every value')],
  ['combined', 'every provider that matches an image is called', holds('', PROVIDERS, 'apply to the images they match, in order')],
  [
    'the earlier wins',
    'for the same registry the provider listed first wins',
    holds(
      '',
      'controlplane/config/credential-source.test.ts',
      'are those of every provider that matches it; for the same key the earlier provider wins',
    ),
  ],
];

const ENDPOINTS: readonly Statement[] = [
  ['agent, secured', 'address and port, 10250 by default', holds('', PROCESSES, 'are three, of which the read-only port is closed')],
  ['agent, read-only', 'closed by default', holds('', PROCESSES, 'are three, of which the read-only port is closed')],
  ['agent, health', '127.0.0.1:10248 by default', holds('', PROCESSES, 'are three, of which the read-only port is closed')],
  ['scheduler', '0.0.0.0:10259 by default', holds('', PROCESSES, 'are one, or none')],
  [
    'scheduler, always allowed',
    'three health paths need no authorization',
    holds('', PROCESSES, 'is limited to health paths without kubeconfigs'),
  ],
  [
    'debugging handlers',
    'logs, exec, attach, port-forward, where they are enabled',
    holds('', 'lab/simulation/process-answers.test.ts', 'of an agent decide: %s'),
  ],
];

const AUTHENTICATION: readonly Statement[] = [
  ['agent, anonymous', 'flag: on, file: off', holds('', PROCESSES, 'is anonymous and unrestricted without a file')],
  ['agent, tokens', 'flag: off, file: on, kept for two minutes', holds('', PROCESSES, 'is reviewed by the API server with a file')],
  ['agent, certificates', 'of an authority of the client CA file', holds('', PROCESSES, 'is reviewed by the API server with a file')],
  ['agent, authorization', 'flag: AlwaysAllow, file: Webhook', holds('', PROCESSES, 'is reviewed by the API server with a file')],
  ['agent, read-only port', 'does not authenticate', holds('', PROCESSES, 'is not authenticated at the read-only port')],
  [
    'scheduler, tokens',
    'are reviewed with its kubeconfig; without one all requests are anonymous',
    holds('', PROCESSES, 'is reviewed by the API server with them'),
  ],
  [
    'scheduler, headers',
    'identities in headers of requests with a verified certificate',
    holds('', PROCESSES, 'can be authenticated by request headers with a certificate'),
  ],
  [
    'scheduler, authorization',
    'without a kubeconfig only listed paths are allowed',
    holds('', PROCESSES, 'is limited to health paths without kubeconfigs'),
  ],
];

const bound = (name: string, says: string, title = EACH, file = AGENT): Statement => [name, says, holds('', file, title)];
const TOGETHER = 'of bounds are found all at once';
const EACH = 'of bounds name the setting: %j';
const LIMITS: readonly Statement[] = [
  bound('port, healthzPort', '1 to 65535', TOGETHER),
  bound('readOnlyPort', '1 to 65535, or 0', TOGETHER),
  bound('oomScoreAdj', '-1000 to 1000', TOGETHER),
  bound('imageGC…ThresholdPercent', '0 to 100, and high above low', TOGETHER),
  bound('registryPullQPS, registryBurst', 'not negative', TOGETHER),
  bound('eventRecordQPS, eventBurst', 'not negative'),
  bound('orchAPIBurst', 'not negative'),
  bound('maxPods', 'not negative', TOGETHER),
  bound('podsPerCore', 'not negative, and at most maxPods', TOGETHER),
  bound('maxOpenFiles', 'not negative'),
  bound('cpuCFSQuotaPeriod', '1µs to 1s', 'of missing gates name the gate'),
  bound('nodeLeaseDurationSeconds', 'above 0', TOGETHER),
  bound('nodeStatusMaxImages', '-1 or more', TOGETHER),
  bound('containerLogMaxFiles', 'at least 2'),
  bound('--leader-elect-renew-deadline', 'at most the lease duration', 'are refused with what was expected', SCHEDULER),
  bound('--orch-api-qps, --orch-api-burst', '50 and 100 by default', 'have the defaults of the specification', SCHEDULER),
];

const VERSIONING: readonly Statement[] = [
  ['apiVersion of files', 'agent.config.orch.io/v1beta1', holds('', AGENT, 'of the file as a whole')],
  ['flags move to the file', 'each warns', holds('', AGENT, 'of flags that are deprecated or belong to the other runtime are warnings')],
  [
    'dynamic configuration',
    'an agent with dynamic configuration uses the ConfigMap of spec.configSource from its next start',
    holds(
      '',
      'controlplane/agents/node/dynamic-config.test.ts',
      'starts with the last known good configuration if the assigned one is invalid, and with its file without one',
    ),
  ],
  [
    'removal',
    'the warning of a deprecated flag names the version that removes it, where that is known',
    holds('', PROCESSES, 'say which version removes a flag, where that is known'),
  ],
];

/** Sections in the order of the specification. */
export const STATEMENTS: ReadonlyMap<string, readonly Statement[]> = new Map([
  ['What the service does', SERVICE],
  ['CredentialProviderConfig', PROVIDER_STATEMENTS],
  ['Endpoints', ENDPOINTS],
  ['Authentication', AUTHENTICATION],
  ['Limits', LIMITS],
  ['Versioning', VERSIONING],
]);
