/**
 * The specification's rules of process configuration as a table: settings with their types and defaults, the effect of each, gates, and
 * sentences. `orchsim config` uses it to find settings without effect, and `config --rules` prints the support status of every rule. Every
 * count is computed.
 */
import { type Gate, GATES } from '../../../apiserver/machinery/index.ts';
import { AGENT_FIELDS } from '../agent-fields.ts';
import { AGENT_FLAGS, AGENT_PROCESS_FLAGS } from '../agent-flags.ts';
import { type EffectiveValue, show } from '../report.ts';
import { SCHEDULER_FLAGS } from '../scheduler-flags.ts';
import { type Effect, inert, type Inert, type Setting, settingsOf } from '../settings.ts';
import { GATE_EFFECTS } from './gates.ts';
import { type Shown, shownOfAgent, shownOfScheduler, shownOfStatement } from './shown-by.ts';
import { STATEMENTS } from './statements.ts';

export type { Shown } from './shown-by.ts';

/** A rule that has an effect, and the test that shows it. */
interface Holds {
  readonly holds: true;
  /** The effect, for people. */
  readonly does: string;
  readonly shownBy: Shown;
}

/** The support status of a rule: either it holds and a test shows it, or it has no effect for a stated reason. */
export type SupportStatus = Holds | Inert;

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

const TABLES = 'controlplane/config/registry.test.ts';
const shown = (title: string): Shown => ({ file: TABLES, title });
const FIELD = shown('are read from a file as they are written, and have their default without one');
const AGENT_FLAG = shown('are read from flags of the agent as they are written, and have their default without them');
const SCHEDULER_FLAG = shown('are read from flags of the scheduler as they are written, and have their default without them');
const GATE = shown('are read by name, and have the stage and the default of the specification otherwise');

const statusOf = (effect: Effect, shownBy: Shown): SupportStatus =>
  typeof effect === 'string' ? { holds: true, does: effect, shownBy } : effect;

const UNKNOWN = inert('its effect is not documented');
const statusOfGate = (name: string): SupportStatus => statusOf(GATE_EFFECTS.get(name) ?? UNKNOWN, shownOfAgent(name));

const described = ({ type, default: fallback }: Pick<Setting, 'type' | 'default'>): string =>
  `${type}, ${fallback === undefined || fallback === '' ? 'nothing by default' : show(fallback)}`;

/** The rule of a setting; and that of its deprecation, where `name` is a flag that is deprecated. */
function* settingRows(
  section: string,
  name: string,
  setting: Pick<Setting, 'type' | 'default' | 'deprecated'>,
  acts: SupportStatus,
  read: Shown,
): Generator<SettingRule> {
  const says = [described(setting), ...(acts.holds && acts.does !== '' ? [acts.does] : [])].join('; ');
  yield { section, name, says, parsed: read, defaulted: read, acts };
  const { deprecated } = setting;
  if (!name.startsWith('--') || deprecated === undefined) return;
  yield { section, name, says: `is deprecated: ${deprecated}`, acts: statusOf('', shown('warn of every deprecated flag')) };
}

/** The section for settings after the specification's elision: those that other fields and flags refer to are taken from v1.24. */
const BEYOND = "v1.24's, beyond the specification";
const FIELDS: ReadonlyMap<string, Setting> = new Map(settingsOf(AGENT_FIELDS));
const UPSTREAM_FIELDS: ReadonlySet<string> = new Set([...FIELDS.keys()].slice([...FIELDS.keys()].indexOf('makeIPTablesUtilChains') + 1));
/** The specification's table of agent flags is in alphabetical order of the names before they were made neutral. */
const isSpecifiedFlag = (name: string): boolean =>
  name === 'legacy-endpoint' || (name <= 'experimental-log-sanitization' && name !== 'agent-cgroups');
/** A flag of a field has the effect of the field. */
const PATH_OF: ReadonlyMap<string, string> = new Map(
  [...FIELDS].flatMap(([path, { flag }]) => (typeof flag === 'string' ? [[flag, path]] : [])),
);

/** The support status of a setting by the path in effective values: a field, or a flag with its dashes; undefined: not a setting. */
export function supportStatusOf(process: 'agent' | 'scheduler', path: string): SupportStatus | undefined {
  const flag = path.startsWith('--') ? path.slice(2) : '';
  const setting = process === 'scheduler' ? SCHEDULER_FLAGS.get(flag) : (AGENT_PROCESS_FLAGS.get(flag) ?? FIELDS.get(path));
  return setting === undefined ? undefined : statusOf(setting.effect, (process === 'agent' ? shownOfAgent : shownOfScheduler)(path));
}

const acts = (process: 'agent' | 'scheduler', path: string): SupportStatus => supportStatusOf(process, path) ?? UNKNOWN;

function* agentRules(): Generator<SettingRule> {
  for (const [path, field] of FIELDS)
    yield* settingRows(UPSTREAM_FIELDS.has(path) ? BEYOND : 'AgentConfiguration', path, field, acts('agent', path), FIELD);
  for (const [name, flag] of AGENT_FLAGS) {
    const section = isSpecifiedFlag(name) ? 'Node agent command-line flags' : BEYOND;
    yield* settingRows(section, `--${name}`, flag, acts('agent', PATH_OF.get(name) ?? `--${name}`), AGENT_FLAG);
  }
}

function* schedulerRules(): Generator<SettingRule> {
  for (const [name, flag] of SCHEDULER_FLAGS)
    yield* settingRows('Scheduler command-line flags', `--${name}`, flag, acts('scheduler', `--${name}`), SCHEDULER_FLAG);
}

function gateRule(name: string, { stage, default: on }: Gate): SettingRule {
  const status = statusOfGate(name);
  const says = `${stage}, ${on ? 'on' : 'off'} by default${status.holds ? `; ${status.does}` : ''}`;
  return { section: 'Feature gates', name, says, parsed: GATE, defaulted: GATE, acts: status };
}

const statementRules = (section: string): readonly SettingRule[] =>
  Object.entries(STATEMENTS[section] ?? {}).map(([name, statement]) => {
    const [says, effect] = typeof statement === 'string' ? [statement, ''] : statement;
    return { section, name, says, acts: statusOf(effect, shownOfStatement(name)) };
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
