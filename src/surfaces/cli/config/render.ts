/** The configuration of a process as text: values with their sources, listeners, gates, flags, and the support status of the rules. */
import { GATES } from '../../../apiserver/machinery/index.ts';
import { withoutEffect, AGENT_FLAGS, deprecationOf, SCHEDULER_FLAGS, settingRules } from '../../../controlplane/config/index.ts';
import type { ConfigProblem, EffectiveValue, Outline, FlagSpec, SettingRule } from '../../../controlplane/config/index.ts';
import { count, table, type Palette } from '../../report/index.ts';
import type { ProcessName, ReadConfig } from './read.ts';
import { compareText } from '../../../schema/values/index.ts';

const GAP = '   ';

const sourceText = ({ source, flag, position }: EffectiveValue, file: string | undefined): string =>
  source === 'flag'
    ? `flag ${flag ?? ''}`
    : source === 'file'
      ? `${file ?? 'file'}${position === undefined ? '' : `:${position.line}:${position.col}`}`
      : 'default';

const valueText = (value: unknown): string =>
  value === undefined ? '' : typeof value === 'string' && value !== '' ? value : JSON.stringify(value);

/** A table below its heads. */
const headed = (palette: Palette, heads: readonly string[], rows: readonly (readonly string[])[]): readonly string[] =>
  table([heads.map(palette.dim), ...rows], GAP);

/** Everything except the problems. `changed`: only values that differ from the default. */
export function configLines(process: ProcessName, read: ReadConfig, changed: boolean, palette: Palette): readonly string[] {
  return [
    ...valueLines(read, changed, palette),
    ...(read.outline === undefined ? [] : outlineLines(read.outline, palette)),
    ...gateLines(read.gates, changed, palette),
    ...effectless(process, read.values, palette),
  ];
}

function valueLines({ values, file }: ReadConfig, changed: boolean, palette: Palette): readonly string[] {
  const shown = changed ? values.filter(({ source }) => source !== 'default') : values;
  const rows = shown.map((each) => {
    const row = [each.path, valueText(each.value), sourceText(each, file)];
    return each.source === 'default' ? row.map((cell) => palette.dim(cell)) : row;
  });
  const set = values.filter(({ source }) => source !== 'default').length;
  return [...headed(palette, ['NAME', 'VALUE', 'FROM'], rows), '', `${count(values.length, 'value')}, ${set} not at their defaults`];
}

function outlineLines({ listeners, authentication, authorization }: Outline, palette: Palette): readonly string[] {
  const access = (lines: Outline['authentication']): readonly string[][] =>
    lines.map(({ method, is, why }) => [method, is, palette.dim(why)]);
  const at = listeners.map(({ name, address, protocol, says }) => [name, address === undefined ? '-' : `${protocol}://${address}`, says]);
  return [
    '',
    ...headed(palette, ['LISTENER', 'AT', ''], at),
    '',
    ...headed(palette, ['WHO IT IS', '', 'BECAUSE'], access(authentication)),
    '',
    ...headed(palette, ['WHAT HE MAY', '', 'BECAUSE'], access(authorization)),
  ];
}

function gateLines(gates: ReadConfig['gates'], changed: boolean, palette: Palette): readonly string[] {
  if (gates === undefined) return [];
  const onOff = (on: boolean): string => (on ? 'on' : 'off');
  const all = [...GATES].map(([name, { stage, default: fallback }]) => ({ name, stage, fallback, on: gates[name] ?? fallback }));
  const other = all.filter(({ fallback, on }) => fallback !== on);
  const shown = changed ? other : all;
  const rows = shown.map(({ name, stage, fallback, on }) => {
    const row = [name, stage, onOff(fallback), onOff(on)];
    return on === fallback ? row.map((cell) => palette.dim(cell)) : row;
  });
  return [
    '',
    ...(rows.length === 0 ? [] : [...headed(palette, ['GATE', 'STAGE', 'DEFAULT', 'IS'], rows), '']),
    `${count(all.length, 'gate')}, ${other.length} not at their defaults`,
  ];
}

