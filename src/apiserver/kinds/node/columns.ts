/** Printer columns of nodes. Models: v1.24 pkg/printers/internalversion printNode. */
import { compareText } from '../../../schema/values/index.ts';
import { ageColumn, type ColumnOf, nameColumn, type Names } from '../../machinery/index.ts';
import type { Node } from './shape.ts';

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

export const nodeColumns: readonly ColumnOf<Node>[] = [
  nameColumn,
  {
    name: 'Status',
    type: 'string',
    description: 'Readiness of the node, and whether it is schedulable.',
    priority: 0,
    cell: (object) => state(object),
  },
  {
    name: 'Roles',
    type: 'string',
    description: 'Roles of the node, from its labels.',
    priority: 0,
    cell: (object, { names }) => roles(object, names),
  },
  ageColumn,
  {
    name: 'Version',
    type: 'string',
    description: 'Version the node agent reports.',
    priority: 0,
    cell: (object, { names }) => info(object, names.fields.agentVersion) ?? '',
  },
  {
    name: 'Internal-IP',
    type: 'string',
    description: 'First address of type InternalIP.',
    priority: 1,
    cell: (object) => address(object, 'InternalIP'),
  },
  {
    name: 'External-IP',
    type: 'string',
    description: 'First address of type ExternalIP.',
    priority: 1,
    cell: (object) => address(object, 'ExternalIP'),
  },
  {
    name: 'OS-Image',
    type: 'string',
    description: 'Operating system image the node reports.',
    priority: 1,
    cell: (object) => orUnknown(info(object, 'osImage')),
  },
  {
    name: 'Kernel-Version',
    type: 'string',
    description: 'Kernel the node reports.',
    priority: 1,
    cell: (object) => orUnknown(info(object, 'kernelVersion')),
  },
  {
    name: 'Container-Runtime',
    type: 'string',
    description: 'Container runtime the node reports.',
    priority: 1,
    cell: (object) => orUnknown(info(object, 'containerRuntimeVersion')),
  },
];
