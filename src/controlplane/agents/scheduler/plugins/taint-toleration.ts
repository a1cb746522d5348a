/** Hard taints refuse pods, soft ones (PreferNoSchedule) lower the score. Models: v1.24 plugins/tainttoleration. */
import type { Taint } from '../../../../apiserver/kinds/index.ts';
import { isTolerated, untoleratedTaint } from '../../../../apiserver/decisions/index.ts';
import { on } from '../cluster-events.ts';
import { MAX_SCORE, scaleToMax, unresolvable, type Plugin } from '../plugin.ts';

const repels = ({ effect }: Taint): boolean => effect === 'NoSchedule' || effect === 'NoExecute';
const isSoft = ({ effect }: Taint): boolean => effect === 'PreferNoSchedule';

export const taintToleration: Plugin = {
  name: 'TaintToleration',
  local: true,
  events: { Node: on('add', 'taints') },
  filterFor: ({ pod: { spec } }) => ({
    filter: {
      check({ node }) {
        const taints = node?.spec.taints;
        if (taints === undefined || taints.length === 0) return undefined;
        const taint = untoleratedTaint(taints, spec.tolerations, repels);
        return taint === undefined ? undefined : unresolvable(`node(s) had untolerated taint {${taint.key}: ${taint.value ?? ''}}`);
      },
    },
  }),
  weight: 3,
  scorerFor({ pod: { spec } }, view, nodes) {
    if (!view.marks.softTaints || !nodes.some(({ node }) => node?.spec.taints?.some(isSoft) === true)) return MAX_SCORE;
    const forgiving = (spec.tolerations ?? []).filter(({ effect = '' }) => effect === '' || effect === 'PreferNoSchedule');
    return {
      score: ({ node }) => (node?.spec.taints ?? []).filter((taint) => isSoft(taint) && !isTolerated(taint, forgiving)).length,
      normalise: (scores) => scaleToMax(scores, true),
    };
  },
};
