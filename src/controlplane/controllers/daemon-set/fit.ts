/**
 * Whether a node is one for a set's pod, by the rules by which the scheduler will judge it: name, selector and affinity, and taints. Room
 * is not asked for: a pod that finds none waits. Models: v1.24 pkg/controller/daemon NodeShouldRunDaemonPod.
 */
import { requiredNodeTest, untoleratedTaint } from '../../../apiserver/decisions/index.ts';
import type { DaemonSet, Node, Taint } from '../../../apiserver/kinds/index.ts';
import type { Names } from '../../../apiserver/machinery/index.ts';
import { daemonTolerations } from './tolerations.ts';

/** A pod is to be there; one that is there may stay, but none is made; none may be there. */
export type Fit = 'runs' | 'stays' | 'leaves';
export type FitTest = (node: Node) => Fit;

type Template = DaemonSet['spec']['template'];

const evicts = ({ effect }: Taint): boolean => effect === 'NoExecute';
const repels = ({ effect }: Taint): boolean => effect === 'NoSchedule' || effect === 'NoExecute';

const tests = new WeakMap<Template, FitTest>();

/** The test of a template, made once. */
export function fitTest(template: Template, names: Names): FitTest {
  let test = tests.get(template);
  if (test === undefined) tests.set(template, (test = makeTest(template, names)));
  return test;
}

function makeTest({ spec }: Template, names: Names): FitTest {
  const tolerations = daemonTolerations(spec, names);
  const wanted = requiredNodeTest(spec);
  const pinned = spec.nodeName ?? '';
  return (node) => {
    if ((pinned !== '' && pinned !== node.metadata.name) || wanted?.(node) === false) return 'leaves';
    const { taints } = node.spec;
    if (untoleratedTaint(taints, tolerations, repels) === undefined) return 'runs';
    return untoleratedTaint(taints, tolerations, evicts) === undefined ? 'stays' : 'leaves';
  };
}
