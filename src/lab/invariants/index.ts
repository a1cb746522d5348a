/** Invariants: properties of whole runs, a file or folder for each kind of object, and one line for each in `all.ts`. */
import { inOrder } from '../../schema/values/index.ts';
import * as all from './all.ts';
import type { Invariant } from './invariant.ts';

export { expressed } from './expressed.ts';
export * from './recorded/index.ts';
export { type Checker, type Facts, type Invariant, type Temporal, type Violation, withExercised } from './invariant.ts';

/** The order of groups, by the part of the name before the slash. */
const FIRST: readonly string[] = [
  'job',
  'cron-job',
  'stateful-set',
  'deployment',
  'replica-set',
  'daemon-set',
  'lease',
  'node',
  'volume-attachment',
  'general',
];
const groupOf = ([first]: readonly Invariant[]): string => first?.name.split('/')[0] ?? '';

/** All invariants in the order of the documentation: the groups of `FIRST`, then the others by name. */
export const invariants: readonly Invariant[] = inOrder(
  Object.values<Invariant | readonly Invariant[]>(all).map((entry) => [entry].flat()),
  groupOf,
  FIRST,
).flat();
