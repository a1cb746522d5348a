/** Rules of the specification for Nodes that v1.24 does not have. Source: resource-api.md, "Node". */
import {
  absentErrors,
  conditionErrors,
  forbidden,
  invalid,
  type Names,
  notSupported,
  required,
  type Rule,
  repeatedTypeErrors,
} from '../../machinery/index.ts';
import type { Node } from './shape.ts';

const PLACE = 'resource-api.md: Node';
const ADDRESS_TYPES = ['ExternalIP', 'Hostname', 'InternalIP'];
const PROVIDER = /^[^\s:/]+:\/\/\S+$/;

const INFO = [
  'architecture',
  'bootID',
  'containerRuntimeVersion',
  'kernelVersion',
  'machineID',
  'operatingSystem',
  'osImage',
  'systemUUID',
];

const ofEveryDomain: readonly Rule<Node>[] = [
  {
    name: 'node/provider-id-format',
    kind: 'Node',
    field: 'spec.providerID',
    statement: 'providerID has the form <ProviderName>://<ProviderSpecificNodeID>.',
    place: `${PLACE}, spec.providerID`,
    recorded: 'accepts any text',
    member: 'spec',
    check: ({ spec: { providerID = '' } }) =>
      providerID === '' || PROVIDER.test(providerID)
        ? []
        : [invalid('spec.providerID', providerID, "must be '<ProviderName>://<ProviderSpecificNodeID>'")],
  },
  {
    name: 'node/time-added-for-no-execute',
    kind: 'Node',
    field: 'spec.taints[].timeAdded',
    statement: 'timeAdded is set only on taints with the effect NoExecute.',
    place: `${PLACE}, spec.taints`,
    recorded: 'accepts it with any effect; its node controller also writes it for NoSchedule',
    member: 'spec',
    check: ({ spec: { taints } }) =>
      (taints ?? []).flatMap(({ effect, timeAdded }, at) =>
        (timeAdded ?? null) === null || effect === 'NoExecute'
          ? []
          : [forbidden(`spec.taints[${at}].timeAdded`, "may be set only when the effect is 'NoExecute'")],
      ),
  },
  {
    name: 'node/addresses',
    kind: 'Node',
    field: 'status.addresses[].type, .address',
    statement: 'An address is not empty, and has the type Hostname, ExternalIP or InternalIP.',
    place: `${PLACE}, status.addresses`,
    recorded: 'accepts any text, and none',
    member: 'status',
    check: ({ status: { addresses } }) =>
      (addresses ?? []).flatMap(({ type, address }, at) => [
        ...(type === ''
          ? [required(`status.addresses[${at}].type`)]
          : ADDRESS_TYPES.includes(type)
            ? []
            : [notSupported(`status.addresses[${at}].type`, type, ADDRESS_TYPES)]),
        ...(address === '' ? [required(`status.addresses[${at}].address`)] : []),
      ]),
  },
  {
    name: 'node/condition-states',
    kind: 'Node',
    field: 'status.conditions[].status, .type',
    statement: 'A condition has a type, and the status True, False or Unknown.',
    place: `${PLACE}, status.conditions`,
    recorded: 'accepts any text',
    member: 'status',
    check: ({ status }) => conditionErrors(status.conditions),
  },
];

/** The rules depend on the domain, because some members have its brand. */
export const nodeSpecification = ({ fields: { agentVersion, proxyVersion, agentEndpoint } }: Names): readonly Rule<Node>[] => [
  ...ofEveryDomain,
  {
    name: 'node/info-is-whole',
    kind: 'Node',
    field: 'status.nodeInfo',
    statement: 'Where nodeInfo is set, all of its fields are set.',
    place: `${PLACE}, status.nodeInfo`,
    recorded: 'fills in empty strings',
    member: 'status',
    asSent: true,
    check: (_, { sent }) => [...INFO, agentVersion, proxyVersion].flatMap((name) => absentErrors(sent, ['status?', 'nodeInfo?', name])),
  },
  {
    name: 'node/attached-volumes',
    kind: 'Node',
    field: 'status.volumesAttached[].name, .devicePath',
    statement: 'An attached volume sets its name and its devicePath, which may be empty.',
    place: `${PLACE}, status.volumesAttached`,
    recorded: 'fills in empty strings',
    member: 'status',
    asSent: true,
    check: (_, { sent }) => ['name', 'devicePath'].flatMap((name) => absentErrors(sent, ['status?', 'volumesAttached[]', name])),
  },
  {
    name: 'node/agent-port-is-told',
    kind: 'Node',
    field: `status.daemonEndpoints.${agentEndpoint}.Port`,
    statement: 'Where the endpoint of the node agent is set, so is its port.',
    place: `${PLACE}, status.daemonEndpoints`,
    recorded: 'fills in 0',
    member: 'status',
    asSent: true,
    check: (_, { sent }) => absentErrors(sent, ['status?', 'daemonEndpoints?', `${agentEndpoint}?`, 'Port']),
  },
  {
    name: 'node/one-condition-of-a-type',
    kind: 'Node',
    field: 'status.conditions[].type',
    statement: 'Each type has at most one condition.',
    place: `${PLACE}, status.conditions; Conventions 4`,
    recorded: 'accepts several',
    member: 'status',
    check: ({ status }) => repeatedTypeErrors(status.conditions),
  },
  {
    name: 'node/phase-is-nobodys',
    kind: 'Node',
    field: 'status.phase',
    statement: 'The phase of a Node is never set.',
    place: 'resource-api.md: Node, status.phase; Versioning',
    recorded: 'keeps the value that a client writes',
    does: 'interpreted as v1.24 does, in either mode: no process of the cluster writes a phase, and none removes a phase that a client wrote',
  },
];
