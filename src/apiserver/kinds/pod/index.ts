/** Pod: containers that run together on one node. Models: v1.24 core/v1 Pod, pkg/registry/core/pod. */
import { defineKind, humanDuration, keepSpecAndOwners, keepStatus } from '../../machinery/index.ts';
import type { ContainerStatus, PodSpec } from '../../structs/index.ts';
import { validatePod, validatePodStatusUpdate, validatePodUpdate } from './rules.ts';
import { newPodWarnings, type Pod, podSchema, podTemplateRules, preparePod } from './shape.ts';

const isInitDone = (status: ContainerStatus): boolean => status.state.terminated?.exitCode === 0;

/** Returns the reason for which init containers block the pod; undefined: they do not. */
function initReason(statuses: readonly ContainerStatus[], spec: PodSpec): string | undefined {
  for (const [at, status] of statuses.entries()) {
    if (isInitDone(status)) continue;
    const { terminated, waiting } = status.state;
    if (terminated !== undefined) {
      if (terminated.reason !== undefined) return `Init:${terminated.reason}`;
      return terminated.signal === undefined ? `Init:ExitCode:${terminated.exitCode}` : `Init:Signal:${terminated.signal}`;
    }
    if (waiting?.reason !== undefined && waiting.reason !== 'PodInitializing') return `Init:${waiting.reason}`;
    return `Init:${at}/${(spec.initContainers ?? []).length}`;
  }
  return undefined;
}

const lastEnd = (status: ContainerStatus): number => {
  const at = status.lastState.terminated?.finishedAt;
  return at === undefined || at === null ? 0 : Date.parse(at);
};

/** Returns what the columns show of the containers. */
function summarise({ metadata, spec, status }: Pod) {
  const main = status.containerStatuses ?? [];
  const init = status.initContainerStatuses ?? [];
  let reason = status.reason ?? status.phase;
  const blocked = initReason(init, spec);
  // Init containers after the blocking one have not started.
  let counted: readonly ContainerStatus[] = init.slice(0, init.findIndex((one) => !isInitDone(one)) + 1);
  let ready = 0;
  if (blocked !== undefined) reason = blocked;
  else {
    counted = main;
    let running = false;
    for (const one of [...main].reverse()) {
      const { waiting, terminated, running: alive } = one.state;
      if (waiting?.reason !== undefined) reason = waiting.reason;
      else if (terminated?.reason !== undefined) reason = terminated.reason;
      else if (terminated !== undefined)
        reason = terminated.signal === undefined ? `ExitCode:${terminated.exitCode}` : `Signal:${terminated.signal}`;
      else if (one.ready && alive !== undefined) {
        running = true;
        ready += 1;
      }
    }
    if (reason === 'Completed' && running)
      reason = (status.conditions ?? []).some(({ type, status: is }) => type === 'Ready' && is === 'True') ? 'Running' : 'NotReady';
  }
  if (metadata.deletionTimestamp !== undefined) reason = status.reason === 'NodeLost' ? 'Unknown' : 'Terminating';
  return {
    ready,
    total: (spec.containers ?? []).length,
    reason,
    restarts: counted.reduce((sum, { restartCount }) => sum + restartCount, 0),
    restartedAt: counted.reduce((at, one) => Math.max(at, lastEnd(one)), 0),
  };
}

const orNone = (text: string | undefined): string => (text === undefined || text === '' ? '<none>' : text);

function gates({ spec, status }: Pod): string {
  const all = spec.readinessGates ?? [];
  if (all.length === 0) return '<none>';
  const met = all.filter(({ conditionType }) =>
    (status.conditions ?? []).some(({ type, status: is }) => type === conditionType && is === 'True'),
  );
  return `${met.length}/${all.length}`;
}

export const pod = defineKind<Pod>({
  shortNames: ['po'],
  categories: ['all'],
  schema: podSchema,
  subresources: ['status', 'binding', 'eviction', 'ephemeralcontainers', 'log'],
  deleteReturns: 'object',
  templateRules: podTemplateRules,
  prepareForCreate: { reads: ['spec', 'annotations'], run: preparePod },
  prepareForUpdate: keepStatus,
  prepareForStatusUpdate: keepSpecAndOwners,
  validate: validatePod,
  validateUpdate: validatePodUpdate,
  validateStatusUpdate: validatePodStatusUpdate,
  warnings: newPodWarnings,
  fieldSelectors: {
    'spec.nodeName': (object) => object.spec.nodeName,
    'spec.host': (object) => object.spec.nodeName,
    'spec.restartPolicy': (object) => object.spec.restartPolicy,
    'spec.schedulerName': (object) => object.spec.schedulerName,
    'spec.serviceAccountName': (object) => object.spec.serviceAccountName,
    'status.phase': (object) => object.status.phase,
    'status.podIP': (object) => object.status.podIP,
    'status.podIPs': (object) => object.status.podIP,
    'status.nominatedNodeName': (object) => object.status.nominatedNodeName,
  },
  fieldSelectorError: (label) => `field label not supported: ${label}`,
  columns: [
    'Name',
    [
      'Ready',
      'string',
      'Ready containers, and their total number.',
      (object) => {
        const { ready, total } = summarise(object);
        return `${ready}/${total}`;
      },
    ],
    ['Status', 'string', 'State of the pod and its containers.', (object) => summarise(object).reason],
    [
      'Restarts',
      'string',
      'Restarts of containers, and the time since the last one.',
      (object, { now }) => {
        const { restarts, restartedAt } = summarise(object);
        return restarts > 0 && restartedAt > 0 ? `${restarts} (${humanDuration(now - restartedAt)} ago)` : String(restarts);
      },
    ],
    'Age',
    ['IP', 'string', 'Address of the pod, once it has one.', ({ status }) => orNone(status.podIP), 'wide'],
    ['Node', 'string', 'Node the pod is bound to.', ({ spec }) => orNone(spec.nodeName), 'wide'],
    [
      'Nominated Node',
      'string',
      'Node on which preemption makes space for the pod.',
      ({ status }) => orNone(status.nominatedNodeName),
      'wide',
    ],
    ['Readiness Gates', 'string', 'Readiness gates that are true, and their total number.', gates, 'wide'],
  ],
  models: 'Complete. Omits: ephemeral containers, tolerations in annotations. Upstream: pkg/registry/core/pod, pkg/apis/core/validation.',
});
