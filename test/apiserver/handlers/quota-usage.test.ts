/** Which objects a quota counts, and how much of what. */
import { describe, expect, it } from 'vitest';
import { covers, usageOf } from '../../../src/apiserver/admission/index.ts';
import { formatQuantity } from '../../../src/schema/values/index.ts';

type Members = Readonly<Record<string, unknown>>;
const resourceOf = (group: string, plural: string, more: Members = {}) => ({ group, kind: { plural, ...more } }) as never;
const usage = (group: string, plural: string, object: Members, more: Members = {}) =>
  Object.fromEntries(
    [...usageOf(resourceOf(group, plural, more), object as never)].map(([name, amount]) => [name, formatQuantity(amount)]),
  );
const container = (requests: object, limits: object = {}): object => ({ resources: { requests, limits } });
const pod = (spec: object, status: object = {}): Members => ({
  kind: 'Pod',
  apiVersion: 'v1',
  metadata: { name: 'p' },
  spec: { containers: [], ...spec },
  status,
});

describe('usage', () => {
  it('is one of each object, by either name', () => {
    expect([
      usage('', 'configmaps', { kind: 'ConfigMap' }),
      usage('apps', 'deployments', { kind: 'Deployment' }),
      usage('a.b', 'widgets', { kind: 'Widget' }, { definition: {} }),
    ]).toEqual([
      { configmaps: '1', 'count/configmaps': '1' },
      { 'count/deployments.apps': '1', deployments: '1' },
      { 'count/widgets.a.b': '1' },
    ]);
  });

  it('of a pod is the sum of its containers or the largest that runs first, and its overhead', () => {
    const small = container({ cpu: '1', memory: '1Gi' }, { cpu: '2' });
    expect(usage('', 'pods', pod({ containers: [small, container({ cpu: '500m' }), container({})] }))).toEqual({
      pods: '1',
      'count/pods': '1',
      cpu: '1500m',
      'requests.cpu': '1500m',
      'limits.cpu': '2',
      memory: '1Gi',
      'requests.memory': '1Gi',
      'limits.memory': '0',
      'ephemeral-storage': '0',
      'requests.ephemeral-storage': '0',
      'limits.ephemeral-storage': '0',
    });
    expect(
      usage(
        '',
        'pods',
        pod({
          containers: [small],
          initContainers: [container({ cpu: '3' }), container({ cpu: '2', memory: '1' })],
          overhead: { cpu: '100m', 'ephemeral-storage': '5' },
        }),
      ),
    ).toEqual({
      pods: '1',
      'count/pods': '1',
      cpu: '3100m',
      'requests.cpu': '3100m',
      'limits.cpu': '2100m',
      memory: '1Gi',
      'requests.memory': '1Gi',
      'limits.memory': '0',
      'ephemeral-storage': '5',
      'requests.ephemeral-storage': '5',
      'limits.ephemeral-storage': '5',
    });
  });

  it('of a service is its node ports and load balancers', () => {
    const of = (spec: object) => {
      const { 'services.nodeports': ports, 'services.loadbalancers': balancers } = usage('', 'services', {
        kind: 'Service',
        apiVersion: 'v1',
        metadata: {},
        spec,
      });
      return [ports, balancers];
    };
    const ports = [{ port: 1 }, { port: 2, nodePort: 30000 }];
    expect([
      of({ type: 'ClusterIP', ports }),
      of({ type: 'NodePort', ports }),
      of({ type: 'LoadBalancer', ports }),
      of({ type: 'LoadBalancer', ports, allocateLoadBalancerNodePorts: false }),
      of({ type: 'LoadBalancer', ports: [{ nodePort: 0 }], allocateLoadBalancerNodePorts: false }),
      of({ type: 'NodePort' }),
    ]).toEqual([
      ['0', '0'],
      ['2', '0'],
      ['2', '1'],
      ['1', '1'],
      ['0', '1'],
      ['0', '0'],
    ]);
  });

  it('of a claim is its storage, by class too', () => {
    const of = (spec: object) =>
      usage('', 'persistentvolumeclaims', { kind: 'PersistentVolumeClaim', apiVersion: 'v1', metadata: {}, spec });
    expect([of({ resources: { requests: { storage: '2Gi' } }, storageClassName: 'fast' }), of({ resources: {} })]).toEqual([
      {
        persistentvolumeclaims: '1',
        'count/persistentvolumeclaims': '1',
        'requests.storage': '2Gi',
        'fast.storageclass.storage.k8s.io/requests.storage': '2Gi',
        'fast.storageclass.storage.k8s.io/persistentvolumeclaims': '1',
      },
      { persistentvolumeclaims: '1', 'count/persistentvolumeclaims': '1', 'requests.storage': '0' },
    ]);
  });
});

describe('a quota', () => {
  const scoped = (scope: string, object: Members): boolean => covers({ scopes: [scope] }, object as never);
  const selected = (operator: string, values: readonly string[] | undefined, priorityClassName?: string): boolean =>
    covers(
      { scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator, values }] } } as never,
      pod({ priorityClassName }) as never,
    );
  const affinity = (side: string, term: object, when = 'requiredDuringSchedulingIgnoredDuringExecution'): Members =>
    pod({ affinity: { [side]: { [when]: [when.startsWith('required') ? term : { podAffinityTerm: term }] } } });

  it('without scopes counts everything, with scopes pods alone', () => {
    expect([
      covers({}, { kind: 'ConfigMap' } as never),
      scoped('BestEffort', { kind: 'ConfigMap' }),
      covers({ scopes: [], scopeSelector: {} }, pod({}) as never),
      scoped('Unknown', pod({})),
    ]).toEqual([true, false, true, false]);
  });

  it('counts pods by what they are', () => {
    const [best, other] = [pod({}, { qosClass: 'BestEffort' }), pod({ activeDeadlineSeconds: 1 }, { qosClass: 'Burstable' })];
    const scopes = ['BestEffort', 'NotBestEffort', 'Terminating', 'NotTerminating', 'PriorityClass', 'CrossNamespacePodAffinity'];
    expect([best, other].map((each) => scopes.filter((scope) => scoped(scope, each)))).toEqual([
      ['BestEffort', 'NotTerminating'],
      ['NotBestEffort', 'Terminating'],
    ]);
    expect(covers({ scopes: ['BestEffort', 'Terminating'] }, best as never)).toBe(false);
  });

  it('counts pods by their priority class', () => {
    const names = [undefined, '', 'a', 'b'];
    const of = (operator: string, values?: readonly string[]) => names.map((name) => selected(operator, values, name));
    expect([
      of('Exists'),
      of('DoesNotExist'),
      of('In', ['a']),
      of('NotIn', ['a']),
      of('In', ['']),
      of('In'),
      of('NotIn'),
      of('Like', ['a']),
    ]).toEqual([
      [false, false, true, true],
      [true, true, false, false],
      [false, false, true, false],
      [true, true, false, true],
      [false, false, false, false],
      [false, false, false, false],
      [true, true, true, true],
      [false, false, false, false],
    ]);
  });

  it('counts pods with affinity to other namespaces', () => {
    const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';
    const cross = (each: Members): boolean => scoped('CrossNamespacePodAffinity', each);
    expect(
      [
        affinity('podAffinity', { namespaces: ['n'] }),
        affinity('podAntiAffinity', { namespaceSelector: {} }),
        affinity('podAffinity', { namespaces: ['n'] }, preferred),
        affinity('podAntiAffinity', { namespaces: [] }),
        affinity('podAffinity', {}, preferred),
      ].map(cross),
    ).toEqual([true, true, true, false, false]);
  });
});
