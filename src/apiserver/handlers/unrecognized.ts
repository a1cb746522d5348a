/**
 * Bodies in which no kind can be found. Models: apimachinery pkg/runtime/serializer/json meta.go, apiserver
 * pkg/endpoints/handlers/create.go transformDecodeError.
 */
import { badRequest, type Refusal } from '../request/index.ts';

const SHOWN = 30;

/** The struct Go reads kind and version into, as its errors print it. */
const TYPE_META = 'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

/** The 400 for a body that is no object of any kind; it ends with the beginning of the body as it was sent. */
export const unrecognized = (kind: string, why: string, text: string | Uint8Array): Refusal =>
  badRequest(`the object provided is unrecognized (must be of type ${kind}): ${why} (${beginning(text)})`);

/** JSON that cannot be parsed, or has no place for kind and version. */
export const noKind = (kind: string, why: string, text: string): Refusal =>
  unrecognized(kind, `couldn't get version/kind; json parse error: ${why}`, text);

/** Objects are shown as they are, anything else in hexadecimal. */
function beginning(text: string | Uint8Array): string {
  if (text.length === 0) return '<empty>';
  if (typeof text === 'string' && /^[ \t\r\n]*\{/.test(text)) return text.length > SHOWN ? `${text.slice(0, SHOWN)} ...` : text;
  const bytes = Array.from(
    typeof text === 'string' ? new TextEncoder().encode(text.slice(0, SHOWN + 1)) : text.subarray(0, SHOWN + 1),
    (byte) => byte.toString(16).padStart(2, '0'),
  );
  return bytes.length > SHOWN ? `${bytes.slice(0, SHOWN).join('')} ...` : bytes.join('');
}

/** Why a JSON value cannot carry kind and version; undefined when it can. */
export function metaProblem(body: unknown): string | undefined {
  if (body === undefined) return 'unexpected end of JSON input';
  if (body === null) return undefined;
  const word = wordFor(body);
  if (word !== 'object') return `json: cannot unmarshal ${word} into Go value of type ${TYPE_META}`;
  const { apiVersion, kind } = body as Readonly<Record<string, unknown>>;
  return memberProblem('apiVersion', apiVersion) ?? memberProblem('kind', kind);
}

const memberProblem = (member: string, value: unknown): string | undefined =>
  value === undefined || value === null || typeof value === 'string'
    ? undefined
    : `json: cannot unmarshal ${wordFor(value)} into Go struct field .${member} of type string`;

/** What Go calls a JSON value; numbers kept as text are objects here. */
function wordFor(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'object' && value !== null)
    return 'text' in value && Object.getPrototypeOf(value) !== Object.prototype ? 'number' : 'object';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}
