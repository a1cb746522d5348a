/**
 * Plugins by what a pod says of its node: its name, selector and affinity, host ports, cordoned nodes and taints. Models: v1.24
 * plugins/nodeaffinity.
 */
import { isEmptyTerm, nodeSelectorTerm, requiredNodeTest, isTolerated, untoleratedTaint } from '../../../../apiserver/decisions/index.ts';
import type { NodeSelectorTerm } from '../../../../apiserver/machinery/index.ts';
import { on } from '../cluster-events.ts';
import { scaleToMax, unresolvable, type Plugin, unschedulable, MAX_SCORE } from '../plugin.ts';
import type { NodeInfo } from '../node-info.ts';
import type { HostPort } from '../../../shared/index.ts';
import type { Taint } from '../../../../apiserver/kinds/index.ts';

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
    if (named?.size === 0) return unresolvable('pod affinity terms conflict');
    return {
      check: ({ node }) => (node !== undefined && test(node) ? undefined : MISMATCH),
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

const OTHER_NODE = unresolvable("node(s) didn't match the requested node name");

/**
 * A pod with a nodeName runs only on that node. Models: v1.24 plugins/nodename. Pods with a nodeName are bound already, so this plugin
 * rarely refuses.
 */
export const nodeName: Plugin = {
  name: 'NodeName',
  local: true,
  events: { Node: on('add') },
  filterFor({ pod: { spec } }) {
    const wanted = spec.nodeName ?? '';
    return wanted === '' ? undefined : { check: ({ name }) => (name === wanted ? undefined : OTHER_NODE) };
  },
};

const TAKEN = unschedulable("node(s) didn't have free ports for the requested pod ports");
const EVERYWHERE = '0.0.0.0';

function isTaken({ ports }: NodeInfo, { ip, protocol, port }: HostPort): boolean {
  const addresses = ports.get(`${protocol}/${port}`);
  return addresses !== undefined && (ip === EVERYWHERE || addresses.has(EVERYWHERE) || addresses.has(ip));
}

const hasFreePorts = (node: NodeInfo, wanted: readonly HostPort[]): boolean => !wanted.some((port) => isTaken(node, port));

/** Each host port of a node can be used once per address. Models: v1.24 plugins/nodeports, framework HostPortInfo. */
export const nodePorts: Plugin = {
  name: 'NodePorts',
  local: true,
  events: { Pod: on('delete'), Node: on('add') },
  filterFor: ({ spec: { hostPorts } }) =>
    hostPorts.length === 0 ? undefined : { check: (node) => (hasFreePorts(node, hostPorts) ? undefined : TAKEN) },
};

const CORDONED = unresolvable('node(s) were unschedulable');

/** Refuses cordoned nodes, unless the pod tolerates that. Models: v1.24 plugins/nodeunschedulable. */
export const nodeUnschedulable: Plugin = {
  name: 'NodeUnschedulable',
  local: true,
  events: { Node: on('add', 'taints') },
  filterFor({ pod }, { names }) {
    const taint = { key: names.key('node', 'unschedulable'), effect: 'NoSchedule' };
    const tolerated = isTolerated(taint, pod.spec.tolerations);
    return tolerated ? undefined : { check: ({ node }) => (node?.spec.unschedulable === true ? CORDONED : undefined) };
  },
};

const repels = ({ effect }: Taint): boolean => effect === 'NoSchedule' || effect === 'NoExecute';
const isSoft = ({ effect }: Taint): boolean => effect === 'PreferNoSchedule';

/** Hard taints refuse pods, soft ones (PreferNoSchedule) lower the score. Models: v1.24 plugins/tainttoleration. */
export const taintToleration: Plugin = {
  name: 'TaintToleration',
  local: true,
  events: { Node: on('add', 'taints') },
  filterFor: ({ pod: { spec } }) => ({
    check({ node }) {
      const taints = node?.spec.taints;
      if (taints === undefined || taints.length === 0) return undefined;
      const taint = untoleratedTaint(taints, spec.tolerations, repels);
      return taint === undefined ? undefined : unresolvable(`node(s) had untolerated taint {${taint.key}: ${taint.value ?? ''}}`);
    },
  }),
  weight: 3,
  scorerFor({ pod: { spec } }, view, nodes) {
    if (view.model.marks.softTaints.size === 0 || !nodes.some(({ node }) => node?.spec.taints?.some(isSoft) === true)) return MAX_SCORE;
    const forgiving = (spec.tolerations ?? []).filter(({ effect = '' }) => effect === '' || effect === 'PreferNoSchedule');
    return {
      score: ({ node }) => (node?.spec.taints ?? []).filter((taint) => isSoft(taint) && !isTolerated(taint, forgiving)).length,
      normalise: (scores) => scaleToMax(scores, true),
    };
  },
};
