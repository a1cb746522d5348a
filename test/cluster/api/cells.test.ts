/** Cells of tables that no recording shows. */
import { describe, expect, it } from 'vitest';
import { kindsFor, namesFor, decode, type ApiObject } from '../../../src/cluster/api/index.ts';

const names = namesFor('k8s.io');
const registry = kindsFor(names);
const context = { names, gates: {}, now: 0 };

/** A cell of an object of a kind, by the column's name. */
function cell(kind: string, column: string, parts: object, metadata: object = {}): unknown {
  const found = registry.byKind(kind);
  if (found === undefined) throw new Error(`no kind ${kind}`);
  const object = decode(found.schema, { apiVersion: registry.apiVersionOf(found), kind, metadata: { name: 'x', ...metadata }, ...parts }) as ApiObject;
  return found.columns.find(({ name }) => name === column)?.cell(object, context);
}

const balanced = { loadBalancer: { ingress: [{ ip: '9.9.9.9' }, { hostname: 'b.example' }, { ip: '9.9.9.9' }, { ip: '1.1.1.1', hostname: 'ignored' }, {}] } };
const rules = (...hosts: readonly string[]) => ({ spec: { rules: hosts.map((host) => (host === '' ? {} : { host })) } });

describe('Ingress', () => {
  it.each([
    [[], '*'], [[''], '*'], [['a', 'a'], 'a,a'], [['a', '', 'b', 'c'], 'a,b,c'], [['a', 'b', 'c', ''], 'a,b,c + 1 more...'], [['', 'a', 'b', 'c', 'd'], 'a,b,c + 2 more...'],
  ])('hosts of %j', (hosts, shown) => { expect(cell('Ingress', 'Hosts', rules(...hosts))).toBe(shown); });

  it('names the class of the field alone, and every address once', () => {
    expect(cell('Ingress', 'Class', { spec: {} }, { annotations: { 'kubernetes.io/ingress.class': 'old' } })).toBe('<none>');
    expect(cell('Ingress', 'Address', { spec: {}, status: balanced })).toBe('1.1.1.1,9.9.9.9,b.example');
    expect([cell('Ingress', 'Ports', { spec: {} }), cell('Ingress', 'Ports', { spec: { tls: [{}] } })]).toEqual(['80', '80, 443']);
  });
});

describe('Service', () => {
  const outer = (spec: object, status: object = {}) => cell('Service', 'External-IP', { spec, status });
  it('shows what it is reached by from outside', () => {
    expect(outer({})).toBe('<none>');
    expect(outer({ type: 'NodePort', externalIPs: ['1.2.3.4', '5.6.7.8'] })).toBe('1.2.3.4,5.6.7.8');
    expect(outer({ type: 'LoadBalancer' })).toBe('<pending>');
    expect(outer({ type: 'LoadBalancer', externalIPs: ['1.2.3.4'] }, balanced)).toBe('1.1.1.1,9.9.9.9,b.example,1.2.3.4');
    expect(outer({ type: 'ExternalName', externalName: 'x.io' })).toBe('x.io');
  });
  it('shows ports with those on the nodes', () => {
    expect(cell('Service', 'Port(s)', { spec: { ports: [{ port: 80 }, { port: 53, protocol: 'UDP', nodePort: 30_053 }] } })).toBe('80/TCP,53:30053/UDP');
    expect([cell('Service', 'Selector', { spec: { selector: { b: '2', a: '1' } } }), cell('Service', 'Selector', { spec: {} })]).toEqual(['a=1,b=2', '<none>']);
  });
});

describe('others', () => {
  it('of Endpoints: nothing ready is not nothing at all', () => {
    expect([cell('Endpoints', 'Endpoints', {}), cell('Endpoints', 'Endpoints', { subsets: [{ notReadyAddresses: [{ ip: '1.2.3.4' }], ports: [{ port: 1 }] }] })]).toEqual(['<none>', '']);
    expect(cell('Endpoints', 'Endpoints', { subsets: [{ addresses: [{ ip: '1.2.3.4' }, { ip: 'fd00::1' }], ports: [{ port: 1 }, { port: 2 }] }] })).toBe('1.2.3.4:1,[fd00::1]:1,1.2.3.4:2 + 1 more...');
  });
  it('of APIServices: a reason where there is one', () => {
    const available = (condition: object) => cell('APIService', 'Available', { spec: {}, status: { conditions: [{ type: 'Available', ...condition }] } });
    expect([available({ status: 'True', reason: 'Passed' }), available({ status: 'False' }), available({ status: 'False', reason: 'Gone' }), cell('APIService', 'Available', { spec: {} })]).toEqual(['True', 'False', 'False (Gone)', 'Unknown']);
  });
  it('of budgets and bindings are texts', () => {
    expect([cell('PodDisruptionBudget', 'Min Available', { spec: { minAvailable: 1 } }), cell('PodDisruptionBudget', 'Max Unavailable', { spec: { maxUnavailable: '30%' } }), cell('PodDisruptionBudget', 'Max Unavailable', { spec: {} })]).toEqual(['1', '30%', 'N/A']);
    const bound = { roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' }, subjects: [{ kind: 'ServiceAccount', name: 'a' }, { kind: 'ServiceAccount', name: 'b', namespace: 'n' }, { kind: 'User', name: 'u' }, { kind: 'User', name: 'v' }] };
    expect(['Role', 'Users', 'Groups', 'ServiceAccounts'].map((column) => cell('RoleBinding', column, bound, { namespace: 'home' }))).toEqual(['Role/r', 'u, v', '', '/a, n/b']);
  });
  it('of classes: who reads their parameters', () => {
    const parameters = (of: object) => cell('IngressClass', 'Parameters', { spec: { controller: 'a/b', ...of } });
    expect([parameters({}), parameters({ parameters: { kind: 'K', name: 'n' } }), parameters({ parameters: { apiGroup: 'g.io', kind: 'K', name: 'n' } })]).toEqual(['<none>', 'K/n', 'K.g.io/n']);
  });
  it('of every kind are described as published, in the real domain', () => {
    const silent = registry.list().flatMap(({ kind, columns }) => columns.filter(({ description = '' }) => description === '').map(({ name }) => `${kind} ${name}`));
    expect(silent).toEqual([]);
    expect(registry.byKind('Role')?.columns[1]?.description).toMatch(/^CreationTimestamp is a timestamp/);
  });
});
