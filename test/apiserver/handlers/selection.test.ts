/** Selections of watches: equal selectors are evaluated once for each object, and the number of terms is limited. */
import { describe, expect, it } from 'vitest';
import { kindsFor } from '../../../src/apiserver/kinds/index.ts';
import { Refusal, type Resource } from '../../../src/apiserver/request/index.ts';
import { type ApiObject, namesFor } from '../../../src/apiserver/machinery/index.ts';
import { selectionOf, sharedSelectionOf } from '../../../src/apiserver/handlers/selection.ts';

const kinds = kindsFor(namesFor('k8s.io'));
const kind = kinds.byKind('ConfigMap');
if (kind === undefined) throw new Error('no ConfigMap');
const resource: Resource = { kind, apiVersion: 'v1', group: '', names: kinds.names } as never;

/** Returns an object that counts the reads of its labels. */
function counted(labels: Readonly<Record<string, string>>): { readonly object: ApiObject; readonly reads: () => number } {
  let reads = 0;
  const metadata = {
    name: 'a',
    namespace: 'default',
    get labels() {
      reads++;
      return labels;
    },
  };
  return { object: { apiVersion: 'v1', kind: 'ConfigMap', metadata } as never, reads: () => reads };
}

const refusal = (ask: () => unknown): string => {
  try {
    ask();
  } catch (thrown) {
    if (thrown instanceof Refusal) return thrown.status.message ?? '';
    throw thrown;
  }
  return '';
};

describe('a selector of watches', () => {
  it('is evaluated once for the old and the new object, for any number of watches', () => {
    const [is, was] = [counted({ app: 'web' }), counted({ app: 'db' })];
    for (let watch = 0; watch < 200; watch++) {
      const selection = sharedSelectionOf(resource, 'app=web');
      expect([selection.matches(is.object), selection.matches(was.object)]).toEqual([true, false]);
    }
    expect([is.reads(), was.reads()]).toEqual([1, 1]);
  });

  it('gives the same results as an unshared one, in any order of objects', () => {
    const objects = ['web', 'db', 'web', 'cache', 'db'].map((app) => counted({ app }).object);
    const [shared, own] = [sharedSelectionOf(resource, 'app in (web, cache)'), selectionOf(resource, 'app in (web, cache)', undefined)];
    for (let step = 0; step < 200; step++) {
      const object = objects[(step * 7) % objects.length];
      if (object !== undefined) expect(shared.matches(object)).toBe(own.matches(object));
    }
  });
});

describe('a selector', () => {
  const terms = (many: number): string => Array.from({ length: many }, (_, at) => `k${at}!=v`).join(',');

  it('has at most 1000 terms and values', () => {
    expect(refusal(() => selectionOf(resource, terms(500), undefined))).toBe('');
    expect(refusal(() => selectionOf(resource, terms(501), undefined))).toBe('a selector has at most 1000 terms and values, found 1002');
    expect(
      refusal(() => selectionOf(resource, `k in (${Array.from({ length: 1000 }, (_, at) => `v${at}`).join(',')})`, undefined)),
    ).toContain('found 1001');
    expect(refusal(() => selectionOf(resource, undefined, Array.from({ length: 1001 }, () => 'metadata.name!=a').join(',')))).toContain(
      'found 1001',
    );
  });
});
