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
    description: 'The schedule in Cron format, see https://en.wikipedia.org/wiki/Cron.',
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
    description: 'A list of pointers to currently running jobs.',
    priority: 0,
    cell: (object) => (object.status.active ?? []).length,
  },
  {
    name: 'Last Schedule',
    type: 'string',
    description: 'Information when was the last time the job was successfully scheduled.',
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
    description: 'Names of each container in the template.',
    priority: 1,
    cell: (object) => containerNames(object.spec.jobTemplate.spec.template.spec),
  },
  {
    name: 'Images',
    type: 'string',
    description: 'Images referenced by each container in the template.',
    priority: 1,
    cell: (object) => imageNames(object.spec.jobTemplate.spec.template.spec),
  },
  {
    name: 'Selector',
    type: 'string',
    description: 'A label query over pods that should match the pod count.',
    priority: 1,
    cell: (object) => formatLabelSelector(object.spec.jobTemplate.spec.selector),
  },
];
