/** The flags of a process, and the support status of every rule about processes, both from the registry of settings. */
import {
  AGENT_FLAGS,
  deprecationOf,
  type FlagSpec,
  SCHEDULER_FLAGS,
  settingRules,
  type SettingRule,
} from '../../../controlplane/config/index.ts';
import { compareText } from '../../../schema/values/index.ts';
import { table, type Palette } from '../../report/index.ts';
import type { ProcessName } from './read.ts';

const GAP = '   ';
const PROVIDER_FLAGS = new Map<string, FlagSpec>([['image-credential-provider-config', { type: 'string', default: '' }]]);

const flagsOf = (process: ProcessName): ReadonlyMap<string, FlagSpec> =>
  process === 'agent' ? AGENT_FLAGS : process === 'scheduler' ? SCHEDULER_FLAGS : PROVIDER_FLAGS;

const shown = (value: unknown): string =>
  value === undefined || value === '' ? '' : typeof value === 'string' ? value : JSON.stringify(value);

/** A short text about a deprecated flag. */
function fate(process: ProcessName, name: string, { deprecated }: FlagSpec): string {
  if (deprecated === undefined) return '';
  const removedIn = deprecationOf(name, deprecated).removedIn;
  const words = [
    process === 'agent' && deprecated.includes('config file') ? 'deprecated: a field of the file' : 'deprecated',
    ...(deprecated.includes('ignored if a config file') ? ['ignored beside --config'] : []),
    ...(removedIn === undefined ? [] : [`removed in ${removedIn}`]),
  ];
  return words.join(', ');
}

/** The flags of a process. */
export function flagLines(process: ProcessName, palette: Palette): readonly string[] {
  const flags = [...flagsOf(process)].sort(([a], [b]) => compareText(a, b));
  const rows = flags.map(([name, spec]) => [
    `--${name}`,
    spec.choices === undefined ? spec.type : spec.choices.map(String).join('|'),
    palette.dim(fate(process, name, spec)),
    shown(spec.default),
  ]);
  return [
    `Usage: orchsim config ${process} [flags]`,
    '',
    ...table([['FLAG', 'TYPE', '', 'DEFAULT'].map((head) => palette.dim(head)), ...rows], GAP),
    '',
    "orchsim's own options beside them: --changed, --json, --rules (npx orchsim config --help)",
  ];
}

const SECTION_OF: Readonly<Record<ProcessName, readonly string[]>> = {
  agent: ['AgentConfiguration', 'Node agent command-line flags'],
  scheduler: ['Scheduler command-line flags'],
  'credential-provider': ['CredentialProviderConfig'],
};

/** The rules, or those about one process. */
export const rulesOf = (process: ProcessName | undefined): readonly SettingRule[] =>
  process === undefined ? settingRules() : settingRules().filter(({ section }) => SECTION_OF[process].includes(section));

/** The rules one by one (read, with a default, effective), then their number by section. */
export function ruleLines(rules: readonly SettingRule[], palette: Palette): readonly string[] {
  const heads = (...names: readonly string[]): readonly string[] => names.map((name) => palette.dim(name));
  const rows = rules.map(({ section, name, says, parsed, defaulted, acts }) => [
    section,
    name,
    says,
    parsed === undefined ? '-' : 'yes',
    defaulted === undefined ? '-' : 'yes',
    acts.holds ? 'yes' : `no: ${acts.because}`,
  ]);
  const sections = [...new Set(rules.map(({ section }) => section))];
  const tally = (label: string, of: readonly SettingRule[]): readonly string[] => [
    label,
    String(of.length),
    String(of.filter(({ parsed }) => parsed !== undefined).length),
    String(of.filter(({ defaulted }) => defaulted !== undefined).length),
    String(of.filter(({ acts }) => acts.holds).length),
  ];
  return [
    ...table([heads('SECTION', 'RULE', 'SAYS', 'PARSED', 'DEFAULTED', 'ACTS'), ...rows], GAP),
    '',
    ...table(
      [
        heads('SECTION', 'RULES', 'PARSED', 'DEFAULTED', 'ACT'),
        ...sections.map((name) =>
          tally(
            name,
            rules.filter(({ section }) => section === name),
          ),
        ),
        ...(sections.length > 1 ? [tally('all', rules)] : []),
      ],
      GAP,
    ),
  ];
}
