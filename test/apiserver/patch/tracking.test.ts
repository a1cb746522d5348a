/** Whose fields are changed by writes other than apply. */
import { describe, expect, it } from 'vitest';
import type { ApiObject, ManagedFieldsEntry } from '../../../src/apiserver/objects/object.ts';
import { ignoringTimes } from '../../../src/apiserver/patch/index.ts';
import { at, config, tracked, written, fields } from './applied.ts';

describe('tracking of updates', () => {
  const created = written(
    undefined,
    config({
      metadata: { name: 'p', uid: 'u', labels: { a: '1' } },
      spec: { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] },
      status: {},
    }),
  );

  it('gives a creator all fields but those of the server', () => {
    expect(created.metadata.managedFields).toEqual([
      {
        manager: 'u1',
        operation: 'Update',
        apiVersion: 'v1',
        time: '2024-01-01T00:00:01Z',
        fieldsType: 'FieldsV1',
        fieldsV1: {
          'f:metadata': { 'f:labels': { '.': {}, 'f:a': {} } },
          'f:spec': { 'f:containers': { 'k:{"name":"c"}': { '.': {}, 'f:image': {}, 'f:name': {} } }, 'f:nodeName': {} },
        },
      },
    ]);
  });

  it('moves a changed field to its manager', () => {
    const next = config({ metadata: { name: 'p', uid: 'u', labels: { a: '2', b: '1' } }, spec: created['spec'] });
    expect(fields(tracked(created, next, { manager: 'u2' }))).toEqual({
      u1: {
        'f:metadata': { 'f:labels': {} },
        'f:spec': { 'f:containers': { 'k:{"name":"c"}': { '.': {}, 'f:image': {}, 'f:name': {} } }, 'f:nodeName': {} },
      },
      u2: { 'f:metadata': { 'f:labels': { 'f:a': {}, 'f:b': {} } } },
    });
  });

  it('drops a manager without fields, and removed fields', () => {
    const labelled = written(
      created,
      { ...created, metadata: { ...created.metadata, annotations: { x: '1' } } },
      { manager: 'u2', now: at(2) },
    );
    expect(labelled.metadata.managedFields?.map(({ manager }) => manager)).toEqual(['u1', 'u2']);
    const bare = tracked(labelled, { ...labelled, metadata: { name: 'p', uid: 'u', labels: { a: '1' } } }, { manager: 'u3', now: at(3) });
    expect(bare.map(({ manager }) => manager)).toEqual(['u1']);
  });

  it('keeps the timestamp, and the same list, unless the manager gets fields', () => {
    expect(tracked(created, created, { now: at(9) })).toBe(created.metadata.managedFields);
    expect(
      tracked(
        created,
        { ...created, metadata: { ...created.metadata, resourceVersion: '9', generation: 5 } },
        { manager: 'zz', now: at(9) },
      ),
    ).toBe(created.metadata.managedFields);
    const renewed = tracked(created, { ...created, spec: { ...(created['spec'] as object), nodeName: 'other' } }, { now: at(9) });
    expect(renewed).toEqual([{ ...created.metadata.managedFields?.[0], time: '2024-01-01T00:00:09Z' }]);
  });

  it('gives sub-resources and versions separate entries', () => {
    const entries = tracked(created, { ...created, status: { phase: 'Running' } }, { subresource: 'status' });
    expect(entries.map(({ manager, subresource, fieldsV1 }) => [manager, subresource, fieldsV1])).toEqual([
      ['u1', undefined, created.metadata.managedFields?.[0]?.fieldsV1],
      ['u1', 'status', { 'f:status': { 'f:phase': {} } }],
    ]);
  });

  it('does not track fields that the endpoint resets', () => {
    expect(tracked(created, { ...created, status: { phase: 'Running' } })).toBe(created.metadata.managedFields);
    expect(tracked(created, { ...created, spec: { nodeName: 'x' } }, { subresource: 'status' })).toBe(created.metadata.managedFields);
  });

  it('lets a client reset, replace and misspell the managers', () => {
    const sending = (managedFields: unknown): object => ({ ...created, metadata: { ...created.metadata, managedFields } });
    expect(tracked(created, sending([]))).toEqual([]);
    expect(tracked(created, sending([{}]))).toEqual([]);
    expect(tracked(created, sending([{ manager: 'x', operation: 'Bad', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: {} }]))).toBe(
      created.metadata.managedFields,
    );
    const own: ManagedFieldsEntry = {
      manager: 'x',
      operation: 'Update',
      apiVersion: 'v1',
      time: '2020-01-01T00:00:00Z',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:spec': { 'f:nodeName': {} } },
    };
    expect(tracked(created, sending([own]))).toEqual([own]);
    const unmanaged = { ...created, metadata: { name: 'p', uid: 'u' } } as ApiObject;
    expect(tracked(unmanaged, { ...unmanaged, spec: { nodeName: 'z' } })).toEqual([]);
  });

  it('drops managers of removed versions, and all when list items have equal keys', () => {
    const other = {
      ...created,
      metadata: { ...created.metadata, managedFields: [{ ...created.metadata.managedFields?.[0], apiVersion: 'v0' }] },
    } as ApiObject;
    expect(tracked(other, other)).toEqual([]);
    expect(tracked(created, { ...created, spec: { containers: [{ name: 'c' }, { name: 'c' }] } })).toEqual([]);
  });

  it('merges the oldest updaters beyond ten', () => {
    let live = written(undefined, config({ metadata: { name: 'p', uid: 'u', labels: { l0: 'x' } } }), { manager: 'u00' });
    for (let i = 1; i < 13; i++) {
      const labels = { ...live.metadata.labels, [`l${i}`]: 'x' };
      live = written(
        live,
        { ...live, metadata: { ...live.metadata, labels } },
        { manager: `u${String(i).padStart(2, '0')}`, now: at(1 + i) },
      );
    }
    const names = live.metadata.managedFields?.map(({ manager }) => manager);
    expect(names).toEqual(['ancient-changes', 'u04', 'u05', 'u06', 'u07', 'u08', 'u09', 'u10', 'u11', 'u12']);
    expect(fields(live.metadata.managedFields)['ancient-changes']).toEqual({
      'f:metadata': { 'f:labels': { '.': {}, 'f:l0': {}, 'f:l1': {}, 'f:l2': {}, 'f:l3': {} } },
    });
  });

  it('detects writes that change only timestamps', () => {
    const former = created.metadata.managedFields ?? [];
    expect(
      ignoringTimes(
        former,
        former.map((entry) => ({ ...entry, time: '2030-01-01T00:00:00Z' })),
      ),
    ).toBe(former);
    const taken = former.map((entry) => ({ ...entry, manager: 'zz' }));
    expect(ignoringTimes(former, taken)).toBe(taken);
  });
});
