/** A CronJob as a table prints it. */
import { formatLabelSelector } from '../../../grammar/values/index.ts';
import { ageColumn, ageOf, type ColumnOf, nameColumn } from '../../vocabulary/index.ts';
import { containerNames, imageNames } from '../pod/columns.ts';
import type { CronJob } from './shape.ts';

export const cronJobColumns: readonly ColumnOf<CronJob>[] = [
  nameColumn,
  {
    name: 'Schedule',
    type: 'string',
    description: 'When it fires, in five fields.',
    priority: 0,
    cell: (object) => object.spec.schedule,
  },
  {
    name: 'Suspend',
    type: 'boolean',
    description:
      'This flag tells the controller to suspend subsequent executions, it does not apply to already started executions.  Defaults to false.',
    priority: 0,
    cell: (object) => (object.spec.suspend ? 'True' : 'False'),
  },
  {
    name: 'Active',
    type: 'integer',
    description: 'How many of its Jobs run.',
    priority: 0,
    cell: (object) => (object.status.active ?? []).length,
  },
  {
    name: 'Last Schedule',
    type: 'string',
    description: 'When it last made a Job.',
    priority: 0,
    cell: (object, { now }) => {
      const at = object.status.lastScheduleTime;
      return at === undefined ? '<none>' : ageOf(at, now);
    },
  },
  ageColumn,
  {
    name: 'Containers',
    type: 'string',
    description: 'Names of the containers in the template.',
    priority: 1,
    cell: (object) => containerNames(object.spec.jobTemplate.spec.template.spec),
  },
  {
    name: 'Images',
    type: 'string',
    description: 'Images of the containers in the template.',
    priority: 1,
    cell: (object) => imageNames(object.spec.jobTemplate.spec.template.spec),
  },
  {
    name: 'Selector',
    type: 'string',
    description: 'Which pods count.',
    priority: 1,
    cell: (object) => formatLabelSelector(object.spec.jobTemplate.spec.selector),
  },
];
