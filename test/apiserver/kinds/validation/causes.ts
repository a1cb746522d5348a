/** Returns the errors of the server for an object, one line each. */
import { type ApiRequest, envelopeOf } from '../../../../src/apiserver/request/index.ts';
import { kindsFor } from '../../../../src/apiserver/kinds/index.ts';
import { type ApiObject, type FieldError, namesFor, type ObjectInput } from '../../../../src/apiserver/machinery/index.ts';
import { expect, it } from 'vitest';
import { setup, type Setup } from '../../handlers/setup.ts';

export type Manifest = ObjectInput & { readonly kind: string };

/** `more`: what else the request says, such as the version of the client. */
export function causesOf(
  object: object,
  { server }: Setup = setup(),
  more: Pick<ApiRequest, 'version' | 'namespace'> = {},
): readonly string[] {
  const body = object as Manifest;
  const at = { kind: body.kind, ...namespaceOf(body), ...more };
  const response = server.handle(envelopeOf('client', { verb: 'create', ...at, body, dryRun: ['All'] }));
  if (response.ok) return [];
  const causes = response.status.details?.causes ?? [];
  return causes.length === 0 ? [response.status.message ?? ''] : causes.map(({ field = '', message }) => `${field}: ${message ?? ''}`);
}

const REGISTRY = kindsFor(namesFor('k8s.io'));
export const namespaceOf = ({ kind }: { readonly kind: string }): { readonly namespace?: string } =>
  REGISTRY.byKind(kind)?.namespaced === false ? {} : { namespace: 'default' };

export type Case = readonly [what: string, object: object, causes: readonly string[]];

/** Checks that the server answers each object with exactly these errors, in this order. */
export function check(cases: readonly Case[], world: Setup = setup()): void {
  it.each(cases)('%s', (_, object, causes) => {
    expect(causesOf(object, world)).toEqual(causes);
  });
}

const CONTAINERS = [{ name: 'c', image: 'i' }];
export const podOf = (spec: object, metadata: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', ...metadata },
  spec: { containers: CONTAINERS, ...spec },
});
/** A pod of one container with these members. */
export const containerOf = (members: object): object => podOf({ containers: [{ ...CONTAINERS[0], ...members }] });
/** A pod of volumes with these sources, named v0, v1 and so on. */
export const volumesOf = (...sources: readonly object[]): object =>
  podOf({ volumes: sources.map((source, at) => ({ name: `v${at}`, ...source })) });

/** Upstream's words for what is not a name. */
export const SUBDOMAIN =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
export const LABEL =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
export const NAME_PART =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

/** Returns the errors of an update of a new object by this function. */
export function causesOfUpdate(
  object: object,
  alter: (made: ApiObject) => object,
  world: Setup = setup(),
  more: Pick<ApiRequest, 'version' | 'namespace'> = {},
): readonly string[] {
  const body = object as Manifest;
  const at = { kind: body.kind, ...namespaceOf(body) };
  const made = world.ok({ verb: 'create', ...at, body });
  const name = made.metadata.name;
  const response = world.server.handle(envelopeOf('client', { verb: 'update', ...at, ...more, name, body: alter(made) as ObjectInput }));
  return response.ok ? [] : (response.status.details?.causes ?? []).map(({ field, message }) => `${field}: ${message}`);
}

/** Returns the warnings about a new object. */
export function warningsOf(object: object, { server }: Setup = setup()): readonly string[] {
  const body = object as Manifest;
  return (
    server.handle(envelopeOf('client', { verb: 'create', kind: body.kind, ...namespaceOf(body), body, dryRun: ['All'] })).warnings ?? []
  );
}

/** An error of a field in a line: where it is, its type, the value, the words. */
export const line = ({ type, field, value, detail }: FieldError): string =>
  `${field} ${type} ${value === undefined ? '-' : JSON.stringify(value)} ${detail}`;
export const lines = (errors: readonly FieldError[]): readonly string[] => errors.map(line);
