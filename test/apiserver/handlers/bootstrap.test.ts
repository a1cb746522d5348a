/** What a new cluster has before its first request: namespaces, the Service of its server, and the definitions of its kinds. */
import { describe, expect, it } from 'vitest';
import { customKind } from '../../../src/apiserver/custom/index.ts';
import { bootstrap, createBootstrapObjects, createDefinitions } from '../../../src/apiserver/handlers/index.ts';
import { type ApiObject, type Domain, namesFor } from '../../../src/apiserver/machinery/index.ts';
import { setup, type Setup } from './setup.ts';

/** The objects of a kind, with what their creator says of them. */
const given = ({ store }: Setup, kind: string): readonly unknown[] =>
  [...store.values(kind)].map(({ metadata: { name, namespace, labels }, ...rest }: ApiObject) => ({ name, namespace, labels, ...rest }));

describe.each<[Domain, string, string]>([
  ['k8s.io', 'kubernetes', 'kube'],
  ['orch.io', 'orch', 'orch'],
])('a cluster of %s', (domain, name, prefix) => {
  const names = namesFor(domain);
  const world = setup(domain);

  it('has its namespaces', () => {
    expect([...world.store.values('Namespace')].map(({ metadata }) => metadata.name).sort()).toEqual(
      ['default', ...['node-lease', 'public', 'system'].map((part) => `${prefix}-${part}`)].sort(),
    );
  });

  it('has the Service of its server, with the endpoints that no controller mirrors', () => {
    createBootstrapObjects(world.server, names);
    const at = { name, namespace: 'default' };
    const ports = [{ name: 'https', port: 6443, protocol: 'TCP' }];
    expect(given(world, 'Service')).toEqual([
      {
        ...at,
        apiVersion: 'v1',
        kind: 'Service',
        labels: { component: 'apiserver', provider: name },
        spec: {
          clusterIP: '10.0.0.1',
          clusterIPs: ['10.0.0.1'],
          internalTrafficPolicy: 'Cluster',
          ipFamilies: ['IPv4'],
          ipFamilyPolicy: 'SingleStack',
          ports: [{ name: 'https', port: 443, protocol: 'TCP', targetPort: 6443 }],
          sessionAffinity: 'None',
          type: 'ClusterIP',
        },
        status: { loadBalancer: {} },
      },
    ]);
    expect(given(world, 'Endpoints')).toEqual([
      {
        ...at,
        apiVersion: 'v1',
        kind: 'Endpoints',
        labels: { [names.key('endpointslice', 'skip-mirror')]: 'true' },
        subsets: [{ addresses: [{ ip: '192.168.0.1' }], ports }],
      },
    ]);
    expect(given(world, 'EndpointSlice')).toEqual([
      {
        ...at,
        apiVersion: `${names.group('discovery')}/v1`,
        kind: 'EndpointSlice',
        labels: { [names.key('', 'service-name')]: name },
        addressType: 'IPv4',
        endpoints: [{ addresses: ['192.168.0.1'], conditions: { ready: true } }],
        ports,
      },
    ]);
  });

  it('keeps what it has where all of it is created again', () => {
    const before = world.store.revision;
    bootstrap(world.server, names);
    createBootstrapObjects(world.server, names);
    expect(world.store.revision).toBe(before);
  });

  it('cannot begin where the server refuses any of it', () => {
    const full = setup(domain);
    const server = { ...full.server, handle: () => ({ ok: false, code: 403, status: { message: 'no' } }) } as never;
    const silent = { ...full.server, handle: () => ({ ok: false, code: 500, status: {} }) } as never;
    expect(() => bootstrap(server, names)).toThrow(/^bootstrap: Namespace \S+: no$/);
    expect(() => bootstrap(silent, names)).toThrow(/^bootstrap: Namespace \S+: 500$/);
  });

  it('has the definitions of the kinds that are made from one, in the group of its domain', () => {
    const made = customKind({
      kind: 'CustomResourceDefinition',
      apiVersion: 'apiextensions.k8s.io/v1',
      spec: {
        group: 'example.com',
        scope: 'Cluster',
        names: { kind: 'Gadget', plural: 'gadgets', singular: 'gadget' },
        versions: [{ name: 'v1', storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
      },
    });
    if (!('kind' in made)) throw new Error(JSON.stringify(made));
    const { definition: _, ...coded } = made.kind;
    createDefinitions(world.server, names, [coded, () => coded, made.kind]);
    expect(given(world, 'CustomResourceDefinition')).toMatchObject([
      { name: 'gadgets.example.com', apiVersion: `${names.group('apiextensions')}/v1`, spec: { names: { kind: 'Gadget' } } },
    ]);
    const body = { apiVersion: 'example.com/v1', kind: 'Gadget', metadata: { name: 'g' } };
    expect(world.ok({ verb: 'create', kind: 'Gadget', body }).metadata.name).toBe('g');
  });
});
