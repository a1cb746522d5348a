/** Rules of the specification for StatefulSets that v1.24 does not have. Source: resource-api.md, "StatefulSet". */
import { absentErrors, conditionErrors, notFound, required, type Rule, repeatedTypeErrors } from '../../machinery/index.ts';
import type { StatefulSet } from './shape.ts';

const PLACE = 'resource-api.md: StatefulSet';

export const statefulSetSpecification: readonly Rule<StatefulSet>[] = [
  {
    name: 'stateful-set/service-is-named',
    kind: 'StatefulSet',
    field: 'spec.serviceName',
    statement: 'A set names its governing service.',
    place: `${PLACE}, spec.serviceName`,
    recorded: 'takes a set without one, whose pods get no subdomain',
    member: 'spec',
    check: ({ spec }) => (spec.serviceName === '' ? [required('spec.serviceName')] : []),
  },
  {
    name: 'stateful-set/service-comes-first',
    kind: 'StatefulSet',
    field: 'spec.serviceName',
    statement: 'The governing service is there before the set; what becomes of it later is no matter of the set.',
    place: `${PLACE}, spec.serviceName`,
    recorded: 'never looks',
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
    statement: 'Every claim is mounted under its name by a container of the template (a block device counts as a mount).',
    place: `${PLACE}, spec.volumeClaimTemplates`,
    recorded: 'takes claims that nobody mounts',
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
    statement: 'The time before a pod counts as available belongs to the gate StatefulSetMinReadySeconds.',
    place: `${PLACE}, spec.minReadySeconds`,
    recorded: 'keeps the field while the gate is off, and does not heed it',
    does: 'the server drops the field while the gate is off, unless the stored set has it',
  },
  {
    name: 'stateful-set/max-unavailable-rounds-up',
    kind: 'StatefulSet',
    field: 'spec.updateStrategy.rollingUpdate.maxUnavailable',
    statement: 'A share of the pods rounds up to whole pods.',
    place: `${PLACE}, spec.updateStrategy.rollingUpdate.maxUnavailable`,
    recorded: 'rounds down, to one at least',
    does: 'the controller rounds up',
  },
  {
    name: 'stateful-set/replicas-are-counted',
    kind: 'StatefulSet',
    field: 'status.replicas',
    statement: 'A status counts the pods that were created.',
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
    statement: 'A condition says what it is about, and True, False or Unknown.',
    place: `${PLACE}, status.conditions`,
    recorded: 'takes any text',
    member: 'status',
    check: ({ status }) => conditionErrors(status.conditions),
  },
  {
    name: 'stateful-set/one-condition-of-a-type',
    kind: 'StatefulSet',
    field: 'status.conditions[].type',
    statement: 'There is one condition of a type.',
    place: `${PLACE}, status.conditions; Conventions 4`,
    recorded: 'takes several',
    member: 'status',
    check: ({ status }) => repeatedTypeErrors(status.conditions),
  },
];
