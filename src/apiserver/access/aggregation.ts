/** The rules of a cluster role that gathers those of others. Models: v1.24 pkg/controller/clusterroleaggregation. */
import type { ClusterRole } from '../kinds/index.ts';
import type { PolicyRule } from '../machinery/index.ts';
import { labelMatcher, compareText } from '../../schema/values/index.ts';

/** What of a role matters here; a stored one has it, and one that is about to be. */
export interface GatheringRole {
  readonly metadata: Pick<ClusterRole['metadata'], 'name' | 'labels'>;
  readonly aggregationRule?: ClusterRole['aggregationRule'];
  readonly rules?: readonly PolicyRule[] | null;
}

/** Rules of every role its selectors choose, by name, each once; undefined for a role that gathers nothing. */
export function aggregatedRules(role: GatheringRole, all: Iterable<GatheringRole>): readonly PolicyRule[] | undefined {
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
