/** Whole decisions: the members of endpoints, and the reasons of ingresses and capacities as users read them. */
import { describe, expect, it } from 'vitest';
import {
  admitRuntimeClass,
  backendFor,
  expandEndpoints,
  ingressClassOf,
  joinSlices,
  preferredGroups,
  preferredVersion,
  reachedBy,
  storageCapacity,
  usedEndpoints,
} from '../../../src/apiserver/decisions/index.ts';
import { names, stored } from './objects.ts';

describe('an endpoint', () => {
  const state = { ready: true, serving: true, terminating: false, forZones: [] };

  it('of Endpoints has its port, node and target', () => {
    const subsets = [
      {
        addresses: [{ ip: '10.0.0.2', nodeName: 'n', targetRef: { kind: 'Pod', name: 'p' } }],
        notReadyAddresses: [
          { ip: '10.0.0.1', targetRef: { kind: 'Pod' } },
          { ip: '10.0.0.3', targetRef: { name: 'x' } },
        ],
        ports: [{ port: 80 }, { name: 'dns', port: 53, protocol: 'UDP' }],
      },
    ];
    const [http, dns] = [
      { port: 80, portName: '', protocol: 'TCP' },
      { port: 53, portName: 'dns', protocol: 'UDP' },
    ];
    const unready = { ...state, ready: false, serving: false };
    expect(expandEndpoints(stored('Endpoints', 'web', { subsets }))).toEqual([
      { address: '10.0.0.1', ...unready, ...http },
      { address: '10.0.0.1', ...unready, ...dns },
      { address: '10.0.0.2', ...state, nodeName: 'n', target: 'Pod/p', ...http },
      { address: '10.0.0.2', ...state, nodeName: 'n', target: 'Pod/p', ...dns },
      { address: '10.0.0.3', ...unready, target: '/x', ...http },
      { address: '10.0.0.3', ...unready, target: '/x', ...dns },
    ]);
  });

  it('of a slice has its conditions, zones and hints', () => {
    const slice = (name: string, ports: readonly object[] | undefined, ...endpoints: readonly object[]) =>
      stored('EndpointSlice', name, { addressType: 'IPv4', ports, endpoints });
    const all = joinSlices([
      slice(
        'b',
        [{ name: 'http', port: 80 }, { name: 'any' }],
        {
          addresses: ['10.0.0.1'],
          conditions: { ready: false, serving: true, terminating: true },
          zone: 'z',
          nodeName: 'n',
          hints: { forZones: [{ name: 'z' }, { name: 'y' }] },
          targetRef: { kind: 'Pod', name: 'p' },
        },
        { addresses: [] },
      ),
      slice('a', undefined, { addresses: ['10.0.0.2'] }),
    ]);
    const one = {
      address: '10.0.0.1',
      ready: false,
      serving: true,
      terminating: true,
      forZones: ['z', 'y'],
      zone: 'z',
      nodeName: 'n',
      target: 'Pod/p',
    };
    expect(all).toEqual([
      { ...one, portName: 'any', protocol: 'TCP' },
      { ...one, port: 80, portName: 'http', protocol: 'TCP' },
      { address: '10.0.0.2', ...state },
    ]);
    expect(reachedBy([{ name: 'http' }, {}], all).map(({ address, portName }) => [address, portName])).toEqual([
      ['10.0.0.1', 'http'],
      ['10.0.0.2', undefined],
    ]);
    // Without ready ones those that end and still serve are used, with the gate alone.
    expect([
      usedEndpoints(all.slice(0, 2)).length,
      usedEndpoints(all.slice(0, 2), 'x', { ProxyTerminatingEndpoints: true }).length,
    ]).toEqual([0, 2]);
  });
});

