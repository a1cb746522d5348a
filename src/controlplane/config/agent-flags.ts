/**
 * The node agent's flags: one for every field that has one, and those without a field. The specification shows them up to
 * `--experimental-log-sanitization`; the rest is upstream's (v1.24).
 */
import { AGENT_SETTINGS } from './agent-fields.ts';
import type { FlagSpec } from './flags.ts';
import { NO_CLOUD, NO_FILES, NO_KEYS, NO_LOGS, NO_PULLS, NO_RUNTIME } from './reasons.ts';
import { inert, setting, type Setting } from './settings.ts';

const IN_FILE = "This parameter should be set via the config file specified by the agent's --config flag.";
const REMOVED = 'will be removed in 1.24 or later.';
const LEGACY = { deprecated: 'will be removed along with the legacy runtime shim.', onlyWith: 'legacy' } as const;

/** Flags that have no field in the file. */
export const AGENT_PROCESS_FLAGS: ReadonlyMap<string, Setting> = new Map<string, Setting>(
  Object.entries({
    'add-dir-header': setting('bool', false, NO_LOGS, { deprecated: IN_FILE }),
    alsologtostderr: setting('bool', false, NO_LOGS, { deprecated: IN_FILE }),
    'cloudvendor-container-registry-config': setting('string', '', NO_PULLS),
    'bootstrap-orchconfig': setting('string', '', 'the agent requests its first client certificate, and waits for it'),
    'cert-dir': setting('string', '/var/lib/agent/pki', NO_KEYS),
    'cloud-config': setting('string', '', NO_CLOUD, { deprecated: REMOVED }),
    'cloud-provider': setting('string', '', NO_CLOUD, { deprecated: REMOVED }),
    'cni-bin-dir': setting('string', '/opt/cni/bin', NO_RUNTIME, LEGACY),
    'cni-cache-dir': setting('string', '/var/lib/cni/cache', NO_RUNTIME, LEGACY),
    'cni-conf-dir': setting('string', '/etc/cni/net.d', NO_RUNTIME, LEGACY),
    config: setting('string', '', 'names the file, which flags override'),
    'container-runtime': setting('string', 'legacy', NO_RUNTIME, { among: ['legacy', 'remote'] }),
    'container-runtime-endpoint': setting('string', 'unix:///var/run/legacyshim.sock', NO_RUNTIME),
    'legacy-endpoint': setting('string', 'unix:///var/run/legacy.sock', NO_RUNTIME, LEGACY),
    'dynamic-config-dir': setting('string', '', 'whether the agent uses spec.configSource of its Node; needs its gate', {
      deprecated: `Feature DynamicKubeletConfig is deprecated in 1.22 and ${REMOVED}`,
    }),
    'exit-on-lock-contention': setting('bool', false, inert('a simulated node has one agent, so nothing contends for its lock')),
    'experimental-allocatable-ignore-eviction': setting('bool', false, 'hard eviction thresholds are not subtracted from allocatable', {
      deprecated: REMOVED,
    }),
    'experimental-check-node-capabilities-before-mount': setting('bool', false, NO_FILES, { deprecated: REMOVED }),
    'experimental-log-sanitization': setting('bool', false, NO_LOGS),
    help: setting('bool', false, 'lists the flags'),
    'hostname-override': setting('string', '', 'the name of the node at its registration'),
    'image-credential-provider-bin-dir': setting('string', '', 'the folder of the plug-ins: agents call them if it is given'),
    'image-credential-provider-config': setting('string', '', 'the configuration of the plug-ins: agents call them if it is given'),
    'node-ip': setting('string', '', inert('the simulator assigns addresses')),
    'node-labels': setting('stringMap', undefined, 'labels of the node at its registration'),
    orchconfig: setting('string', '', 'given as empty, the agent has no API server: it runs the pods of its files'),
    'root-dir': setting('string', '/var/lib/agent', NO_FILES),
    v: setting('int32', 0, NO_LOGS),
  }),
);

/** Every flag of the agent, by name. A flag of a field is deprecated in favour of the file, and may be removed later. */
export const AGENT_FLAGS: ReadonlyMap<string, FlagSpec> = new Map<string, FlagSpec>([
  ...[...AGENT_SETTINGS].flatMap(([, { flag, deprecated: removed, ...field }]): [string, FlagSpec][] => {
    const deprecated = removed === undefined ? IN_FILE : `${IN_FILE} It ${removed}`;
    return typeof flag === 'string' ? [[flag, { ...field, default: field.flagDefault ?? field.default, deprecated }]] : [];
  }),
  ...AGENT_PROCESS_FLAGS,
]);
