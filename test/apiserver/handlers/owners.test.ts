import { envelopeOf } from '../../../src/apiserver/request/index.ts';
import { describe, expect, it } from 'vitest';
import { setup } from './setup.ts';

const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'l' }, spec: { holderIdentity: 'a' } };
const base = { kind: 'Lease', namespace: 'default' } as const;

describe('managed fields', () => {
  it('are tracked on request only', () => {
    const silent = setup();
    expect(silent.ok({ ...base, verb: 'create', body: lease }).metadata.managedFields).toBeUndefined();
    const { ok } = setup('k8s.io', {}, { trackFields: (request) => 'fieldManager' in request });
    const made = ok({ ...base, verb: 'create', body: lease, fieldManager: 'me' });
    expect(made.metadata.managedFields).toMatchObject([
      { manager: 'me', operation: 'Update', fieldsV1: { 'f:spec': { 'f:holderIdentity': {} } } },
    ]);
  });

  it('are updated by every later write once an object has them', () => {
    const { ok } = setup('k8s.io', {}, { trackFields: (request) => 'fieldManager' in request });
    const made = ok({ ...base, verb: 'create', body: lease, fieldManager: 'me' });
    const after = ok({
      ...base,
      verb: 'update',
      name: 'l',
      user: { name: 'controller', groups: [] },
      body: { ...made, spec: { holderIdentity: 'b' } },
    });
    expect(after.metadata.managedFields?.map(({ manager }) => manager)).toEqual(['controller']);
  });

  it('settle conflicts between appliers', () => {
    const { ok, refused } = setup('k8s.io', {}, { trackFields: () => true });
    const apply = (manager: string, holderIdentity: string, force = false) =>
      ({
        ...base,
        verb: 'patch',
        name: 'l',
        patchType: 'apply',
        fieldManager: manager,
        ...(force ? { force } : {}),
        body: { ...lease, spec: { holderIdentity } },
      }) as const;
    ok(apply('one', 'x'));
    expect(refused(apply('two', 'y'))).toMatchObject({
      code: 409,
      message: 'Apply failed with 1 conflict: conflict with "one": .spec.holderIdentity',
    });
    expect(ok(apply('two', 'y', true))['spec']).toEqual({ holderIdentity: 'y' });
  });

  it('do not turn a no-op into a write', () => {
    const { ok, advance, store } = setup('k8s.io', {}, { trackFields: () => true });
    const made = ok({ ...base, verb: 'create', body: lease, fieldManager: 'me' });
    advance(60_000);
    const before = store.revision;
    expect(ok({ ...base, verb: 'update', name: 'l', body: structuredClone(made), fieldManager: 'me' })).toBe(made);
    expect(store.revision).toBe(before);
  });
});

describe('dry runs', () => {
  it('return the result, and store nothing', () => {
    const { ok, server, store } = setup();
    const before = store.revision;
    expect(ok({ ...base, verb: 'create', body: lease, dryRun: true }).metadata.name).toBe('l');
    ok({ ...base, verb: 'create', body: lease });
    expect(server.handle(envelopeOf('client', { ...base, verb: 'delete', name: 'l', dryRun: ['All'] })).ok).toBe(true);
    expect(store.revision).toBe(before + 1);
    expect(server.handle(envelopeOf('client', { ...base, verb: 'delete', name: 'l', dryRun: ['x'] }))).toMatchObject({
      ok: false,
      code: 422,
    });
  });
});
