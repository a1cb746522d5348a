/**
 * What each field of an AgentConfiguration, and each flag that is the agent's alone, does in a run. A new setting without a line here fails
 * a test by its name.
 */
import * as no from './reasons.ts';
import { NODE_STANDINGS } from './agent-node.ts';
import { POD_STANDINGS } from './agent-pods.ts';
import { because, holds, type SupportStatus } from './support-status.ts';

const PROCESSES = 'lab/simulation/processes.test.ts';
const REGISTRATION = 'controlplane/agents/node/configured.test.ts';
const CERTIFICATES = 'controlplane/agents/node/certificates.test.ts';
const ALONE = 'controlplane/agents/node/standalone.test.ts';
const READ = 'controlplane/config/agent.test.ts';

export const AGENT_FIELD_STANDINGS: ReadonlyMap<string, SupportStatus> = new Map([...NODE_STANDINGS, ...POD_STANDINGS]);

export const AGENT_FLAG_STANDINGS: ReadonlyMap<string, SupportStatus> = new Map<string, SupportStatus>([
  ['config', holds('names the file, which flags override', READ, 'put flags over the file over defaults, and say so')],
  ['help', holds('lists the flags', 'surfaces/cli/config.test.ts', 'lists the flags of each process')],
  [
    'dynamic-config-dir',
    holds(
      'whether the agent follows spec.configSource of its Node; needs its gate',
      'controlplane/agents/node/dynamic-config.test.ts',
      'goes by what it is assigned, as long as it is; one without it never looks',
    ),
  ],
  ...because(no.NO_LOGS, 'add-dir-header', 'alsologtostderr', 'experimental-log-sanitization', 'v'),
  ...because(no.NO_CLOUD, 'cloud-config', 'cloud-provider'),
  ...because(no.NO_PULLS, 'cloudvendor-container-registry-config'),
  [
    'image-credential-provider-bin-dir',
    holds(
      'where the plug-ins are: agents that know it ask them',
      PROCESSES,
      'are asked by agents whose flags name both a configuration and a folder, unless AgentCredentialProviders is off',
    ),
  ],
  [
    'image-credential-provider-config',
    holds(
      'which plug-ins there are: agents that know it ask them',
      PROCESSES,
      'are asked by agents whose flags name both a configuration and a folder, unless AgentCredentialProviders is off',
    ),
  ],
  [
    'bootstrap-orchconfig',
    holds(
      'it asks for its first client certificate, and waits for it',
      CERTIFICATES,
      'has an agent wait for its first client certificate before it registers its node',
    ),
  ],
  [
    'orchconfig',
    holds(
      'given as empty, the agent has no API server: it runs what its files say',
      ALONE,
      'runs what its files say and registers nothing, says nothing',
    ),
  ],
  ...because(no.NO_KEYS, 'cert-dir'),
  ...because(
    no.NO_RUNTIME,
    'cni-bin-dir',
    'cni-cache-dir',
    'cni-conf-dir',
    'container-runtime',
    'container-runtime-endpoint',
    'legacy-endpoint',
  ),
  ...because('no second agent contends for a simulated node', 'exit-on-lock-contention'),
  [
    'experimental-allocatable-ignore-eviction',
    holds(
      'hard thresholds keep nothing back',
      REGISTRATION,
      'leaves out systemReserved and orchReserved, and hard thresholds that are set',
    ),
  ],
  ...because(no.NO_FILES, 'experimental-check-node-capabilities-before-mount', 'root-dir'),
  [
    'hostname-override',
    holds(
      'the name of the node that it registers',
      REGISTRATION,
      'is under the name that --hostname-override gives, in lower case; faults name the machine',
    ),
  ],
  ...because('the simulated world gives out addresses', 'node-ip'),
  [
    'node-labels',
    holds(
      'labels of the node that it registers',
      PROCESSES,
      "is a node's own before that of all, its flags after those of all, and flags override files",
    ),
  ],
]);
