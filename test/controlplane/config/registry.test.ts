/**
 * The registry of settings against the specification: every setting is listed with its type and default, has an effect or a reason, and
 * names an existing test.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GATES, resolveGates } from '../../../src/apiserver/machinery/index.ts';
import { AGENT_FIELDS, AGENT_FLAGS as TAKEN } from '../../../src/controlplane/config/agent-fields.ts';
import { parseAgentConfig, parseSchedulerFlags, settingRules } from '../../../src/controlplane/config/index.ts';
import type { FlagSpec } from '../../../src/controlplane/config/flags.ts';
import { GATE_EFFECTS } from '../../../src/controlplane/config/registry/gates.ts';
import { SCHEDULER_FIELDS } from '../../../src/controlplane/config/scheduler-flags.ts';
import { type Setting, settingsOf } from '../../../src/controlplane/config/settings.ts';
import { parseGoDuration } from '../../../src/schema/values/index.ts';
import { type Shown, shownOfAgent, shownOfScheduler, shownOfStatement } from './shown-by.ts';
import { AGENT_FLAGS, FIELDS, GATE_LISTS, SCHEDULER_FLAGS } from './specified.ts';

const TEST = join(import.meta.dirname, '../..');
const fields = new Map<string, Setting>(settingsOf(AGENT_FIELDS));
const schedulerFlags = new Map<string, Setting>(settingsOf(SCHEDULER_FIELDS));

/** Types by their names in the specification. */
const CALLED: Readonly<Record<string, readonly string[]>> = {
  bool: ['bool'],
  int32: ['int32', 'int'],
  int64: ['int64'],
  float: ['float'],
  string: ['string'],
  ip: ['string'],
  duration: ['Duration', 'duration'],
  strings: ['[]string', 'strings'],
  stringMap: ['map[string]string', 'stringToString'],
  boolMap: ['key=True or False pairs'],
  listMap: ['map[string][]string'],
  certKeys: ['string'],
};
/** Defaults that the specification gives in words. */
const WORDS: ReadonlySet<string> = new Set(['nil', 'empty', 'none', 'none given', '[]', 'off', 'see Versioning', 'runtime default']);

/** A default in the format of the tables. */
function written(value: unknown): string {
  if (value === undefined || value === '' || value === false) return 'nothing';
  if (Array.isArray(value)) return value.length === 0 ? 'nothing' : value.join(',');
  if (typeof value === 'object') {
    const entries = Object.entries(value as object).map(([key, item]) => `${key} ${String(item)}`);
    return entries.length === 0 ? 'nothing' : entries.sort().join('; ');
  }
  return String(value);
}

/** A default of the specification in the same format. */
function specified(text: string, type: string): string {
  if (WORDS.has(text) && type !== 'policy') return 'nothing';
  if (text === 'false') return 'nothing';
  if (type === 'duration') return String(parseGoDuration(text).value);
  if (text.includes('; ')) return text.split('; ').sort().join('; ');
  return text;
}
const comparable = (value: unknown, type: string): string =>
  type === 'duration' ? String(parseGoDuration(String(value)).value) : written(value);

/** Whether a file has a test with that title, as it is written there. */
const hasTest = (text: string, title: string): boolean =>
  ["'", '"', '`'].some((quote) => ['it(', ')('].some((opening) => text.includes(`${opening}${quote}${title}${quote},`)));

/** The test that shows the effect of a rule; a flag of a field has the effect of the field. */
function shownBy(section: string, name: string): Shown {
  if (section === 'Scheduler command-line flags') return shownOfScheduler(name);
  if (!TABLES.has(section)) return shownOfStatement(name);
  const field = [...fields].find(([, { flag }]) => `--${String(flag)}` === name)?.[0];
  return shownOfAgent(field ?? name);
}
const TABLES: ReadonlySet<string> = new Set([
  'AgentConfiguration',
  'Node agent command-line flags',
  "v1.24's, beyond the specification",
  'Feature gates',
]);

