/**
 * The effect of each field of an AgentConfiguration, and of each flag without a field. A test fails for a setting without a line here, and
 * names it.
 */
import * as no from './reasons.ts';
import { NODE_FIELD_SUPPORT } from './agent-node.ts';
import { POD_FIELD_SUPPORT } from './agent-pods.ts';
import { because, holds, type SupportStatus } from './support-status.ts';

const PROCESSES = 'lab/simulation/processes.test.ts';
const REGISTRATION = 'controlplane/agents/node/configured.test.ts';
const CERTIFICATES = 'controlplane/agents/node/certificates.test.ts';
const ALONE = 'controlplane/agents/node/standalone.test.ts';
const READ = 'controlplane/config/agent.test.ts';

export const AGENT_FIELD_SUPPORT: ReadonlyMap<string, SupportStatus> = new Map([...NODE_FIELD_SUPPORT, ...POD_FIELD_SUPPORT]);

export const AGENT_FLAG_SUPPORT: ReadonlyMap<string, SupportStatus> = new Map<string, SupportStatus>([
  ['config', holds('names the file, which flags override', READ, 'rank flags over the file over defaults, and are reported')],
  ['help', holds('lists the flags', 'surfaces/cli/config.test.ts', 'lists the flags of each process')],
  [
    'dynamic-config-dir',
    holds(
      'whether the agent uses spec.configSource of its Node; needs its gate',
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
      'the folder of the plug-ins: agents call them if it is given',
      PROCESSES,
      'are called by agents whose flags name both a configuration and a folder, unless AgentCredentialProviders is off',
    ),
  ],
  [
    'image-credential-provider-config',
    holds(
      'the configuration of the plug-ins: agents call them if it is given',
      PROCESSES,
      'are called by agents whose flags name both a configuration and a folder, unless AgentCredentialProviders is off',
    ),
  ],
  [
    'bootstrap-orchconfig',
    holds(
      'the agent requests its first client certificate, and waits for it',
      CERTIFICATES,
      'makes an agent wait for its first client certificate before it registers its node',
    ),
  ],
  [
    'orchconfig',
    holds(
      'given as empty, the agent has no API server: it runs the pods of its files',
      ALONE,
      'runs the pods of its files, and registers and reports nothing',
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
  ...because('a simulated node has one agent, so nothing contends for its lock', 'exit-on-lock-contention'),
  [
    'experimental-allocatable-ignore-eviction',
    holds(
      'hard eviction thresholds are not subtracted from allocatable',
      REGISTRATION,
      'leaves out systemReserved and orchReserved, and hard thresholds that are set',
    ),
  ],
  ...because(no.NO_FILES, 'experimental-check-node-capabilities-before-mount', 'root-dir'),
  [
    'hostname-override',
    holds(
      'the name of the node at its registration',
      REGISTRATION,
      'is under the name that --hostname-override gives, in lower case; faults name the machine',
    ),
  ],
  ...because('the simulator assigns addresses', 'node-ip'),
  [
    'node-labels',
    holds(
      'labels of the node at its registration',
      PROCESSES,
      "is a node's own before that of all, its flags after those of all, and flags override files",
    ),
  ],
]);
