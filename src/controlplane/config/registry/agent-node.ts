/** The effects of AgentConfiguration fields about the agent itself: its node, its server, its sources of pods. */
import * as no from './reasons.ts';
import { because, holds, type SupportStatus } from './support-status.ts';

const PROCESSES = 'lab/simulation/processes.test.ts';
const STATIC = 'controlplane/agents/node/static-pods.test.ts';
const REGISTRATION = 'controlplane/agents/node/configured.test.ts';
const CERTIFICATES = 'controlplane/agents/node/certificates.test.ts';
const ALONE = 'controlplane/agents/node/standalone.test.ts';
const SHUTDOWN = 'controlplane/agents/node/shutdown.test.ts';
/** Shown by a scenario that sends requests to a process. */
const answered = (does: string, words: string): SupportStatus => holds(does, 'lab/simulation/process-answers.test.ts', words);

export const NODE_FIELD_SUPPORT: readonly (readonly [name: string, supportStatus: SupportStatus])[] = [
  [
    'nodeLeaseDurationSeconds',
    holds(
      "the duration of the node's lease; it is renewed at a quarter of that: v1.24's rule, which gives the specification's 10 s for 40 s, and renews shorter leases in time",
      PROCESSES,
      'decides how long a lease lasts and how often it is renewed, node by node',
    ),
  ],
  [
    'maxPods',
    holds(
      'the pod capacity of the node',
      PROCESSES,
      "is a node's own before that of all, its flags after those of all, and flags override files",
    ),
  ],
  [
    'podsPerCore',
    holds(
      'the pod capacity for each core',
      PROCESSES,
      "is a node's own before that of all, its flags after those of all, and flags override files",
    ),
  ],
  [
    'port',
    holds(
      'the port in the status of the node',
      PROCESSES,
      "is a node's own before that of all, its flags after those of all, and flags override files",
    ),
  ],
  [
    'nodeStatusUpdateFrequency',
    holds(
      'how often the agent computes the status of its node',
      PROCESSES,
      'decides how often an unchanged status is posted, and whether a node is registered at all',
    ),
  ],
  [
    'nodeStatusReportFrequency',
    holds(
      'how often an unchanged status is written',
      PROCESSES,
      'decides how often an unchanged status is posted, and whether a node is registered at all',
    ),
  ],
  [
    'registerNode',
    holds(
      'whether the agent registers its node',
      PROCESSES,
      'decides how often an unchanged status is posted, and whether a node is registered at all',
    ),
  ],
  [
    'registerWithTaints',
    holds('taints of the node at its registration', REGISTRATION, 'takes taints, also those of registerWithTaints, and the providerID'),
  ],
  [
    'providerID',
    holds('the id of the node at its cloud provider', REGISTRATION, 'takes taints, also those of registerWithTaints, and the providerID'),
  ],
  [
    'shutdownGracePeriod',
    holds('how long it holds a shutdown of its machine up, while its pods end', SHUTDOWN, 'ends its pods first, the critical ones last'),
  ],
  [
    'shutdownGracePeriodCriticalPods',
    holds('how much of that is for critical pods alone', SHUTDOWN, 'ends its pods first, the critical ones last'),
  ],
  [
    'systemReserved',
    holds(
      'resources that are subtracted from allocatable',
      REGISTRATION,
      'leaves out systemReserved and orchReserved, and hard thresholds that are set',
    ),
  ],
  [
    'orchReserved',
    holds(
      'resources that are subtracted from allocatable',
      REGISTRATION,
      'leaves out systemReserved and orchReserved, and hard thresholds that are set',
    ),
  ],
  [
    'featureGates',
    holds(
      'feature gates of this agent',
      PROCESSES,
      'are called by agents whose flags name both a configuration and a folder, unless AgentCredentialProviders is off',
    ),
  ],
  ['enableDebuggingHandlers', answered('whether logs, exec, attach and port-forward are served', 'of an agent decide: %s')],
  ['enableServer', answered("whether the agent's server is open", 'of an agent decide: %s')],
  ['readOnlyPort', answered('whether the read-only port is open', 'has other ports, which its settings open and close')],
  ['healthzPort', answered('whether the health port is open', 'has other ports, which its settings open and close')],
  [
    'authentication.x509.clientCAFile',
    answered(
      'whether client certificates authenticate requests',
      'with flags alone allows everything; one with a file authorizes requests',
    ),
  ],
  ['authentication.webhook.enabled', answered('whether tokens authenticate requests', 'of an agent decide: %s')],
  ['authentication.anonymous.enabled', answered('whether anonymous requests are allowed', 'of an agent decide: %s')],
  ['authorization.mode', answered('whether the API server authorizes requests', 'of an agent decide: %s')],
  [
    'authorization.webhook.cacheAuthorizedTTL',
    answered('how long an approval is cached', 'requests the sub-resource of its node for a path, and caches the answer for a while'),
  ],
  ['authorization.webhook.cacheUnauthorizedTTL', answered('how long a refusal is cached', 'set how long a refusal is cached: %s')],
  ...because(
    no.NO_SOCKETS,
    'address',
    'tlsCertFile',
    'tlsPrivateKeyFile',
    'tlsCipherSuites',
    'tlsMinVersion',
    'authentication.webhook.cacheTTL',
    'healthzBindAddress',
  ),
  [
    'rotateCertificates',
    holds(
      'whether the agent renews its client certificate in time, where its node has one',
      CERTIFICATES,
      'is renewed with rotateCertificates after 70 to 90 % of its validity',
    ),
  ],
  [
    'serverTLSBootstrap',
    holds(
      'the server of the agent answers no request before a signer has approved its certificate',
      CERTIFICATES,
      'answers no request before a signer has approved, and decides access after that',
    ),
  ],
  ['staticPodPath', holds('the folder or file of static pods', STATIC, 'of staticPodPath, a folder or a file, runs and has a mirror pod')],
  [
    'staticPodURL',
    holds(
      'the URL of static pods',
      STATIC,
      'starts where staticPodURLHeader is accepted, at httpCheckFrequency, and stays when the URL does not answer',
    ),
  ],
  [
    'staticPodURLHeader',
    holds(
      'the headers of requests to staticPodURL',
      STATIC,
      'starts where staticPodURLHeader is accepted, at httpCheckFrequency, and stays when the URL does not answer',
    ),
  ],
  ['fileCheckFrequency', holds('how often staticPodPath is read', STATIC, 'is found after fileCheckFrequency, and ends with its file')],
  [
    'httpCheckFrequency',
    holds(
      'how often staticPodURL is requested',
      STATIC,
      'starts where staticPodURLHeader is accepted, at httpCheckFrequency, and stays when the URL does not answer',
    ),
  ],
  [
    'podCIDR',
    holds(
      'the addresses of pods while the agent has no API server (--orchconfig=)',
      ALONE,
      'gives its pods addresses of podCIDR, which other agents ignore',
    ),
  ],
  [
    'runOnce',
    holds(
      'the agent starts the pods of its files, waits until they run, and exits',
      ALONE,
      'runOnce: true starts the existing pods, waits until they run, and exits; the containers stay',
    ),
  ],
  [
    'syncFrequency',
    holds(
      "the longest time until the agent corrects other clients' changes of its pods' status",
      REGISTRATION,
      'that another client marked unready is corrected after syncFrequency',
    ),
  ],
];
