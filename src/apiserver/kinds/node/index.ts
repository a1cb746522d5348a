/**
 * Node: a worker machine. Models: v1.24 core/v1 Node, pkg/registry/core/node. Its status has fields with the brand of the domain, so the
 * kind depends on the domain.
 */
import { compareText } from '../../../schema/values/index.ts';
import { defineKind, keepSpec, keepStatus, type RuleOf } from '../../machinery/index.ts';
import type { Names } from '../../objects/index.ts';
import { absentErrors, conditionStates, forbidden, invalid, notSupported, oneConditionOfAType, required } from '../../validation/index.ts';
import { allocatableByDefault, NODE_CREATED, NODE_STATUS_UPDATED, NODE_UPDATED } from './rules.ts';
import { type Node, schemaFor } from './shape.ts';

function state({ spec, status }: Node): string {
  const ready = (status.conditions ?? []).find(({ type }) => type === 'Ready');
  const word = ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady';
  return spec.unschedulable === true ? `${word},SchedulingDisabled` : word;
}

/** Roles are labels: `node-role.…/control-plane`, or the older `…/role: worker`. */
function roles({ metadata }: Node, names: Names): string {
  const prefix = names.key('node-role', '');
  const found = new Set<string>();
  for (const [key, value] of Object.entries(metadata.labels ?? {})) {
    if (key.startsWith(prefix) && key.length > prefix.length) found.add(key.slice(prefix.length));
    else if (key === names.key('', 'role') && value !== '') found.add(value);
  }
  return found.size === 0 ? '<none>' : [...found].sort(compareText).join(',');
}

const address = ({ status }: Node, wanted: string): string =>
  (status.addresses ?? []).find(({ type }) => type === wanted)?.address ?? '<none>';
const orUnknown = (text: unknown): string => (typeof text === 'string' && text !== '' ? text : '<unknown>');
const info = (object: Node, name: string): unknown => (object.status.nodeInfo as Readonly<Record<string, unknown>>)[name];

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

const ofEveryDomain: readonly RuleOf<Node>[] = [
  {
    name: 'node/provider-id-format',
    field: 'spec.providerID',
    statement: 'providerID has the form <ProviderName>://<ProviderSpecificNodeID>.',
    recorded: 'accepts any text',
    check: ({ spec: { providerID = '' } }) =>
      providerID === '' || PROVIDER.test(providerID)
        ? []
        : [invalid('spec.providerID', providerID, "must be '<ProviderName>://<ProviderSpecificNodeID>'")],
  },
  {
    name: 'node/time-added-for-no-execute',
    field: 'spec.taints[].timeAdded',
    statement: 'timeAdded is set only on taints with the effect NoExecute.',
    recorded: 'accepts it with any effect; its node controller also writes it for NoSchedule',
    check: ({ spec: { taints } }) =>
      (taints ?? []).flatMap(({ effect, timeAdded }, at) =>
        (timeAdded ?? null) === null || effect === 'NoExecute'
          ? []
          : [forbidden(`spec.taints[${at}].timeAdded`, "may be set only when the effect is 'NoExecute'")],
      ),
  },
  {
    name: 'node/addresses',
    field: 'status.addresses[].type, .address',
    statement: 'An address is not empty, and has the type Hostname, ExternalIP or InternalIP.',
    recorded: 'accepts any text, and none',
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
  conditionStates('node'),
];

/** The rules depend on the domain, because some members have its brand. */
const nodeSpecification = ({ fields: { agentVersion, proxyVersion, agentEndpoint } }: Names): readonly RuleOf<Node>[] => [
  ...ofEveryDomain,
  {
    name: 'node/info-is-whole',
    field: 'status.nodeInfo',
    statement: 'Where nodeInfo is set, all of its fields are set.',
    recorded: 'fills in empty strings',
    asSent: true,
    check: (_, { sent }) => [...INFO, agentVersion, proxyVersion].flatMap((name) => absentErrors(sent, ['status?', 'nodeInfo?', name])),
  },
  {
    name: 'node/attached-volumes',
    field: 'status.volumesAttached[].name, .devicePath',
    statement: 'An attached volume sets its name and its devicePath, which may be empty.',
    recorded: 'fills in empty strings',
    asSent: true,
    check: (_, { sent }) => ['name', 'devicePath'].flatMap((name) => absentErrors(sent, ['status?', 'volumesAttached[]', name])),
  },
  {
    name: 'node/agent-port-is-told',
    field: `status.daemonEndpoints.${agentEndpoint}.Port`,
    statement: 'Where the endpoint of the node agent is set, so is its port.',
    place: 'status.daemonEndpoints',
    recorded: 'fills in 0',
    asSent: true,
    check: (_, { sent }) => absentErrors(sent, ['status?', 'daemonEndpoints?', `${agentEndpoint}?`, 'Port']),
  },
  oneConditionOfAType('node'),
  {
    name: 'node/phase-is-nobodys',
    field: 'status.phase',
    statement: 'The phase of a Node is never set.',
    place: 'resource-api.md: Node, status.phase; Versioning',
    recorded: 'keeps the value that a client writes',
    does: 'interpreted as v1.24 does, in either mode: no process of the cluster writes a phase, and none removes a phase that a client wrote',
  },
];

export const node = (names: Names) =>
  defineKind<Node>({
    shortNames: ['no'],
    namespaced: false,
    schema: schemaFor(names),
    subresources: ['status'],
    applyDefaults: allocatableByDefault,
    prepareForUpdate: keepStatus,
    prepareForStatusUpdate: keepSpec,
    create: NODE_CREATED,
    update: NODE_UPDATED,
    updateStatus: NODE_STATUS_UPDATED,
    fieldSelectors: { 'spec.unschedulable': (object) => String(object.spec.unschedulable ?? false) },
    fieldSelectorError: (label) => `field label not supported: ${label}`,
    columns: [
      'Name',
      ['Status', 'string', 'Readiness of the node, and whether it is schedulable.', state],
      ['Roles', 'string', 'Roles of the node, from its labels.', (object, { names }) => roles(object, names)],
      'Age',
      ['Version', 'string', 'Version the node agent reports.', (object, { names }) => info(object, names.fields.agentVersion) ?? ''],
      ['Internal-IP', 'string', 'First address of type InternalIP.', (object) => address(object, 'InternalIP'), 'wide'],
      ['External-IP', 'string', 'First address of type ExternalIP.', (object) => address(object, 'ExternalIP'), 'wide'],
      ['OS-Image', 'string', 'Operating system image the node reports.', (object) => orUnknown(info(object, 'osImage')), 'wide'],
      ['Kernel-Version', 'string', 'Kernel the node reports.', (object) => orUnknown(info(object, 'kernelVersion')), 'wide'],
      [
        'Container-Runtime',
        'string',
        'Container runtime the node reports.',
        (object) => orUnknown(info(object, 'containerRuntimeVersion')),
        'wide',
      ],
    ],
    models: 'Complete. Omits: the proxy sub-resource. Upstream: pkg/registry/core/node, pkg/apis/core/validation.',
    specification: nodeSpecification(names),
  });
