/** The additional objects of a served cluster: built-in roles, the Service of the API, field managers of processes. */
import { describe, expect, it } from 'vitest';
import type { ClusterRole, ClusterRoleBinding, Endpoints, EndpointSlice, RoleBinding, Service } from '../../src/apiserver/kinds/index.ts';
import type { ApiObject } from '../../src/apiserver/machinery/index.ts';
import { decideAccess } from '../../src/apiserver/access/index.ts';
import { createCluster, type Cluster, type ClusterOptions } from '../../src/controlplane/cluster.ts';

const NODES = [{ name: 'node-0', capacity: { cpu: '4', memory: '8Gi', pods: '110' } }];
const cluster = (options: ClusterOptions = {}): Cluster => createCluster({ domain: 'k8s.io', nodes: NODES, bootstrap: true, ...options });
const named = <T extends ApiObject>(of: Cluster, kind: string): ReadonlyMap<string, T> =>
  new Map([...of.store.values(kind)].map((object) => [object.metadata.name, object as T]));

describe('a bootstrap cluster', () => {
  it('has a Service for the API at the first address, with endpoints that are not mirrored', () => {
    const { store } = cluster();
    expect((store.get('Service', 'default/kubernetes') as Service).spec).toMatchObject({
      clusterIP: '10.0.0.1',
      ports: [{ name: 'https', port: 443, protocol: 'TCP', targetPort: 6443 }],
    });
    expect((store.get('Endpoints', 'default/kubernetes') as Endpoints).subsets).toEqual([
      { addresses: [{ ip: '192.168.0.1' }], ports: [{ name: 'https', port: 6443, protocol: 'TCP' }] },
    ]);
    expect([...store.values('EndpointSlice')].map(({ metadata }) => metadata.name)).toEqual(['kubernetes']);
    expect((store.get('EndpointSlice', 'default/kubernetes') as EndpointSlice).endpoints).toEqual([
      { addresses: ['192.168.0.1'], conditions: { ready: true } },
    ]);
  });

  it('has the roles of people, components and controllers, and every binding finds its role', () => {
    const of = cluster();
    const roles = named<ClusterRole>(of, 'ClusterRole');
    for (const name of [
      'cluster-admin',
      'admin',
      'edit',
      'view',
      'system:node',
      'system:kube-scheduler',
      'system:controller:job-controller',
    ])
      expect([...roles.keys()]).toContain(name);
    for (const { metadata, roleRef } of named<ClusterRoleBinding>(of, 'ClusterRoleBinding').values())
      expect(roles.has(roleRef.name), metadata.name).toBe(true);
    for (const object of of.store.values('RoleBinding')) {
      const { metadata, roleRef } = object as RoleBinding;
      expect(of.store.get('Role', `${metadata.namespace ?? ''}/${roleRef.name}`), metadata.name).toBeDefined();
    }
    for (const { metadata, rules } of roles.values()) {
      expect(metadata.labels, metadata.name).toMatchObject({ 'kubernetes.io/bootstrapping': 'rbac-defaults' });
      expect((rules ?? []).length, metadata.name).toBeGreaterThan(0);
    }
  });

  it('gives only components the rights that they need', () => {
    const of = cluster();
    const may = (name: string, verb: string, resource: string, group = ''): boolean =>
      decideAccess(of.store, of.names, { user: { name, groups: ['system:authenticated'] }, verb, group, resource }).allowed;
    expect(may('system:kube-scheduler', 'delete', 'pods')).toBe(true);
    expect(may('system:kube-scheduler', 'delete', 'nodes')).toBe(false);
    expect(may('system:serviceaccount:kube-system:job-controller', 'create', 'pods')).toBe(true);
    expect(may('system:serviceaccount:kube-system:job-controller', 'create', 'secrets')).toBe(false);
    expect(may('system:serviceaccount:default:default', 'list', 'pods')).toBe(false);
  });

  it('aggregates the rights of administrators from labelled roles, later ones included', () => {
    const of = cluster();
    const rules = (name: string): string => JSON.stringify((of.store.get('ClusterRole', name) as ClusterRole).rules);
    const before = rules('admin');
    of.runUntil(of.now + 5_000);
    // The bootstrap rules equal those that the controller computes.
    expect(rules('admin')).toBe(before);
    const widgets = { apiGroups: ['example.com'], resources: ['widgets'], verbs: ['list'] };
    of.request('root', {
      verb: 'create',
      kind: 'ClusterRole',
      body: {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRole',
        metadata: { name: 'widget-viewers', labels: { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' } },
        rules: [widgets],
      },
    });
    of.runUntil(of.now + 5_000);
    for (const name of ['view', 'edit', 'admin']) expect(rules(name)).toContain('widgets');
  });

  it('has neutral names in the neutral domain', () => {
    const of = cluster({ domain: 'orch.io' });
    const reported = JSON.stringify(
      ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding', 'Service', 'Endpoints'].flatMap((kind) => [...of.store.values(kind)]),
    );
    expect(reported).not.toMatch(/kube|k8s/);
    expect(of.store.get('ClusterRole', 'system:orch-scheduler')).toBeDefined();
  });

  it('gives later objects the same names as a cluster without it', () => {
    const [plain, bootstrap] = [cluster({ bootstrap: false }), cluster()].map((of) => {
      const made = of.request('root', {
        verb: 'create',
        kind: 'ConfigMap',
        namespace: 'default',
        body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'c-' } },
      });
      return made.ok && 'object' in made ? [made.object.metadata.name, made.object.metadata.uid] : undefined;
    });
    expect(bootstrap).toEqual(plain);
    expect(plain).toBeDefined();
  });
});

