/**
 * The specification's rules of process configuration as a table: settings with their types and defaults, the effect of each, gates, and
 * sentences. `orchsim config` uses it to find settings without effect, and `config --rules` prints the support status of every rule. Every
 * count is computed.
 */
import { type Gate, GATES } from '../../../apiserver/machinery/index.ts';
import { AGENT_FIELDS } from '../agent-fields.ts';
import { AGENT_FLAGS } from '../agent-flags.ts';
import { type EffectiveValue, show } from '../report.ts';
import { SCHEDULER_DEPRECATIONS, SCHEDULER_FIELDS } from '../scheduler-flags.ts';
import { type Setting, settingsOf } from '../settings.ts';
import { AGENT_FIELD_SUPPORT, AGENT_FLAG_SUPPORT } from './agent.ts';
import { gateSupportStatus } from './gates.ts';
import { SCHEDULER_SUPPORT } from './scheduler.ts';
import { holds, inert, type Shown, type SupportStatus } from './support-status.ts';
import { STATEMENTS } from './statements.ts';

export type { Shown, SupportStatus } from './support-status.ts';

/**
 * One rule of the specification, in three parts: a given value is read as written; without one the default applies; and the value has an
 * effect.
 */
export interface SettingRule {
  /** The section of the specification. */
  readonly section: string;
  /** A field, a flag, a gate, or the subject of a sentence. */
  readonly name: string;
  readonly says: string;
  /** Absent: the rule has no value to read, and no default. */
  readonly parsed?: Shown;
  readonly defaulted?: Shown;
  readonly acts: SupportStatus;
}

const UNKNOWN = inert('its effect is not documented');
const TABLES = 'controlplane/config/registry.test.ts';
const shown = (title: string): Shown => ({ file: TABLES, title });
const FIELD = shown('are read from a file as they are written, and have their default without one');
const AGENT_FLAG = shown('are read from flags of the agent as they are written, and have their default without them');
const SCHEDULER_FLAG = shown('are read from flags of the scheduler as they are written, and have their default without them');
const GATE = shown('are read by name, and have the stage and the default of the specification otherwise');

const described = ({ type, default: fallback }: Setting): string =>
  `${type}, ${fallback === undefined || fallback === '' ? 'nothing by default' : show(fallback)}`;

const settingRow = (section: string, name: string, setting: Setting, acts: SupportStatus | undefined, read: Shown): SettingRule => ({
  section,
  name,
  says: [described(setting), ...(acts?.holds === true && acts.does !== '' ? [acts.does] : [])].join('; '),
  parsed: read,
  defaulted: read,
  acts: acts ?? UNKNOWN,
});

const deprecation = (section: string, name: string, text: string): SettingRule => ({
  section,
  name,
  says: `is deprecated: ${text}`,
  acts: holds('', TABLES, 'warn of every deprecated flag'),
});

/** The section for settings after the specification's elision: those that other fields and flags refer to are taken from v1.24. */
const BEYOND = "v1.24's, beyond the specification";
const UPSTREAM_FIELDS: ReadonlySet<string> = new Set(
  [...settingsOf(AGENT_FIELDS)]
    .map(([path]) => path)
    .slice([...settingsOf(AGENT_FIELDS)].findIndex(([path]) => path === 'makeIPTablesUtilChains') + 1),
);
/** The specification's table of agent flags is in alphabetical order of the names before they were made neutral. */
const isSpecifiedFlag = (name: string): boolean =>
  name === 'legacy-endpoint' || (name <= 'experimental-log-sanitization' && name !== 'agent-cgroups');
/** A flag of a field has the effect of the field. */
const PATH_OF: ReadonlyMap<string, string> = new Map(
  [...settingsOf(AGENT_FIELDS)].flatMap(([path, { flag }]) => (flag === undefined ? [] : [[flag, path]])),
);
const actsOfFlag = (name: string): SupportStatus | undefined =>
  AGENT_FLAG_SUPPORT.get(name) ?? AGENT_FIELD_SUPPORT.get(PATH_OF.get(name) ?? '');

