/** `rules`: where the specification asks for something else than v1.24 does, and what becomes of it in either mode. */
import { specificationOf } from '../../../apiserver/kinds/index.ts';
import { isWriteRule, namesFor, type Rule } from '../../../apiserver/machinery/index.ts';
import { configSpecification } from '../../../controlplane/config/index.ts';
import { listing } from '../listing.ts';

const WRITE = 'a write that breaks it is refused';

/** Every rule, of the API and of configuration files. */
export const allRules = (): readonly Rule[] => [...specificationOf(namesFor('orch.io')), ...configSpecification];

/** What is done about a rule under `rules: specification`. */
export const effectOf = (rule: Rule): string => (isWriteRule(rule) ? WRITE : rule.does);

export const rules = listing({
  columns: ['RULE', 'FIELD', 'SAYS', 'WHERE', 'UNDER specification', 'V1.24, AND recorded WITH A WARNING'],
  items: () =>
    allRules().map((rule) => {
      const { name, kind, field, statement, place, recorded } = rule;
      return { name, kind, field, statement, place, effect: effectOf(rule), recorded };
    }),
  row: ({ name, field, statement, place, effect, recorded }) => [name, field, statement, place, effect, recorded],
});
