/** The rules of an aggregated cluster role. Models: v1.24 pkg/controller/clusterroleaggregation. */
import type { ClusterRole } from '../kinds/index.ts';
import type { PolicyRule } from '../machinery/index.ts';
import { labelMatcher, compareText } from '../../schema/values/index.ts';

/** The members of a role that aggregation reads, both of a stored role and of one that is about to be created. */
export interface AggregatableRole {
  readonly metadata: Pick<ClusterRole['metadata'], 'name' | 'labels'>;
  readonly aggregationRule?: ClusterRole['aggregationRule'];
  readonly rules?: readonly PolicyRule[] | null;
}

/**
 * Returns the rules of every role that its selectors match, ordered by name, without duplicates; undefined for a role without aggregation.
 */
export function aggregatedRules(role: AggregatableRole, all: Iterable<AggregatableRole>): readonly PolicyRule[] | undefined {
  const selectors = role.aggregationRule?.clusterRoleSelectors;
  if (role.aggregationRule === undefined) return undefined;
  const byName = [...all].sort((a, b) => compareText(a.metadata.name, b.metadata.name));
  const rules: PolicyRule[] = [];
  const seen = new Set<string>();
  for (const selector of selectors ?? []) {
    const matches = labelMatcher(selector);
    for (const other of byName) {
      if (other.metadata.name === role.metadata.name || !matches(other.metadata.labels)) continue;
      for (const rule of other.rules ?? []) {
        const key = JSON.stringify(rule);
        if (seen.has(key)) continue;
        seen.add(key);
        rules.push(rule);
      }
    }
  }
  return rules;
}