/** A value of each type that is not the default of any setting, as in a file and as a flag. */
const SAMPLES: Readonly<Record<string, readonly [value: unknown, flag: string]>> = {
  int32: [42, '42'],
  int64: [42, '42'],
  float: [42, '42'],
  string: ['sample', 'sample'],
  ip: ['10.1.2.3', '10.1.2.3'],
  duration: ['7m0s', '7m'],
  strings: [['sample'], 'sample'],
  stringMap: [{ a: 'b' }, 'a=b'],
  boolMap: [{ JobReadyPods: false }, 'JobReadyPods=false'],
  listMap: [{ a: ['b'] }, 'a:b'],
  taints: [[{ key: 'a', effect: 'NoSchedule' }], 'a=:NoSchedule'],
  certKeys: [undefined, 'a,b'],
};
function sampleOf({ type, default: fallback, among }: FlagSpec): readonly [value: unknown, flag: string] {
  if (type === 'bool') return [fallback !== true, String(fallback !== true)];
  const other = among?.find((one) => one !== fallback);
  return other === undefined ? (SAMPLES[type] ?? [undefined, '']) : [other, other];
}
const nested = (path: string, value: unknown): Readonly<Record<string, unknown>> => {
  const [first = '', ...rest] = path.split('.');
  return { [first]: rest.length === 0 ? value : nested(rest.join('.'), value) };
};

describe('settings', () => {
  type Values = ReturnType<typeof parseAgentConfig>['values'];
  const of = (values: Values, path: string) => values.find((value) => value.path === path);

  it('are read from a file as they are written, and have their default without one', () => {
    const otherwise = parseAgentConfig({}, { fragment: true }).values;
    for (const [path, field] of fields) {
      const [value] = sampleOf(field);
      expect([path, of(parseAgentConfig(nested(path, value), { fragment: true }).values, path)]).toMatchObject([
        path,
        { source: 'file', value },
      ]);
      expect([path, of(otherwise, path)?.value]).toEqual([path, field.default]);
    }
  });

  it('are read from flags of the agent as they are written, and have their default without them', () => {
    const paths = new Map([...fields].flatMap(([path, { flag }]) => (flag === undefined ? [] : [[flag, path]])));
    for (const [name, flag] of TAKEN) {
      const path = paths.get(name) ?? `--${name}`;
      const text = flag.flagSyntax === 'langle' ? 'memory.available<7Mi' : sampleOf(flag)[1];
      const { values } = parseAgentConfig(undefined, { flags: [`--${name}=${text}`] });
      expect([name, of(values, path)?.source]).toEqual([name, 'flag']);
      expect([name, of(parseAgentConfig(undefined, {}).values, path)?.value ?? '']).toEqual([name, flag.default ?? '']);
    }
  });

  it('are read from flags of the scheduler as they are written, and have their default without them', () => {
    for (const [name, flag] of schedulerFlags) {
      const { values } = parseSchedulerFlags([`--${name}=${sampleOf(flag)[1]}`]);
      expect([name, of(values, `--${name}`)?.source]).toEqual([name, 'flag']);
      expect([name, of(parseSchedulerFlags([]).values, `--${name}`)?.value ?? '']).toEqual([name, flag.default ?? '']);
    }
  });

  it('have the type and the default of the specification: fields', () => {
    for (const [name, type, fallback] of FIELDS) {
      const field = fields.get(name);
      expect(CALLED[field?.type ?? ''], name).toContain(type);
      // The specification does not show it: it is upstream's.
      if (name === 'makeIPTablesUtilChains') continue;
      // These are names of policies, not words for an absent value.
      const word = ['memoryManagerPolicy', 'topologyManagerPolicy'].includes(name) ? 'policy' : (field?.type ?? '');
      expect([name, comparable(field?.default, word)]).toEqual([name, specified(fallback, word)]);
    }
  });

  it("have the type and the default of the specification: the agent's flags", () => {
    /** Differences in the specification's table: it lists signals of one operating system separately, and its last row has no default. */
    const OTHER: Readonly<Record<string, string>> = {
      '--eviction-hard': 'imagefs.available 15%; memory.available 100Mi; nodefs.available 10%; nodefs.inodesFree 5%',
      '--eviction-max-pod-grace-period': '0',
      '--experimental-log-sanitization': 'nothing',
      '--cpu-manager-policy': 'none',
    };
    for (const [name, fallback] of AGENT_FLAGS) {
      const flag = TAKEN.get(name.slice(2));
      const type = flag?.type ?? '';
      expect([name, comparable(flag?.default, type)]).toEqual([name, OTHER[name] ?? specified(fallback, type)]);
    }
  });

  it("have the type and the default of the specification: the scheduler's flags", () => {
    for (const [name, type, fallback] of SCHEDULER_FLAGS) {
      const flag = schedulerFlags.get(name.slice(2));
      expect(CALLED[flag?.type ?? ''], name).toContain(type);
      expect([name, comparable(flag?.default, flag?.type ?? '')]).toEqual([name, specified(fallback, flag?.type ?? '')]);
    }
    expect(schedulerFlags.size).toBe(SCHEDULER_FLAGS.length + 1); // --help
  });

  it('warn of every deprecated flag', () => {
    const VALUES: Readonly<Record<string, string>> = { duration: '1m', int32: '1', int64: '1', float: '1', bool: 'true', ip: '10.0.0.1' };
    const given = (flag: string, type: string): string => `${flag}=${VALUES[type] ?? 'a=b'}`;
    for (const [name, , deprecated] of AGENT_FLAGS) {
      const flag = given(name, TAKEN.get(name.slice(2))?.type ?? '');
      const warned = parseAgentConfig(undefined, { flags: [flag] }).deprecations.map((each) => each.flag);
      // An invalid value is refused instead.
      if (TAKEN.get(name.slice(2))?.deprecated === undefined) expect([name, deprecated]).toEqual([name, false]);
      else if (name !== '--eviction-hard' && name !== '--eviction-soft') expect(warned, name).toEqual(deprecated ? [name] : []);
    }
    for (const [name, , , ignored] of SCHEDULER_FLAGS) {
      if (!ignored) continue;
      const flag = given(name, schedulerFlags.get(name.slice(2))?.type ?? '');
      expect(parseSchedulerFlags([flag]).deprecations.map((each) => each.flag)).toEqual([name]);
      expect(parseSchedulerFlags([flag, '--config=x']).values.find(({ path }) => path === name)?.source).toBe('default');
    }
  });
});

