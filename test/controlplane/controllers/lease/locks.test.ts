import { describe, expect, it } from 'vitest';
import type { Endpoints } from '../../../../src/apiserver/kinds/index.ts';
import { namesFor } from '../../../../src/apiserver/machinery/index.ts';
import { bothSay, putOlder } from '../../../../src/controlplane/controllers/lease/locks.ts';

const names = namesFor('k8s.io');
const place = { namespace: 'kube-system', name: 'lock' };
const spec = {
  holderIdentity: 'a',
  leaseDurationSeconds: 15,
  acquireTime: '2024-01-01T00:00:01.500000Z',
  renewTime: '2024-01-01T00:00:02.500000Z',
};
const written = putOlder('Endpoints', place, undefined, spec, names);
if (written.op !== 'create') throw new Error('it creates the object');
const [key = ''] = Object.keys(written.object.metadata.annotations ?? {});
const saying = (text: string): Endpoints =>
  ({ apiVersion: 'v1', kind: 'Endpoints', metadata: { ...place, annotations: { [key]: text } } }) as unknown as Endpoints;

describe('the record in the annotation of an older lock', () => {
  it('is read as it was written, in whole seconds', () => {
    const text = written.object.metadata.annotations?.[key] ?? '';
    expect(bothSay(saying(text), undefined, 'other', names)?.spec).toEqual({
      ...spec,
      acquireTime: '2024-01-01T00:00:01.000000Z',
      renewTime: '2024-01-01T00:00:02.000000Z',
      leaseTransitions: 0,
    });
    expect(bothSay(saying(text), undefined, 'a', names)).toBeUndefined();
  });

  it.each(['null', '"text"', '{', '[]', '{"holderIdentity":1}'])('is empty where it is not one: %s', (text) => {
    expect(bothSay(saying(text), undefined, 'a', names)?.spec).toEqual({});
  });
});
