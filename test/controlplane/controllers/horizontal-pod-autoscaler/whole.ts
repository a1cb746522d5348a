/** An autoscaler of a Deployment as the server stores it, and what follows from the read of its target. */
import { type HorizontalPodAutoscaler, kindsFor, type Pod } from '../../../../src/apiserver/kinds/index.ts';
import { type ApiObject, namesFor } from '../../../../src/apiserver/machinery/index.ts';
import { horizontalPodAutoscaler } from '../../../../src/controlplane/controllers/horizontal-pod-autoscaler/controller.ts';
import { createMetered, type SeriesSpec } from '../../../../src/controlplane/usage/index.ts';
import { at, AT, barePod } from '../../../support/objects.ts';
import { linesOf, resume } from '../../../support/reconcile.ts';

const target = (averageUtilization: number) => ({ type: 'Utilization', averageUtilization });
export const cpu = { type: 'Resource', resource: { name: 'cpu', target: target(50) } };
export const scaler = (spec: object = {}, status: object = {}): HorizontalPodAutoscaler =>
  ({
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'h', namespace: 'default', uid: 'u', resourceVersion: '1', creationTimestamp: AT },
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
      minReplicas: 1,
      maxReplicas: 10,
      metrics: [cpu],
      ...spec,
    },
    status: { desiredReplicas: 0, currentMetrics: null, ...status },
  }) as unknown as HorizontalPodAutoscaler;
/** A pod that requests 100m, and uses so many thousandths; undefined: it says nothing. */
export const pod = (name: string, used?: number, request = '100m'): Pod =>
  barePod(name, 'Running', {
    meta: { labels: { app: 'web' }, ...(used === undefined ? {} : { annotations: { 'sim.orch.io/cpu': `${used}m` } }) },
    spec: { containers: [{ name: 'c', resources: { requests: { cpu: request } } }] },
    status: {
      startTime: '2023-12-31T00:00:00Z',
      conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: '2023-12-31T00:00:00Z' }],
    },
  });
export const deployment = (replicas: number): ApiObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'd', namespace: 'default', uid: 'uid-d', resourceVersion: '7', creationTimestamp: AT },
  spec: { replicas, selector: { matchLabels: { app: 'web' } } },
  status: { replicas },
});
interface World {
  readonly spec?: object;
  readonly status?: object;
  readonly pods?: readonly Pod[];
  readonly series?: readonly SeriesSpec[];
  readonly memory?: object;
}
export const controllerWith = (series?: readonly SeriesSpec[]) =>
  horizontalPodAutoscaler(kindsFor(namesFor('k8s.io')), createMetered(undefined, series, at(0)));
/** What follows from the read of the target with so many replicas; undefined: there is none. */
export const lines = (replicas: number | undefined, { spec, status, pods = [], series, memory = { dueAt: at(60) } }: World = {}) =>
  linesOf(
    resume(
      controllerWith(series),
      { objects: [scaler(spec, status), ...pods], now: at(60), memory, key: 'default/h' },
      {
        write: { op: 'get', kind: 'Deployment', namespace: 'default', name: 'd' },
        object: replicas === undefined ? undefined : deployment(replicas),
      },
    ),
  ).filter((line) => !/^(?:recurs|background|wakeAt)/.test(line));
