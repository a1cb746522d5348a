/** `rules`: lists where the specification differs from v1.24, and the effect in either mode. */
import { specificationOf } from '../../../apiserver/kinds/index.ts';
import { isWriteRule, namesFor, type Rule } from '../../../apiserver/machinery/index.ts';
import { configSpecification } from '../../../controlplane/config/index.ts';
import { listing } from '../listing.ts';

const WRITE = 'a write that breaks it is refused';

/** All rules, of the API and of configuration files. */
export const allRules = (): readonly Rule[] => [...specificationOf(namesFor('orch.io')), ...configSpecification];

/** The effect of breaking a rule under `rules: specification`. */
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
