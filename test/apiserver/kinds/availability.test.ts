/** Whether the service behind an APIService can be reached. */
import { expect, it } from 'vitest';
import { type APIService, availabilityOf, localAvailability, withAvailability } from '../../../src/apiserver/kinds/api-service.ts';

type Backing = Parameters<typeof availabilityOf>[1];
type Services = ReturnType<Backing['service']>;
type Points = ReturnType<Backing['endpoints']>;

const apiService = (service: object | undefined) =>
  ({ spec: { group: 'g', version: 'v1', ...(service === undefined ? {} : { service }) } }) as unknown as APIService;
const behind = (service: object | undefined, endpoints?: object): Backing => ({
  service: () => service as Services,
  endpoints: () => endpoints as Points,
});
const service = (spec: object): object => ({ spec: { type: 'ClusterIP', ports: [{ port: 443 }], ...spec } });
const subset = (addresses: number, ...ports: readonly (string | undefined)[]): object => ({
  addresses: Array.from({ length: addresses }, () => ({ ip: '1.1.1.1' })),
  ports: ports.map((name) => (name === undefined ? { port: 1 } : { name, port: 1 })),
});
const points = (...subsets: readonly object[]): object => ({ subsets });
const place = 'service/s in "n"';

it.each<[what: string, reference: object | undefined, backing: Backing, found: string]>([
  ['no service', undefined, behind(undefined), 'True Local: Local APIServices are always available'],
  ['a service that is not there', {}, behind(undefined), `False ServiceNotFound: ${place} is not present`],
  ['another port', {}, behind(service({ ports: [{ port: 80 }] })), `False ServicePortError: ${place} is not listening on port 443`],
  ['no ports', { port: 80 }, behind(service({ ports: undefined })), `False ServicePortError: ${place} is not listening on port 80`],
  ['no endpoints', {}, behind(service({})), `False EndpointsNotFound: cannot find endpoints for ${place}`],
  ['empty endpoints', {}, behind(service({}), {}), `False MissingEndpoints: endpoints for ${place} have no addresses with port name ""`],
  [
    'no addresses',
    {},
    behind(service({}), points(subset(0, undefined))),
    `False MissingEndpoints: endpoints for ${place} have no addresses with port name ""`,
  ],
  [
    'addresses of another port',
    {},
    behind(service({ ports: [{ port: 443, name: 'https' }] }), points(subset(1, 'http', undefined), subset(0, 'https'))),
    `False MissingEndpoints: endpoints for ${place} have no addresses with port name "https"`,
  ],
  ['an address', {}, behind(service({}), points(subset(0), subset(1, undefined))), 'True Passed: all checks passed'],
  [
    'an address of the port',
    { port: 8443 },
    behind(service({ ports: [{ port: 443 }, { port: 8443, name: 'h' }] }), points(subset(1, 'g', 'h'))),
    'True Passed: all checks passed',
  ],
  ['a name outside the cluster', {}, behind(service({ type: 'ExternalName', ports: undefined })), 'True Passed: all checks passed'],
])('with %s', (_, reference, backing, found) => {
  const { status, reason, message } = availabilityOf(
    apiService(reference === undefined ? undefined : { namespace: 'n', name: 's', ...reference }),
    backing,
  );
  expect(`${status} ${reason}: ${message}`).toBe(found);
});

it('changes its time with its status only', () => {
  const [then, now] = [Date.parse('2024-03-01T00:00:00Z'), Date.parse('2024-03-01T00:00:05Z')];
  const local = localAvailability(then);
  expect(local).toEqual([
    {
      type: 'Available',
      status: 'True',
      lastTransitionTime: '2024-03-01T00:00:00Z',
      reason: 'Local',
      message: 'Local APIServices are always available',
    },
  ]);
  expect(withAvailability(local, { status: 'True', reason: 'Local', message: 'Local APIServices are always available' }, now)).toBe(local);
  const [passed] = withAvailability(local, { status: 'True', reason: 'Passed', message: 'm' }, now);
  const [failed] = withAvailability(local, { status: 'False', reason: 'Gone', message: 'm' }, now);
  expect([passed?.lastTransitionTime, passed?.reason, failed?.lastTransitionTime]).toEqual([
    '2024-03-01T00:00:00Z',
    'Passed',
    '2024-03-01T00:00:05Z',
  ]);
});
