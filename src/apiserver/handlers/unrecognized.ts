/**
 * Bodies without a recognisable kind. Models: apimachinery pkg/runtime/serializer/json meta.go, apiserver pkg/endpoints/handlers/create.go
 * transformDecodeError.
 */
import { badRequest, type Refusal } from '../request/index.ts';

const SHOWN = 30;

/** The struct into which Go decodes kind and version, as its errors print it. */
const TYPE_META = 'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

/** Returns the 400 refusal for a body that is not an object; its message ends with the beginning of the body. */
export const unrecognized = (kind: string, why: string, text: string | Uint8Array): Refusal =>
  badRequest(`the object provided is unrecognized (must be of type ${kind}): ${why} (${beginning(text)})`);

/** Returns the refusal for JSON that is malformed, or cannot contain kind and version. */
export const noKind = (kind: string, why: string, text: string): Refusal =>
  unrecognized(kind, `couldn't get version/kind; json parse error: ${why}`, text);

/** Returns the beginning of the body: an object as text, anything else in hexadecimal. */
function beginning(text: string | Uint8Array): string {
  if (text.length === 0) return '<empty>';
  if (typeof text === 'string' && /^[ \t\r\n]*\{/.test(text)) return text.length > SHOWN ? `${text.slice(0, SHOWN)} ...` : text;
  const bytes = Array.from(
    typeof text === 'string' ? new TextEncoder().encode(text.slice(0, SHOWN + 1)) : text.subarray(0, SHOWN + 1),
    (byte) => byte.toString(16).padStart(2, '0'),
  );
  return bytes.length > SHOWN ? `${bytes.slice(0, SHOWN).join('')} ...` : bytes.join('');
}

/** Returns why a JSON value cannot contain kind and version; undefined when it can. */
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

/** Returns Go's word for the type of a JSON value; numbers that keep their text are objects here. */
function wordFor(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'object' && value !== null)
    return 'text' in value && Object.getPrototypeOf(value) !== Object.prototype ? 'number' : 'object';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}
