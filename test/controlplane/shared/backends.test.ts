/** The pods behind services: entries follow pods, services and nodes, and each change names the services that it concerns. */
import { describe, expect, it } from 'vitest';
import type { Pod, Service } from '../../../src/apiserver/kinds/index.ts';
import { createCache } from '../../../src/controlplane/runtime/index.ts';
import {
  type Backends,
  describeServices,
  followNode,
  followPod,
  followService,
  reasonsFor,
  selectsPods,
  servicesOfNode,
  servicesOfPod,
} from '../../../src/controlplane/shared/index.ts';
import { AT, barePod, nodeOf } from '../../support/objects.ts';

const serviceOf = (name: string, spec: object = { selector: { app: name } }, meta: object = {}): Service =>
  ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace: 'default', uid: `uid-${name}`, ...meta },
    spec,
  }) as unknown as Service;
const podOf = (name: string, app: string, more: { meta?: object; spec?: object; status?: object } = {}): Pod =>
  barePod(name, 'Running', {
    meta: { labels: { app }, ...more.meta },
    spec: more.spec ?? {},
    status: { podIP: '10.0.0.1', ...more.status },
  });

/** Services whose entries are names of pods with an address; a record is the list of them. */
function world() {
  const cache = createCache();
  for (const kind of ['Pod', 'Service', 'Node'] as const) cache.open(kind);
  const services = new Map<string, Backends<string, string[]>>();
  const puts: (readonly [string | undefined, string | undefined])[] = [];
  const projection = {
    record: (key: string) => [`of ${key}`],
    show: ({ metadata, status, spec }: Pod) =>
      status.podIP === undefined
        ? undefined
        : `${metadata.name}${cache.get('Node', undefined, spec.nodeName ?? '') === undefined ? '' : '!'}`,
    put(record: string[], before: string | undefined, after: string | undefined) {
      puts.push([before, after]);
      if (before !== undefined) record.splice(record.indexOf(before), 1);
      if (after !== undefined) record.push(after);
    },
  };
  return {
    services,
    cache,
    puts,
    service(service: Service, type: 'MODIFIED' | 'DELETED' = 'MODIFIED') {
      const key = `${service.metadata.namespace ?? ''}/${service.metadata.name}`;
      cache.set('Service', key, type === 'DELETED' ? undefined : service);
      followService(projection, services, { type, key, kind: 'Service', object: service, old: undefined }, cache);
    },
    pod(pod: Pod, type: 'MODIFIED' | 'DELETED' = 'MODIFIED') {
      cache.set('Pod', `${pod.metadata.namespace ?? ''}/${pod.metadata.name}`, type === 'DELETED' ? undefined : pod);
      followPod(projection, services, { type, object: pod }, cache);
    },
    node(name: string, type: 'ADDED' | 'MODIFIED' | 'DELETED') {
      cache.set('Node', name, type === 'DELETED' ? undefined : nodeOf(name));
      followNode(projection, services, { type, key: name, kind: 'Node', object: nodeOf(name), old: undefined }, cache);
    },
    records: () => [...services].map(([key, { record, pods }]) => [key, record, [...pods.keys()]]),
  };
}

