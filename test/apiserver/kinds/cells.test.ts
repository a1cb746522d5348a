/** Table cells that no recording covers. */
import { describe, expect, it } from 'vitest';
import { ago, cell } from './cells.ts';

const balanced = {
  loadBalancer: { ingress: [{ ip: '9.9.9.9' }, { hostname: 'b.example' }, { ip: '9.9.9.9' }, { ip: '1.1.1.1', hostname: 'ignored' }, {}] },
};
const rules = (...hosts: readonly string[]) => ({ spec: { rules: hosts.map((host) => (host === '' ? {} : { host })) } });

describe('Ingress', () => {
  it.each([
    [[], '*'],
    [[''], '*'],
    [['a', 'a'], 'a,a'],
    [['a', '', 'b', 'c'], 'a,b,c'],
    [['a', 'b', 'c', ''], 'a,b,c + 1 more...'],
    [['', 'a', 'b', 'c', 'd'], 'a,b,c + 2 more...'],
  ])('hosts of %j', (hosts, shown) => {
    expect(cell('Ingress', 'Hosts', rules(...hosts))).toBe(shown);
  });

  it('shows the class of the field only, and every address once', () => {
    expect(cell('Ingress', 'Class', { spec: {} }, { annotations: { 'kubernetes.io/ingress.class': 'old' } })).toBe('<none>');
    expect(cell('Ingress', 'Address', { spec: {}, status: balanced })).toBe('1.1.1.1,9.9.9.9,b.example');
    expect([cell('Ingress', 'Ports', { spec: {} }), cell('Ingress', 'Ports', { spec: { tls: [{}] } })]).toEqual(['80', '80, 443']);
  });
});

describe('Service', () => {
  const outer = (spec: object, status: object = {}) => cell('Service', 'External-IP', { spec, status });
  it('shows its external addresses', () => {
    expect(outer({})).toBe('<none>');
    expect(outer({ type: 'NodePort', externalIPs: ['1.2.3.4', '5.6.7.8'] })).toBe('1.2.3.4,5.6.7.8');
    expect(outer({ type: 'LoadBalancer' })).toBe('<pending>');
    expect(outer({ type: 'LoadBalancer', externalIPs: ['1.2.3.4'] }, balanced)).toBe('1.1.1.1,9.9.9.9,b.example,1.2.3.4');
    expect(outer({ type: 'ExternalName', externalName: 'x.io' })).toBe('x.io');
  });
  it('shows ports with their node ports', () => {
    expect(cell('Service', 'Port(s)', { spec: { ports: [{ port: 80 }, { port: 53, protocol: 'UDP', nodePort: 30_053 }] } })).toBe(
      '80/TCP,53:30053/UDP',
    );
    expect([cell('Service', 'Selector', { spec: { selector: { b: '2', a: '1' } } }), cell('Service', 'Selector', { spec: {} })]).toEqual([
      'a=1,b=2',
      '<none>',
    ]);
  });
});

describe('Event', () => {
  const event = (parts: object) =>
    ['Last Seen', 'First Seen', 'Count', 'Object', 'Source'].map((column) =>
      cell('Event', column, { involvedObject: { kind: 'Pod', name: 'p' }, ...parts }),
    );
  it('falls back to the times that are set', () => {
    expect(event({ firstTimestamp: ago(9), lastTimestamp: ago(3), count: 4, source: { component: 'c', host: 'h' } })).toEqual([
      '3s',
      '9s',
      4,
      'pod/p',
      'c, h',
    ]);
    expect(event({ firstTimestamp: ago(9), eventTime: ago(5).replace('Z', '.000000Z') })).toEqual(['9s', '9s', 1, 'pod/p', '']);
    expect(event({ eventTime: ago(5).replace('Z', '.000000Z'), reportingComponent: 'r', reportingInstance: 'i' })).toEqual([
      '5s',
      '5s',
      1,
      'pod/p',
      'r, i',
    ]);
    expect(
      event({
        involvedObject: { kind: 'Node' },
        eventTime: ago(50).replace('Z', '.000000Z'),
        count: 2,
        series: { count: 7, lastObservedTime: ago(5).replace('Z', '.000000Z') },
      }),
    ).toEqual(['5s', '50s', 7, 'node', '']);
  });
});

