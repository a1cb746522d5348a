/** Rules of the specification for Jobs that v1.24 does not have. Source: resource-api.md, "Job". */
import { conditionErrors, forbidden, invalid, type Rule, repeatedTypeErrors } from '../../machinery/index.ts';
import type { Job } from './shape.ts';

const PLACE = 'resource-api.md: Job';
const TYPES = ['Complete', 'Failed', 'Suspended'];

const NUMBER = '(?:0|[1-9][0-9]{0,9})';
const INDEXES = new RegExp(`^${NUMBER}(?:-${NUMBER})?(?:,${NUMBER}(?:-${NUMBER})?)*$`);

/** Checks ascending numbers; three or more consecutive ones are written as first-last, two as two numbers. */
function isIndexList(text: string): boolean {
  if (text === '') return true;
  if (!INDEXES.test(text)) return false;
  let last = -2;
  let row = 0;
  for (const part of text.split(',')) {
    const [first = 0, end = first] = part.split('-').map(Number);
    if (first <= last || (end !== first && end < first + 2)) return false;
    // Consecutive numbers must be a range from three on.
    row = first === last + 1 ? row + (end - first + 1) : end - first + 1;
    if (first === last + 1 && row >= 3) return false;
    last = end;
  }
  return true;
}

export const jobSpecification: readonly Rule<Job>[] = [
  {
    name: 'job/deadline-is-positive',
    kind: 'Job',
    field: 'spec.activeDeadlineSeconds',
    statement: 'activeDeadlineSeconds is positive.',
    place: `${PLACE}, spec.activeDeadlineSeconds`,
    recorded: 'accepts 0',
    member: 'spec',
    check: ({ spec }) => (spec.activeDeadlineSeconds === 0 ? [invalid('spec.activeDeadlineSeconds', 0, 'must be greater than 0')] : []),
  },
  {
    name: 'job/deadline-ends-it',
    kind: 'Job',
    field: 'spec.activeDeadlineSeconds',
    statement: 'When activeDeadlineSeconds have passed since startTime, the system tries to terminate the Job.',
    place: `${PLACE}, spec.activeDeadlineSeconds; States and transitions`,
    recorded: 'missed the deadline in one recording while pods ran, and failed the Job a minute later although its pods had succeeded',
    does: 'the controller terminates the Job at that instant, in either mode',
  },
  {
    name: 'job/condition-states',
    kind: 'Job',
    field: 'status.conditions[].type, .status',
    statement: 'A condition has the type Complete, Failed or Suspended, and the status True, False or Unknown.',
    place: `${PLACE}, status.conditions`,
    recorded: 'accepts any text',
    member: 'status',
    check: ({ status }) => conditionErrors(status.conditions, TYPES),
  },
  {
    name: 'job/completion-time-means-success',
    kind: 'Job',
    field: 'status.completionTime',
    statement: 'completionTime is set only when the Job finishes successfully.',
    place: `${PLACE}, status.completionTime`,
    recorded: 'accepts it at any time',
    member: 'status',
    check: ({ status: { completionTime, conditions } }) =>
      (completionTime ?? null) === null || (conditions ?? []).some(({ type, status }) => type === 'Complete' && status === 'True')
        ? []
        : [forbidden('status.completionTime', 'may be set only with the condition Complete, whose status is True')],
  },
  {
    name: 'job/completed-indexes-format',
    kind: 'Job',
    field: 'status.completedIndexes',
    statement:
      'completedIndexes lists decimal numbers in increasing order, separated by commas; three or more consecutive numbers are written first-last.',
    place: `${PLACE}, status.completedIndexes`,
    recorded: 'accepts any text',
    member: 'status',
    check: ({ status: { completedIndexes = '' } }) =>
      isIndexList(completedIndexes)
        ? []
        : [
            invalid(
              'status.completedIndexes',
              completedIndexes,
              "must be growing numbers, three and more in a row as first-last, as in '1,3-5,7'",
            ),
          ],
  },
  {
    name: 'job/one-condition-of-a-type',
    kind: 'Job',
    field: 'status.conditions[].type',
    statement: 'Each type has at most one condition.',
    place: `${PLACE}, status.conditions; Conventions 4`,
    recorded: 'accepts several',
    member: 'status',
    check: ({ status }) => repeatedTypeErrors(status.conditions),
  },
  {
    name: 'job/resume-resets-the-start',
    kind: 'Job',
    field: 'status.startTime',
    statement: 'Suspending a Job resets its startTime.',
    place: 'resource-api.md: States and transitions; Job, status.startTime',
    recorded: 'leaves it until the Job is resumed, and sets it then',
    does: 'interpreted as the row of status.startTime says, in either mode: reset at every resume; no deadline applies while the Job is suspended',
  },
];
