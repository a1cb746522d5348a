/** What scenario files may name, gathered from the registries: kinds and their fields, faults, invariants, feature gates. */
import { kindsFor } from '../apiserver/kinds/index.ts';
import { type Domain, GATES, namesFor } from '../apiserver/vocabulary/index.ts';
import type { Schema } from '../grammar/schema/index.ts';
import { faults } from './faults/index.ts';
import { invariants } from './invariants/index.ts';
import { parseScenarios, type ParseOptions, type Problem, type Scenario, type Vocabulary } from './scenario/index.ts';

/** The fields of a kind; few of them are called otherwise in the other domain. */
export const schemaOf = (kind: string, domain: Domain = 'orch.io'): Schema | undefined => kindsFor(namesFor(domain)).byKind(kind)?.schema;

/** The vocabulary of this build. */
export const vocabulary = (): Vocabulary => ({
  faults,
  invariants: invariants.map(({ name }) => name),
  kinds: kindsFor(namesFor('orch.io'))
    .list()
    .map(({ kind }) => kind),
  schemaOf,
  featureGates: [...GATES.keys()],
});

/** The scenarios of a text, read with this build's vocabulary: every problem with its place, or scenarios ready to run. */
export const readScenarios = (
  text: string,
  options: Partial<ParseOptions> = {},
): { readonly scenarios: readonly Scenario[] } | { readonly problems: readonly Problem[] } =>
  parseScenarios(text, { file: 'scenario.yaml', ...vocabulary(), ...options });
