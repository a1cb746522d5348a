/** Rules of the specification for CSINodes that v1.24 does not have. Source: resource-api.md, "CSINode". */
import { absentListErrors, type Rule } from '../../machinery/index.ts';
import type { CSINode } from './shape.ts';

export const csiNodeSpecification: readonly Rule<CSINode>[] = [
  {
    name: 'csi-node/drivers-are-there',
    kind: 'CSINode',
    field: 'spec.drivers',
    statement: 'The object of a node lists its drivers, if only that there are none.',
    place: 'resource-api.md: CSINode, spec.drivers',
    recorded: 'takes an object without the list, or with null, and shows null',
    check: (_, { sent, old }) => absentListErrors(sent, ['spec', 'drivers'], old?.spec.drivers),
  },
];
