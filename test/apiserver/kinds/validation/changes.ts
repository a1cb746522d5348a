/** Updates objects, each in an empty world, and compares the errors. */
import { expect, it } from 'vitest';
import type { ApiObject, FeatureGates, ObjectInput } from '../../../../src/apiserver/machinery/index.ts';
import { envelopeOf } from '../../../../src/apiserver/request/index.ts';
import { isMapping } from '../../../../src/schema/values/index.ts';
import { setup } from '../../handlers/setup.ts';
import { type Manifest, namespaceOf } from './causes.ts';

/** A value with the members of a change; null removes one. */
function merged(value: unknown, change: unknown): unknown {
  if (!isMapping(change)) return change;
  const made: Record<string, unknown> = isMapping(value) ? { ...value } : {};
  for (const [name, inner] of Object.entries(change))
    if (inner === null) delete made[name];
    else made[name] = merged(made[name], inner);
  return made;
}

interface Options {
  /** The status that the object has before. */
  readonly status?: object;
  readonly subresource?: string;
  readonly gates?: FeatureGates;
}

export type Change = readonly [what: string, object: object, change: object, causes: readonly string[], options?: Options];

function causesOfChange(object: object, change: object, { status, subresource, gates = {} }: Options = {}): readonly string[] {
  const world = setup('k8s.io', gates);
  const body = object as Manifest;
  const at = { kind: body.kind, ...namespaceOf(body) };
  let made: ApiObject = world.ok({ verb: 'create', ...at, body });
  const { name } = made.metadata;
  if (status !== undefined)
    made = world.ok({ verb: 'update', ...at, name, subresource: 'status', body: { ...made, status } as unknown as ObjectInput });
  const response = world.server.handle(
    envelopeOf('client', {
      verb: 'update',
      ...at,
      name,
      body: merged(made, change) as ObjectInput,
      ...(subresource === undefined ? {} : { subresource }),
    }),
  );
  if (response.ok) return [];
  const causes = response.status.details?.causes ?? [];
  return causes.length === 0 ? [response.status.message ?? ''] : causes.map(({ field = '', message = '' }) => `${field}: ${message}`);
}

/** Checks that the server answers each change with exactly these errors, in this order. */
export function checkChanges(cases: readonly Change[]): void {
  it.each(cases.map(([what, ...rest]) => [what, rest] as const))('%s', (_, [object, change, causes, options]) => {
    expect(causesOfChange(object, change, options)).toEqual(causes);
  });
}
