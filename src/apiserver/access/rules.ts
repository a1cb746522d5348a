/** Whether a rule applies to a question. Models: v1.24 pkg/apis/rbac/v1 evaluation_helpers.go. */
import type { PolicyRule } from '../machinery/index.ts';
import type { AccessQuestion } from './question.ts';

const has = (list: readonly string[] | null | undefined, value: string): boolean => list?.includes(value) === true;

/** Whether a rule allows the verb of a question on its resource or path. */
export function ruleAllows(rule: PolicyRule, question: AccessQuestion): boolean {
  if (!has(rule.verbs, '*') && !has(rule.verbs, question.verb)) return false;
  if (question.path !== undefined) return pathMatches(rule.nonResourceURLs, question.path);
  const { group, resource, subresource = '', name = '' } = question;
  if (!has(rule.apiGroups, '*') && !has(rule.apiGroups, group)) return false;
  if (!resourceMatches(rule.resources, resource, subresource)) return false;
  const names = rule.resourceNames ?? [];
  return names.length === 0 || names.includes(name);
}

/** Matches `*`, `pods`, `pods/log`, or a sub-resource of any resource, as in star-slash-scale. */
function resourceMatches(resources: readonly string[] | undefined, resource: string, subresource: string): boolean {
  if (has(resources, '*')) return true;
  if (subresource === '') return has(resources, resource);
  return has(resources, `${resource}/${subresource}`) || has(resources, `*/${subresource}`);
}

/** Matches the exact path, `*`, or a prefix that ends with `*`. */
export const pathMatches = (urls: readonly string[] | undefined, path: string): boolean =>
  (urls ?? []).some((url) => url === '*' || url === path || (url.endsWith('*') && path.startsWith(url.replace(/\*+$/, ''))));
