/** Printer columns of ControllerRevisions. */
import { ageColumn, type ColumnOf, controllerOf, nameColumn } from '../../machinery/index.ts';
import type { ControllerRevision } from './shape.ts';

export const controllerRevisionColumns: readonly ColumnOf<ControllerRevision>[] = [
  nameColumn,
  {
    name: 'Controller',
    type: 'string',
    description: 'Object of the revision.',
    priority: 0,
    cell(object) {
      const owner = controllerOf(object);
      if (owner === undefined) return '<none>';
      const group = owner.apiVersion.includes('/') ? owner.apiVersion.slice(0, owner.apiVersion.indexOf('/')) : '';
      return `${owner.kind.toLowerCase()}${group === '' ? '' : `.${group}`}/${owner.name}`;
    },
  },
  {
    name: 'Revision',
    type: 'string',
    description: 'Number of the revision, from 1.',
    priority: 0,
    cell: (object) => object.revision,
  },
  ageColumn,
];
