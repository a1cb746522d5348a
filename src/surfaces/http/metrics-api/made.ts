/** Replies that are computed on request, and never stored: of the metrics APIs, component statuses, stub resources. */
import { checkTerms } from '../../../apiserver/handlers/index.ts';
import type { ApiObject, Kind } from '../../../apiserver/machinery/index.ts';
import {
  formatQuantity,
  formatTime,
  makeQuantity,
  matchesFields,
  parseFieldSelector,
  parseLabelSelector,
} from '../../../schema/values/index.ts';
import { reply } from '../answer/encode.ts';
import { listReply } from '../answer/long-list.ts';
import { objectAs, type Transform, transformFor } from '../answer/transform.ts';
import type { Call } from '../call.ts';
import type { HttpReply } from '../message.ts';
import { badRequest, methodNotAllowed } from '../refusals.ts';
import { checkAcceptable } from '../request/accept.ts';
import { flagOf, firstOf } from '../request/query.ts';

/** A kind without stored objects. */
export type MadeKind = Pick<Kind, 'kind' | 'groupPrefix' | 'columns'>;

/** Returns thousandths as a quantity in its shortest form. */
export const milliQuantity = (thousandths: number): string =>
  formatQuantity(makeQuantity(BigInt(Math.trunc(thousandths)), -3, 'DecimalSI', false));

/** Returns thousandths of bytes as a quantity of bytes. */
export const bytesQuantity = (thousandths: number): string =>
  formatQuantity(makeQuantity(BigInt(Math.trunc(thousandths / 1000)), 0, 'BinarySI', false));

export const timestampOf = ({ backend }: Call): string => formatTime(backend.now());

/** Refuses writes, watches, and unacceptable formats. */
export function checkRead({ http, query }: Call): void {
  if (http.method !== 'GET' || flagOf(query, 'watch') === true) throw methodNotAllowed();
  checkAcceptable(http.headers['accept']);
}

export function labelsIn({ query }: Call, parameter: string): (labels: Readonly<Record<string, string>> | undefined) => boolean {
  const parsed = parseLabelSelector(firstOf(query, parameter) ?? '');
  if (parsed.value === undefined) throw badRequest(`unable to parse requirement: ${parsed.error}`);
  const { value } = parsed;
  checkTerms(value);
  return (labels) => value.matches(labels);
}

/** Returns a matcher for the field selector of the query: names and namespaces. */
export function namesIn({ query }: Call): (metadata: { readonly name: string; readonly namespace?: string }) => boolean {
  const parsed = parseFieldSelector(firstOf(query, 'fieldSelector') ?? '');
  if (parsed.value === undefined) throw badRequest(`invalid field selector: ${parsed.error}`);
  const terms = parsed.value;
  checkTerms(terms);
  return ({ name, namespace = '' }) =>
    matchesFields(terms, (field) => (field === 'metadata.name' ? name : field === 'metadata.namespace' ? namespace : ''));
}

const transformOf = ({ backend, query, format }: Call, kind: MadeKind): Transform => transformFor(backend, query, format(), kind);

// A computed object has no uid and no version, and no code here reads them.
export function one(call: Call, kind: MadeKind, made: object): HttpReply {
  const transform = transformOf(call, kind);
  return reply(200, objectAs(made as ApiObject, transform), transform.format);
}

export function many(call: Call, kind: MadeKind, apiVersion: string, made: readonly object[], metadata: object = {}): HttpReply {
  const items = made as readonly ApiObject[];
  return listReply(200, { apiVersion, kind: `${kind.kind}List`, metadata, items }, transformOf(call, kind));
}
