/**
 * The node agent's configuration, computed as the real process does: built-in defaults, then the file, then flags. Deprecated and unknown
 * settings give warnings, invalid ones errors. Models: v1.24 cmd/kubelet/app (flag precedence), pkg/kubelet/apis/config/v1beta1 defaults
 * and validation.
 */
import { didYouMean, parseCidr, quote } from '../../schema/values/index.ts';
import { AGENT_API_VERSION, AGENT_FIELDS, AGENT_FLAGS, AGENT_PROCESS_FLAGS, AGENT_SETTINGS } from './agent-fields.ts';
import type { AgentConfiguration } from './agent-fields.ts';
import { checkAgent } from './agent-rules.ts';
import { readFile, type ReadFile } from './file.ts';
import { readFlags, type ReadFlags } from './flags.ts';
import { resolveGates, type RulesMode, ruleWarning } from '../../apiserver/machinery/index.ts';
import { agentOutline } from './outline.ts';
import { choiceProblem, deprecationOf, problemsOf, show } from './report.ts';
import type { ConfigResult, Deprecation, EffectiveValue, Locate, Source } from './report.ts';
import { assemble, isZero, type Setting } from './settings.ts';
import { FIELDS_ARE_KNOWN, SERVER_IS_SAID, ZERO_IS_SAID } from './specification.ts';

export interface AgentOptions {
  readonly flags?: readonly string[];
  readonly locate?: Locate;
  /** A separate file must have apiVersion and kind; a fragment inside a scenario need not. */
  readonly fragment?: boolean;
  /** How the rules that v1.24 does not have are applied; default: violations are errors. */
  readonly rules?: RulesMode | undefined;
  /** Gates that neither file nor flags set; absent: their defaults. */
  readonly gates?: Readonly<Record<string, boolean>>;
}

/**
 * Returns the effective configuration from the object of a file (`undefined`: no file) and from flags. There is always one, also where the
 * input is invalid.
 */
export function parseAgentConfig(
  file?: unknown,
  { flags: args = [], locate, fragment = false, rules = 'specification', gates = {} }: AgentOptions = {},
): ConfigResult<AgentConfiguration> {
  const errors = problemsOf(locate);
  const warnings = problemsOf(locate);
  const deprecations: Deprecation[] = [];
  const flags = readFlags(args, AGENT_FLAGS);
  for (const { flag, message } of flags.errors) errors.add(flag, message);
  for (const word of flags.positional) errors.add(word, `unknown command: ${word}`);
  for (const name of flags.values.keys()) {
    const deprecated = AGENT_FLAGS.get(name)?.deprecated;
    if (deprecated === undefined) continue;
    deprecations.push(deprecationOf(`--${name}`, deprecated));
    warnings.add(`--${name}`, `Flag --${name} has been deprecated, ${deprecated}`);
  }

  const read = readFile(AGENT_FIELDS, file, { apiVersion: AGENT_API_VERSION, kind: 'AgentConfiguration', fragment });
  for (const { path, message } of read.errors) errors.add(path, message);
  for (const { path, message } of read.unknown) {
    if (fragment || rules === 'specification') errors.add(path, message);
    else warnings.add(path, ruleWarning(FIELDS_ARE_KNOWN, path, `${message}: it is not read`));
  }
  const given = withZeros(read, rules, warnings.add);

  if (file !== undefined && !fragment && read.errors.length === 0 && !read.values.has('enableServer')) {
    if (rules === 'specification') errors.add('enableServer', 'invalid configuration: enableServer is required: true, or false');
    else warnings.add('enableServer', ruleWarning(SERVER_IS_SAID, 'enableServer', 'Required value'));
  }
  const values: EffectiveValue[] = [];
  const byPath = new Map<string, EffectiveValue>();
  for (const [path, field] of AGENT_SETTINGS) {
    const effective = decide(path, field, given, flags, file !== undefined);
    checkChoice(effective, field, errors.add);
    const position = effective.source === 'file' ? locate?.(path) : undefined;
    const value = position === undefined ? effective : { ...effective, position };
    values.push(value);
    byPath.set(path, value);
  }
  for (const [name, flag] of AGENT_PROCESS_FLAGS) {
    const given = flags.values.get(name);
    const value: EffectiveValue =
      given === undefined
        ? { path: `--${name}`, value: flag.default, source: 'default' }
        : { path: `--${name}`, value: given, source: 'flag', flag: `--${name}` };
    checkChoice(value, flag, errors.add);
    values.push(value);
  }

  const config = assemble(AGENT_FIELDS, (path) => byPath.get(path)?.value) as unknown as AgentConfiguration;
  const resolved = resolveGates({ ...gates, ...config.featureGates });
  for (const { gate, message } of resolved.errors)
    errors.add(flags.values.has('feature-gates') ? '--feature-gates' : `featureGates.${gate}`, message);
  checkAgent({
    config,
    gates: resolved.gates,
    isSet: (path) => byPath.get(path)?.source !== 'default',
    error: (path, message) => errors.add(path, `invalid configuration: ${message}`),
    warn: warnings.add,
  });
  checkProcessFlags(flags, resolved.gates, errors.add, warnings.add);
  checkTogether(config, flags, errors.add, warnings.add);
  return {
    config,
    gates: resolved.gates,
    values,
    outline: agentOutline(config, values, file !== undefined),
    deprecations,
    warnings: warnings.list,
    errors: errors.list,
  };
}

