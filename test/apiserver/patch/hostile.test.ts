/** For any input the result is a value: nothing throws, nothing is mutated, no prototype is changed. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../src/apiserver/objects/object.ts';
import { apply, trackUpdate } from '../../../src/apiserver/patch/index.ts';
import { schemaOfKind } from './facts.ts';
import { applyJsonPatch, applyMergePatch, applyStrategicPatch, attempt, deepFreeze } from './support.ts';

const schema = schemaOfKind('Pod');
const words = [
  'metadata',
  'spec',
  'labels',
  'finalizers',
  'ownerReferences',
  'managedFields',
  'containers',
  'name',
  'env',
  'ports',
  'nodeSelector',
  'volumes',
  '$patch',
  '$retainKeys',
  '$setElementOrder/containers',
  '$setElementOrder/finalizers',
  '$deleteFromPrimitiveList/finalizers',
  '$setElementOrder',
  '__proto__',
  'constructor',
  'op',
  'path',
  'value',
  'fieldsV1',
  'f:spec',
  'k:{"name":"a"}',
  'v:1',
  '.',
  'operation',
  'apiVersion',
  'fieldsType',
];
const texts = [
  'replace',
  'delete',
  'merge',
  'a',
  '/spec/containers/-',
  '/metadata/__proto__/x',
  'Apply',
  'Update',
  'v1',
  'FieldsV1',
  'add',
  'remove',
  'copy',
  'Pod',
  '\ud800',
];
const hostile = fc.letrec((tie) => ({
  node: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.constantFrom<unknown>(null, true, 0, -1, 1.5, 1e300, ...texts),
    fc.array(tie('node'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...words), tie('node'), { maxKeys: 5, noNullPrototype: true }),
  ),
})).node;
const shaped = fc.record({
  apiVersion: fc.constant('v1'),
  kind: fc.constant('Pod'),
  metadata: fc.dictionary(fc.constantFrom(...words), hostile, { noNullPrototype: true }),
  spec: fc.dictionary(fc.constantFrom(...words), hostile, { noNullPrototype: true }),
});

describe('hostile input', () => {
  it('is refused or applied, and never throws', () => {
    fc.assert(
      fc.property(shaped, fc.oneof(hostile, shaped), (doc, patch) => {
        deepFreeze(doc);
        deepFreeze(patch);
        const before = JSON.stringify(doc);
        for (const { error } of [
          applyJsonPatch(doc, patch),
          applyJsonPatch(doc, [patch]),
          applyMergePatch(doc, patch),
          applyStrategicPatch(schema, doc, patch),
        ]) {
          if (error !== undefined) expect([400, 413, 422, 500]).toContain(error.code);
        }
        const live = { ...doc, metadata: { name: 'p' } } as unknown as ApiObject;
        attempt(() => apply({ schema, live, config: patch, manager: 'm', force: true, apiVersion: 'v1', now: 0 }));
        attempt(() => apply({ schema, live: undefined, config: patch, manager: 'm', force: false, apiVersion: 'v1', now: 0 }));
        trackUpdate({ schema, live, next: patch, manager: 'm', apiVersion: 'v1', now: 0 });
        expect(JSON.stringify(doc)).toBe(before);
        expect(Object.keys(Object.prototype)).toEqual([]);
      }),
      { numRuns: 400 },
    );
  });
});
