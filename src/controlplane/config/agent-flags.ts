/**
 * The node agent's flags: one for every field that has one, and those without a field. The specification shows them up to
 * `--experimental-log-sanitization`; the rest is upstream's (v1.24).
 */
import { AGENT_FIELDS } from './agent-fields.ts';
import type { FlagSpec } from './flags.ts';
import { setting, type Setting, settingsOf } from './settings.ts';

export interface ProcessFlag extends Setting {
  readonly deprecated?: string;
  /** The flag has an effect with this container runtime only. */
  readonly onlyWith?: 'legacy' | 'remote';
}

const IN_FILE = "This parameter should be set via the config file specified by the agent's --config flag.";
const WITH_LEGACY = 'will be removed along with the legacy runtime shim.';
const REMOVED = 'will be removed in 1.24 or later.';

const flag = (of: Setting, more: { readonly deprecated?: string; readonly onlyWith?: 'legacy' | 'remote' } = {}): ProcessFlag => ({
  ...of,
  ...more,
});
const legacy = { deprecated: WITH_LEGACY, onlyWith: 'legacy' } as const;

/** Flags that have no field in the file. */
export const AGENT_PROCESS_FLAGS: ReadonlyMap<string, ProcessFlag> = new Map<string, ProcessFlag>([
  ['add-dir-header', flag(setting('bool', false), { deprecated: IN_FILE })],
  ['alsologtostderr', flag(setting('bool', false), { deprecated: IN_FILE })],
  ['cloudvendor-container-registry-config', flag(setting('string', ''))],
  ['bootstrap-orchconfig', flag(setting('string', ''))],
  ['cert-dir', flag(setting('string', '/var/lib/agent/pki'))],
  ['cloud-config', flag(setting('string', ''), { deprecated: REMOVED })],
  ['cloud-provider', flag(setting('string', ''), { deprecated: REMOVED })],
  ['cni-bin-dir', flag(setting('string', '/opt/cni/bin'), legacy)],
  ['cni-cache-dir', flag(setting('string', '/var/lib/cni/cache'), legacy)],
  ['cni-conf-dir', flag(setting('string', '/etc/cni/net.d'), legacy)],
  ['config', flag(setting('string', ''))],
  ['container-runtime', flag(setting('string', 'legacy', { choices: ['legacy', 'remote'] }))],
  ['container-runtime-endpoint', flag(setting('string', 'unix:///var/run/legacyshim.sock'))],
  ['legacy-endpoint', flag(setting('string', 'unix:///var/run/legacy.sock'), legacy)],
  ['dynamic-config-dir', flag(setting('string', ''), { deprecated: `Feature DynamicKubeletConfig is deprecated in 1.22 and ${REMOVED}` })],
  ['exit-on-lock-contention', flag(setting('bool', false))],
  ['experimental-allocatable-ignore-eviction', flag(setting('bool', false), { deprecated: REMOVED })],
  ['experimental-check-node-capabilities-before-mount', flag(setting('bool', false), { deprecated: REMOVED })],
  ['experimental-log-sanitization', flag(setting('bool', false))],
  ['help', flag(setting('bool', false))],
  ['hostname-override', flag(setting('string', ''))],
  ['image-credential-provider-bin-dir', flag(setting('string', ''))],
  ['image-credential-provider-config', flag(setting('string', ''))],
  ['node-ip', flag(setting('string', ''))],
  ['node-labels', flag(setting('stringMap', undefined))],
  ['orchconfig', flag(setting('string', ''))],
  ['root-dir', flag(setting('string', '/var/lib/agent'))],
  ['v', flag(setting('int32', 0))],
]);

/** Settings of the file that have an effect with the `remote` runtime only. */
export const REMOTE_ONLY: ReadonlySet<string> = new Set(['container-log-max-files', 'container-log-max-size']);

/** Flags that a later version removes; the other flags of fields are only deprecated in favour of the file. */
const REMOVED_LATER: ReadonlySet<string> = new Set(['experimental-kernel-memcg-notification']);

/** Every flag of the agent, by name. */
export const AGENT_FLAGS: ReadonlyMap<string, FlagSpec> = new Map<string, FlagSpec>([
  ...[...settingsOf(AGENT_FIELDS)].flatMap(([, field]) =>
    field.flag === undefined
      ? []
      : [
          [
            field.flag,
            {
              ...field,
              default: field.flagDefault ?? field.default,
              deprecated: IN_FILE + (REMOVED_LATER.has(field.flag) ? ` It ${REMOVED}` : ''),
            },
          ] as const,
        ],
  ),
  ...AGENT_PROCESS_FLAGS,
]);
