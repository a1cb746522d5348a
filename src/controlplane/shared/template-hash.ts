/**
 * The name and label that are derived from a template. Upstream hashes a value in Go's format with all its types,
 * `(v1.PodTemplateSpec){ObjectMeta:(v1.ObjectMeta){Name:(string) …`; here it is written from the schema, whose fields are in Go's order.
 * Models: v1.24 pkg/controller/controller_utils.go ComputeHash; pkg/util/hash DeepHashObject (go-spew with `%#v`, sorted keys);
 * apimachinery pkg/util/rand SafeEncodeString.
 */
import { podTemplateSpec, type PodTemplateSpec } from '../../apiserver/machinery/index.ts';
import { goType, type Schema } from '../../schema/shape/index.ts';
import { compareText, parseQuantity } from '../../schema/values/index.ts';
import { perObject } from '../../engine/index.ts';

const OFFSET = 0x811c9dc5;
const PRIME = 0x01000193;
const encoder = new TextEncoder();

const added = (hash: number, bytes: Uint8Array): number => {
  let sum = hash;
  for (const byte of bytes) sum = Math.imul(sum ^ byte, PRIME);
  return sum;
};

const sumOf = perObject((template: PodTemplateSpec) => added(OFFSET, encoder.encode(spew(template, { ...podTemplateSpec, always: true }))));

/** The hash of a template, in letters that form no words; it changes with each collision. */
export function templateHash(template: PodTemplateSpec, collisions: number | undefined): string {
  let sum = sumOf(template);
  if (collisions !== undefined) {
    const bytes = new DataView(new ArrayBuffer(8));
    bytes.setUint32(0, collisions, true);
    sum = added(sum, new Uint8Array(bytes.buffer));
  }
  return safeLetters(String(sum >>> 0));
}

type Fields = Readonly<Record<string, Schema>>;

/** Abbreviations that Go writes in capitals, at the start of a name. */
const CAPITALS = /^(?:uid|api|dns|os|ip|tty|http|tcp|grpc|se|fs|gmsa|gce|aws|nfs|iscsi|rbd|fc|csi|iqn|ssl)(?=[A-Z]|$)/;
/** Go's field names that do not follow from the JSON name. */
const NAMES: Readonly<Record<string, string>> = {
  metadata: 'ObjectMeta',
  clusterName: 'ZZZ_DeprecatedClusterName',
  serviceAccount: 'DeprecatedServiceAccount',
  cephfs: 'CephFS',
  storageos: 'StorageOS',
  chapAuthDiscovery: 'DiscoveryCHAPAuth',
  chapAuthSession: 'SessionCHAPAuth',
  wwids: 'WWIDs',
  pdName: 'PDName',
  diskURI: 'DataDiskURI',
};
/** Field names that depend on the struct. */
const NAMES_IN: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  RBDVolumeSource: { monitors: 'CephMonitors', image: 'RBDImage', pool: 'RBDPool', user: 'RadosUser' },
  GlusterfsVolumeSource: { endpoints: 'EndpointsName' },
};
/** Structs with an embedded struct that has no name in JSON: its name, and the fields that are not part of it. */
const EMBEDDED: Readonly<Record<string, { readonly as: string; readonly but: readonly string[] }>> = {
  Volume: { as: 'VolumeSource', but: ['name'] },
  EphemeralContainer: { as: 'EphemeralContainerCommon', but: ['targetContainerName'] },
  Probe: {
    as: 'ProbeHandler',
    but: [
      'initialDelaySeconds',
      'timeoutSeconds',
      'periodSeconds',
      'successThreshold',
      'failureThreshold',
      'terminationGracePeriodSeconds',
    ],
  },
  ConfigMapKeySelector: { as: 'LocalObjectReference', but: ['key', 'optional'] },
  SecretKeySelector: { as: 'LocalObjectReference', but: ['key', 'optional'] },
  ConfigMapEnvSource: { as: 'LocalObjectReference', but: ['optional'] },
  SecretEnvSource: { as: 'LocalObjectReference', but: ['optional'] },
  ConfigMapProjection: { as: 'LocalObjectReference', but: ['items', 'optional'] },
  SecretProjection: { as: 'LocalObjectReference', but: ['items', 'optional'] },
  ConfigMapVolumeSource: { as: 'LocalObjectReference', but: ['items', 'defaultMode', 'optional'] },
};

