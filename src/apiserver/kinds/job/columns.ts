/** Printer columns of Jobs. Models: v1.24 pkg/printers/internalversion printJob. */
import { ageColumn, type ColumnOf, humanDuration, nameColumn, column } from '../../machinery/index.ts';
import type { Job } from './shape.ts';
import { selectorColumn, templateColumns } from '../pod/template-columns.ts';

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
  column('Completions', 'string', 'Succeeded pods, and the required number.', (object) => completions(object)),
  column('Duration', 'string', 'Run time of the Job.', (object, { now }) => duration(object, now)),
  ageColumn,
  ...templateColumns<Job>(({ spec }) => spec.template),
  selectorColumn<Job>(({ spec }) => spec.selector),
];
