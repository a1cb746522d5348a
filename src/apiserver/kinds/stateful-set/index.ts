/** StatefulSet: pods with stable names and storage. Models: v1.24 apps/v1 StatefulSet, pkg/registry/apps/statefulset. */
import { collisionErrors, defineKind, type Draft, partErrors, templateColumns, workloadHooks } from '../../machinery/index.ts';
import type { KindContext } from '../../objects/index.ts';
import { absentErrors, conditionStates, notFound, oneConditionOfAType, required } from '../../validation/index.ts';
import { changeErrors, CREATED } from './rules.ts';
import { type StatefulSet, statefulSetSchema } from './shape.ts';

/** With the gate on, every set has a retention policy for its claims. */
function defaultStatefulSet({ spec }: Draft<StatefulSet>, { gates }: KindContext): void {
  if (gates['StatefulSetAutoDeletePVC'] === true)
    spec.persistentVolumeClaimRetentionPolicy ??= { whenDeleted: 'Retain', whenScaled: 'Retain' };
  const rolling = spec.updateStrategy.rollingUpdate;
  if (gates['MaxUnavailableStatefulSet'] === true && rolling !== undefined) rolling.maxUnavailable ??= 1;
}

export const statefulSet = defineKind<StatefulSet>({
  shortNames: ['sts'],
  categories: ['all'],
  groupPrefix: 'apps',
  schema: statefulSetSchema,
  subresources: ['status', 'scale'],
  generation: 'spec',
  applyDefaults: { reads: ['spec'], run: defaultStatefulSet },
  ...workloadHooks({ replicas: 0, availableReplicas: 0 }),
  create: CREATED,
  update: [...CREATED, 'changed metadata', changeErrors, 'spec.replicas'],
  updateStatus: [
    'status',
    partErrors('readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'),
    'changed metadata',
    collisionErrors,
  ],
  columns: [
    'Name',
    ['Ready', 'string', 'Ready pods, and the desired number.', ({ spec, status }) => `${status.readyReplicas ?? 0}/${spec.replicas}`],
    'Age',
    ...templateColumns<StatefulSet>(({ spec }) => spec.template),
  ],
  models: 'Complete. Upstream: pkg/registry/apps/statefulset/strategy.go, pkg/apis/apps/validation.',
  specification: [
    {
      name: 'stateful-set/service-is-named',
      field: 'spec.serviceName',
      statement: 'A StatefulSet names its governing Service.',
      recorded: 'accepts a set without one, whose pods get no subdomain',
      check: ({ spec }) => (spec.serviceName === '' ? [required('spec.serviceName')] : []),
    },
    {
      name: 'stateful-set/service-comes-first',
      field: 'spec.serviceName',
      statement: 'The governing Service exists before the StatefulSet is created; its later deletion does not concern the set.',
      recorded: 'never checks',
      check: ({ metadata: { namespace }, spec: { serviceName } }, { old, find }) =>
        old !== undefined || serviceName === '' || find('Service', namespace, serviceName) !== undefined
          ? []
          : [notFound('spec.serviceName', serviceName)],
    },
    {
      name: 'stateful-set/claims-are-mounted',
      field: 'spec.volumeClaimTemplates',
      statement: 'Every claim template is mounted by its name in a container of the pod template (a block device counts as a mount).',
      recorded: 'accepts claims that no container mounts',
      check({ spec: { volumeClaimTemplates, template } }) {
        const containers = [...(template.spec.initContainers ?? []), ...(template.spec.containers ?? [])];
        const mounted = new Set(
          containers.flatMap(({ volumeMounts, volumeDevices }) =>
            [...(volumeMounts ?? []), ...(volumeDevices ?? [])].map(({ name }) => name),
          ),
        );
        return (volumeClaimTemplates ?? []).flatMap(({ metadata }, at) =>
          mounted.has(metadata?.name ?? '')
            ? []
            : [
                required(
                  `spec.volumeClaimTemplates[${at}]`,
                  `a container must mount it: no volumeMount is named ${JSON.stringify(metadata?.name ?? '')}`,
                ),
              ],
        );
      },
    },
    {
      name: 'stateful-set/gated-min-ready-seconds',
      field: 'spec.minReadySeconds',
      statement: 'minReadySeconds depends on the feature gate StatefulSetMinReadySeconds.',
      recorded: 'keeps the field while the gate is off, and ignores it',
      does: 'the server drops the field while the gate is off, unless the stored set has it',
    },
    {
      name: 'stateful-set/max-unavailable-rounds-up',
      field: 'spec.updateStrategy.rollingUpdate.maxUnavailable',
      statement: 'A percentage of the pods is rounded up to whole pods.',
      recorded: 'rounds down, to at least one',
      does: 'the controller rounds up',
    },
    {
      name: 'stateful-set/replicas-are-counted',
      field: 'status.replicas',
      statement: 'status.replicas is set.',
      recorded: 'fills in 0',
      asSent: true,
      // The server sets the status of a new object, whatever its document has.
      check: (_, { sent, subresource }) => (subresource === 'status' ? absentErrors(sent, ['status?', 'replicas']) : []),
    },
    conditionStates('stateful-set'),
    oneConditionOfAType('stateful-set'),
  ],
});
