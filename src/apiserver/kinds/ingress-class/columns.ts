/** Printer columns of IngressClasses. */
import { ageColumn, type ColumnOf, nameColumn } from '../../machinery/index.ts';
import type { IngressClass } from './shape.ts';

function parametersCell({ spec: { parameters } }: IngressClass): string {
  if (parameters === undefined) return '<none>';
  return `${parameters.kind}${parameters.apiGroup === undefined ? '' : `.${parameters.apiGroup}`}/${parameters.name}`;
}

export const ingressClassColumns: readonly ColumnOf<IngressClass>[] = [
  nameColumn,
  {
    name: 'Controller',
    type: 'string',
    description: 'Controller that serves the class.',
    priority: 0,
    cell: (object) => object.spec.controller ?? '',
  },
  {
    name: 'Parameters',
    type: 'string',
    description: 'Object with more settings of the class.',
    priority: 0,
    cell: (object) => parametersCell(object),
  },
  ageColumn,
];
