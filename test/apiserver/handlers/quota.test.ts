/** Quotas in requests: services by node ports and load balancers, scopes with selectors, and updates that increase usage. */
import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../src/apiserver/machinery/index.ts';
import { covers, usageOf } from '../../../src/apiserver/admission/resource-quota.ts';
import { formatQuantity } from '../../../src/schema/values/index.ts';
import { barePod } from '../../support/objects.ts';
import { setup } from './setup.ts';

const SERVICES = { services: '9', 'services.nodeports': '3', 'services.loadbalancers': '1' };
const zero = Object.fromEntries(Object.keys(SERVICES).map((name) => [name, '0']));
const limited = (hard: Readonly<Record<string, string>>, used: Readonly<Record<string, string>>) => {
  const world = setup();
  const quota = world.ok({
    verb: 'create',
    kind: 'ResourceQuota',
    namespace: 'default',
    body: { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'q', namespace: 'default' }, spec: { hard } },
  });
  world.ok({
    verb: 'update',
    kind: 'ResourceQuota',
    namespace: 'default',
    name: 'q',
    subresource: 'status',
    body: { ...quota, status: { hard, used } },
  });
  return {
    ...world,
    used: (): unknown => (world.store.get('ResourceQuota', 'default/q')?.['status'] as { readonly used: unknown } | undefined)?.used,
  };
};
const service = (name: string, spec: object): ApiObject =>
  ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace: 'default' },
    spec: {
      selector: { app: name },
      ports: [
        { name: 'a', port: 80 },
        { name: 'b', port: 81 },
      ],
      ...spec,
    },
  }) as unknown as ApiObject;
const creating = (name: string, spec: object = {}) =>
  ({ verb: 'create', kind: 'Service', namespace: 'default', body: service(name, spec) }) as const;

describe('services', () => {
  it('count their future node ports, and load balancers', () => {
    const { ok, refused, used } = limited(SERVICES, zero);
    ok(creating('inside'));
    expect(used()).toEqual({ services: '1', 'services.nodeports': '0', 'services.loadbalancers': '0' });
    ok(creating('outside', { type: 'NodePort' }));
    expect(used()).toEqual({ services: '2', 'services.nodeports': '2', 'services.loadbalancers': '0' });
    expect(refused(creating('more', { type: 'NodePort' })).message).toBe(
      'services "more" is forbidden: exceeded quota: q, requested: services.nodeports=2, used: services.nodeports=2, limited: services.nodeports=3',
    );
    ok(creating('balanced', { type: 'LoadBalancer', allocateLoadBalancerNodePorts: false }));
    expect(used()).toEqual({ services: '3', 'services.nodeports': '2', 'services.loadbalancers': '1' });
  });

  it('are charged for the increase of an update', () => {
    const { ok, refused, used } = limited(SERVICES, zero);
    ok(creating('inside'));
    const typed = (type: string) =>
      ({ verb: 'patch', kind: 'Service', namespace: 'default', name: 'inside', patchType: 'merge', body: { spec: { type } } }) as const;
    ok(typed('NodePort'));
    expect(used()).toEqual({ services: '1', 'services.nodeports': '2', 'services.loadbalancers': '0' });
    ok({ ...typed('NodePort'), body: { metadata: { labels: { a: 'b' } } } });
    expect(used()).toEqual({ services: '1', 'services.nodeports': '2', 'services.loadbalancers': '0' });
    ok(creating('other', { type: 'LoadBalancer', allocateLoadBalancerNodePorts: false }));
    expect(refused(typed('LoadBalancer')).message).toContain(
      'exceeded quota: q, requested: services.loadbalancers=1, used: services.loadbalancers=1, limited: services.loadbalancers=1',
    );
  });
});

describe('the usage', () => {
  const uses = (plural: string, object: ApiObject, resource: string): string | undefined => {
    const of = { group: '', kind: { kind: object.kind, plural } } as unknown as Parameters<typeof usageOf>[0];
    const found = usageOf(of, object).get(resource);
    return found === undefined ? undefined : formatQuantity(found);
  };
  const asking = (...amounts: readonly string[]) => amounts.map((cpu, at) => ({ name: `c${at}`, resources: { requests: { cpu } } }));

  it.each([
    ['all containers together', { containers: asking('1', '500m') }, '1500m'],
    ['a larger init container', { containers: asking('1'), initContainers: asking('2', '1500m') }, '2'],
    ['not a smaller init container', { containers: asking('2', '1'), initContainers: asking('2') }, '3'],
    ['the overhead of its sandbox', { containers: asking('1'), initContainers: asking('2'), overhead: { cpu: '100m' } }, '2100m'],
  ])('of a pod: %s', (_, spec, cpu) => {
    expect(uses('pods', barePod('p', 'Running', { spec }), 'requests.cpu')).toBe(cpu);
  });

  it('of a service without allocation of node ports: those that it names', () => {
    const ports = [{ port: 80, nodePort: 30_000 }, { port: 81 }];
    const balanced = (more: object) => uses('services', service('s', { type: 'LoadBalancer', ports, ...more }), 'services.nodeports');
    expect([balanced({}), balanced({ allocateLoadBalancerNodePorts: false })]).toEqual(['2', '1']);
  });
});

describe('the scopes of a quota', () => {
  const pod = (spec: object = {}, qosClass = 'Burstable') => barePod('p', 'Running', { spec, status: { qosClass } });
  type QuotaScopes = Parameters<typeof covers>[0];
  const by = (operator: string, values?: readonly string[]): QuotaScopes => ({
    scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator, ...(values === undefined ? {} : { values }) }] },
  });
  const elsewhere = {
    affinity: {
      podAntiAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: { topologyKey: 'z', namespaceSelector: {} } }],
      },
    },
  };

  it.each<[string, QuotaScopes, ApiObject, boolean]>([
    ['none: everything', {}, service('s', {}), true],
    ['some: pods only', { scopes: ['BestEffort'] }, service('s', {}), false],
    ['a priority among some', by('In', ['high', 'low']), pod({ priorityClassName: 'high' }), true],
    ['a priority among others', by('In', ['low']), pod({ priorityClassName: 'high' }), false],
    ['an unused priority', by('In', ['high']), pod(), false],
    ['a priority not among some', by('NotIn', ['low']), pod({ priorityClassName: 'high' }), true],
    ['not among some, without one', by('NotIn', ['low']), pod(), true],
    ['any priority', by('Exists'), pod({ priorityClassName: 'high' }), true],
    ['any priority, without one', by('Exists'), pod(), false],
    ['no priority', by('DoesNotExist'), pod(), true],
    ['affinity to other namespaces', { scopes: ['CrossNamespacePodAffinity'] }, pod(elsewhere), true],
    ['no affinity', { scopes: ['CrossNamespacePodAffinity'] }, pod(), false],
    ['all of several', { scopes: ['NotBestEffort'], ...by('In', ['high']) }, pod({ priorityClassName: 'high' }), true],
    ['not all of several', { scopes: ['BestEffort'], ...by('In', ['high']) }, pod({ priorityClassName: 'high' }), false],
  ])('%s', (_what, scopes, object, covered) => {
    expect(covers(scopes, object)).toBe(covered);
  });
});
