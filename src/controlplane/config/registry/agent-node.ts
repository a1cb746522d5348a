/** What fields of an AgentConfiguration do that are about the agent itself: its node, its server, where it has pods from. */
import * as no from './reasons.ts';
import { because, holds, type SupportStatus } from './support-status.ts';

const PROCESSES = 'lab/simulation/processes.test.ts';
const STATIC = 'controlplane/agents/node/static-pods.test.ts';
const REGISTRATION = 'controlplane/agents/node/configured.test.ts';
const CERTIFICATES = 'controlplane/agents/node/certificates.test.ts';
const ALONE = 'controlplane/agents/node/standalone.test.ts';
const SHUTDOWN = 'controlplane/agents/node/shutdown.test.ts';
/** Shown where a scenario asks a process. */
const answered = (does: string, words: string): SupportStatus => holds(does, 'lab/simulation/process-answers.test.ts', words);

export const NODE_STANDINGS: readonly (readonly [name: string, supportStatus: SupportStatus])[] = [
  [
    'nodeLeaseDurationSeconds',
    holds(
      "how long the node's lease lasts; it is renewed at a quarter of that: v1.24's rule, which gives the specification's 10 s for 40 s, and keeps shorter leases alive",
      PROCESSES,
      'decides how long a lease lasts and how often it is renewed, node by node',
    ),
  ],
  [
    'maxPods',
    holds(
      'how many pods the node has room for',
      PROCESSES,
      "is a node's own before that of all, its flags after those of all, and flags override files",
    ),
  ],
  [
    'podsPerCore',
    holds(
      'how many of them for each core',
      PROCESSES,
      "is a node's own before that of all, its flags after those of all, and flags override files",
    ),
  ],
  [
    'port',
    holds(
      'the port that the node states',
      PROCESSES,
      "is a node's own before that of all, its flags after those of all, and flags override files",
    ),
  ],
  [
    'nodeStatusUpdateFrequency',
    holds(
      'how often it looks at its status',
      PROCESSES,
      'decides how often an unchanged status is posted, and whether a node is registered at all',
    ),
  ],
  [
    'nodeStatusReportFrequency',
    holds(
      'how often an unchanged status is posted',
      PROCESSES,
      'decides how often an unchanged status is posted, and whether a node is registered at all',
    ),
  ],
  [
    'registerNode',
    holds(
      'whether it registers its node',
      PROCESSES,
      'decides how often an unchanged status is posted, and whether a node is registered at all',
    ),
  ],
  [
    'registerWithTaints',
    holds('taints of the node that it registers', REGISTRATION, 'takes taints, also those of registerWithTaints, and the providerID'),
  ],
  [
    'providerID',
    holds('the id that the node has at its provider', REGISTRATION, 'takes taints, also those of registerWithTaints, and the providerID'),
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
      'what is kept back from what pods may have',
      REGISTRATION,
      'leaves out systemReserved and orchReserved, and hard thresholds that are set',
    ),
  ],
  [
    'orchReserved',
    holds(
      'what is kept back from what pods may have',
      REGISTRATION,
      'leaves out systemReserved and orchReserved, and hard thresholds that are set',
    ),
  ],
  [
    'featureGates',
    holds(
      'which gates this agent has on',
      PROCESSES,
      'are asked by agents whose flags name both a configuration and a folder, unless AgentCredentialProviders is off',
    ),
  ],
  ['enableDebuggingHandlers', answered('whether logs, exec, attach and port-forward are answered', 'of an agent decide: %s')],
  ['enableServer', answered('whether its server answers at all', 'of an agent decide: %s')],
  ['readOnlyPort', answered('whether anybody may ask there', 'has other ports, which its settings open and close')],
  ['healthzPort', answered('whether its health port answers', 'has other ports, which its settings open and close')],
  [
    'authentication.x509.clientCAFile',
    answered(
      'whether client certificates say who somebody is',
      'that has nothing but flags lets everybody do everything; one with a file asks',
    ),
  ],
  ['authentication.webhook.enabled', answered('whether tokens do', 'of an agent decide: %s')],
  ['authentication.anonymous.enabled', answered('whether somebody may be nobody', 'of an agent decide: %s')],
  ['authorization.mode', answered('whether the API server is asked what he may', 'of an agent decide: %s')],
  [
    'authorization.webhook.cacheAuthorizedTTL',
    answered(
      'how long a permission is believed',
      'asks for the sub-resource of its node that a path stands for, and believes the answer for a while',
    ),
  ],
  ['authorization.webhook.cacheUnauthorizedTTL', answered('how long a refusal is believed', 'say how long a refusal is believed: %s')],
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
      'whether it asks for its next client certificate in time, where a node has one',
      CERTIFICATES,
      'is renewed in time with rotateCertificates: between 70 and 90 % of its time',
    ),
  ],
  [
    'serverTLSBootstrap',
    holds(
      'its server answers nobody before a signer has approved a certificate for it',
      CERTIFICATES,
      'has nobody answer before a signer has approved, and everybody told who he may be after that',
    ),
  ],
  [
    'staticPodPath',
    holds(
      'where the agent has pods from files',
      STATIC,
      'of staticPodPath, a folder or a file, runs and has a mirror that says whose it is',
    ),
  ],
  [
    'staticPodURL',
    holds(
      'where it asks for pods',
      STATIC,
      'comes where staticPodURLHeader lets the agent in, every httpCheckFrequency, and stays when nobody answers',
    ),
  ],
  [
    'staticPodURLHeader',
    holds(
      'the headers that it sends there',
      STATIC,
      'comes where staticPodURLHeader lets the agent in, every httpCheckFrequency, and stays when nobody answers',
    ),
  ],
  ['fileCheckFrequency', holds('how often it reads files', STATIC, 'is seen when fileCheckFrequency comes round, and goes with its file')],
  [
    'httpCheckFrequency',
    holds(
      'how often it asks there',
      STATIC,
      'comes where staticPodURLHeader lets the agent in, every httpCheckFrequency, and stays when nobody answers',
    ),
  ],
  [
    'podCIDR',
    holds(
      'the addresses of pods where the agent has no API server (--orchconfig=)',
      ALONE,
      'gives its pods addresses of podCIDR, which nobody else heeds',
    ),
  ],
  [
    'runOnce',
    holds(
      'the agent begins the pods that there are, waits until they run, and ends',
      ALONE,
      'runOnce: true begins what is there, waits until it runs, and ends; the containers stay',
    ),
  ],
  [
    'syncFrequency',
    holds(
      'how long it takes at most until it sees what others say of its pods',
      REGISTRATION,
      'that others call unready is spoken for when syncFrequency has passed',
    ),
  ],
];
