/** Printer columns of nodes. Models: v1.24 pkg/printers/internalversion printNode. */
import { compareText } from '../../../schema/values/index.ts';
import { ageColumn, type ColumnOf, nameColumn, type Names, wideColumn, column } from '../../machinery/index.ts';
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
  column('Status', 'string', 'Readiness of the node, and whether it is schedulable.', (object) => state(object)),
  column('Roles', 'string', 'Roles of the node, from its labels.', (object, { names }) => roles(object, names)),
  ageColumn,
  column('Version', 'string', 'Version the node agent reports.', (object, { names }) => info(object, names.fields.agentVersion) ?? ''),
  wideColumn('Internal-IP', 'string', 'First address of type InternalIP.', (object) => address(object, 'InternalIP')),
  wideColumn('External-IP', 'string', 'First address of type ExternalIP.', (object) => address(object, 'ExternalIP')),
  wideColumn('OS-Image', 'string', 'Operating system image the node reports.', (object) => orUnknown(info(object, 'osImage'))),
  wideColumn('Kernel-Version', 'string', 'Kernel the node reports.', (object) => orUnknown(info(object, 'kernelVersion'))),
  wideColumn('Container-Runtime', 'string', 'Container runtime the node reports.', (object) =>
    orUnknown(info(object, 'containerRuntimeVersion')),
  ),
];