describe('cells', () => {
  it('of pods: init containers count until the one that blocks', () => {
    const init = (restartCount: number, exitCode: number) => ({
      name: 'i',
      restartCount,
      ready: false,
      image: '',
      imageID: '',
      state: { terminated: { exitCode } },
    });
    const restarts = (...initContainerStatuses: readonly object[]) =>
      cell('Pod', 'Restarts', {
        spec: { containers: [] },
        status: { initContainerStatuses, containerStatuses: [{ ...init(8, 0), name: 'c' }] },
      });
    expect([restarts(init(1, 0), init(2, 1), init(4, 0)), restarts(init(1, 0)), restarts()]).toEqual(['3', '8', '8']);
  });
  it('of quotas: the usage counted by the controller', () => {
    const hard = { 'limits.cpu': '2', pods: '3', 'requests.cpu': '1' };
    const cells = (status: object) => [
      cell('ResourceQuota', 'Request', { spec: { hard }, status }),
      cell('ResourceQuota', 'Limit', { spec: { hard }, status }),
    ];
    expect([cells({}), cells({ hard, used: { pods: '1' } })]).toEqual([
      ['', ''],
      ['pods: 1/3, requests.cpu: 0/1', 'limits.cpu: 0/2'],
    ]);
  });
  it('of storage classes: the default class', () => {
    const name = (annotations: object) => cell('StorageClass', 'Name', { provisioner: 'p' }, { annotations });
    expect([
      name({}),
      name({ 'storageclass.kubernetes.io/is-default-class': 'true' }),
      name({ 'storageclass.beta.kubernetes.io/is-default-class': 'true' }),
      name({ 'storageclass.kubernetes.io/is-default-class': 'yes' }),
    ]).toEqual(['x', 'x (default)', 'x (default)', 'x']);
  });
  it('of drivers: an empty audience counts', () => {
    const tokens = (spec: object) => cell('CSIDriver', 'TokenRequests', { spec });
    expect([
      tokens({}),
      tokens({ tokenRequests: [{ audience: '' }] }),
      tokens({ tokenRequests: [{ audience: 'a' }, { audience: 'b' }] }),
    ]).toEqual(['<unset>', '', 'a,b']);
  });
  it('of Endpoints: no ready address differs from no subsets', () => {
    expect([
      cell('Endpoints', 'Endpoints', {}),
      cell('Endpoints', 'Endpoints', { subsets: [{ notReadyAddresses: [{ ip: '1.2.3.4' }], ports: [{ port: 1 }] }] }),
    ]).toEqual(['<none>', '']);
    expect(
      cell('Endpoints', 'Endpoints', {
        subsets: [{ addresses: [{ ip: '1.2.3.4' }, { ip: 'fd00::1' }], ports: [{ port: 1 }, { port: 2 }] }],
      }),
    ).toBe('1.2.3.4:1,[fd00::1]:1,1.2.3.4:2 + 1 more...');
  });
  it('of APIServices: a reason if there is one', () => {
    const available = (condition: object) =>
      cell('APIService', 'Available', { spec: {}, status: { conditions: [{ type: 'Available', ...condition }] } });
    expect([
      available({ status: 'True', reason: 'Passed' }),
      available({ status: 'False' }),
      available({ status: 'False', reason: 'Gone' }),
      cell('APIService', 'Available', { spec: {} }),
    ]).toEqual(['True', 'False', 'False (Gone)', 'Unknown']);
  });
  it('of budgets and bindings are texts', () => {
    expect([
      cell('PodDisruptionBudget', 'Min Available', { spec: { minAvailable: 1 } }),
      cell('PodDisruptionBudget', 'Max Unavailable', { spec: { maxUnavailable: '30%' } }),
      cell('PodDisruptionBudget', 'Max Unavailable', { spec: {} }),
    ]).toEqual(['1', '30%', 'N/A']);
    const bound = {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' },
      subjects: [
        { kind: 'ServiceAccount', name: 'a' },
        { kind: 'ServiceAccount', name: 'b', namespace: 'n' },
        { kind: 'User', name: 'u' },
        { kind: 'User', name: 'v' },
      ],
    };
    expect(
      ['Role', 'Users', 'Groups', 'ServiceAccounts'].map((column) => cell('RoleBinding', column, bound, { namespace: 'home' })),
    ).toEqual(['Role/r', 'u, v', '', '/a, n/b']);
  });
  it('of classes: the kind of their parameters', () => {
    const parameters = (of: object) => cell('IngressClass', 'Parameters', { spec: { controller: 'a/b', ...of } });
    expect([
      parameters({}),
      parameters({ parameters: { kind: 'K', name: 'n' } }),
      parameters({ parameters: { apiGroup: 'g.io', kind: 'K', name: 'n' } }),
    ]).toEqual(['<none>', 'K/n', 'K.g.io/n']);
  });
});
