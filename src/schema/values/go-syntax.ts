/**
 * Lists, maps and structs as `%#v` prints them, because validation shows some values in this form. The value is JSON and its Go type is
 * data. Models: Go 1.18 fmt, v1.24 resource.Quantity, intstr.IntOrString.
 */
import { compareText } from './texts.ts';
import { civilFromDays, parseTime } from './time.ts';
import { goScalar, isJsonMapping, quote } from './go-scalars.ts';
import { parseQuantity, type Quantity } from './quantity.ts';

/** The Go type of a value to be printed with `%#v`. Field names and their order are Go's. */
export type GoType =
  | { readonly type: 'string' | 'int' | 'uint' | 'float' | 'bool'; readonly name?: string }
  | { readonly type: 'pointer'; readonly to: GoType }
  | { readonly type: 'list'; readonly of: GoType; readonly name?: string }
  | { readonly type: 'map'; readonly of: GoType; readonly name?: string }
  | { readonly type: 'quantity' | 'intOrString' | 'time' }
  | { readonly type: 'struct'; readonly name: string; readonly fields: readonly GoField[] };

export interface GoField {
  /** The Go name of the field: `NodeID`. */
  readonly go: string;
  /** The JSON name of the field: `nodeID`; '' for an embedded struct, whose members are among those of the outer one. */
  readonly json: string;
  readonly is: GoType;
}

const BASIC: Readonly<Record<string, string>> = {
  string: 'string',
  int: 'int32',
  uint: 'uint64',
  float: 'float64',
  bool: 'bool',
  quantity: 'resource.Quantity',
  intOrString: 'intstr.IntOrString',
  time: 'v1.Time',
};

/** The name of a type as `%T` prints it. */
function goTypeName(type: GoType): string {
  switch (type.type) {
    case 'pointer':
      return `*${goTypeName(type.to)}`;
    case 'list':
      return type.name ?? `[]${goTypeName(type.of)}`;
    case 'map':
      return type.name ?? `map[string]${goTypeName(type.of)}`;
    case 'struct':
      return type.name;
    case 'quantity':
    case 'intOrString':
    case 'time':
      return BASIC[type.type] ?? '';
    default:
      return type.name ?? BASIC[type.type] ?? 'string';
  }
}

/** A value of a given Go type as `%#v` prints it. Pointer addresses are invented, since the real ones cannot be known. */
export function goSyntax(value: unknown, type: GoType): string {
  const name = goTypeName(type);
  switch (type.type) {
    case 'string':
      return quote(typeof value === 'string' ? value : '');
    case 'uint':
      return `0x${BigInt(Number(value ?? 0)).toString(16)}`;
    case 'pointer':
      return pointer(value, type.to, name);
    case 'quantity':
      return quantityStruct(typeof value === 'string' ? (parseQuantity(value).value ?? UNSET) : UNSET);
    case 'intOrString':
      return `${name}{Type:${typeof value === 'string' ? 1 : 0}, IntVal:${typeof value === 'number' ? value : 0}, StrVal:${quote(typeof value === 'string' ? value : '')}}`;
    case 'time':
      return typeof value === 'string' ? date(parseTime(value)) : ZERO_TIME;
    case 'list':
      return Array.isArray(value) ? `${name}{${value.map((item) => goSyntax(item, type.of)).join(', ')}}` : `${name}(nil)`;
    case 'map':
      return isJsonMapping(value) ? `${name}{${entriesOf(value, type.of)}}` : `${name}(nil)`;
    case 'struct':
      return `${name}{${fieldsOf(isJsonMapping(value) ? value : {}, type.fields)}}`;
    default:
      return goScalar(value ?? (type.type === 'bool' ? false : 0));
  }
}

/** A missing instant prints as `<nil>` and a present one in full, because its type has a `GoString` method. */
function pointer(value: unknown, to: GoType, name: string): string {
  const absent = value === undefined || value === null;
  if (to.type === 'time') return absent ? '<nil>' : goSyntax(value, to);
  return absent ? `(${name})(nil)` : `(${name})(0xc000000000)`;
}

const UNSET = { amount: 0n, scale: 0, format: '', big: false, text: '' } as const;

const quantityStruct = ({ amount, scale, format, big, text = '' }: Quantity | typeof UNSET): string =>
  `resource.Quantity{i:resource.int64Amount{value:${big ? 0n : amount}, scale:${big ? 0 : scale}}, d:resource.infDecAmount{Dec:(*inf.Dec)(${big ? '0xc000000000' : 'nil'})}, s:${quote(text)}, Format:${quote(format)}}`;

const ZERO_TIME = 'time.Date(1, time.January, 1, 0, 0, 0, 0, time.UTC)';
const MONTHS: readonly string[] = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

function date(ms: number): string {
  const days = Math.floor(ms / 86_400_000);
  const { year, month, day } = civilFromDays(days);
  const second = Math.floor((ms - days * 86_400_000) / 1000);
  return `time.Date(${year}, time.${MONTHS[month - 1] ?? ''}, ${day}, ${Math.floor(second / 3600)}, ${Math.floor(second / 60) % 60}, ${second % 60}, 0, time.Local)`;
}

const entriesOf = (map: Members, of: GoType): string =>
  Object.keys(map)
    .toSorted(compareText)
    .map((key) => `${quote(key)}:${goSyntax(map[key], of)}`)
    .join(', ');
const fieldsOf = (struct: Members, fields: readonly GoField[]): string =>
  fields.map((field) => `${field.go}:${goSyntax(field.json === '' ? struct : struct[field.json], field.is)}`).join(', ');

type Members = Readonly<Record<string, unknown>>;
