/**
 * The rules of the specification that are sentences, not rows of settings: each in our words, with how it stands. Bounds are by setting, as
 * checked.
 */
import * as no from './reasons.ts';
import { holds, inert, type Standing } from './standing.ts';

const AGENT = 'controlplane/config/agent.test.ts';
const SCHEDULER = 'controlplane/config/scheduler.test.ts';
const PROVIDERS = 'controlplane/config/credential-provider.test.ts';
const PROCESSES = 'controlplane/config/outline.test.ts';

type Statement = readonly [name: string, says: string, standing: Standing];

const SERVICE: readonly Statement[] = [
  ['registers its node', 'an agent registers the Node of its machine', holds('', 'lab/simulation/processes.test.ts', 'registers its node')],
  ['registers by provider', 'a cloud may name the node', inert(no.NO_CLOUD)],
  [
    'keeps pods running',
    'the containers of its pods are started, watched and restarted',
    holds('', 'controlplane/agents/node/start.test.ts', 'start'),
  ],
  [
    'pods of others',
    'containers it did not create are left alone',
    holds('', 'controlplane/agents/node/strangers.test.ts', 'are left alone'),
  ],
  ['pods from the API server', 'pods bound to the node reach its agent', holds('', 'controlplane/agents/node/start.test.ts', 'start')],
  [
    'pods from files',
    'a file or folder is read every so often',
    holds('', 'controlplane/agents/node/static-pods.test.ts', 'staticPodPath'),
  ],
  ['pods from a URL', 'an endpoint is asked every so often', holds('', 'controlplane/agents/node/static-pods.test.ts', 'staticPodURL')],
  ['pods by submission', "the agent's own server takes pods", inert(no.ONE_SOURCE)],
  [
    'finds a node',
    'a pod in the queue gets a node that fits, the best of them',
    holds('', 'controlplane/agents/scheduler/scheduler.test.ts', 'scheduler'),
  ],
  ['several schedulers', 'more than one may run in a cluster', holds('', 'lab/simulation/processes.test.ts', 'several schedulers')],
  [
    'flags over file',
    'flags of the agent override its file, and that the defaults',
    holds('', AGENT, 'put flags over the file over defaults, and say so'),
  ],
  ['no file', "without a file the flags' defaults apply", holds('', AGENT, 'differ for access where there is no file')],
  [
    'deprecated beside a file',
    'the scheduler ignores deprecated flags beside a file',
    holds('', SCHEDULER, 'that are deprecated are ignored'),
  ],
];

const PROVIDER_STATEMENTS: readonly Statement[] = [
  ['apiVersion, kind', 'are as specified', holds('', PROVIDERS, 'apiVersion')],
  ['providers', 'there is at least one', holds('', PROVIDERS, 'providers')],
  ['combined', 'every provider that matches an image is asked', holds('', PROVIDERS, 'providersFor')],
  [
    'the earlier wins',
    'for the same registry the provider listed first wins',
    holds('', 'controlplane/config/credential-source.test.ts', 'for the same key the earlier provider wins'),
  ],
];

const ENDPOINTS: readonly Statement[] = [
  ['agent, secured', 'address and port, 10250 by default', holds('', PROCESSES, 'listeners of an agent')],
  ['agent, read-only', 'closed by default', holds('', PROCESSES, 'listeners of an agent')],
  ['agent, health', '127.0.0.1:10248 by default', holds('', PROCESSES, 'listeners of an agent')],
  ['scheduler', '0.0.0.0:10259 by default', holds('', PROCESSES, 'listeners of a scheduler')],
  ['scheduler, always allowed', 'three health paths are answered to anybody', holds('', PROCESSES, 'who a scheduler lets in')],
  ['debugging handlers', 'logs, exec, attach, port-forward', inert(no.NO_STREAMS)],
];

const AUTHENTICATION: readonly Statement[] = [
  ['agent, anonymous', 'flag: on, file: off', holds('', PROCESSES, 'who an agent lets in')],
  ['agent, tokens', 'flag: off, file: on, kept for two minutes', holds('', PROCESSES, 'who an agent lets in')],
  ['agent, certificates', 'of an authority of the client CA file', holds('', PROCESSES, 'who an agent lets in')],
  ['agent, authorization', 'flag: AlwaysAllow, file: Webhook', holds('', PROCESSES, 'who an agent lets in')],
  ['agent, read-only port', 'asks nobody who he is', holds('', PROCESSES, 'read-only port')],
  [
    'scheduler, tokens',
    'are reviewed with its kubeconfig; without one everybody is anonymous',
    holds('', PROCESSES, 'who a scheduler lets in'),
  ],
  ['scheduler, headers', 'identities of headers behind a verified certificate', holds('', PROCESSES, 'request headers')],
  ['scheduler, authorization', 'without a kubeconfig only listed paths are allowed', holds('', PROCESSES, 'who a scheduler lets in')],
];

const bound = (name: string, says: string, file = AGENT, words = name): Statement => [name, says, holds('', file, words)];
const ALL_AT_ONCE = 'of bounds are found all at once';
const LIMITS: readonly Statement[] = [
  bound('port, healthzPort', '1 to 65535', AGENT, ALL_AT_ONCE),
  bound('readOnlyPort', '1 to 65535, or 0'),
  bound('oomScoreAdj', '-1000 to 1000'),
  bound('imageGC…ThresholdPercent', '0 to 100, and high above low', AGENT, 'imageGCLowThresholdPercent'),
  bound('registryPullQPS, registryBurst', 'not negative', AGENT, 'registryBurst'),
  bound('eventRecordQPS, eventBurst', 'not negative', AGENT, 'eventBurst'),
  bound('orchAPIBurst', 'not negative'),
  bound('maxPods', 'not negative', AGENT, 'maxPods (--max-pods) -1 must not be a negative number'),
  bound('podsPerCore', 'not negative, and at most maxPods'),
  bound('maxOpenFiles', 'not negative'),
  bound('cpuCFSQuotaPeriod', '1µs to 1s'),
  bound('nodeLeaseDurationSeconds', 'above 0', AGENT, 'nodeLeaseDurationSeconds must be greater than 0'),
  bound('nodeStatusMaxImages', '-1 or more'),
  bound('containerLogMaxFiles', 'at least 2'),
  bound('--leader-elect-renew-deadline', 'at most the lease duration', SCHEDULER),
  bound('--orch-api-qps, --orch-api-burst', '50 and 100 by default', SCHEDULER, 'orch-api-burst'),
];

const VERSIONING: readonly Statement[] = [
  ['apiVersion of files', 'agent.config.orch.io/v1beta1', holds('', AGENT, 'apiVersion: expected agent.config.orch.io/v1beta1')],
  ['flags move to the file', 'each warns', holds('', AGENT, 'of flags that are deprecated or belong to the other runtime are warnings')],
  [
    'dynamic configuration',
    'what spec.configSource names is taken up',
    inert(
      'v1.24 has removed it, and the specification tells only how it is reported: an agent checks it, says so in status.config, and keeps to its file',
    ),
  ],
  ['removal', 'a deprecated flag says in which version it goes, where that is known', holds('', PROCESSES, 'deprecations')],
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
