/** Warnings about valid values in a pod that are probably mistakes. Models: v1.24 pkg/api/pod/warnings.go. */
import { append, compareText, parseQuantity, quantityMilliValue, repeats } from '../../schema/values/index.ts';
import type { KindContext } from '../objects/index.ts';
import type { Container, PodSpec } from '../structs/index.ts';

interface Podlike {
  readonly spec: PodSpec;
  readonly metadata: { readonly annotations?: Readonly<Record<string, string>> };
}
type Names = KindContext['names'];

const NONE: readonly string[] = Object.freeze([]);

/** Deprecated node labels and their replacements. The backslashes are upstream's. */
const oldLabels = (names: Names): ReadonlyMap<string, string> =>
  new Map([
    [names.key('beta', 'arch'), `deprecated since v1.14; use \\"${names.key('', 'arch')}\\" instead`],
    [names.key('beta', 'os'), `deprecated since v1.14; use \\"${names.key('', 'os')}\\" instead`],
    [names.key('failure-domain.beta', 'region'), `deprecated since v1.17; use \\"${names.key('topology', 'region')}\\" instead`],
    [names.key('failure-domain.beta', 'zone'), `deprecated since v1.17; use \\"${names.key('topology', 'zone')}\\" instead`],
    [names.key('beta', 'instance-type'), `deprecated since v1.17; use \\"${names.key('node', 'instance-type')}\\" instead`],
  ]);

const OLD_ANNOTATIONS: readonly (readonly [prefix: string, name: string, message: string])[] = [
  ['scheduler.alpha', 'critical-pod', 'non-functional in v1.16+; use the \\"priorityClassName\\" field instead'],
  ['security.alpha', 'sysctls', 'non-functional in v1.11+; use the \\"sysctls\\" field instead'],
  ['security.alpha', 'unsafe-sysctls', 'non-functional in v1.11+; use the \\"sysctls\\" field instead'],
];

