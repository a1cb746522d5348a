/**
 * Values as Go prints their internal types with `%#v`, for errors that print one whole. Types follow from the schemas of the published form;
 * what differs in the internal one is listed here. Models: Go 1.18 fmt, v1.24 pkg/apis, apimachinery pkg/api/resource Quantity.
 */
import { asGiven, type ObjectShape, type Schema } from '../../schema/shape/index.ts';
import { compareText, goScalar, GoText, isJsonMapping, parseQuantity, parseTime, quote, scaledValue } from '../../schema/values/index.ts';
import type { Quantity } from '../../schema/values/index.ts';

/** Go's names of fields that are not those of JSON with a capital. */
const NAMES: Readonly<Record<string, string>> = {
  apiGroup: 'APIGroup',
  apiVersion: 'APIVersion',
  awsElasticBlockStore: 'AWSElasticBlockStore',
  cephfs: 'CephFS',
  clusterName: 'ZZZ_DeprecatedClusterName',
  dnsConfig: 'DNSConfig',
  dnsPolicy: 'DNSPolicy',
  gcePersistentDisk: 'GCEPersistentDisk',
  httpGet: 'HTTPGet',
  metadata: 'ObjectMeta',
  seLinuxOptions: 'SELinuxOptions',
  storageos: 'StorageOS',
  tcpSocket: 'TCPSocket',
};
const ACRONYMS: ReadonlySet<string> = new Set(['csi', 'fc', 'grpc', 'ip', 'iscsi', 'nfs', 'os', 'rbd', 'tty', 'uid']);

/** Go's name of a field. */
const goName = (name: string): string =>
  ACRONYMS.has(name) ? name.toUpperCase() : (NAMES[name] ?? `${name.charAt(0).toUpperCase()}${name.slice(1)}`);

/** Packages of types that the packages of several groups use. */
const PACKAGES: Readonly<Record<string, string>> = {
  LabelSelector: 'v1',
  LabelSelectorRequirement: 'v1',
  ManagedFieldsEntry: 'v1',
  ObjectMeta: 'v1',
  OwnerReference: 'v1',
  PersistentVolumeSpec: 'core',
};
/** Structs that are embedded in others, which have their fields by the number of the message. */
const EMBEDDED: Readonly<Record<string, string>> = {
  EphemeralContainer: 'EphemeralContainerCommon',
  Probe: 'ProbeHandler',
  Volume: 'VolumeSource',
};
/** Fields that the internal struct has elsewhere. */
const ABSENT: ReadonlySet<string> = new Set(['serviceAccount', 'hostNetwork', 'hostPID', 'hostIPC', 'shareProcessNamespace']);
/** Fields that stand behind another one there. */
const BEHIND: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  PodSpec: { subdomain: 'setHostnameAsFQDN', priority: 'preemptionPolicy', overhead: 'enableServiceLinks' },
  Volume: { rbd: 'quobyte' },
};
/** A field that is a pointer only in the published form. */
const VALUES: ReadonlySet<string> = new Set(['partition']);

const BASIC: Readonly<Record<string, string>> = {
  boolean: 'bool',
  int32: 'int32',
  int64: 'int64',
  quantity: 'resource.Quantity',
  intOrString: 'intstr.IntOrString',
  time: 'v1.Time',
};

/** The name of a type in a package, such as `core`, as `%T` prints it. */
function nameOf(schema: Schema, group: string): string {
  if (schema.type === 'list') return `[]${nameOf(schema.items, group)}`;
  if (schema.type === 'object') return `${PACKAGES[schema.go] ?? group}.${schema.go}`;
  if ('go' in schema && schema.go !== undefined) return schema.go.includes('.') ? schema.go : `${group}.${schema.go}`;
  return schema.type === 'map' ? `map[string]${nameOf(schema.values, group)}` : (BASIC[schema.type] ?? 'string');
}

type Members = Readonly<Record<string, unknown>>;

/** A value as `%#v` prints it. */
function syntaxOf(value: unknown, schema: Schema, group: string): string {
  switch (schema.type) {
    case 'boolean':
      return goScalar(value ?? false);
    case 'int32':
    case 'int64':
      return goScalar(value ?? 0);
    case 'quantity':
      return quantityStruct(typeof value === 'string' ? (parseQuantity(value).value ?? UNSET) : UNSET);
    case 'intOrString':
      return `intstr.IntOrString{Type:${typeof value === 'string' ? 1 : 0}, IntVal:${typeof value === 'number' ? value : 0}, StrVal:${quoted(value)}}`;
    case 'time':
      return typeof value === 'string' ? date(parseTime(value)) : ZERO_TIME;
    case 'list':
      return Array.isArray(value)
        ? `${nameOf(schema, group)}{${value.map((item) => syntaxOf(item, schema.items, group)).join(', ')}}`
        : `${nameOf(schema, group)}(nil)`;
    case 'map':
      return isJsonMapping(value)
        ? `${nameOf(schema, group)}{${entriesOf(value, schema.values, group).join(', ')}}`
        : `${nameOf(schema, group)}(nil)`;
    case 'object':
      return `${nameOf(schema, group)}{${fieldsOf(isJsonMapping(value) ? value : {}, schema, group).join(', ')}}`;
    default:
      return quoted(value);
  }
}