function checkTogether(
  config: AgentConfiguration,
  flags: ReturnType<typeof readFlags>,
  error: (path: string, message: string) => void,
  warn: (path: string, message: string) => void,
): void {
  if (flags.values.has('cert-dir') && config.tlsCertFile !== '' && config.tlsPrivateKeyFile !== '')
    warn('--cert-dir', '--cert-dir is ignored because tlsCertFile and tlsPrivateKeyFile are given');
  const alone = flags.values.get('orchconfig') === '';
  if (alone) warn('--orchconfig', '--orchconfig is empty: there is no API server, so only static pods run, and none is reported');
  const range = config.podCIDR === '' ? undefined : parseCidr(config.podCIDR);
  if (alone && range?.error !== undefined)
    error(
      'podCIDR',
      `invalid configuration: podCIDR (--pod-cidr): expected a range of addresses such as 10.9.0.0/24, found ${quote(config.podCIDR)}`,
    );
  if (config.podCIDR !== '' && !alone)
    warn(
      'podCIDR',
      'podCIDR has no effect beside an API server, where addresses are those of the Node; an empty --orchconfig is without one',
    );
}

/**
 * The values of the file. Numeric zeros are kept; other zeros count as absent, as in v1.24, with a warning where that changes the value.
 */
function withZeros({ values, zeros }: ReadFile, rules: RulesMode, warn: (path: string, message: string) => void): ReadFile['values'] {
  const given = new Map(values);
  for (const [path, zero] of zeros) {
    const fallback = AGENT_SETTINGS.get(path)?.default;
    if (fallback === undefined || isZero(fallback)) continue;
    const reported = `${show(zero)} counts as nothing, and the default ${show(fallback)} is used`;
    if (typeof zero !== 'number') warn(path, `${path}: ${reported}`);
    else if (rules === 'specification') given.set(path, zero);
    else warn(path, ruleWarning(ZERO_IS_SAID, path, reported));
  }
  return given;
}

function decide(path: string, field: Setting, file: ReadonlyMap<string, unknown>, flags: ReadFlags, hasFile: boolean): EffectiveValue {
  const given = file.get(path);
  const text = flags.values.get(field.flag ?? '');
  const flagged = text === 0 && field.flagZeroIsDefault === true ? field.default : text;
  const made = (value: unknown, source: Source): EffectiveValue => ({
    path,
    value,
    source,
    ...(source === 'flag' ? { flag: `--${field.flag}` } : {}),
  });
  // Gates of the file that no flag names are kept.
  if (flagged !== undefined)
    return made(path === 'featureGates' ? { ...(given as object | undefined), ...(flagged as object) } : flagged, 'flag');
  if (given !== undefined) return made(given, 'file');
  if (path === 'nodeStatusReportFrequency' && file.has('nodeStatusUpdateFrequency'))
    return made(file.get('nodeStatusUpdateFrequency'), 'default');
  return made(hasFile ? field.default : (field.flagDefault ?? field.default), 'default');
}

function checkChoice({ path, value, flag }: EffectiveValue, { among }: Setting, error: (path: string, message: string) => void): void {
  if (among?.includes(String(value)) === false) error(flag ?? path, `invalid configuration: ${choiceProblem(path, String(value), among)}`);
}

function checkProcessFlags(
  { values }: ReadFlags,
  gates: Readonly<Record<string, boolean>>,
  error: (path: string, message: string) => void,
  warn: (path: string, message: string) => void,
): void {
  const runtime = String(values.get('container-runtime') ?? 'legacy');
  for (const name of values.keys()) {
    const only = AGENT_FLAGS.get(name)?.onlyWith;
    if (only !== undefined && only !== runtime)
      warn(`--${name}`, `--${name} works only with --container-runtime=${only}; here it is ${runtime}`);
  }
  if (String(values.get('dynamic-config-dir') ?? '') !== '' && gates['DynamicKubeletConfig'] !== true)
    error('--dynamic-config-dir', '--dynamic-config-dir requires feature gate DynamicKubeletConfig');
  const endpoint = values.get('container-runtime-endpoint');
  if (typeof endpoint === 'string') {
    const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(endpoint)?.[1];
    if (scheme === undefined) warn('--container-runtime-endpoint', `a runtime endpoint without a scheme is deprecated: unix://${endpoint}`);
    else if (scheme !== 'unix')
      error(
        '--container-runtime-endpoint',
        `--container-runtime-endpoint ${quote(endpoint)}: expected unix:// and the path of a socket${
          ['npipe', 'tcp'].includes(scheme) ? `; ${scheme} is for AltOS, and simulated nodes are linux` : didYouMean(scheme, ['unix'])
        }`,
      );
  }
}

export function agentConfigPath(args: readonly string[]): string | undefined {
  return readFlags(args, AGENT_FLAGS).values.get('config') as string | undefined;
}
