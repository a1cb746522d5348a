/** Examples as bodies of requests. */
import { EXAMPLE_LABELS, type Kind, type Names, type ObjectInput } from '../machinery/index.ts';

/** A body to create an object of a kind with. */
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

/** The same under a name the server makes up, or, where names follow from what objects hold, the kind's other example. */
export function anotherOf(kind: Kind, names: Names): ObjectInput {
  const body = exampleOf(kind, names);
  const { another } = kind.example;
  if (another !== undefined) return { ...body, ...another.fields, metadata: { ...body.metadata, name: another.name } };
  const { name: _, ...metadata } = body.metadata;
  return { ...body, metadata: { ...metadata, generateName: 'y-' } };
}
