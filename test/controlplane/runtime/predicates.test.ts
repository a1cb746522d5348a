import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../src/apiserver/machinery/index.ts';
import type { Delta } from '../../../src/controlplane/runtime/index.ts';
import { changedBits, isOwned, noFields, wantedBy } from '../../../src/controlplane/runtime/predicates.ts';

const metadata = { name: 'p', namespace: 'default', uid: 'u', resourceVersion: '1', creationTimestamp: '' };
const pod: ApiObject = { apiVersion: 'v1', kind: 'Pod', metadata, spec: { a: 1 }, status: { phase: 'Pending' } };
const owned = (kind: string): ApiObject => ({
  ...pod,
  metadata: { ...metadata, ownerReferences: [{ apiVersion: 'v1', kind, name: 'x', uid: 'x', controller: true }] },
});
const change = (old: ApiObject | undefined, object: ApiObject, type: Delta['type'] = 'MODIFIED'): Delta => ({
  type,
  kind: 'Pod',
  key: 'default/p',
  object,
  old,
});

describe('a predicate', () => {
  const hears = (fields: readonly string[] | undefined, delta: Delta): boolean => {
    const bits = noFields();
    wantedBy(bits, { fields: ['spec.other'] });
    const wanted = wantedBy(bits, fields === undefined ? {} : { fields });
    return (wanted.mask & changedBits(bits, delta.type, delta.object, delta.old)) !== 0;
  };

  it.each<[string, readonly string[] | undefined, Delta, boolean]>([
    ['a field that changed', ['status.phase'], change(pod, { ...pod, status: { phase: 'Running' } }), true],
    ['a field beside the one that changed', ['status.phase'], change(pod, { ...pod, status: { phase: 'Pending', podIP: '1' } }), false],
    ['what encloses it', ['status'], change(pod, { ...pod, status: { phase: 'Pending', podIP: '1' } }), true],
    ['a field that neither has', ['status.conditions'], change(pod, { ...pod, status: {} }), false],
    ['a field that comes', ['metadata.labels'], change(pod, { ...pod, metadata: { ...metadata, labels: {} } }), true],
    ['nothing declared', undefined, change(pod, { ...pod, spec: {} }), true],
    ['a change of nothing that anybody named', undefined, change(pod, { ...pod }), true],
    ['no field at all, of a change', [], change(pod, { ...pod, spec: {} }), false],
    ['no field at all, of an object that appears', [], change(undefined, pod, 'ADDED'), true],
    ['no field at all, of an object that goes', [], change(pod, pod, 'DELETED'), true],
  ])('%s', (_, fields, delta, heard) => {
    expect(hears(fields, delta)).toBe(heard);
  });

  it('matches only objects controlled by certain kinds, before or after the change', () => {
    const jobs = new Set(['Job']);
    expect(isOwned(jobs, change(pod, owned('Job')))).toBe(true);
    expect(isOwned(jobs, change(owned('Job'), pod))).toBe(true);
    expect(isOwned(jobs, change(owned('StatefulSet'), owned('StatefulSet')))).toBe(false);
    expect(isOwned(new Set(['']), change(pod, pod))).toBe(true);
  });

  it('has at most thirty fields, and an error with the remedy for more', () => {
    const bits = noFields();
    wantedBy(bits, { fields: Array.from({ length: 30 }, (_, at) => `spec.f${at}`) });
    expect(() => wantedBy(bits, { fields: ['spec.f30'] })).toThrow('name a field that encloses several (spec.f30)');
    expect(wantedBy(bits, { fields: ['spec.f0'] }).mask).not.toBe(0);
  });
});
