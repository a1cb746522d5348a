/**
 * Values as Go prints their internal types with `%#v`, for errors that print one whole. Types follow from the schemas of the published form;
 * what differs in the internal one is listed here. Models: v1.24 pkg/apis, apimachinery pkg/api/resource Quantity.
 */
import { memo } from '../../engine/index.ts';
import { asGiven, type ObjectShape, type Schema } from '../../schema/shape/index.ts';
import { goSyntax, GoText, parseQuantity, quote, scaledValue, type GoField, type GoType } from '../../schema/values/index.ts';

/** Go's names of fields that are not those of JSON with a capital. */
const NAMES: Readonly<Record<string, string>> = {
  apiGroup: 'APIGroup',
  apiVersion: 'APIVersion',
  awsElasticBlockStore: 'AWSElasticBlockStore',
  cephfs: 'CephFS',
  clusterName: 'ZZZ_DeprecatedClusterName',
  csi: 'CSI',
  dnsConfig: 'DNSConfig',
  dnsPolicy: 'DNSPolicy',
  fc: 'FC',
  gcePersistentDisk: 'GCEPersistentDisk',
  grpc: 'GRPC',
  httpGet: 'HTTPGet',
  ip: 'IP',
  iscsi: 'ISCSI',
  metadata: 'ObjectMeta',
  nfs: 'NFS',
  os: 'OS',
  rbd: 'RBD',
  seLinuxOptions: 'SELinuxOptions',
  storageos: 'StorageOS',
  tcpSocket: 'TCPSocket',
  tty: 'TTY',
  uid: 'UID',
};
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

/** The type of a value in a package, such as `core`; a struct inside another one may be a pointer. */
function typeOf(schema: Schema, group: string): GoType {
  switch (schema.type) {
    case 'boolean':
      return { type: 'bool' };
    case 'int32':
      return { type: 'int' };
    case 'int64':
      return { type: 'int', name: 'int64' };
    case 'quantity':
    case 'intOrString':
    case 'time':
      return { type: schema.type };
    case 'list':
      return { type: 'list', of: typeOf(schema.items, group) };
    case 'map':
      return { type: 'map', of: typeOf(schema.values, group), ...(schema.go === undefined ? {} : { name: `${group}.${schema.go}` }) };
    case 'object':
      return structOf(schema, group);
    default:
      return {
        type: 'string',
        ...('go' in schema && schema.go !== undefined ? { name: schema.go.includes('.') ? schema.go : `${group}.${schema.go}` } : {}),
      };
  }
}

const structs = memo(new Map<string, WeakMap<ObjectShape, GoType>>());

function structOf(shape: ObjectShape, group: string): GoType {
  let known = structs.get(group);
  if (known === undefined) structs.set(group, (known = memo(new WeakMap())));
  let made = known.get(shape);
  if (made === undefined)
    known.set(shape, (made = { type: 'struct', name: `${PACKAGES[shape.go] ?? group}.${shape.go}`, fields: fieldsOf(shape, group) }));
  return made;
}

function fieldsOf(shape: ObjectShape, group: string): readonly GoField[] {
  // Upstream's errors print these as if they were empty.
  if (shape.go === 'ManagedFieldsEntry') return [];
  const behind = BEHIND[shape.go] ?? {};
  const moved = new Set(Object.values(behind));
  const names = Object.keys(shape.fields).flatMap((name) =>
    moved.has(name) ? [] : behind[name] === undefined ? [name] : [name, behind[name]],
  );
  const inner = EMBEDDED[shape.go];
  const made: GoField[] = [];
  const embedded: GoField[] = [];
  for (const name of names) {
    const schema = shape.fields[name];
    if (schema === undefined || ABSENT.has(name)) continue;
    const go = NAMES[name] ?? `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    const isEmbedded = inner !== undefined && typeof schema.wire === 'object';
    if (isEmbedded && embedded.length === 0)
      made.push({ go: inner, json: '', is: { type: 'struct', name: `${group}.${inner}`, fields: embedded } });
    (isEmbedded ? embedded : made).push({ go, json: name, is: memberType(name, schema, group) });
  }
  return made;
}

function memberType(name: string, schema: Schema, group: string): GoType {
  const isNullable = schema.type === 'object' || schema.type === 'time';
  const isPointer = schema.pointer === true || (isNullable && (schema.always !== true || schema.default !== undefined));
  if (!isPointer || VALUES.has(name)) return typeOf(schema, group);
  // A pointer prints only the name of its type.
  const to: GoType =
    schema.type === 'object' ? { type: 'struct', name: `${PACKAGES[schema.go] ?? group}.${schema.go}`, fields: [] } : typeOf(schema, group);
  return { type: 'pointer', to };
}

/** Prints a value of a schema as Go does. `group`: the package of its types. */
export const shown = (value: unknown, schema: Schema, group = 'core'): GoText =>
  new GoText(goSyntax(asGiven(value), typeOf(schema, group)));
/** Prints a field of an object, which may have been given empty. */
export const shownField = (object: object, name: string, schema: Schema, group = 'core'): GoText =>
  new GoText(goSyntax((asGiven(object) as Readonly<Record<string, unknown>>)[name], typeOf(schema, group)));

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
  const rounded = value.scale < MILLI ? { amount: scaledValue(value, MILLI), scale: MILLI, text: '' } : value;
  return `resource.Quantity{i:resource.int64Amount{value:${rounded.amount}, scale:${rounded.scale}}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:${quote(rounded.text ?? '')}, Format:${quote(value.format)}}`;
}

/** Prints an amount by the text as written. */
export const shownQuantity = (written: string): GoText => new GoText(quantityOf(written));

/** Prints a list of amounts as Go does. */
export function shownAmounts(amounts: Readonly<Record<string, string>> | undefined): GoText {
  if (amounts === undefined) return new GoText('core.ResourceList(nil)');
  const shownEach = Object.entries(amounts).map(([name, amount]) => `${quote(name)}:${quantityOf(amount)}`);
  return new GoText(`core.ResourceList{${shownEach.join(', ')}}`);
}
