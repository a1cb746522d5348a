/**
 * Settings of a process as data: the schema of a value with its default, its effect and its flag. One table gives the TypeScript type of the
 * effective configuration, the reading of a file and of flags, and the list of effective values with their sources.
 */
import { any, bool, type Infer, int32, int64, list, map, obj, req, type Schema, str } from '../../schema/shape/index.ts';
import { formatGoDuration, isValidIp, parseGoDuration, isMapping } from '../../schema/values/index.ts';

const TAINT_EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'] as const;
export type TaintEffect = (typeof TAINT_EFFECTS)[number];
export const isTaintEffect = (text: unknown): text is TaintEffect => TAINT_EFFECTS.some((effect) => effect === text);

const texts = list(str());
const TAINT = obj('Taint', { key: req(str()), value: str(), effect: { ...req(str()), among: TAINT_EFFECTS }, timeAdded: any });
/** For flags only: certificates with their keys, and the domain patterns that each is for; none: the names in the certificate. */
const CERT_KEY = obj('CertKey', { certFile: req(str()), keyFile: req(str()), names: req(texts) });

/** The types of values with their schemas, and what a file must have. Durations are texts in Go's canonical form (`1m0s`). */
const TYPES = {
  bool: [bool, 'true or false'],
  int32: [int32, 'a whole number (int32)'],
  int64: [int64, 'a whole number'],
  float: [{ type: 'float64' }, 'a number'],
  string: [str(), 'a string'],
  ip: [{ type: 'string', format: 'ip' }, 'an IP address'],
  duration: [{ type: 'duration' }, 'a duration such as 10s or 1m30s'],
  strings: [texts, 'a list of strings'],
  stringMap: [map(str()), 'a mapping of strings'],
  boolMap: [map(bool), 'a mapping of names to true or false'],
  listMap: [map(texts), 'a mapping of names to lists of strings'],
  taints: [list(TAINT), `a list of taints, each with a key and one of the effects ${TAINT_EFFECTS.join(', ')}`],
  certKeys: [list(CERT_KEY), 'nothing: this is set by a flag'],
} as const satisfies Readonly<Record<string, readonly [Schema, wants: string]>>;
export type ValueType = keyof typeof TYPES;

export type CertKey = Infer<typeof CERT_KEY>;
export type TaintSetting = Omit<Infer<typeof TAINT>, 'effect' | 'timeAdded'> & { readonly effect: TaintEffect };
type ValueTypes = { readonly [T in ValueType]: T extends 'taints' ? readonly TaintSetting[] : Infer<(typeof TYPES)[T][0]> };

/** A setting or a gate that is read and validated, and has no effect. */
export interface Inert {
  readonly holds: false;
  readonly because: string;
}
export const inert = (because: string): Inert => ({ holds: false, because });

/** What a setting does in a run, for people; or why it does nothing. */
export type Effect = string | Inert;

/** The flag of a setting, and the facets that its values have. */
export interface SettingOptions extends Pick<Schema, 'says' | 'among' | 'min' | 'max' | 'pointer'> {
  /** The flag without its dashes; null: there is none. Of a field it is the name in kebab case, unless this is another one. */
  readonly flag?: string | null;
  /** The default where no file is given: that of the flag alone. */
  readonly flagDefault?: unknown;
  /** A zero given by flag means the default, although a zero in a file is kept. */
  readonly flagZeroIsDefault?: true;
  /** Zero is allowed below `min`: it switches the setting off. */
  readonly zeroDisables?: true;
  /**
   * A flag syntax other than the type's: `signal<quantity` pairs; or pairs whose keys may contain commas, quoted where there are several.
   */
  readonly flagSyntax?: 'langle' | 'csv';
  /** An empty address is allowed: it means all addresses. */
  readonly flagMayBeBlank?: true;
  /** The text after "Flag --x has been deprecated, "; of a field, what happens to its flag later. */
  readonly deprecated?: string;
  readonly ignoredWithConfig?: true;
  /** It has an effect with this container runtime only. */
  readonly onlyWith?: 'legacy' | 'remote';
}

/** A setting: its effect in a run for people, or why it has none. A zero in a file counts as absent, unless it is a pointer. */
export interface Setting<T extends ValueType = ValueType, D = unknown> extends SettingOptions {
  readonly type: T;
  readonly default: D;
  readonly inert?: Inert;
}

export interface Group<F extends Fields = Fields> {
  readonly fields: F;
}
export interface Fields {
  readonly [name: string]: Setting | Group;
}

/** A setting; `undefined` as default means no value until it is set. */
export const setting = <T extends ValueType, D extends ValueTypes[T] | undefined>(
  type: T,
  fallback: D,
  effect: Effect,
  options: SettingOptions = {},
): Setting<T, D> => ({ ...options, type, default: fallback, ...(typeof effect === 'string' ? { says: effect } : { inert: effect }) });
export const group = <F extends Fields>(fields: F): Group<F> => ({ fields });