describe('feature gates', () => {
  it('are read by name, and have the stage and the default of the specification otherwise', () => {
    const named = (text: string, stage: string, on: boolean) => text.split(' ').map((name) => [name, { stage, default: on }] as const);
    const wanted = new Map([
      ...named(GATE_LISTS.alpha, 'alpha', false),
      ...named(GATE_LISTS.betaOn, 'beta', true),
      ...named(GATE_LISTS.betaOff, 'beta', false),
    ]);
    for (const [name, { stage, default: on }] of GATES) {
      if (stage === 'stable') continue;
      expect([resolveGates().gates[name], resolveGates({ [name]: !on }).gates[name]], name).toEqual([on, !on]);
    }
    const listed = [...GATES].filter(([, { stage }]) => stage === 'alpha' || stage === 'beta');
    expect(new Map(listed)).toEqual(new Map([...wanted].sort(([a], [b]) => (a < b ? -1 : 1))));
    expect([...GATE_EFFECTS.keys()].sort()).toEqual([...GATES.keys()]);
  });
});

describe('the registry', () => {
  it('assigns to the specification what it shows', () => {
    const named = (section: string) =>
      [
        ...new Set(
          settingRules()
            .filter((rule) => rule.section === section)
            .map(({ name }) => name),
        ),
      ].sort();
    const objectsOfTheirOwn = named('AgentConfiguration').filter((name) => name.startsWith('auth'));
    expect(named('AgentConfiguration')).toEqual([...FIELDS.map(([name]) => name), ...objectsOfTheirOwn].sort());
    expect(named('Node agent command-line flags')).toEqual(AGENT_FLAGS.map(([name]) => name).sort());
    expect(named('Scheduler command-line flags')).toEqual([...SCHEDULER_FLAGS.map(([name]) => name), '--help'].sort());
  });

  it('names an existing test for every effect', () => {
    const texts = new Map<string, string>();
    const wrong = settingRules().flatMap(({ section, name, acts, says }) => {
      if (!acts.holds || says.startsWith('is deprecated')) return [];
      const { file, title } = shownBy(section, name);
      const text = texts.get(file) ?? readFileSync(join(TEST, file), 'utf8');
      texts.set(file, text);
      return hasTest(text, title) ? [] : [`${section}: ${name}: test/${file} has no test "${title}"`];
    });
    expect(wrong).toEqual([]);
    expect(hasTest("it('a b', () => {", 'a')).toBe(false);
  });

  it('gives a reason for every setting without effect', () => {
    const silent = settingRules().filter(
      ({ acts }) => !acts.holds && (acts.because.length < 10 || acts.because.startsWith('nobody has said')),
    );
    expect(silent).toEqual([]);
  });
});
