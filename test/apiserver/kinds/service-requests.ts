/** Requests about Services, and what their answers say. */
import type { ApiObject } from '../../../src/apiserver/machinery/index.ts';
import type { Service, ServiceSpec } from '../../../src/apiserver/kinds/index.ts';
import type { Setup } from '../handlers/setup.ts';

export const body = (name: string, spec: object, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name, ...metadata },
  spec,
});
export const create = (name: string, spec: object, metadata: object = {}) =>
  ({ verb: 'create', kind: 'Service', namespace: 'default', body: body(name, spec, metadata) }) as const;
export const replace = (object: ApiObject, spec: object) =>
  ({ verb: 'update', kind: 'Service', namespace: 'default', name: object.metadata.name, body: { ...object, spec } }) as const;
export const specOf = (object: unknown): ServiceSpec => (object as Service).spec;
export const PORT = [{ port: 80 }];
/** Returns the causes of a refusal, one line each. */
export const causes = ({ refused }: Setup, spec: object, metadata: object = {}): readonly string[] =>
  (refused(create('s', spec, metadata)).details?.causes ?? []).map(({ field, message }) => `${field}: ${message}`);
