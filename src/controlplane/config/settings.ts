/**
 * Settings of a process as data: type, default, flag. One table gives the TypeScript type of the effective configuration, the parsing of a
 * file and of flags, and the list of effective values with their sources.
 */
import { formatGoDuration, isValidIp, parseGoDuration } from '../../schema/values/index.ts';

/** A certificate, its key, and the domain patterns that it is used for; none: the names in the certificate. */
export interface CertKey {
  readonly certFile: string;
  readonly keyFile: string;
  readonly names: readonly string[];
}

/** A taint of a node at its registration. */
export interface TaintSetting {
  readonly key: string;
  readonly value?: string;
  readonly effect: TaintEffect;
}
const TAINT_EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'] as const;
export type TaintEffect = (typeof TAINT_EFFECTS)[number];
export const isTaintEffect = (text: unknown): text is TaintEffect => TAINT_EFFECTS.some((effect) => effect === text);

/** The JavaScript type of each type of value. Durations are texts in Go's canonical form (`1m0s`). */
export interface ValueTypes {
  readonly bool: boolean;
  readonly int32: number;
  readonly int64: number;
  readonly float: number;
  readonly string: string;
  readonly ip: string;
  readonly duration: string;
  readonly strings: readonly string[];
  readonly stringMap: Readonly<Record<string, string>>;
  readonly boolMap: Readonly<Record<string, boolean>>;
  readonly listMap: Readonly<Record<string, readonly string[]>>;
  readonly taints: readonly TaintSetting[];
  /** For flags only: certificates with their keys, and the names that each is for. */
  readonly certKeys: readonly CertKey[];
}
export type ValueType = keyof ValueTypes;

/** A setting or a gate that is read and validated, and has no effect. */
export interface Inert {
  readonly holds: false;
  readonly because: string;
}
/** Returns the effect of what has none, with the reason. */
export const inert = (because: string): Inert => ({ holds: false, because });

/** What a setting does in a run, for people; or why it does nothing. */
export type Effect = string | Inert;

export interface SettingOptions<V> {
  /** The flag without its dashes; null: there is none. Of a field it is the name in kebab case, unless this is another one. */
  readonly flag?: string | null;
  /** The default where no file is given: that of the flag alone. */
  readonly flagDefault?: V;
  /** A zero in a file is kept (the field is a pointer); otherwise it counts as absent. */
  readonly keepsZero?: true;
  /** A zero given by flag means the default, although a zero in a file is kept. */
  readonly flagZeroIsDefault?: true;
  /** The only values allowed. */
  readonly choices?: readonly V[];
  /**
   * A flag syntax other than the type's: `signal<quantity` pairs; or pairs whose keys may contain commas, quoted where there are several.
   */
  readonly flagSyntax?: 'langle' | 'csv';
  /** An empty address is allowed: it means all addresses. */
  readonly flagMayBeBlank?: true;
  /** The text after "Flag --x has been deprecated, "; of a field, what happens to its flag later. */
  readonly deprecated?: string;
  /** It is ignored beside a configuration file. */
  readonly ignoredWithConfig?: true;
  /** It has an effect with this container runtime only. */
  readonly onlyWith?: 'legacy' | 'remote';
}

export interface Setting<T extends ValueType = ValueType, D = unknown> extends SettingOptions<ValueTypes[T]> {
  readonly type: T;
  readonly default: D;
  readonly effect: Effect;
}

export interface Group<F extends Fields = Fields> {
  readonly group: F;
}
export interface Fields {
  readonly [name: string]: Setting | Group;
}

/** A setting; `undefined` as default means no value until it is set. */
export const setting = <T extends ValueType, D extends ValueTypes[T] | undefined>(
  type: T,
  fallback: D,
  effect: Effect,
  options: SettingOptions<ValueTypes[T]> = {},
): Setting<T, D> => ({ ...options, type, default: fallback, effect });
/** A nested object of settings. */
export const group = <F extends Fields>(fields: F): Group<F> => ({ group: fields });

