/** Rules of the specification for StatefulSets that v1.24 does not have. Source: resource-api.md, "StatefulSet". */
import { absentErrors, conditionErrors, notFound, required, type Rule, repeatedTypeErrors } from '../../machinery/index.ts';
import type { StatefulSet } from './shape.ts';

const PLACE = 'resource-api.md: StatefulSet';

export const statefulSetSpecification: readonly Rule<StatefulSet>[] = [
  {
    name: 'stateful-set/service-is-named',
    kind: 'StatefulSet',
    field: 'spec.serviceName',
    statement: 'A StatefulSet names its governing Service.',
    place: `${PLACE}, spec.serviceName`,
    recorded: 'accepts a set without one, whose pods get no subdomain',
    member: 'spec',
    check: ({ spec }) => (spec.serviceName === '' ? [required('spec.serviceName')] : []),
  },
  {
    name: 'stateful-set/service-comes-first',
    kind: 'StatefulSet',
    field: 'spec.serviceName',
    statement: 'The governing Service exists before the StatefulSet is created; its later deletion does not concern the set.',
    place: `${PLACE}, spec.serviceName`,
    recorded: 'never checks',
    member: 'spec',
    check: ({ metadata: { namespace }, spec: { serviceName } }, { old, find }) =>
      old !== undefined || serviceName === '' || find('Service', namespace, serviceName) !== undefined
        ? []
        : [notFound('spec.serviceName', serviceName)],
  },
  {
    name: 'stateful-set/claims-are-mounted',
    kind: 'StatefulSet',
    field: 'spec.volumeClaimTemplates',
    statement: 'Every claim template is mounted by its name in a container of the pod template (a block device counts as a mount).',
    place: `${PLACE}, spec.volumeClaimTemplates`,
    recorded: 'accepts claims that no container mounts',
    member: 'spec',
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
    kind: 'StatefulSet',
    field: 'spec.minReadySeconds',
    statement: 'minReadySeconds depends on the feature gate StatefulSetMinReadySeconds.',
    place: `${PLACE}, spec.minReadySeconds`,
    recorded: 'keeps the field while the gate is off, and ignores it',
    does: 'the server drops the field while the gate is off, unless the stored set has it',
  },
  {
    name: 'stateful-set/max-unavailable-rounds-up',
    kind: 'StatefulSet',
    field: 'spec.updateStrategy.rollingUpdate.maxUnavailable',
    statement: 'A percentage of the pods is rounded up to whole pods.',
    place: `${PLACE}, spec.updateStrategy.rollingUpdate.maxUnavailable`,
    recorded: 'rounds down, to at least one',
    does: 'the controller rounds up',
  },
  {
    name: 'stateful-set/replicas-are-counted',
    kind: 'StatefulSet',
    field: 'status.replicas',
    statement: 'status.replicas is set.',
    place: `${PLACE}, status.replicas`,
    recorded: 'fills in 0',
    member: 'status',
    asSent: true,
    // The server sets the status of a new object, whatever its document has.
    check: (_, { sent, subresource }) => (subresource === 'status' ? absentErrors(sent, ['status?', 'replicas']) : []),
  },
  {
    name: 'stateful-set/condition-states',
    kind: 'StatefulSet',
    field: 'status.conditions[].status, .type',
    statement: 'A condition has a type, and the status True, False or Unknown.',
    place: `${PLACE}, status.conditions`,
    recorded: 'accepts any text',
    member: 'status',
    check: ({ status }) => conditionErrors(status.conditions),
  },
  {
    name: 'stateful-set/one-condition-of-a-type',
    kind: 'StatefulSet',
    field: 'status.conditions[].type',
    statement: 'Each type has at most one condition.',
    place: `${PLACE}, status.conditions; Conventions 4`,
    recorded: 'accepts several',
    member: 'status',
    check: ({ status }) => repeatedTypeErrors(status.conditions),
  },
];
