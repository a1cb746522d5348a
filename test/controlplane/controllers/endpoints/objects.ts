/** Services and pods for the tests of endpoints. */
import type { ApiObject } from '../../../../src/apiserver/machinery/index.ts';
import type { Endpoints, EndpointSlice, Node, Pod, Service } from '../../../../src/apiserver/kinds/index.ts';
import { AT } from '../../../support/objects.ts';

const meta = (name: string, more: object = {}) => ({
  name,
  namespace: 'default',
  uid: `uid-${name}`,
  resourceVersion: '1',
  creationTimestamp: AT,
  ...more,
});

export const service = (spec: object = {}, more: object = {}): Service =>
  ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: meta('web', more),
    spec: {
      type: 'ClusterIP',
      clusterIP: '10.0.0.1',
      selector: { app: 'web' },
      ports: [{ port: 80, targetPort: 8080, protocol: 'TCP' }],
      ...spec,
    },
    status: {},
  }) as unknown as Service;

export interface PodFacts {
  readonly ready?: boolean;
  readonly ip?: string;
  readonly meta?: object;
  readonly spec?: object;
  readonly phase?: string;
  readonly turnedAt?: string;
}

export const pod = (
  name: string,
  { ready = true, ip = '10.1.0.1', meta: more = {}, spec = {}, phase = 'Running', turnedAt = AT }: PodFacts = {},
): Pod =>
  ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: meta(name, { labels: { app: 'web' }, ...more }),
    spec: {
      nodeName: 'node-0',
      restartPolicy: 'Always',
      containers: [{ name: 'c', ports: [{ name: 'http', containerPort: 8080, protocol: 'TCP' }] }],
      ...spec,
    },
    status: {
      phase,
      ...(ip === '' ? {} : { podIP: ip }),
      conditions: [{ type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime: turnedAt }],
    },
  }) as unknown as Pod;

export const node = (name = 'node-0', labels: object = {}): Node =>
  ({ apiVersion: 'v1', kind: 'Node', metadata: { ...meta(name), namespace: undefined, labels }, spec: {}, status: {} }) as unknown as Node;

export const endpoints = (subsets: readonly object[], more: object = {}): Endpoints =>
  ({ apiVersion: 'v1', kind: 'Endpoints', metadata: meta('web', more), subsets }) as unknown as Endpoints;

export const slice = (
  name: string,
  list: readonly object[],
  more: {
    readonly ports?: readonly object[];
    readonly labels?: object;
    readonly annotations?: object;
    readonly owner?: string;
    readonly manager?: string;
    readonly addressType?: string;
  } = {},
): EndpointSlice =>
  ({
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    addressType: more.addressType ?? 'IPv4',
    endpoints: list,
    ports: more.ports ?? [{ name: '', port: 8080, protocol: 'TCP' }],
    metadata: meta(name, {
      labels: {
        'kubernetes.io/service-name': 'web',
        'endpointslice.kubernetes.io/managed-by': more.manager ?? 'endpointslice-controller.k8s.io',
        ...more.labels,
      },
      ...(more.annotations === undefined ? {} : { annotations: more.annotations }),
      ownerReferences: [{ apiVersion: 'v1', kind: 'Service', name: 'web', uid: more.owner ?? 'uid-web', controller: true }],
    }),
  }) as unknown as EndpointSlice;

export const asObjects = (...objects: readonly object[]): readonly ApiObject[] => objects as readonly ApiObject[];