function* agentRules(): Generator<SettingRule> {
  for (const [path, field] of settingsOf(AGENT_FIELDS))
    yield settingRow(UPSTREAM_FIELDS.has(path) ? BEYOND : 'AgentConfiguration', path, field, AGENT_FIELD_SUPPORT.get(path), FIELD);
  for (const [name, { deprecated, ...flag }] of AGENT_FLAGS) {
    const section = isSpecifiedFlag(name) ? 'Node agent command-line flags' : BEYOND;
    yield settingRow(section, `--${name}`, flag, actsOfFlag(name), AGENT_FLAG);
    if (deprecated !== undefined) yield deprecation(section, `--${name}`, deprecated);
  }
}

function* schedulerRules(): Generator<SettingRule> {
  const section = 'Scheduler command-line flags';
  for (const [name, flag] of settingsOf(SCHEDULER_FIELDS)) {
    yield settingRow(section, `--${name}`, flag, SCHEDULER_SUPPORT.get(name), SCHEDULER_FLAG);
    const deprecated = SCHEDULER_DEPRECATIONS.get(name);
    if (deprecated !== undefined) yield deprecation(section, `--${name}`, deprecated);
  }
}

const gateRule = (name: string, { stage, default: on }: Gate): SettingRule => {
  const acts = gateSupportStatus(name);
  const effect = acts.holds ? `; ${acts.does}` : '';
  return {
    section: 'Feature gates',
    name,
    says: `${stage}, ${on ? 'on' : 'off'} by default${effect}`,
    parsed: GATE,
    defaulted: GATE,
    acts,
  };
};

function* rules(): Generator<SettingRule> {
  const statements = (section: string): readonly SettingRule[] =>
    (STATEMENTS.get(section) ?? []).map(([name, says, acts]) => ({ section, name, says, acts }));
  yield* statements('What the service does');
  yield* statements('CredentialProviderConfig');
  yield* agentRules();
  yield* schedulerRules();
  for (const section of ['Endpoints', 'Authentication', 'Limits', 'Versioning']) yield* statements(section);
  for (const [name, gate] of GATES) yield gateRule(name, gate);
}

/** Every rule, in the order of the specification. */
export const settingRules = (): readonly SettingRule[] => [...rules()];

/** The support status of a setting by the path in effective values: a field, or a flag with its dashes; undefined: not a setting. */
export function supportStatusOf(process: 'agent' | 'scheduler', path: string): SupportStatus | undefined {
  if (process === 'scheduler') return SCHEDULER_SUPPORT.get(path.slice(2));
  return path.startsWith('--') ? AGENT_FLAG_SUPPORT.get(path.slice(2)) : AGENT_FIELD_SUPPORT.get(path);
}

/** Why a gate has no effect in a run; undefined: it has one. */
export function inertGate(name: string): string | undefined {
  const supportStatus = gateSupportStatus(name);
  return supportStatus.holds ? undefined : supportStatus.because;
}

/** Those of these settings that are set and have no effect: settings as a whole, and gates one by one. */
export const withoutEffect = (
  process: 'agent' | 'scheduler',
  values: readonly EffectiveValue[],
): readonly { readonly path: string; readonly because: string }[] =>
  values.flatMap(({ path, source, value }) => {
    if (source === 'default') return [];
    const supportStatus = supportStatusOf(process, path);
    if (supportStatus?.holds === false) return [{ path, because: supportStatus.because }];
    if ((path !== 'featureGates' && path !== '--feature-gates') || typeof value !== 'object' || value === null) return [];
    return Object.keys(value).flatMap((gate) => {
      const because = inertGate(gate);
      return because === undefined ? [] : [{ path: `gate ${gate}`, because }];
    });
  });