/** Returns fields whose flags are their names in kebab case: `tlsCertFile` is `tls-cert-file`. */
export function withFlags<const F extends Fields>(fields: F): F {
  const made = Object.entries(fields).map(([name, field]): readonly [string, Setting | Group] => {
    if ('group' in field) return [name, group(withFlags(field.group))];
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
      ? undefined extends D
        ? ValueTypes[T] | undefined
        : ValueTypes[T]
      : never;
};

/** Every setting with its dotted path, in the order of the table. */
export function* settingsOf(fields: Fields, prefix = ''): Generator<readonly [path: string, setting: Setting]> {
  for (const [name, field] of Object.entries(fields)) {
    if ('group' in field) yield* settingsOf(field.group, `${prefix}${name}.`);
    else yield [prefix + name, field];
  }
}

/** A value of a file in its canonical form, or what was expected instead. */
export function readValue(
  type: ValueType,
  value: unknown,
): { readonly value: unknown; readonly expected?: undefined } | { readonly expected: string } {
  switch (type) {
    case 'bool':
      return typeof value === 'boolean' ? { value } : { expected: 'true or false' };
    case 'int32':
      return isWhole(value, 2_147_483_647) ? { value } : { expected: 'a whole number (int32)' };
    case 'int64':
      return isWhole(value, Number.MAX_SAFE_INTEGER) ? { value } : { expected: 'a whole number' };
    case 'float':
      return typeof value === 'number' && Number.isFinite(value) ? { value } : { expected: 'a number' };
    case 'string':
      return typeof value === 'string' ? { value } : { expected: 'a string' };
    case 'ip':
      return typeof value === 'string' && (value === '' || isValidIp(value).length === 0) ? { value } : { expected: 'an IP address' };
    case 'duration': {
      const duration = typeof value === 'string' ? parseGoDuration(value) : undefined;
      return duration?.value === undefined ? { expected: 'a duration such as 10s or 1m30s' } : { value: formatGoDuration(duration.value) };
    }
    case 'strings':
      return isStrings(value) ? { value } : { expected: 'a list of strings' };
    case 'stringMap':
      return isMapOf(value, (item) => typeof item === 'string') ? { value } : { expected: 'a mapping of strings' };
    case 'boolMap':
      return isMapOf(value, (item) => typeof item === 'boolean') ? { value } : { expected: 'a mapping of names to true or false' };
    case 'listMap':
      return isMapOf(value, isStrings) ? { value } : { expected: 'a mapping of names to lists of strings' };
    case 'taints':
      return Array.isArray(value) && value.every(isTaint)
        ? { value }
        : { expected: `a list of taints, each with a key and one of the effects ${TAINT_EFFECTS.join(', ')}` };
    case 'certKeys':
      return { expected: 'nothing: this is set by a flag' };
  }
}

const isWhole = (value: unknown, limit: number): boolean =>
  typeof value === 'number' && Number.isSafeInteger(value) && value <= limit && value >= -limit - 1;
const isStrings = (value: unknown): boolean => Array.isArray(value) && value.every((item) => typeof item === 'string');
/** Whether a value is a mapping (not a list, not null). */
export const isMapping = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isTaint = (item: unknown): boolean =>
  isMapping(item) &&
  typeof item['key'] === 'string' &&
  item['key'] !== '' &&
  isTaintEffect(item['effect']) &&
  (item['value'] === undefined || typeof item['value'] === 'string') &&
  Object.keys(item).every((name) => ['key', 'value', 'effect', 'timeAdded'].includes(name));
const isMapOf = (value: unknown, check: (item: unknown) => boolean): boolean => isMapping(value) && Object.values(value).every(check);

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
    const value = 'group' in field ? assemble(field.group, valueOf, `${prefix}${name}.`) : valueOf(prefix + name);
    if (value !== undefined) made[name] = value;
  }
  return made;
}
