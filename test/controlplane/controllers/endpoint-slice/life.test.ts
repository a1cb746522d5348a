/** What the controller knows of a service, as plain data, while its pods and slices change. */
import { expect, it } from 'vitest';
import { endpointSlices } from '../../../../src/controlplane/controllers/endpoint-slice/controller.ts';
import { living } from '../lives.ts';

it('a service is known by its pods and by where its slices have them', () => {
  const { cluster, make, patch, drop, pass, writes } = living([endpointSlices]);
  const known = (): unknown =>
    JSON.parse(
      JSON.stringify(
        endpointSlices.describe?.(cluster.runtime.process('controller-manager')?.running.get('endpoint-slice')?.state as never),
        (key, member: unknown) => {
          if (key === 'endpoint') return undefined;
          if (member instanceof Map || member instanceof Set) return [...(member as Iterable<unknown>)];
          return (member as { readonly metadata?: { readonly name: string } } | undefined)?.metadata?.name ?? member;
        },
      ),
    );
  const ready = (status: string): void => {
    const conditions = [{ type: 'Ready', status }];
    patch('Pod', 'p', { status: { phase: 'Running', podIP: '10.1.0.1', podIPs: [{ ip: '10.1.0.1' }], conditions } }, 'status', 'default');
  };
  make('Node', 'n', {});
  make('Service', 'web', { spec: { selector: { app: 'web' }, ports: [{ port: 80 }] } }, 'default');
  make('Pod', 'p', { metadata: { labels: { app: 'web' } }, spec: { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] } }, 'default');
  ready('True');
  pass(1_000);
  const [slice] = [...cluster.store.values('EndpointSlice')].map(({ metadata }) => metadata.name);
  const pod = cluster.store.get('Pod', 'default/p')?.metadata.uid;
  const identity = '10.1.0.1||default/p';
  const group = '/TCP/80/';
  const ports = [{ name: '', port: 80, protocol: 'TCP' }];
  const wanted = (state: string) => ({ identity, state: `${state}/${pod}`, group, ports });
  const placement = (state: string, shown: string | undefined, wrong: readonly string[]) => ({
    wanted: [[identity, wanted(state)]],
    groups: [[group, { ports, count: 1 }]],
    slices: shown === undefined ? [] : [[`default/${slice}`, slice]],
    hinted: [],
    places: shown === undefined ? [] : [[identity, [[`default/${slice}`, { state: `${shown}/${pod}`, group }]]]],
    wrong,
  });
  const whole = (state: string, shown: string | undefined, wrong: readonly string[] = []) => [
    [['default/web', placement(state, shown, wrong)]],
    [['default/web', 'web', [['default/p', wanted(state)]], [[], [], 0, 0], placement(state, shown, wrong)]],
  ];
  expect([writes(), known()]).toEqual([
    ['0 endpoint-slice: create EndpointSlice default/web-*'],
    whole('true/true/false', 'true/true/false'),
  ]);
  ready('False');
  pass(1_000);
  expect([writes(), known()]).toEqual([
    [`1000 endpoint-slice: update EndpointSlice default/${slice}`],
    whole('false/false/false', 'false/false/false'),
  ]);
  drop('Service', 'web', 'default');
  pass(1_000);
  expect(writes()).toEqual([]);
});
