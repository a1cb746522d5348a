/** Values as the bytes of a reply. */
import type { ApiObject, Status } from '../../../apiserver/machinery/index.ts';
import type { Refusal } from '../../../apiserver/request/index.ts';
import type { WholeReply } from '../message.ts';
import type { Format } from '../request/accept.ts';
import { jsonText, plainJson } from './json.ts';
import { warningHeaders } from './warnings.ts';
import { toYaml } from './yaml.ts';

const NO_CACHE = { 'cache-control': 'no-cache, private' };
const TYPES = { json: 'application/json', yaml: 'application/yaml' } as const;

/** A value in the format asked for. */
export function reply(status: number, value: unknown, format: Format, warnings: readonly string[] = []): WholeReply {
  return { status, headers: headersOf(format, warnings), body: written(value, format) };
}

/** The headers of an answer in a format. */
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

/** A refusal in the format asked for; where that could not be found out, indented JSON. */
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

/** Go's encoder ends a line, its indentation does not. Models: apimachinery pkg/runtime/serializer/json json.go doEncode. */
export const lineEnd = (pretty: boolean): string => (pretty ? '' : '\n');

type EventType = 'ADDED' | 'MODIFIED' | 'DELETED';

/** The last lines written, by object: those of a change go to every watcher of it. */
const recent = new Map<object, Partial<Record<EventType, string>>>();
const RECENT = 16;

/** The line of an event about an object, which never changes; kept for a moment, so that all its watchers get the same text. */
export function eventLine(type: EventType, object: object): string {
  let lines = recent.get(object);
  if (lines === undefined) {
    if (recent.size >= RECENT)
      for (const oldest of recent.keys()) {
        recent.delete(oldest);
        break;
      }
    recent.set(object, (lines = {}));
  }
  return (lines[type] ??= `{"type":"${type}","object":${jsonText(kindFirst(object))}}\n`);
}

/** Objects begin with their kind, however they were sent. */
export function kindFirst<T extends object>(value: T): T {
  for (const first in value) {
    if (first === 'kind' || !('kind' in value)) return value;
    break;
  }
  const { kind, ...rest } = value as T & { readonly kind?: unknown };
  return { kind, ...rest } as T;
}

/** What a value is without kind and version, as items of a list are. */
export function withoutType({ apiVersion: _, kind: __, ...rest }: ApiObject): Omit<ApiObject, 'apiVersion' | 'kind'> {
  return rest;
}

export const isStatus = (value: ApiObject | Status): value is Status => value.kind === 'Status' && value.apiVersion === 'v1';