describe('a request to an ingress', () => {
  const to = (name: string, port: object = { number: 80 }) => ({ service: { name, port } });
  const ingress = (name: string, spec: object, meta: Readonly<Record<string, unknown>> = {}) =>
    stored('Ingress', name, { spec: { ingressClassName: 'a', ...spec } }, meta);
  const classes = [stored('IngressClass', 'a', { spec: { controller: 'x.io/a' } })];
  const ask = (all: readonly ReturnType<typeof ingress>[], request: object = {}) =>
    backendFor({ host: 'h.io', path: '/a/b', ...request }, { ingresses: all, classes, names });
  const path = (at: string | undefined, pathType: string, name = 's') => ({ path: at, pathType, backend: to(name) });
  const rule = (host: string | undefined, ...paths: readonly object[]) => ({ host, http: { paths } });

  it('names the place of the rule that matches', () => {
    const one = ingress('i', {
      rules: [{ host: 'x.io' }, rule('h.io', path('/x', 'Prefix'), path('/a', 'Prefix')), rule(undefined, path('/', 'Prefix'))],
    });
    expect(ask([one])).toEqual({
      backend: 's:80',
      namespace: 'default',
      by: 'default/i',
      why: 'rules[1].http.paths[1] of Ingress default/i matches h.io/a (Prefix)',
    });
    expect(ask([one], { path: '/q' }).why).toBe('rules[2].http.paths[0] of Ingress default/i matches / (Prefix)');
    expect(ask([one], { host: 'H.io.:80' }).why).toContain('rules[1]');
    expect(ask([ingress('j', { rules: [rule('h.io', path(undefined, 'ImplementationSpecific'))] })]).why).toBe(
      'rules[0].http.paths[0] of Ingress default/j matches h.io (ImplementationSpecific)',
    );
  });

  it('over TLS names who ends it, with the secret', () => {
    const tls = [{ hosts: ['h.io'], secretName: 'cert' }];
    const one = ingress('i', { tls, defaultBackend: to('s') });
    const why = 'no rule matches h.io/a/b; Ingress default/i has a default backend';
    expect(ask([one], { tls: true })).toEqual({
      backend: 's:80',
      namespace: 'default',
      by: 'default/i',
      why,
      tls: { by: 'default/i', secret: 'cert' },
    });
    expect(ask([ingress('j', { tls: [{ hosts: ['h.io'] }], defaultBackend: to('s') })], { tls: true }).tls).toEqual({ by: 'default/j' });
    expect(ask([ingress('k', { tls, rules: [rule('h.io', path('/z', 'Exact'))] })], { tls: true })).toEqual({
      why: 'no rule matches h.io/a/b, and no Ingress has a default backend: it is up to the implementation',
      tls: { by: 'default/k', secret: 'cert' },
    });
  });

  it('goes to the older of equals: by time, then by name', () => {
    const at = (name: string, creationTimestamp: string) => ingress(name, { defaultBackend: to(name) }, { creationTimestamp });
    const [OLD, NEW] = ['2024-01-01T00:00:00Z', '2024-02-01T00:00:00Z'];
    expect([ask([at('b', NEW), at('a', OLD)]).by, ask([at('b', OLD), at('a', OLD)]).by, ask([at('a', NEW), at('b', OLD)]).by]).toEqual([
      'default/a',
      'default/a',
      'default/b',
    ]);
  });

  it('has the class of its annotation, which may be empty, or of its field', () => {
    const classOf = (annotations: object) => ingressClassOf(ingress('i', {}, { annotations }), names);
    expect([classOf({}), classOf({ 'orch.io/ingress.class': 'b' }), classOf({ 'orch.io/ingress.class': '' })]).toEqual(['a', 'b', '']);
    const empty = ingress('i', { defaultBackend: to('s') }, { annotations: { 'orch.io/ingress.class': '' } });
    expect(ask([empty])).toEqual({ why: 'Ingress default/i is of class , and there is no IngressClass of that name' });
  });
});

