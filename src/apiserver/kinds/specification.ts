/**
 * The table of rules in which the specification and the recorded server differ: those of the API as a whole, then kind by kind as the
 * registry lists them.
 */
import type { Conduct, Names, Rule } from '../machinery/index.ts';
import { kindsFor } from './registry.ts';

/** What holds for every kind. */
const ofAll: readonly Conduct[] = [
  {
    name: 'api/collection-deletion-answers-status',
    kind: '*',
    field: '',
    statement: 'Deleting a collection answers a Status.',
    place: 'resource-api.md: Endpoints, Operations',
    recorded: 'answers the list of what was there',
    does: 'the server answers a Status that names the kind',
  },
];

/** Every rule of the API. */
export const specificationOf = (names: Names): readonly Rule[] => [
  ...ofAll,
  ...kindsFor(names)
    .list()
    .flatMap(({ specification = [] }) => specification),
];
