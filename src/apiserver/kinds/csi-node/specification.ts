/** Rules of the specification for CSINodes that v1.24 does not have. Source: resource-api.md, "CSINode". */
import { absentListErrors, type Rule } from '../../machinery/index.ts';
import type { CSINode } from './shape.ts';

export const csiNodeSpecification: readonly Rule<CSINode>[] = [
  {
    name: 'csi-node/drivers-are-there',
    kind: 'CSINode',
    field: 'spec.drivers',
    statement: 'The CSINode of a node lists its drivers; the list may be empty.',
    place: 'resource-api.md: CSINode, spec.drivers',
    recorded: 'accepts an object without the list, or with null, and returns null',
    check: (_, { sent, old }) => absentListErrors(sent, ['spec', 'drivers'], old?.spec.drivers),
  },
];