const quoted = (value: unknown): string => quote(typeof value === 'string' ? value : '');

const entriesOf = (map: Members, values: Schema, group: string): readonly string[] =>
  Object.keys(map)
    .toSorted(compareText)
    .map((key) => `${quote(key)}:${syntaxOf(map[key], values, group)}`);

function fieldsOf(struct: Members, shape: ObjectShape, group: string): readonly string[] {
  // Upstream's errors print these as if they were empty.
  if (shape.go === 'ManagedFieldsEntry') return [];
  const behind = BEHIND[shape.go] ?? {};
  const moved = new Set(Object.values(behind));
  const names = Object.keys(shape.fields).flatMap((name) =>
    moved.has(name) ? [] : behind[name] === undefined ? [name] : [name, behind[name]],
  );
  const inner = EMBEDDED[shape.go];
  const made: string[] = [];
  const embedded: string[] = [];
  let place = 0;
  for (const name of names) {
    const schema = shape.fields[name];
    if (schema === undefined || ABSENT.has(name)) continue;
    const isEmbedded = inner !== undefined && typeof schema.wire === 'object';
    if (isEmbedded && embedded.length === 0) place = made.length;
    (isEmbedded ? embedded : made).push(`${goName(name)}:${memberOf(struct[name], name, schema, group)}`);
  }
  return embedded.length === 0 ? made : made.toSpliced(place, 0, `${inner}:${group}.${inner}{${embedded.join(', ')}}`);
}

/**
 * A struct inside another one may be a pointer, of which only the type is printed: the real addresses cannot be known. An instant prints in
 * full, because its type has a `GoString` method.
 */
function memberOf(value: unknown, name: string, schema: Schema, group: string): string {
  const isNullable = schema.type === 'object' || schema.type === 'time';
  const isPointer = schema.pointer === true || (isNullable && (schema.always !== true || schema.default !== undefined));
  if (!isPointer || VALUES.has(name)) return syntaxOf(value, schema, group);
  const absent = value === undefined || value === null;
  if (schema.type === 'time') return absent ? '<nil>' : syntaxOf(value, schema, group);
  return `(*${nameOf(schema, group)})(${absent ? 'nil' : '0xc000000000'})`;
}

const UNSET = { amount: 0n, scale: 0, format: '', big: false, text: '' } as const;

const quantityStruct = ({ amount, scale, format, big, text = '' }: Quantity | typeof UNSET): string =>
  `resource.Quantity{i:resource.int64Amount{value:${big ? 0n : amount}, scale:${big ? 0 : scale}}, d:resource.infDecAmount{Dec:(*inf.Dec)(${big ? '0xc000000000' : 'nil'})}, s:${quote(text)}, Format:${quote(format)}}`;

const ZERO_TIME = 'time.Date(1, time.January, 1, 0, 0, 0, 0, time.UTC)';
const MONTHS = 'January February March April May June July August September October November December'.split(' ');

function date(ms: number): string {
  const at = new Date(ms);
  const time = [at.getUTCDate(), at.getUTCHours(), at.getUTCMinutes(), at.getUTCSeconds()].join(', ');
  return `time.Date(${at.getUTCFullYear()}, time.${MONTHS[at.getUTCMonth()] ?? ''}, ${time}, 0, time.Local)`;
}

/** Prints a value of a schema as Go does. `group`: the package of its types. */
export const shown = (value: unknown, schema: Schema, group = 'core'): GoText => new GoText(syntaxOf(asGiven(value), schema, group));
/** Prints a field of an object, which may have been given empty. */
export const shownField = (object: object, name: string, schema: Schema, group = 'core'): GoText =>
  new GoText(syntaxOf((asGiven(object) as Members)[name], schema, group));

/** Prints an instant as Go does; an absent one as it is. */
export const shownInstant = (at: unknown): unknown =>
  typeof at === 'string' ? new GoText(at.replace('T', ' ').replace(/(?:\.\d+)?Z$/, ' +0000 UTC')) : at;

const MILLI = -3;

/**
 * Prints the struct that a text is decoded into: rounded up to thousandths, as defaulting rounds amounts, and with the text where upstream
 * keeps it.
 */
function quantityOf(written: string): string {
  const { value } = parseQuantity(written);
  if (value === undefined) return '';
  const rounded = value.scale < MILLI ? { amount: scaledValue(value, MILLI), scale: MILLI, text: '' } : {};
  return quantityStruct({ ...value, ...rounded, big: false });
}

/** Prints an amount by the text as written. */
export const shownQuantity = (written: string): GoText => new GoText(quantityOf(written));

/** Prints a list of amounts as Go does. */
export function shownAmounts(amounts: Readonly<Record<string, string>> | undefined): GoText {
  if (amounts === undefined) return new GoText('core.ResourceList(nil)');
  const shownEach = Object.entries(amounts).map(([name, amount]) => `${quote(name)}:${quantityOf(amount)}`);
  return new GoText(`core.ResourceList{${shownEach.join(', ')}}`);
}