/** A value of a schema with its type. */
function spew(value: unknown, schema: Schema): string {
  const pointer = isPointer(schema);
  const type = `(${pointer ? '*' : ''}${goType(schema)})`;
  return pointer && (value === undefined || value === null) ? `${type}<nil>` : `${type}${formatValue(value, schema)}`;
}

/** Structs that are always present are values; those that a default fills in are pointers, like every optional field. */
function isPointer(schema: Schema): boolean {
  if (schema.type === 'object') return schema.always !== true || schema.default !== undefined;
  if (schema.type === 'time' || schema.type === 'microTime') return schema.always !== true;
  return schema.pointer === true;
}

/** The same without a type, for elements of lists and maps, and after a type. */
function formatValue(value: unknown, schema: Schema): string {
  switch (schema.type) {
    case 'object':
      return struct((value ?? {}) as Readonly<Record<string, unknown>>, schema.go, schema.fields);
    case 'list': {
      const items = (value ?? []) as readonly unknown[];
      return items.length === 0 ? '<nil>' : `[${items.map((item) => formatValue(item, schema.items)).join(' ')}]`;
    }
    case 'map': {
      const entries = Object.entries((value ?? {}) as Readonly<Record<string, unknown>>).sort(([a], [b]) => compareText(a, b));
      return entries.length === 0
        ? '<nil>'
        : `map[${entries.map(([key, item]) => `${key}:${formatValue(item, schema.values)}`).join(' ')}]`;
    }
    case 'quantity':
      return quantity(typeof value === 'string' ? value : '');
    case 'intOrString':
      return typeof value === 'string'
        ? `{Type:(intstr.Type)1 IntVal:(int32)0 StrVal:(string)${value}}`
        : `{Type:(intstr.Type)0 IntVal:(int32)${String(value ?? 0)} StrVal:(string)}`;
    case 'time':
    case 'microTime':
      return `{Time:(time.Time){wall:(uint64)0 ext:(int64)${typeof value === 'string' ? value : 0} loc:(*time.Location)<nil>}}`;
    case 'boolean':
      return String(value ?? false);
    case 'int32':
    case 'int64':
    case 'float64':
      return String(value ?? 0);
    default:
      return typeof value === 'string' ? value : '';
  }
}

function capitalized(name: string): string {
  const text = name.replace(CAPITALS, (letters) => letters.toUpperCase());
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function struct(value: Readonly<Record<string, unknown>>, go: string, fields: Fields): string {
  const embedded = EMBEDDED[go];
  const inner: string[] = [];
  const parts: string[] = [];
  let place: number | undefined;
  for (const [name, schema] of Object.entries(fields)) {
    const text = `${NAMES_IN[go]?.[name] ?? NAMES[name] ?? capitalized(name)}:${spew(value[name], schema)}`;
    if (embedded === undefined || embedded.but.includes(name)) parts.push(text);
    else {
      place ??= parts.length;
      inner.push(text);
    }
  }
  if (embedded !== undefined && place !== undefined) parts.splice(place, 0, `${embedded.as}:(v1.${embedded.as}){${inner.join(' ')}}`);
  return `{${parts.join(' ')}}`;
}

/** Upstream's quantities: a small number, or a big decimal, and the original text. */
function quantity(text: string): string {
  const { value } = parseQuantity(text);
  const { amount = 0n, scale = 0, format = '' } = value ?? {};
  return `{i:(resource.int64Amount){value:(int64)${amount} scale:(resource.Scale)${scale}} d:(resource.infDecAmount){Dec:(*inf.Dec)<nil>} s:(string)${value?.text ?? ''} Format:(resource.Format)${format}}`;
}

/** Neither vowels nor digits that resemble them. */
const LETTERS = 'bcdfghjklmnpqrstvwxz2456789';
/** Replaces each character of a text by a safe letter. */
export const safeLetters = (text: string): string => [...text].map((char) => LETTERS[char.charCodeAt(0) % LETTERS.length]).join('');

/** A version 4 uuid of hexadecimal digits that are drawn. */
export const drawnUuid = (hex: (digits: number) => string): string =>
  `${hex(8)}-${hex(4)}-4${hex(3)}-${'89ab'.charAt(Number.parseInt(hex(1), 16) % 4)}${hex(3)}-${hex(12)}`;