/** Returns fields whose flags are their names in kebab case: `tlsCertFile` is `tls-cert-file`. */
export function withFlags<const F extends Fields>(fields: F): F {
  const made = Object.entries(fields).map(([name, field]): readonly [string, Setting | Group] => {
    if ('fields' in field) return [name, group(withFlags(field.fields))];
    const { flag = name.replaceAll(/([a-z\d])([A-Z])|([A-Z])([A-Z][a-z])/g, '$1$3-$2$4').toLowerCase(), ...rest } = field;
    return [name, { ...rest, flag }];
  });
  return Object.fromEntries(made) as F;
}

/** The effective configuration of a table: settings without a default may be absent. */
export type Effective<F extends Fields> = {
  readonly [K in keyof F]: F[K] extends Group<infer G>
    ? Effective<G>
    : F[K] extends Setting<infer T, infer D>
      ? ValueTypes[T] | Extract<D, undefined>
      : never;
};

export function* settingsOf(fields: Fields, prefix = ''): Generator<readonly [path: string, setting: Setting]> {
  for (const [name, field] of Object.entries(fields)) {
    if ('fields' in field) yield* settingsOf(field.fields, `${prefix}${name}.`);
    else yield [prefix + name, field];
  }
}

export function readValue(
  type: ValueType,
  value: unknown,
): { readonly value: unknown; readonly expected?: undefined } | { readonly expected: string } {
  const [schema, expected] = TYPES[type];
  if (type === 'certKeys' || !fits(schema, value)) return { expected };
  return { value: type === 'duration' ? formatGoDuration(parseGoDuration(String(value)).value ?? 0n) : value };
}

function fits(schema: Schema, value: unknown): boolean {
  switch (schema.type) {
    case 'boolean':
      return typeof value === 'boolean';
    case 'int32':
      return isWhole(value, 2_147_483_647);
    case 'int64':
      return isWhole(value, Number.MAX_SAFE_INTEGER);
    case 'float64':
      return Number.isFinite(value);
    case 'string':
      return typeof value === 'string' && (schema.format === undefined || value === '' || isValidIp(value).length === 0);
    case 'duration':
      return typeof value === 'string' && parseGoDuration(value).error === undefined;
    case 'list':
      return Array.isArray(value) && value.every((item) => fits(schema.items, item));
    case 'map':
      return isMapping(value) && Object.values(value).every((item) => fits(schema.values, item));
    case 'object':
      return (
        isMapping(value) && Object.keys(value).every((name) => Object.hasOwn(schema.fields, name)) && haveMembers(schema.fields, value)
      );
    default:
      return true;
  }
}

const haveMembers = (fields: Readonly<Record<string, Schema>>, value: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(fields).every(([name, field]) => {
    const member = value[name];
    if (member === undefined || (member === '' && field.required === true)) return field.required !== true;
    return fits(field, member) && (field.among === undefined || field.among.includes(member as never));
  });

const isWhole = (value: unknown, limit: number): boolean =>
  typeof value === 'number' && Number.isSafeInteger(value) && value <= limit && value >= -limit - 1;
/** A value that Go does not distinguish from an absent field. */
export function isZero(value: unknown): boolean {
  return (
    value === undefined ||
    value === null ||
    value === '' ||
    value === 0 ||
    value === '0s' ||
    value === false ||
    (Array.isArray(value) && value.length === 0)
  );
}

/** A nested object with one value per setting; `undefined` ones are left out. */
export function assemble(fields: Fields, valueOf: (path: string) => unknown, prefix = ''): Readonly<Record<string, unknown>> {
  const made: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const value = 'fields' in field ? assemble(field.fields, valueOf, `${prefix}${name}.`) : valueOf(prefix + name);
    if (value !== undefined) made[name] = value;
  }
  return made;
}

export const NO_LOGS = inert('simulated processes write no logs');
export const NO_METRICS = inert('simulated processes publish no metrics and no profiles');
export const NO_FILES = inert('a simulated node has no file system: nothing is read or written there');
export const NO_CGROUPS = inert('containers are simulated by their timing: there are no control groups');
export const NO_RUNTIME = inert('the simulated node is its own container runtime: no other one is called');
export const NO_KERNEL = inert('a simulated node has no operating system to adjust');
export const NO_PULLS = inert('credentials come from the providers that a scenario describes');
export const NO_STREAMS = inert('there are no streams: no exec, attach or port-forward');
export const NO_NETWORK = inert('no traffic flows between simulated pods, and no DNS name is resolved');
export const NO_KEYS = inert('there are no keys in a simulated cluster: a certificate is only its validity period');
export const NO_SOCKETS = inert('simulated processes open no sockets: only access decisions are simulated');
export const NO_CLOUD = inert('a simulated node has no cloud provider');
export const OWN_ENCODING = inert('requests between simulated processes are passed as values, without encoding');
