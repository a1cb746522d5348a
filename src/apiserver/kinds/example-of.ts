/** Examples as bodies of requests. */
import { EXAMPLE_LABELS, type Kind } from '../machinery/index.ts';
import type { Names, ObjectInput } from '../objects/index.ts';

/** Returns a body that creates an object of a kind. */
export function exampleOf({ kind, version, groupPrefix, namespaced, example }: Kind, names: Names): ObjectInput {
  const group = names.group(groupPrefix);
  return {
    apiVersion: group === '' ? version : `${group}/${version}`,
    kind,
    metadata: {
      name: example.name ?? 'x',
      ...(namespaced ? { namespace: 'default' } : {}),
      labels: EXAMPLE_LABELS,
      annotations: { note: 'n' },
    },
    ...example.fields(names),
  };
}

/** Returns a body with a generated name; or the second example of a kind whose names follow from the content. */
export function anotherOf(kind: Kind, names: Names): ObjectInput {
  const body = exampleOf(kind, names);
  const { another } = kind.example;
  if (another !== undefined) return { ...body, ...another.fields, metadata: { ...body.metadata, name: another.name } };
  const { name: _, ...metadata } = body.metadata;
  return { ...body, metadata: { ...metadata, generateName: 'y-' } };
}