describe('a service', () => {
  it('selects pods by a selector, unless it is a name of another host', () => {
    expect(
      [{ selector: { a: 'b' } }, { selector: {} }, {}, { selector: { a: 'b' }, type: 'ExternalName' }].map((spec) =>
        selectsPods(serviceOf('s', spec)),
      ),
    ).toEqual([true, false, false, false]);
  });

  it('has the pods that it finds, and those that come, until they go', () => {
    const all = world();
    all.pod(podOf('a', 'web'));
    all.pod(podOf('far', 'web', { meta: { namespace: 'far' } }));
    all.service(serviceOf('web'));
    all.pod(podOf('b', 'web'));
    all.pod(podOf('c', 'db'));
    all.pod(podOf('d', 'web', { status: { podIP: undefined } }));
    expect(all.records()).toEqual([['default/web', ['of default/web', 'a', 'b'], ['default/a', 'default/b', 'default/d']]]);
    all.pod(podOf('a', 'db'));
    all.pod(podOf('b', 'web'), 'DELETED');
    all.pod(podOf('d', 'web'), 'DELETED');
    expect(all.records()).toEqual([['default/web', ['of default/web'], []]]);
    expect(all.puts).toEqual([
      [undefined, 'a'],
      [undefined, 'b'],
      ['a', undefined],
      ['b', undefined],
    ]);
  });

  it('has other pods by another selector, in the same record', () => {
    const all = world();
    for (const [name, app] of [
      ['a', 'web'],
      ['b', 'db'],
      ['c', 'web'],
    ] as const)
      all.pod(podOf(name, app));
    all.service(serviceOf('web'));
    const { record } = all.services.get('default/web') ?? {};
    all.service(serviceOf('web', { selector: { app: 'db' } }));
    expect(all.records()).toEqual([['default/web', ['of default/web', 'b'], ['default/b']]]);
    expect(all.services.get('default/web')?.record).toBe(record);
  });

  it('keeps its entries while only its metadata change, and makes them anew for another uid', () => {
    const all = world();
    const first = serviceOf('web');
    all.pod(podOf('a', 'web'));
    all.service(first);
    const labelled = serviceOf('web', first.spec, { labels: { x: 'y' } });
    all.service(labelled);
    expect([all.puts.length, all.services.get('default/web')?.service]).toEqual([1, labelled]);
    all.service(serviceOf('web', first.spec, { uid: 'another' }));
    expect(all.puts).toEqual([
      [undefined, 'a'],
      ['a', 'a'],
    ]);
  });

  it('that is gone, or selects none any more, has no entries', () => {
    for (const end of ['DELETED', 'MODIFIED'] as const) {
      const all = world();
      all.pod(podOf('a', 'web'));
      all.pod(podOf('b', 'web', { status: { podIP: undefined } }));
      all.service(serviceOf('web'));
      all.service(end === 'DELETED' ? serviceOf('web') : serviceOf('web', {}), end);
      all.service(serviceOf('unknown'), 'DELETED');
      expect([all.puts, all.records()]).toEqual([
        [
          [undefined, 'a'],
          ['a', undefined],
        ],
        [],
      ]);
    }
  });

  it('is described with its pods, times and record', () => {
    const all = world();
    all.pod(podOf('a', 'web'));
    const service = serviceOf('web');
    all.service(service);
    const times = [new Map([['a', Date.parse(AT)]]), [{ version: 1, at: Date.parse(AT) }], 1, 0];
    expect(describeServices(all.services)).toEqual([
      ['default/web', service, new Map([['default/a', 'a']]), times, ['of default/web', 'a']],
    ]);
    expect(describeServices(all.services, (record) => record.length)).toEqual([
      ['default/web', service, new Map([['default/a', 'a']]), times, 2],
    ]);
  });

  it('has other entries once a node is known, and once it is gone', () => {
    const all = world();
    all.service(serviceOf('web'));
    all.pod(podOf('a', 'web'));
    all.pod(podOf('b', 'web', { spec: { nodeName: 'node-1' } }));
    all.node('node-0', 'ADDED');
    expect(all.records()).toEqual([['default/web', ['of default/web', 'b', 'a!'], ['default/a', 'default/b']]]);
    all.node('node-0', 'MODIFIED');
    expect(all.puts.length).toBe(3);
    all.node('node-0', 'DELETED');
    expect(all.records()).toEqual([['default/web', ['of default/web', 'b', 'a'], ['default/a', 'default/b']]]);
  });
});

