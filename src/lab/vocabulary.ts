/**
 * The names that scenario files may use, from the registries and from a user's definitions: kinds and their fields, faults, invariants,
 * feature gates.
 */
import { type Domain, GATES, namesFor } from '../apiserver/machinery/index.ts';
import type { Schema } from '../schema/shape/index.ts';
import { checkedDefinitions, faultsWith, invariantsWith, kindsWith, NO_DEFINITIONS, type Definitions } from './definitions/index.ts';
import { parseScenarios, type ParseOptions, type Problem, type Scenario, type Vocabulary } from './scenario/index.ts';

/** The fields of a kind; few of them are called otherwise in the other domain. */
export const schemaOf = (kind: string, domain: Domain = 'orch.io', own: Definitions = NO_DEFINITIONS): Schema | undefined =>
  kindsWith(namesFor(domain), own).byKind(kind)?.schema;

/** The vocabulary of this build, with the definitions of a user. */
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

/** How a text is read: `with` supplies the definitions of a user. */
export interface ReadOptions extends Partial<ParseOptions> {
  readonly with?: Definitions;
}

/** The name of a text that is in no file, in messages. */
const NO_FILE = '<text>';

/** The scenarios of a text, read with this build's vocabulary: every problem with its place, or scenarios ready to run. */
export const readScenarios = (
  text: string,
  { with: own = NO_DEFINITIONS, ...options }: ReadOptions = {},
): { readonly scenarios: readonly Scenario[] } | { readonly problems: readonly Problem[] } =>
  parseScenarios(text, { file: NO_FILE, ...vocabulary(checkedDefinitions(own)), ...options });
