/** The response to a deletion, by its propagation options. */
import { expect, it } from 'vitest';
import { setup } from './setup.ts';

const leases = '/apis/coordination.k8s.io/v1/namespaces/default/leases';

it('a deletion with the old cascade option is accepted with 202 if the object stays for a while', async () => {
  const { ask } = setup();
  const make = (name: string, finalizers: readonly string[] = []) => ask('POST', leases, { metadata: { name, finalizers } });
  await make('kept', ['example.com/keep']);
  await make('free');
  const options = { apiVersion: 'v1', kind: 'DeleteOptions', orphanDependents: false };
  expect(await ask('DELETE', `${leases}/kept`, options)).toMatchObject({
    status: 202,
    json: { kind: 'Lease', metadata: { name: 'kept' } },
  });
  expect((await ask('DELETE', `${leases}/kept?orphanDependents=false`)).status).toBe(202);
  expect((await ask('DELETE', `${leases}/kept`)).status).toBe(200);
  expect((await ask('DELETE', `${leases}/kept`, { ...options, orphanDependents: true })).status).toBe(200);
  expect((await ask('DELETE', `${leases}/free`, options)).status).toBe(200);
  await ask('POST', '/api/v1/namespaces', { metadata: { name: 'n' } });
  expect((await ask('DELETE', '/api/v1/namespaces/n', options)).status).toBe(202);
});
