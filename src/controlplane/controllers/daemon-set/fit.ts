/**
 * Whether a node is eligible for a set's pod, by the rules that the scheduler applies: name, selector and affinity, and taints. Resources
 * are not considered: a pod that does not fit stays pending. Models: v1.24 pkg/controller/daemon NodeShouldRunDaemonPod.
 */
import { requiredNodeTest, untoleratedTaint } from '../../../apiserver/decisions/index.ts';
import type { DaemonSet, Node, Taint } from '../../../apiserver/kinds/index.ts';
import type { Names } from '../../../apiserver/machinery/index.ts';
import { daemonTolerations } from './tolerations.ts';

/** `runs`: the node gets a pod; `stays`: an existing pod may stay, but none is created; `leaves`: no pod may be there. */
export type Fit = 'runs' | 'stays' | 'leaves';
export type FitTest = (node: Node) => Fit;

type Template = DaemonSet['spec']['template'];

const evicts = ({ effect }: Taint): boolean => effect === 'NoExecute';
const repels = ({ effect }: Taint): boolean => effect === 'NoSchedule' || effect === 'NoExecute';

const tests = new WeakMap<Template, FitTest>();

/** The test of a template, compiled once. */
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
