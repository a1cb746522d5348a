/**
 * Checks of the invariants of a scenario that no single field can express: duplicate names, conditions about an object without `foreach`.
 */
import { showValue, type Located } from '../../schema/yaml/index.ts';
import { note, quoted, type CheckContext } from './context.ts';
import { readExpression } from './read-expression.ts';
import { TEMPORALS } from './invariant-format.ts';

/** Reports errors within each invariant, and between them. */
export function checkInvariants(list: Located | undefined, context: CheckContext): void {
  if (list?.shape !== 'list') return;
  const names = new Set(context.vocabulary.invariants);
  for (const [index, item] of list.items.entries()) {
    if (item.shape !== 'map') continue;
    const path = `spec.invariants[${index}]`;
    const member = (name: string): Located | undefined => item.entries.get(name)?.value;
    const name = member('name');
    if (name !== undefined && names.has(String(name.plain)))
      note(context, name, `${path}.name`, 'a name that no other invariant has', showValue(name.plain));
    if (name !== undefined) names.add(String(name.plain));
    if (member('foreach') !== undefined) continue;
    const where = member('where');
    if (where !== undefined) note(context, where, `${path}.where`, 'foreach beside it', 'where alone', quoted('foreach'));
    for (const temporal of TEMPORALS) checkWorld(member(temporal), `${path}.${temporal}`, context);
  }
}

/** Reports `self` and `old` in a condition without `foreach`, which is about the cluster. */
function checkWorld(node: Located | undefined, path: string, context: CheckContext): void {
  if (node === undefined) return;
  const about = (kind: 'world' | 'change') => {
    const problems: CheckContext['problems'] = [];
    readExpression(kind, node, path, { ...context, problems });
    return problems;
  };
  // An error in both readings was reported when the condition was read.
  if (about('change').length > 0) return;
  for (const problem of about('world'))
    context.problems.push({
      ...problem,
      expected: 'a condition over objects(), object() and time; self and old need foreach',
      suggestion: 'foreach: Job',
    });
}