function effectless(process: ProcessName, values: readonly EffectiveValue[], palette: Palette): readonly string[] {
  if (process === 'credential-provider') return [];
  const rows = withoutEffect(process, values).map(({ path, because }) => [path, because]);
  return rows.length === 0 ? [] : ['', ...headed(palette, ['SET, WITHOUT EFFECT IN A RUN', 'BECAUSE'], rows)];
}

export function problemLines({ warnings, errors, file }: ReadConfig, palette: Palette): readonly string[] {
  const place = ({ position, path }: ConfigProblem): string => {
    if (file === undefined) return '';
    if (position !== undefined) return `${file}:${position.line}:${position.col}: `;
    return path.startsWith('--') ? '' : `${file}: `;
  };
  return [
    ...warnings.map((problem) => `${palette.warn('warning')}: ${place(problem)}${problem.message}`),
    ...errors.map((problem) => `${palette.bad('error')}: ${place(problem)}${problem.message}`),
  ];
}

const PROVIDER_FLAGS = new Map<string, FlagSpec>([['image-credential-provider-config', { type: 'string', default: '' }]]);

const flagsOf = (process: ProcessName): ReadonlyMap<string, FlagSpec> =>
  process === 'agent' ? AGENT_FLAGS : process === 'scheduler' ? SCHEDULER_FLAGS : PROVIDER_FLAGS;

const shown = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

function fate(process: ProcessName, name: string, { deprecated }: FlagSpec): string {
  if (deprecated === undefined) return '';
  const { removedIn } = deprecationOf(name, deprecated);
  return [
    process === 'agent' && deprecated.includes('config file') ? 'deprecated: a field of the file' : 'deprecated',
    ...(deprecated.includes('ignored if a config file') ? ['ignored beside --config'] : []),
    ...(removedIn === undefined ? [] : [`removed in ${removedIn}`]),
  ].join(', ');
}

export function flagLines(process: ProcessName, palette: Palette): readonly string[] {
  const flags = [...flagsOf(process)].sort(([a], [b]) => compareText(a, b));
  const rows = flags.map(([name, spec]) => [
    `--${name}`,
    spec.among?.join('|') ?? spec.type,
    palette.dim(fate(process, name, spec)),
    shown(spec.default),
  ]);
  return [
    `Usage: orchsim config ${process} [flags]`,
    '',
    ...headed(palette, ['FLAG', 'TYPE', '', 'DEFAULT'], rows),
    '',
    "orchsim's own options beside them: --changed, --json, --rules (npx orchsim config --help)",
  ];
}

const SECTION_OF: Readonly<Record<ProcessName, readonly string[]>> = {
  agent: ['AgentConfiguration', 'Node agent command-line flags'],
  scheduler: ['Scheduler command-line flags'],
  'credential-provider': ['CredentialProviderConfig'],
};

export const rulesOf = (process: ProcessName | undefined): readonly SettingRule[] =>
  process === undefined ? settingRules() : settingRules().filter(({ section }) => SECTION_OF[process].includes(section));

/** The rules one by one (read, with a default, effective), then their number by section. */
export function ruleLines(rules: readonly SettingRule[], palette: Palette): readonly string[] {
  const rows = rules.map(({ section, name, says, parsed, defaulted, acts }) => [
    section,
    name,
    says,
    parsed === undefined ? '-' : 'yes',
    defaulted === undefined ? '-' : 'yes',
    acts.holds ? 'yes' : `no: ${acts.because}`,
  ]);
  const sections = [...new Set(rules.map(({ section }) => section))];
  const tally = (label: string, wanted: (rule: SettingRule) => boolean): readonly string[] => {
    const of = rules.filter(wanted);
    return [
      label,
      String(of.length),
      String(of.filter(({ parsed }) => parsed !== undefined).length),
      String(of.filter(({ defaulted }) => defaulted !== undefined).length),
      String(of.filter(({ acts }) => acts.holds).length),
    ];
  };
  const tallies = sections.map((name) => tally(name, ({ section }) => section === name));
  if (sections.length > 1) tallies.push(tally('all', () => true));
  return [
    ...headed(palette, ['SECTION', 'RULE', 'SAYS', 'PARSED', 'DEFAULTED', 'ACTS'], rows),
    '',
    ...headed(palette, ['SECTION', 'RULES', 'PARSED', 'DEFAULTED', 'ACT'], tallies),
  ];
}
