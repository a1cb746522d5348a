/**
 * Whether some rules cover all permissions of others: no user may grant more than they have. Models: v1.24 pkg/apis/rbac/validation
 * policy_comparator.go, policy_compact.go; pkg/registry/rbac/validation rule.go ConfirmNoEscalation.
 */
import type { PolicyRule as Rule } from '../machinery/index.ts';
import { append, aggregateText, compareText } from '../../schema/values/index.ts';
import { pathMatches } from './authorizer.ts';

/** Returns the parts of the wanted rules that no held rule covers, combined where they are about one resource. */
export const uncoveredRules = (held: readonly Rule[], wanted: readonly Rule[]): readonly Rule[] =>
  compacted(wanted.flatMap(brokenDown).filter((part) => !held.some((rule) => covers(rule, part))));

/** Returns a rule for each combination of verb, resource, resource name and group, and for each combination of verb and path. */
function brokenDown({ verbs, apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] }: Rule): readonly Rule[] {
  const all = verbs ?? [];
  const parts: Rule[] = [];
  for (const group of apiGroups)
    for (const resource of resources)
      for (const verb of all) {
        const part = { verbs: [verb], apiGroups: [group], resources: [resource] };
        if (resourceNames.length === 0) parts.push(part);
        else for (const name of resourceNames) parts.push({ ...part, resourceNames: [name] });
      }
  for (const url of nonResourceURLs) for (const verb of all) parts.push({ verbs: [verb], nonResourceURLs: [url] });
  return parts;
}

const hasAll = (held: readonly string[] | undefined, wanted: readonly string[] | undefined): boolean =>
  (wanted ?? []).every((one) => held?.includes(one) === true);

function covers(held: Rule, part: Rule): boolean {
  const { verbs, apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = held;
  const names = part.resourceNames ?? [];
  return (
    ((verbs ?? []).includes('*') || hasAll(verbs ?? [], part.verbs ?? [])) &&
    (apiGroups.includes('*') || hasAll(apiGroups, part.apiGroups)) &&
    (resources.includes('*') ||
      (part.resources ?? []).every(
        (one) => resources.includes(one) || (one.includes('/') && resources.includes(`*/${one.slice(one.indexOf('/') + 1)}`)),
      )) &&
    (part.nonResourceURLs ?? []).every((url) => pathMatches(nonResourceURLs, url)) &&
    (resourceNames.length === 0 || (names.length > 0 && hasAll(resourceNames, names)))
  );
}

/** Combines rules about one resource of one group, with verbs in order of appearance. */
function compacted(rules: readonly Rule[]): readonly Rule[] {
  const simple = new Map<string, { verbs: string[]; readonly rule: Rule }>();
  const made: Rule[] = [];
  for (const rule of rules) {
    if ((rule.resources ?? []).length !== 1) {
      made.push(rule);
      continue;
    }
    const key = JSON.stringify([rule.apiGroups, rule.resources, rule.resourceNames ?? []]);
    const known = simple.get(key);
    if (known === undefined) simple.set(key, { verbs: [...(rule.verbs ?? [])], rule });
    else append(known.verbs, rule.verbs ?? []);
  }
  for (const { verbs, rule } of simple.values()) made.push({ ...rule, verbs: [...new Set(verbs)] });
  return made;
}

const quoted = (values: readonly string[]): string => `[${values.map((value) => JSON.stringify(value)).join(' ')}]`;

/** A rule on one line: `{APIGroups:[""], Resources:["secrets"], Verbs:["*"]}`. */
function inALine({ apiGroups, resources, nonResourceURLs, resourceNames, verbs }: Rule): string {
  const parts = {
    APIGroups: apiGroups,
    Resources: resources,
    NonResourceURLs: nonResourceURLs,
    ResourceNames: resourceNames,
    Verbs: verbs,
  };
  const shown = Object.entries(parts).flatMap(([name, values]) => (values && values.length > 0 ? [`${name}:${quoted(values)}`] : []));
  return `{${shown.join(', ')}}`;
}

export function describeMissing(
  { name, groups }: { readonly name: string; readonly groups: readonly string[] },
  missing: readonly Rule[],
  errors: readonly string[],
): string {
  const lines = [...new Set(missing.map(inALine))].sort(compareText);
  const trouble = errors.length === 0 ? '' : `; resolution errors: [${aggregateText(errors)}]`;
  return `user ${JSON.stringify(name)} (groups=${quoted(groups)}) is attempting to grant RBAC permissions not currently held:\n${lines.join('\n')}${trouble}`;
}
