/** Printed columns of Jobs. Models: v1.24 pkg/printers/internalversion printJob. */
import { formatLabelSelector } from '../../values/index.ts';
import { ageColumn, humanDuration, nameColumn } from '../columns.ts';
import type { Column } from '../kind.ts';
import type { ApiObject } from '../object.ts';
import type { Job } from './job.ts';
import { containerNames, imageNames } from './pod-columns.ts';

const jobOf = (object: ApiObject): Job => object as unknown as Job;

function completions({ spec, status }: Job): string {
  const done = status.succeeded ?? 0;
  if (spec.completions !== undefined) return `${done}/${spec.completions}`;
  const parallelism = spec.parallelism ?? 0;
  return parallelism > 1 ? `${done}/1 of ${parallelism}` : `${done}/1`;
}

function duration({ status }: Job, now: number): string {
  const { startTime, completionTime } = status;
  if (startTime === undefined || startTime === null) return '';
  return humanDuration((completionTime === undefined || completionTime === null ? now : Date.parse(completionTime)) - Date.parse(startTime));
}

export const jobColumns: readonly Column[] = [
  nameColumn,
  { name: 'Completions', type: 'string', description: 'The number of pods which reached phase Succeeded.', priority: 0, cell: (object) => completions(jobOf(object)) },
  { name: 'Duration', type: 'string', description: 'Time required to complete the job.', priority: 0, cell: (object, { now }) => duration(jobOf(object), now) },
  ageColumn,
  { name: 'Containers', type: 'string', description: 'Names of each container in the template.', priority: 1, cell: (object) => containerNames(jobOf(object).spec.template.spec) },
  { name: 'Images', type: 'string', description: 'Images referenced by each container in the template.', priority: 1, cell: (object) => imageNames(jobOf(object).spec.template.spec) },
  { name: 'Selector', type: 'string', description: 'A label query over pods that should match the pod count.', priority: 1, cell: (object) => formatLabelSelector(jobOf(object).spec.selector) },
];
