/** A write to the status of an object changes nothing of its spec, for every kind that has both. */
import { describe, expect, it } from 'vitest';
import { kindsFor } from '../../../src/apiserver/kinds/index.ts';
import { exampleOf } from '../../support/examples.ts';
import { namesFor } from '../../../src/apiserver/machinery/index.ts';
import { setup } from './setup.ts';

const names = namesFor('k8s.io');
const withBoth = kindsFor(names)
  .list()
  .filter(({ subresources, schema }) => subresources.includes('status') && schema.fields['spec'] !== undefined);
/** A namespace, too, is there from the start. */
const MADE: ReadonlySet<string> = new Set(['Namespace']);

describe('an update of the status', () => {
  it.each(withBoth.map((kind) => [kind.kind, kind] as const))('of a %s leaves its spec', (name, kind) => {
    const { ok } = setup();
    const example = exampleOf(kind, names);
    const place = { kind: name, ...(kind.namespaced ? { namespace: 'default' } : {}) };
    const own = MADE.has(name) ? { ...example, metadata: { ...example.metadata, name: 'mine' } } : example;
    const { name: called } = ok({ ...place, verb: 'create', body: own }).metadata;
    // The server itself may have written to it meanwhile.
    const made = ok({ ...place, verb: 'get', name: called });
    const { spec } = made as unknown as { readonly spec: Readonly<Record<string, unknown>> };
    const body = structuredClone({ ...made, spec: {} });
    const after = ok({ ...place, verb: 'update', subresource: 'status', name: called, body });
    expect(after['spec']).toEqual(spec);
    expect(after.metadata.generation).toBe(made.metadata.generation);
  });

  it('is possible for a dozen kinds', () => {
    expect(withBoth.length).toBeGreaterThan(10);
  });
});
