/** What scenario files may name, gathered from the registries and from what somebody brings along: kinds and their fields, faults, invariants, feature gates. */
import { GATES, namesFor } from '../apiserver/vocabulary/index.ts';
import { checkedDefinitions, faultsWith, invariantsWith, kindsWith, NO_DEFINITIONS, type Definitions } from './definitions/index.ts';
import { parseScenarios, type ParseOptions, type Problem, type Scenario, type Vocabulary } from './scenario/index.ts';

/** The vocabulary of this build, and of definitions of one's own. */
export const vocabulary = (own: Definitions = NO_DEFINITIONS): Vocabulary => {
  // Fields of a kind are the same in both domains.
  const kinds = kindsWith(namesFor('orch.io'), own);
  return {
    faults: faultsWith(own),
    invariants: invariantsWith(own).map(({ name }) => name),
    kinds: kinds.list().map(({ kind }) => kind),
    schemaOf: (kind) => kinds.byKind(kind)?.schema,
    featureGates: [...GATES.keys()],
  };
};

/** How a text is read: `with` brings definitions of one's own. */
export interface ReadOptions extends Partial<ParseOptions> {
  readonly with?: Definitions;
}

/** The scenarios of a text, read with this build's vocabulary: every problem with its place, or scenarios ready to run. */
export const readScenarios = (
  text: string,
  { with: own = NO_DEFINITIONS, ...options }: ReadOptions = {},
): { readonly scenarios: readonly Scenario[] } | { readonly problems: readonly Problem[] } =>
  parseScenarios(text, { file: 'scenario.yaml', ...vocabulary(checkedDefinitions(own)), ...options });
