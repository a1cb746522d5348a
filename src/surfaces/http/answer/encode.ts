/** Encodes values as the bytes of a reply. */
import { lastOf } from '../../../engine/memo.ts';
import type { ApiObject, Status } from '../../../apiserver/machinery/index.ts';
import type { Refusal } from '../../../apiserver/request/index.ts';
import type { WholeReply } from '../message.ts';
import type { Format } from '../request/accept.ts';
import { jsonText, plainJson } from './json.ts';
import { toYaml } from './yaml.ts';

/** Characters of all warnings of an answer; beyond that each is cut to the second number. */
const MOST = 4096;
const MOST_EACH = 256;

const UNFIT = /\p{Cc}/u;

const header = (characters: readonly string[]): string => `299 - "${characters.join('').replace(/["\\]/g, '\\$&')}"`;

/** `299 - "text"` for each warning, quoted as a header needs it; repeated warnings once. */
function warningHeaders(warnings: readonly string[]): readonly string[] {
  const texts = [...new Set(warnings)].filter((text) => text !== '' && !UNFIT.test(text)).map((text) => [...text]);
  if (texts.reduce((sum, { length }) => sum + length, 0) <= MOST) return texts.map(header);
  const headers: string[] = [];
  let written = 0;
  for (const text of texts) {
    if (written >= MOST) break;
    const cut = text.slice(0, MOST_EACH);
    written += cut.length;
    headers.push(header(cut));
  }
  return headers;
}

const NO_CACHE = { 'cache-control': 'no-cache, private' };
const TYPES = { json: 'application/json', yaml: 'application/yaml' } as const;

export const reply = (status: number, value: unknown, format: Format, warnings: readonly string[] = []): WholeReply => ({
  status,
  headers: headersOf(format, warnings),
  body: written(value, format),
});

export const headersOf = (format: Format, warnings: readonly string[]): WholeReply['headers'] => ({
  ...NO_CACHE,
  'content-type': TYPES[format.media],
  ...withWarnings(warningHeaders(warnings)),
});

const withWarnings = (warning: readonly string[]): WholeReply['headers'] => (warning.length === 0 ? {} : { warning });

/** Documents that are not negotiated: indented JSON, whatever is asked for. */
export const rawReply = (value: unknown, status = 200): WholeReply => ({
  status,
  headers: { ...NO_CACHE, 'content-type': TYPES.json },
  body: jsonText(value, true),
});

/** Returns a refusal in the negotiated format; if there is none, as indented JSON. */
export function refusalReply({ status, warnings }: Refusal, format: Format | undefined): WholeReply {
  const code = status.code ?? 500;
  const retry = status.details?.retryAfterSeconds;
  const made = format === undefined ? rawReply(status, code) : reply(code, status, format, warnings);
  return retry === undefined ? made : { ...made, headers: { ...made.headers, 'retry-after': String(retry) } };
}

function written(value: unknown, { media, pretty }: Format): string {
  if (media === 'yaml') return toYaml(plainJson(value));
  return `${jsonText(value, pretty)}${lineEnd(pretty)}`;
}

/** Go's encoder ends with a newline, its indentation does not. Models: apimachinery pkg/runtime/serializer/json json.go doEncode. */
export const lineEnd = (pretty: boolean): string => (pretty ? '' : '\n');

type EventType = 'ADDED' | 'MODIFIED' | 'DELETED';

const linesOf = lastOf((_: object): Partial<Record<EventType, string>> => ({}));

/** Returns the line of an event about an immutable object. A change goes to all its watchers in a row, which get the same text. */
export const eventLine = (type: EventType, object: object): string =>
  (linesOf(object)[type] ??= `{"type":"${type}","object":${jsonText(kindFirst(object))}}\n`);

/** Returns an object with `kind` and `apiVersion` first, in whatever order a client sent them. */
export function kindFirst<T extends object>(value: T): T {
  for (const first in value) {
    if (first === 'kind' || !('kind' in value)) return value;
    break;
  }
  const { kind, ...rest } = value as T & { readonly kind?: unknown };
  return { kind, ...rest } as T;
}

/** What a value is without kind and version, as items of a list are. */
export const withoutType = ({ apiVersion: _, kind: __, ...rest }: ApiObject): Omit<ApiObject, 'apiVersion' | 'kind'> => rest;

export const isStatus = (value: ApiObject | Status): value is Status => value.kind === 'Status' && value.apiVersion === 'v1';
