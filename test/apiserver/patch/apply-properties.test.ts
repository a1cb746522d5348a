/** Server-side apply by any managers, and the managers of the scale sub-resource. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ApiObject, ManagedFieldsEntry } from '../../../src/apiserver/objects/object.ts';
import { managedFieldsFromScale, managedFieldsOfScale } from '../../../src/apiserver/patch/index.ts';
import { at, config, applied, object, fields } from './applied.ts';
import { deepFreeze } from './support.ts';

describe('scale', () => {
  it('extracts replicas from the parent and returns new owners without a timestamp', () => {
    const target = { apiVersion: 'apps/v1', replicas: ['spec', 'replicas'] };
    const parent: ManagedFieldsEntry[] = [
      {
        manager: 'm1',
        operation: 'Apply',
        apiVersion: 'apps/v1',
        time: '2024-01-01T00:00:01Z',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:spec': { 'f:replicas': {}, 'f:serviceName': {} } },
      },
    ];
    const inScale = managedFieldsOfScale(parent, target);
    expect(inScale).toEqual([{ ...parent[0], apiVersion: 'autoscaling/v1', fieldsV1: { 'f:spec': { 'f:replicas': {} } } }]);
    expect(managedFieldsFromScale(parent, inScale, target)).toBe(parent);
    const scaler: ManagedFieldsEntry = {
      manager: 's',
      operation: 'Update',
      apiVersion: 'autoscaling/v1',
      time: '2024-01-01T00:00:02Z',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:spec': { 'f:replicas': {} } },
      subresource: 'scale',
    };
    expect(managedFieldsFromScale(parent, [scaler], target)).toEqual([
      { ...parent[0], fieldsV1: { 'f:spec': { 'f:serviceName': {} } } },
      {
        manager: 's',
        operation: 'Update',
        apiVersion: 'apps/v1',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:spec': { 'f:replicas': {} } },
        subresource: 'scale',
      },
    ]);
  });
});

describe('properties', () => {
  const text = fc.constantFrom('x', 'y');
  const spec = fc.record(
    {
      nodeName: text,
      // Without empty maps and lists, which the server drops when decoding and adds again at every apply.
      nodeSelector: fc.dictionary(text, text, { minKeys: 1 }),
      hostPID: fc.boolean(),
      containers: fc.uniqueArray(
        fc.record(
          {
            name: fc.constantFrom('a', 'b', 'c'),
            image: text,
            args: fc.array(text, { minLength: 1, maxLength: 2 }),
            ports: fc.uniqueArray(fc.record({ containerPort: fc.integer({ min: 1, max: 3 }) }), {
              minLength: 1,
              selector: ({ containerPort }) => containerPort,
            }),
          },
          { requiredKeys: ['name'] },
        ),
        { minLength: 1, selector: ({ name }) => name },
      ),
      securityContext: fc.record({ runAsUser: fc.integer(), fsGroup: fc.integer() }),
    },
    { requiredKeys: [] },
  );
  const body = fc
    .record(
      {
        labels: fc.dictionary(fc.constantFrom('a', 'b', 'constructor'), text, { minKeys: 1 }),
        finalizers: fc.uniqueArray(text, { minLength: 1 }),
      },
      { requiredKeys: [] },
    )
    .chain((metadata) => spec.map((s) => config({ metadata: { name: 'p', ...metadata }, spec: s })));
  const step = fc.record({ manager: fc.constantFrom('m1', 'm2'), body, force: fc.boolean() });
  const play = (steps: readonly { manager: string; body: object; force: boolean }[]): ApiObject | undefined => {
    let live: ApiObject | undefined;
    for (const { manager, body: b, force } of steps) {
      const result = applied(live, b, { manager, force });
      if (result.error === undefined) live = deepFreeze(result.object) as ApiObject;
    }
    return live;
  };

  it('a second apply by force changes nothing', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 4 }), body, (steps, last) => {
        const once = object(applied(play(steps), last, { force: true }));
        const twice = applied(once, last, { now: at(30) });
        expect(object(twice)).toBe(once);
      }),
    );
  });

  it('applied values are stored, and their applier owns them', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 4 }), body, (steps, last) => {
        const next = object(applied(play(steps), last, { force: true }));
        expect(next).toMatchObject({ spec: 'nodeName' in last.spec ? { nodeName: last.spec.nodeName } : {} });
        const lonely = object(applied(undefined, last));
        const owned = (entries: readonly ManagedFieldsEntry[] | undefined): unknown => fields(entries)['m1'];
        expect(owned(next.metadata.managedFields)).toEqual(owned(lonely.metadata.managedFields));
      }),
    );
  });

  it('omitting new fields, and those of another applier, restores the former state', () => {
    fc.assert(
      fc.property(body, (shared) => {
        const alone = object(applied(undefined, shared, { manager: 'm2' }));
        const both = object(
          applied(alone, { ...shared, spec: { ...shared.spec, hostname: 'h', overhead: { cpu: '1' } } }, { manager: 'm1' }),
        );
        const left = object(applied(both, config({}), { manager: 'm1' }));
        expect(left.metadata.managedFields).toEqual(alone.metadata.managedFields);
        expect(left['spec']).toEqual(alone['spec']);
      }),
    );
  });
});
