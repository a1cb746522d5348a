/** A pod's node selector and required node affinity filter nodes; preferred affinity scores them. Models: v1.24 plugins/nodeaffinity. */
import { isEmptyTerm, nodeSelectorTerm, requiredNodeTest } from '../../../../apiserver/decisions/index.ts';
import type { NodeSelectorTerm } from '../../../../apiserver/machinery/index.ts';
import { on } from '../cluster-events.ts';
import { scaleToMax, unresolvable, type Plugin } from '../plugin.ts';

const MISMATCH = unresolvable("node(s) didn't match Pod's node affinity/selector");

/** The names to which a term limits nodes by its fields; undefined: no limit. */
function namesIn({ matchFields = [] }: NodeSelectorTerm): ReadonlySet<string> | undefined {
  let names: Set<string> | undefined;
  for (const { key, operator, values = [] } of matchFields) {
    if (key !== 'metadata.name' || operator !== 'In') continue;
    names = names === undefined ? new Set(values) : new Set(values.filter((name) => names?.has(name)));
  }
  return names;
}

/** The allowed names when every term has some; undefined: no limit. */
function onlyNodes(terms: readonly NodeSelectorTerm[]): ReadonlySet<string> | undefined {
  const all = new Set<string>();
  for (const term of terms) {
    const names = namesIn(term);
    if (names === undefined) return undefined;
    for (const name of names) all.add(name);
  }
  return all;
}

export const nodeAffinity: Plugin = {
  name: 'NodeAffinity',
  local: true,
  events: { Node: on('add', 'labels') },
  filterFor({ pod: { spec } }) {
    const test = requiredNodeTest(spec);
    if (test === undefined) return undefined;
    const terms = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
    const named = terms.length === 0 ? undefined : onlyNodes(terms);
    if (named?.size === 0) return { refusal: unresolvable('pod affinity terms conflict') };
    return {
      filter: { check: ({ node }) => (node !== undefined && test(node) ? undefined : MISMATCH) },
      ...(named === undefined ? {} : { onlyNodes: named }),
    };
  },
  weight: 2,
  scorerFor({ pod: { spec } }) {
    const preferred = (spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).filter(
      ({ weight, preference }) => weight !== 0 && !isEmptyTerm(preference),
    );
    if (preferred.length === 0) return 0;
    const tests = preferred.map(({ weight, preference }) => ({ weight, test: nodeSelectorTerm(preference) }));
    return {
      score: ({ node }) => tests.reduce((sum, { weight, test }) => (node !== undefined && test(node) ? sum + weight : sum), 0),
      normalise: (scores) => scaleToMax(scores, false),
    };
  },
};