describe('managed fields of processes', () => {
  const managers = (of: Cluster, kind: string, key: string): readonly string[] =>
    (of.store.get(kind, key)?.metadata.managedFields ?? [])
      .map(({ manager, subresource = '' }) => `${manager ?? ''} ${subresource}`.trim())
      .toSorted();
  const job = (of: Cluster): readonly string[] => {
    of.request('root', {
      verb: 'create',
      kind: 'Job',
      namespace: 'default',
      body: {
        apiVersion: 'batch/v1',
        kind: 'Job',
        metadata: { name: 'j' },
        spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'c:1' }] } } },
      },
    });
    of.runUntil(of.now + 5_000);
    return [...of.store.values('Pod')].map(({ metadata }) => `${metadata.namespace ?? ''}/${metadata.name}`);
  };

  it.each([
    ['k8s.io', 'kube-controller-manager', 'kubelet', 'kube-scheduler'],
    ['orch.io', 'orch-controller-manager', 'agent', 'orch-scheduler'],
  ] as const)('are under the names of their programs (%s)', (domain, manager, agent, scheduler) => {
    const of = cluster({ domain, managedFields: true });
    const [pod = ''] = job(of);
    expect(managers(of, 'Pod', pod)).toEqual([manager, `${agent} status`].toSorted());
    expect(managers(of, 'Node', 'node-0')).toEqual([agent, `${agent} status`]);
    expect(managers(of, 'Job', 'default/j')).toEqual([`${manager} status`, 'root'].toSorted());
    expect(managers(of, 'Service', domain === 'k8s.io' ? 'default/kubernetes' : 'default/orch')).toEqual([
      manager.replace('controller-manager', 'apiserver'),
    ]);
    const writers = new Set(
      [...of.store.values('Event')].flatMap(({ metadata }) => (metadata.managedFields ?? []).map((each) => each.manager)),
    );
    expect([...writers]).toContain(scheduler);
  });

  it('are absent by default', () => {
    const of = cluster();
    const [pod = ''] = job(of);
    expect(of.store.get('Pod', pod)?.metadata).not.toHaveProperty('managedFields');
    expect(of.store.get('Node', 'node-0')?.metadata).not.toHaveProperty('managedFields');
  });
});
