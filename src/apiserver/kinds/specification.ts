/**
 * The rules in which the specification and the recorded server differ: those of the API as a whole, then by kind in the order of the
 * registry.
 */
import type { BehaviorRule, Rule } from '../machinery/index.ts';
import type { Names } from '../objects/index.ts';
import { kindsFor } from './registry.ts';

/** Rules of all kinds. */
const ofAll: readonly BehaviorRule[] = [
  {
    name: 'api/collection-deletion-answers-status',
    kind: '*',
    field: '',
    statement: 'Deleting a collection answers a Status.',
    place: 'resource-api.md: Endpoints, Operations',
    recorded: 'answers the list of the deleted objects',
    does: 'the server answers a Status with the kind in its details',
  },
];

/** Returns every rule of the API. */
export const specificationOf = (names: Names): readonly Rule[] => [
  ...ofAll,
  ...kindsFor(names)
    .list()
    .flatMap(({ specification = [] }) => specification),
];
