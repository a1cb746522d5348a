/** Creates objects, each in an empty world, and compares what is stored: every member, in its published order. */
import { expect, it } from 'vitest';
import { kindsFor } from '../../../src/apiserver/kinds/index.ts';
import { namesFor } from '../../../src/apiserver/machinery/index.ts';
import { setup } from '../handlers/setup.ts';

const registry = kindsFor(namesFor('k8s.io'));

/** The members of each object beside its metadata; what the server adds to these is a member of its own. */
type Case = readonly [kind: string, name: string, given: object, stored: object];

export const checkStored = (cases: readonly Case[]): void => {
  it.each(cases)('%s %s', (kind, name, given, stored) => {
    const found = registry.byKind(kind);
    if (found === undefined) throw new Error(`no kind ${kind}`);
    const body = { apiVersion: registry.apiVersionOf(found), kind, metadata: { name }, ...given };
    const object = setup().ok({ verb: 'create', kind, ...(found.namespaced ? { namespace: 'default' } : {}), body });
    const { kind: _, apiVersion: _version, metadata, ...rest } = object;
    const { name: _name, namespace: _namespace, uid: _uid, creationTimestamp: _at, resourceVersion: _revision, ...more } = metadata;
    const made = { ...rest, ...(Object.keys(more).length === 0 ? {} : { metadata: more }) };
    expect(made).toEqual(stored);
    expect(JSON.stringify(made)).toBe(JSON.stringify(stored));
  });
};
