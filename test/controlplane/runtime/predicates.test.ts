import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../src/apiserver/machinery/index.ts';
import type { Delta, Predicate } from '../../../src/controlplane/runtime/index.ts';
import { ownerKindOf } from '../../../src/controlplane/runtime/cache.ts';
import { changedBits, heldBits, noFields, passes, wantedBy } from '../../../src/controlplane/runtime/watches.ts';

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

const noTable = (): undefined => undefined;

const lets = (predicate: Predicate, { type, object, old }: Delta): boolean => {
  const bits = noFields();
  wantedBy(bits, { fields: ['spec.other'], has: ['spec.volumes'] }, noTable);
  const wanted = wantedBy(bits, predicate, noTable);
  const [owner, former] = [ownerKindOf(object), ownerKindOf(old ?? object)];
  return passes(wanted, { bits: changedBits(bits, type, object, old), held: heldBits(bits, object, old), owner, former });
};

describe('a predicate', () => {
  const hears = (fields: readonly string[] | undefined, delta: Delta): boolean => lets(fields === undefined ? {} : { fields }, delta);

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
    const jobs = { owners: ['Job'] };
    expect(lets(jobs, change(pod, owned('Job')))).toBe(true);
    expect(lets(jobs, change(owned('Job'), pod))).toBe(true);
    expect(lets(jobs, change(owned('StatefulSet'), owned('StatefulSet')))).toBe(false);
    expect(lets({ owners: [''] }, change(pod, pod))).toBe(true);
  });

  it('matches only objects that have a field, before or after the change', () => {
    const finalizers = { has: ['metadata.finalizers', 'spec.never'] };
    const kept: ApiObject = { ...pod, metadata: { ...metadata, finalizers: ['x'] } };
    expect(lets(finalizers, change(undefined, pod, 'ADDED'))).toBe(false);
    expect(lets(finalizers, change(undefined, kept, 'ADDED'))).toBe(true);
    expect(lets(finalizers, change(kept, pod))).toBe(true);
    expect(lets(finalizers, change(pod, { ...pod }))).toBe(false);
  });

  it('names a kind of which there must be objects, and an error where the controller does not watch it before', () => {
    const table = { size: 0 };
    expect(wantedBy(noFields(), { whileThereAre: 'Service' }, () => table).beside).toBe(table);
    expect(() => wantedBy(noFields(), { whileThereAre: 'Service' }, noTable)).toThrow('names Service, which the controller does not watch');
  });

  it('has at most thirty fields, and an error with the remedy for more', () => {
    const bits = noFields();
    wantedBy(bits, { fields: Array.from({ length: 30 }, (_, at) => `spec.f${at}`) }, noTable);
    expect(() => wantedBy(bits, { fields: ['spec.f30'] }, noTable)).toThrow('name a field that encloses several (spec.f30)');
    expect(wantedBy(bits, { fields: ['spec.f0'] }, noTable).mask).not.toBe(0);
  });
});
