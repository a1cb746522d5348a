/** Printed columns of Jobs. Models: v1.24 pkg/printers/internalversion printJob. */
import { formatLabelSelector } from '../../../grammar/values/index.ts';
import { ageColumn, type ColumnOf, humanDuration, nameColumn } from '../../vocabulary/index.ts';
import type { Job } from './shape.ts';
import { containerNames, imageNames } from '../pod/columns.ts';

function completions({ spec, status }: Job): string {
  const done = status.succeeded ?? 0;
  if (spec.completions !== undefined) return `${done}/${spec.completions}`;
  const parallelism = spec.parallelism ?? 0;
  return parallelism > 1 ? `${done}/1 of ${parallelism}` : `${done}/1`;
}

function duration({ status }: Job, now: number): string {
  const { startTime, completionTime } = status;
  if (startTime === undefined || startTime === null) return '';
  return humanDuration(
    (completionTime === undefined || completionTime === null ? now : Date.parse(completionTime)) - Date.parse(startTime),
  );
}

export const jobColumns: readonly ColumnOf<Job>[] = [
  nameColumn,
  {
    name: 'Completions',
    type: 'string',
    description: 'How many pods succeeded, of those that must.',
    priority: 0,
    cell: (object) => completions(object),
  },
  {
    name: 'Duration',
    type: 'string',
    description: 'How long it ran, or has been running.',
    priority: 0,
    cell: (object, { now }) => duration(object, now),
  },
  ageColumn,
  {
    name: 'Containers',
    type: 'string',
    description: 'Names of the containers in the template.',
    priority: 1,
    cell: (object) => containerNames(object.spec.template.spec),
  },
  {
    name: 'Images',
    type: 'string',
    description: 'Images of the containers in the template.',
    priority: 1,
    cell: (object) => imageNames(object.spec.template.spec),
  },
  {
    name: 'Selector',
    type: 'string',
    description: 'Which pods count.',
    priority: 1,
    cell: (object) => formatLabelSelector(object.spec.selector),
  },
];
