/**
 * The names that scenario files may use, from the registries and from a user's definitions: kinds and their fields, faults, invariants,
 * feature gates.
 */
import { type Domain, GATES, namesFor } from '../apiserver/machinery/index.ts';
import type { Schema } from '../schema/shape/index.ts';
import { checkedDefinitions, faultsWith, invariantsWith, kindsWith, NO_DEFINITIONS, type Definitions } from './definitions/index.ts';
import { parseScenarios, type ParseOptions, type Problem, type Scenario, type Vocabulary } from './scenario/index.ts';

/** Returns the schema of a kind; a few fields have another name in the other domain. */
export const schemaOf = (kind: string, domain: Domain = 'orch.io', own: Definitions = NO_DEFINITIONS): Schema | undefined =>
  kindsWith(namesFor(domain), own).byKind(kind)?.schema;

/** Returns the vocabulary of this build together with a user's definitions. */
export const vocabulary = (own: Definitions = NO_DEFINITIONS): Vocabulary => ({
  faults: faultsWith(own),
  invariants: invariantsWith(own).map(({ name }) => name),
  kinds: kindsWith(namesFor('orch.io'), own)
    .list()
    .map(({ kind }) => kind),
  kindsOf: (domain = 'orch.io') => kindsWith(namesFor(domain), own),
  schemaOf: (kind, domain) => schemaOf(kind, domain, own),
  featureGates: [...GATES.keys()],
});

/** Options of reading a text; `with` supplies a user's definitions. */
export interface ReadOptions extends Partial<ParseOptions> {
  readonly with?: Definitions;
}

/** Stands for the file name in messages about a text that is in no file. */
const NO_FILE = '<text>';

/**
 * Reads the scenarios of a text with this build's vocabulary: returns every problem with its position, or scenarios that are ready to run.
 */
export const readScenarios = (
  text: string,
  { with: own = NO_DEFINITIONS, ...options }: ReadOptions = {},
): { readonly scenarios: readonly Scenario[] } | { readonly problems: readonly Problem[] } =>
  parseScenarios(text, { file: NO_FILE, ...vocabulary(checkedDefinitions(own)), ...options });
