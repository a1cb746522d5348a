/** What scenario files may name, gathered from the registries: kinds, faults, invariants, feature gates. */
import { kindsFor, namesFor } from '../cluster/api/index.ts';
import { GATES } from '../cluster/config/index.ts';
import { faults } from './faults/index.ts';
import { invariants } from './invariants/index.ts';
import type { Vocabulary } from './scenario/index.ts';

/** The vocabulary of this build. */
export const vocabulary = (): Vocabulary => ({
  faults,
  invariants: invariants.map(({ name }) => name),
  kinds: kindsFor(namesFor('orch.io')).list().map(({ kind }) => kind),
  featureGates: [...GATES.keys()],
});
