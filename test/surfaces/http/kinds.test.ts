/** Validation reports all errors of an object at once, and which changes count as changes. */
import { expect, it } from 'vitest';
import { setup } from './setup.ts';

const core = '/api/v1/namespaces/default';

interface Reported {
  readonly details: { readonly causes: readonly { readonly field: string; readonly message: string }[] };
}
const causesOf = (json: unknown): readonly string[] =>
  (json as Reported).details.causes.map(({ field, message }) => `${field}: ${message}`);

it('ReadWriteOncePod among others', async () => {
  const { ask } = setup();
  const accessModes = ['ReadWriteOncePod', 'ReadWriteOnce', 'Foo'];
  const supported = 'supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce"';
  const all = [
    `spec.accessModes: Unsupported value: "ReadWriteOncePod": ${supported}`,
    `spec.accessModes: Unsupported value: "Foo": ${supported}`,
    'spec.accessModes: Forbidden: may not use ReadWriteOncePod with other access modes',
  ];
  const claim = { metadata: { name: 'x' }, spec: { accessModes, resources: { requests: { storage: '1Gi' } } } };
  expect(causesOf((await ask('POST', `${core}/persistentvolumeclaims`, claim)).json)).toEqual(all);
  const volume = { metadata: { name: 'x' }, spec: { accessModes, capacity: { storage: '1Gi' }, hostPath: { path: '/x' } } };
  expect(causesOf((await ask('POST', '/api/v1/persistentvolumes', volume)).json)).toEqual(all);
  const alone = { ...claim, spec: { ...claim.spec, accessModes: ['ReadWriteOncePod'] } };
  expect(causesOf((await ask('POST', `${core}/persistentvolumeclaims`, alone)).json)).toHaveLength(1);
});

it('labels and amounts', async () => {
  const { ask } = setup();
  const node = {
    metadata: { name: 'n', labels: { 'a b': 'c', '-': 'd', ok: 'e f', 'q/': 'x' } },
    status: { capacity: { cpu: '-1', memory: '-2' }, allocatable: { cpu: '-3' } },
  };
  const causes = causesOf((await ask('POST', '/api/v1/nodes', node)).json);
  expect(causes.filter((each) => each.startsWith('metadata.labels: '))).toHaveLength(5);
  expect(causes.filter((each) => each.startsWith('status.'))).toEqual([
    'status.capacity.cpu: Invalid value: "-1": must be greater than or equal to 0',
    'status.capacity.memory: Invalid value: "-2": must be greater than or equal to 0',
    'status.allocatable.cpu: Invalid value: "-3": must be greater than or equal to 0',
  ]);
});

it('the old annotation for taints must be well-formed', async () => {
  const { ask } = setup();
  const key = 'scheduler.alpha.kubernetes.io/taints';
  const post = (text: string) => ask('POST', '/api/v1/nodes?dryRun=All', { metadata: { name: 'n', annotations: { [key]: text } } });
  expect((await post('[{"key":"a","value":"v","effect":"NoSchedule"}]')).status).toBe(201);
  expect((await post('null')).status).toBe(201);
  const said = async (text: string) => causesOf((await post(text)).json);
  expect(await said('xx')).toEqual([`metadata.annotations: Invalid value: "${key}": invalid character 'x' looking for beginning of value`]);
  expect(await said('{}')).toEqual([
    `metadata.annotations: Invalid value: "${key}": json: cannot unmarshal object into Go value of type []core.Taint`,
  ]);
  expect(await said('[{"Effect":1}]')).toEqual([
    `metadata.annotations: Invalid value: "${key}": json: cannot unmarshal number into Go struct field Taint.Effect of type core.TaintEffect`,
  ]);
  const [effect, missing] = await said('[{"key":"a","effect":"Foo"},{"KEY":"a"}]');
  expect(effect).toContain(`metadata.annotations.${key}[0].effect: Unsupported value: "Foo": supported values`);
  expect(missing).toBe(`metadata.annotations.${key}[1].effect: Required value`);
});

it('topology that cannot be written counts as a change of an EndpointSlice', async () => {
  const { ask } = setup();
  const slices = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices';
  const slice = (more = {}) => ({
    metadata: { name: 's' },
    addressType: 'IPv4',
    endpoints: [{ addresses: ['10.0.0.1'], ...more }],
    ports: [],
  });
  await ask('POST', slices, slice());
  expect((await ask('PUT', `${slices}/s`, slice())).json).toMatchObject({ metadata: { generation: 1 } });
  const written = (await ask('PUT', `${slices}/s`, slice({ deprecatedTopology: { a: 'b' } }))).json;
  expect(written).toMatchObject({ metadata: { generation: 2 }, endpoints: [{ addresses: ['10.0.0.1'] }] });
  expect(JSON.stringify(written)).not.toContain('deprecatedTopology":{');
});

it('the availability of an APIService is written immediately after its write', async () => {
  const { ask } = setup();
  const services = '/apis/apiregistration.k8s.io/v1/apiservices';
  const spec = { version: 'v1', groupPriorityMinimum: 10, versionPriority: 10 };
  const service = { namespace: 'default', name: 's' };
  const available = async (name: string) =>
    ((await ask('GET', `${services}/${name}`)).json as { readonly status: { readonly conditions?: readonly object[] } }).status.conditions;
  const remote = { metadata: { name: 'v1.ex.io' }, spec: { ...spec, group: 'ex.io', insecureSkipTLSVerify: true, service } };
  expect((await ask('POST', services, remote)).json).toMatchObject({ status: {} });
  expect(await available('v1.ex.io')).toMatchObject([
    { type: 'Available', status: 'False', reason: 'ServiceNotFound', message: 'service/s in "default" is not present' },
  ]);
  await ask('POST', services, { metadata: { name: 'v1.ey.io' }, spec: { ...spec, group: 'ey.io' } });
  const status = { conditions: [{ type: 'Available', status: 'False', reason: 'X', lastTransitionTime: '2024-01-01T00:00:00Z' }] };
  const type = { 'content-type': 'application/merge-patch+json' };
  expect((await ask('PATCH', `${services}/v1.ey.io/status`, { status }, type)).json).toMatchObject({ status });
  expect(await available('v1.ey.io')).toMatchObject([{ type: 'Available', status: 'True', reason: 'Local' }]);
  // Deleted objects and dry runs cause no such write.
  expect(
    (await ask('POST', `${services}?dryRun=All`, { ...remote, metadata: { name: 'v1.ez.io' }, spec: { ...remote.spec, group: 'ez.io' } }))
      .status,
  ).toBe(201);
  expect((await ask('DELETE', `${services}/v1.ex.io`)).status).toBe(200);
  expect((await ask('GET', `${services}/v1.ex.io`)).status).toBe(404);
});
