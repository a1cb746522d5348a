/**
 * The specification's rules of process configuration as a table: settings with their types and defaults, the effect of each, gates, and
 * sentences. `orchsim config` uses it to find settings without effect, and `config --rules` prints the support status of every rule. Every
 * count is computed.
 */
import { type Gate, GATES } from '../../../apiserver/machinery/index.ts';
import { AGENT_FLAGS, AGENT_PROCESS_FLAGS, AGENT_SETTINGS } from '../agent-fields.ts';
import { type EffectiveValue, show } from '../report.ts';
import { SCHEDULER_FLAGS } from '../scheduler-flags.ts';
import type { FlagSpec } from '../flags.ts';
import { type Effect, inert, type Inert } from '../settings.ts';
import { GATE_EFFECTS } from './gates.ts';
import { STATEMENTS } from './statements.ts';

/** The support status of a rule: either it holds, with its effect for people, or it has no effect for a stated reason. */
export type SupportStatus = { readonly holds: true; readonly does: string } | Inert;

/**
 * One rule of the specification, in three parts: a given value is read as written; without one the default applies; and the value has an
 * effect.
 */
export interface SettingRule {
  readonly section: string;
  /** A field, a flag, a gate, or the subject of a sentence. */
  readonly name: string;
  readonly says: string;
  /** Absent: the rule has no value to read, and no default. */
  readonly parsed?: true;
  readonly defaulted?: true;
  readonly acts: SupportStatus;
}

const statusOf = (effect: Effect): SupportStatus => (typeof effect === 'string' ? { holds: true, does: effect } : effect);

const UNKNOWN = inert('its effect is not documented');
const statusOfGate = (name: string): SupportStatus => statusOf(GATE_EFFECTS.get(name) ?? UNKNOWN);

const described = ({ type, default: fallback }: FlagSpec): string =>
  `${type}, ${fallback === undefined || fallback === '' ? 'nothing by default' : show(fallback)}`;

/** The rule of a setting; and that of its deprecation, where `name` is a flag that is deprecated. */
function* settingRows(section: string, name: string, setting: FlagSpec, acts: SupportStatus): Generator<SettingRule> {
  const says = [described(setting), ...(acts.holds && acts.does !== '' ? [acts.does] : [])].join('; ');
  yield { section, name, says, parsed: true, defaulted: true, acts };
  const { deprecated } = setting;
  if (!name.startsWith('--') || deprecated === undefined) return;
  yield { section, name, says: `is deprecated: ${deprecated}`, acts: statusOf('') };
}

/** The section for settings after the specification's elision: those that other fields and flags refer to are taken from v1.24. */
const BEYOND = "v1.24's, beyond the specification";
const UPSTREAM_FIELDS: ReadonlySet<string> = new Set(
  [...AGENT_SETTINGS.keys()].slice([...AGENT_SETTINGS.keys()].indexOf('makeIPTablesUtilChains') + 1),
);
/** The specification's table of agent flags is in alphabetical order of the names before they were made neutral. */
const isSpecifiedFlag = (name: string): boolean =>
  name === 'legacy-endpoint' || (name <= 'experimental-log-sanitization' && name !== 'agent-cgroups');
/** A flag of a field has the effect of the field. */
const PATH_OF: ReadonlyMap<string, string> = new Map(
  [...AGENT_SETTINGS].flatMap(([path, { flag }]) => (typeof flag === 'string' ? [[flag, path]] : [])),
);

/** The support status of a setting by the path in effective values: a field, or a flag with its dashes; undefined: not a setting. */
export function supportStatusOf(process: 'agent' | 'scheduler', path: string): SupportStatus | undefined {
  const flag = path.startsWith('--') ? path.slice(2) : '';
  const setting = process === 'scheduler' ? SCHEDULER_FLAGS.get(flag) : (AGENT_PROCESS_FLAGS.get(flag) ?? AGENT_SETTINGS.get(path));
  return setting === undefined ? undefined : (setting.inert ?? statusOf(setting.says ?? ''));
}

const acts = (process: 'agent' | 'scheduler', path: string): SupportStatus => supportStatusOf(process, path) ?? UNKNOWN;

function* agentRules(): Generator<SettingRule> {
  for (const [path, field] of AGENT_SETTINGS)
    yield* settingRows(UPSTREAM_FIELDS.has(path) ? BEYOND : 'AgentConfiguration', path, field, acts('agent', path));
  for (const [name, flag] of AGENT_FLAGS) {
    const section = isSpecifiedFlag(name) ? 'Node agent command-line flags' : BEYOND;
    yield* settingRows(section, `--${name}`, flag, acts('agent', PATH_OF.get(name) ?? `--${name}`));
  }
}

function* schedulerRules(): Generator<SettingRule> {
  for (const [name, flag] of SCHEDULER_FLAGS)
    yield* settingRows('Scheduler command-line flags', `--${name}`, flag, acts('scheduler', `--${name}`));
}

function gateRule(name: string, { stage, default: on }: Gate): SettingRule {
  const status = statusOfGate(name);
  const says = `${stage}, ${on ? 'on' : 'off'} by default${status.holds ? `; ${status.does}` : ''}`;
  return { section: 'Feature gates', name, says, parsed: true, defaulted: true, acts: status };
}

const statementRules = (section: string): readonly SettingRule[] =>
  Object.entries(STATEMENTS[section] ?? {}).map(([name, statement]) => {
    const [says, effect] = typeof statement === 'string' ? [statement, ''] : statement;
    return { section, name, says, acts: statusOf(effect) };
  });

/** Every rule, in the order of the specification. */
export const settingRules = (): readonly SettingRule[] => [
  ...['What the service does', 'CredentialProviderConfig'].flatMap(statementRules),
  ...agentRules(),
  ...schedulerRules(),
  ...['Endpoints', 'Authentication', 'Limits', 'Versioning'].flatMap(statementRules),
  ...[...GATES].map(([name, gate]) => gateRule(name, gate)),
];

/** Why a gate has no effect in a run; undefined: it has one. */
export function inertGate(name: string): string | undefined {
  const status = statusOfGate(name);
  return status.holds ? undefined : status.because;
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
