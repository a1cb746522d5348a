/** Printer columns of CronJobs. */
import { ageColumn, ageOf, type ColumnOf, nameColumn } from '../../machinery/index.ts';
import { selectorColumn, templateColumns } from '../pod/template-columns.ts';
import type { CronJob } from './shape.ts';

export const cronJobColumns: readonly ColumnOf<CronJob>[] = [
  nameColumn,
  {
    name: 'Schedule',
    type: 'string',
    description: 'Schedule, in five fields.',
    priority: 0,
    cell: (object) => object.spec.schedule,
  },
  {
    name: 'Suspend',
    type: 'boolean',
    description: 'Whether runs are suspended.',
    priority: 0,
    cell: (object) => (object.spec.suspend ? 'True' : 'False'),
  },
  {
    name: 'Active',
    type: 'integer',
    description: 'Active Jobs.',
    priority: 0,
    cell: (object) => (object.status.active ?? []).length,
  },
  {
    name: 'Last Schedule',
    type: 'string',
    description: 'Time since it last created a Job.',
    priority: 0,
    cell: (object, { now }) => {
      const at = object.status.lastScheduleTime;
      return at === undefined ? '<none>' : ageOf(at, now);
    },
  },
  ageColumn,
  ...templateColumns<CronJob>(({ spec }) => spec.jobTemplate.spec.template),
  selectorColumn<CronJob>(({ spec }) => spec.jobTemplate.spec.selector),
];