describe('capacity', () => {
  const capacity = (name: string, parts: object) =>
    stored('CSIStorageCapacity', name, { storageClassName: 'fast', nodeTopology: {}, ...parts });
  it('that is too small names the largest, and what each has', () => {
    const ask = (...all: readonly ReturnType<typeof capacity>[]) => storageCapacity({ storageClass: 'fast', size: '10Gi' }, all);
    expect(ask(capacity('a', { maximumVolumeSize: '2Gi', capacity: '1Ti' }), capacity('b', {}))).toEqual({
      sufficient: false,
      why: '10Gi of class fast are requested; default/a, the largest, has volumes of at most 2Gi',
      by: [],
    });
    expect(ask(capacity('b', {})).why).toBe('10Gi of class fast are requested; default/b, the largest, has no capacity stated');
    expect(
      ask(capacity('a', { capacity: '20Gi' }), capacity('c', { maximumVolumeSize: '11Gi' }), capacity('d', { capacity: '1Gi' })),
    ).toEqual({
      sufficient: true,
      why: 'default/a has 20Gi left, default/c has volumes of at most 11Gi',
      by: ['default/a', 'default/c'],
    });
    expect(
      ask(
        capacity('a', { capacity: '20Gi', nodeTopology: undefined }),
        capacity('b', { capacity: '1Gi', nodeTopology: { matchLabels: { z: 'a' } } }),
      ),
    ).toEqual({
      sufficient: false,
      why: 'no segment of class fast reaches the node: default/a has no nodeTopology, default/b requires z=a',
      by: [],
    });
  });
});

it('a runtime class may set its overhead, selector and tolerations one by one', () => {
  const changes = (found: object, pod: object = {}) => {
    const decision = admitRuntimeClass({ runtimeClassName: 'c', ...pod }, () => found);
    return decision.admitted ? decision.changes : decision.why;
  };
  const podFixed = { cpu: '1' };
  expect([
    changes({ overhead: {} }),
    changes({ overhead: { podFixed } }),
    changes({ overhead: { podFixed } }, { overhead: { cpu: '1000m' } }),
    changes({ overhead: { podFixed } }, { overhead: { memory: '1' } }),
    changes({ overhead: { podFixed } }, { overhead: { cpu: '2' } }),
    changes({ overhead: { podFixed } }, { overhead: { cpu: '1', memory: '1' } }),
    changes({ scheduling: { nodeSelector: {} } }, { nodeSelector: { a: 'b' } }),
    changes({ scheduling: { nodeSelector: { a: 'b' } } }, { nodeSelector: { a: 'b', c: 'd' } }),
    changes({ scheduling: { tolerations: [] } }, { tolerations: [{ key: 'a' }] }),
  ]).toEqual([
    {},
    { overhead: podFixed },
    { overhead: podFixed },
    "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead",
    "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead",
    "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead",
    {},
    { nodeSelector: { a: 'b', c: 'd' } },
    { tolerations: [{ key: 'a' }] },
  ]);
});

it('groups are preferred by the highest priority of their services, versions by theirs, then by name', () => {
  const service = (version: string, group: string | undefined, groupPriorityMinimum: number, versionPriority: number) => ({
    metadata: { name: `${version}.${group ?? ''}` },
    spec: { ...(group === undefined ? {} : { group }), version, groupPriorityMinimum, versionPriority },
  });
  const all = [
    service('v1', 'low', 1, 1),
    service('v1', undefined, 5, 1),
    service('v1beta1', 'b', 3, 9),
    service('v1', 'b', 7, 9),
    service('v2', 'b', 2, 10),
    service('v1', 'a', 7, 1),
  ];
  expect(preferredGroups(all)).toEqual([
    { group: 'a', priority: 7, versions: ['v1'] },
    { group: 'b', priority: 7, versions: ['v2', 'v1', 'v1beta1'] },
    { group: '', priority: 5, versions: ['v1'] },
    { group: 'low', priority: 1, versions: ['v1'] },
  ]);
  expect([preferredVersion('b', all), preferredVersion('', all), preferredVersion('c', all)]).toEqual(['v2', 'v1', undefined]);
});