const LEAVING = 'deprecated in v1.22, support removal is planned in v1.26';
/** Deprecated sources, in upstream's spelling. */
const OLD_SOURCES = [
  ['photonPersistentDisk', 'photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['gitRepo', 'gitRepo', 'deprecated in v1.11'],
  ['scaleIO', 'scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['flocker', 'flocker', LEAVING],
  ['storageos', 'storageOS', LEAVING],
  ['quobyte', 'quobyte', LEAVING],
] as const;

function labelWarnings({ nodeSelector, affinity, topologySpreadConstraints }: PodSpec, field: string, names: Names): string[] {
  const old = oldLabels(names);
  const warnings: string[] = [];
  for (const key of Object.keys(nodeSelector ?? {}).sort(compareText))
    if (old.has(key)) warnings.push(`${field}.nodeSelector[${key}]: ${old.get(key) ?? ''}`);
  const checkKey = (key: string, at: string): void => {
    if (old.has(key)) warnings.push(`${at}: ${key} is ${old.get(key) ?? ''}`);
  };
  const path = `${field}.affinity.nodeAffinity`;
  const { requiredDuringSchedulingIgnoredDuringExecution: required, preferredDuringSchedulingIgnoredDuringExecution: preferred = [] } =
    affinity?.nodeAffinity ?? {};
  for (const [t, term] of (required?.nodeSelectorTerms ?? []).entries())
    for (const [e, { key }] of (term.matchExpressions ?? []).entries())
      checkKey(key, `${path}.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[${t}].matchExpressions[${e}].key`);
  for (const [t, term] of preferred.entries())
    for (const [e, { key }] of (term.preference.matchExpressions ?? []).entries())
      checkKey(key, `${path}.preferredDuringSchedulingIgnoredDuringExecution[${t}].preference.matchExpressions[${e}].key`);
  for (const [at, { topologyKey }] of (topologySpreadConstraints ?? []).entries())
    checkKey(topologyKey, `${field}.topologySpreadConstraints[${at}].topologyKey`);
  return warnings;
}

/** Returns a warning for each item of a list whose member repeats that of an item before it. */
function repeatWarnings(values: readonly string[], list: string, member: 'ip' | 'name'): string[] {
  const isRepeated = repeats<string>();
  return values.flatMap((value, at) =>
    isRepeated(value) ? [`${list}[${at}].${member}: duplicate ${member} ${JSON.stringify(value)}`] : [],
  );
}

function fraction(amounts: Readonly<Record<string, string>> | undefined, name: string, field: string): string[] {
  const amount = amounts?.[name];
  const parsed = amount === undefined ? undefined : parseQuantity(amount);
  return parsed?.value !== undefined && quantityMilliValue(parsed.value) % 1000n !== 0n
    ? [`${field}[${name}]: fractional byte value ${JSON.stringify(amount)} is invalid, must be an integer`]
    : [];
}
const BYTES = ['memory', 'ephemeral-storage'];

function containerWarnings({ env = [], resources }: Container, field: string): string[] {
  const fractions = BYTES.flatMap((name) => [
    ...fraction(resources.limits, name, `${field}.resources.limits`),
    ...fraction(resources.requests, name, `${field}.resources.requests`),
  ]);
  const names = env.map(({ name }) => name);
  return [...fractions, ...repeatWarnings(names, `${field}.env`, 'name')];
}

/** Returns the warnings. `root`: the path of the pod or template: '', `spec.template`. */
export function podWarnings({ spec, metadata }: Podlike, root: string, { names }: KindContext): readonly string[] {
  const at = (path: string): string => (root === '' ? path : `${root}.${path}`);
  const field = at('spec');
  const annotations = metadata.annotations ?? {};
  const warnings = labelWarnings(spec, field, names);
  for (const [prefix, name, message] of OLD_ANNOTATIONS)
    if (annotations[names.key(prefix, name)] !== undefined)
      warnings.push(`${at('metadata.annotations')}[${names.key(prefix, name)}]: ${message}`);
  const volumes = spec.volumes ?? [];
  for (const [index, volume] of volumes.entries())
    for (const [name, shown, message] of OLD_SOURCES)
      if (volume[name] !== undefined) warnings.push(`${field}.volumes[${index}].${shown}: ${message}`);
  const addresses = (spec.hostAliases ?? []).map(({ ip = '' }) => ip);
  const secrets = (spec.imagePullSecrets ?? []).map(({ name = '' }) => name);
  append(warnings, repeatWarnings(addresses, `${field}.hostAliases`, 'ip'), repeatWarnings(secrets, `${field}.imagePullSecrets`, 'name'));
  for (const [index, name] of secrets.entries())
    if (name === '') warnings.push(`${field}.imagePullSecrets[${index}].name: invalid empty name ""`);
  const mounted = volumes.map(({ name }) => name);
  append(warnings, repeatWarnings(mounted, `${field}.volumes`, 'name'));
  for (const name of BYTES) append(warnings, fraction(spec.overhead, name, `${field}.overhead`));
  const seccomp = (key: string, profile: unknown): void => {
    if (profile === undefined && annotations[key] !== undefined)
      warnings.push(`${at('metadata.annotations')}[${key}]: deprecated since v1.19; use the \\"seccompProfile\\" field instead`);
  };
  seccomp(names.key('seccomp.security.alpha', 'pod'), spec.securityContext.seccompProfile);
  for (const list of ['initContainers', 'containers'] as const) {
    for (const [index, container] of (spec[list] ?? []).entries()) {
      seccomp(`${names.key('container.seccomp.security.alpha', '')}${container.name}`, container.securityContext?.seccompProfile);
      append(warnings, containerWarnings(container, `${field}.${list}[${index}]`));
    }
  }
  return warnings;
}

/** Returns the warnings about a template that is new or has changed. */
export const templateWarnings = (template: Podlike, changed: boolean, root: string, context: KindContext): readonly string[] =>
  changed ? podWarnings(template, root, context) : NONE;