describe('a change', () => {
  const all = world();
  for (const service of [serviceOf('web'), serviceOf('both', { selector: { tier: 'x' } }), serviceOf('db')]) all.service(service);
  all.service(serviceOf('far', { selector: { app: 'web' } }, { namespace: 'far' }));
  all.service(serviceOf('none', {}));
  const concerned = (pod: Pod, old?: Pod, type: 'ADDED' | 'MODIFIED' | 'DELETED' = old === undefined ? 'ADDED' : 'MODIFIED') =>
    servicesOfPod(all.services, { type, key: 'default/p', kind: 'Pod', object: pod, old }, all.cache);
  const pod = podOf('p', 'web');
  const { metadata } = pod;
  const changed = (more: { meta?: object; spec?: object; status?: object }): Pod => ({
    ...pod,
    metadata: { ...metadata, ...more.meta },
    spec: { ...pod.spec, ...more.spec },
    status: { ...pod.status, ...more.status },
  });

  it.each<[string, Parameters<typeof concerned>, readonly string[] | undefined]>([
    ['of a new pod', [pod], ['default/web']],
    ['of a pod that two select', [podOf('p', 'web', { meta: { labels: { app: 'web', tier: 'x' } } })], ['default/both', 'default/web']],
    ['of a pod that is gone', [pod, pod, 'DELETED'], ['default/web']],
    ['of its address', [changed({ status: { podIP: '10.0.0.2' } }), pod], ['default/web']],
    ['of its readiness', [changed({ status: { conditions: [] } }), pod], ['default/web']],
    ['of its deletion', [changed({ meta: { deletionTimestamp: AT } }), pod], ['default/web']],
    ['of its host name', [changed({ spec: { hostname: 'h' } }), pod], ['default/web']],
    ['of its subdomain', [changed({ spec: { subdomain: 'h' } }), pod], ['default/web']],
    ['of its labels, with the former service', [changed({ meta: { labels: { app: 'db' } } }), pod], ['default/db', 'default/web']],
    ['of its address alone, without it', [changed({ meta: { labels: metadata.labels }, status: { podIP: 'x' } }), pod], ['default/web']],
    ['of anything else: none', [changed({ status: { phase: 'Failed' } }), pod], undefined],
    ['of a pod that none selects', [podOf('p', 'other')], []],
  ])('%s', (_, change, keys) => {
    expect(concerned(...change)?.toSorted()).toEqual(keys);
  });

  it('concerns none where there is no service', () => {
    expect(servicesOfPod(new Map(), { type: 'ADDED', key: 'default/p', kind: 'Pod', object: pod, old: undefined }, all.cache)).toEqual([]);
  });

  it('of a node concerns the services with pods on it, each once', () => {
    const some = world();
    some.service(serviceOf('web'));
    some.service(serviceOf('db'));
    for (const each of [podOf('a', 'web'), podOf('b', 'web'), podOf('c', 'db', { spec: { nodeName: 'node-1' } }), podOf('d', 'none')])
      some.pod(each);
    const keys = (name: string, type: 'ADDED' | 'MODIFIED' | 'DELETED', services: typeof some.services = some.services) =>
      servicesOfNode(services, { type, key: name, kind: 'Node', object: nodeOf(name), old: undefined }, some.cache);
    expect([keys('node-0', 'ADDED'), keys('node-1', 'DELETED'), keys('node-0', 'MODIFIED'), keys('node-2', 'ADDED')]).toEqual([
      ['default/web'],
      ['default/db'],
      [],
      [],
    ]);
    expect(keys('node-0', 'ADDED', new Map())).toEqual([]);
  });
});

it('a reason counts the pods', () => {
  expect([0, 1, 2].map((pods) => reasonsFor(pods, 'its Endpoints'))).toEqual([
    { same: 'it has no pods, and its Endpoints show that', changed: 'it has no pods, or its ports have changed' },
    { same: 'its Endpoints match its pod', changed: 'its pod or its ports have changed' },
    { same: 'its Endpoints match its 2 pods', changed: 'its 2 pods or its ports have changed' },
  ]);
});
