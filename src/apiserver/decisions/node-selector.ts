/** Node selectors as compiled predicates. Models: v1.24 component-helpers scheduling/corev1/nodeaffinity. */
import type { Node } from '../kinds/index.ts';
import type { NodeSelectorRequirement, NodeSelectorTerm, PodSpec } from '../machinery/index.ts';
import { compileRequirement, labelRequirement, type LabelOperator, type Labels } from '../../schema/values/index.ts';

/** Undefined when the expression is invalid: then no node matches the term. */
type LabelTest = (labels: Labels) => boolean;
export type NodeTest = (node: Node) => boolean;

const OPERATORS: Readonly<Record<string, LabelOperator>> = {
  In: 'in',
  NotIn: 'notin',
  Exists: 'exists',
  DoesNotExist: '!',
  Gt: 'gt',
  Lt: 'lt',
};

function labelTest({ key, operator, values }: NodeSelectorRequirement): LabelTest | undefined {
  const op = OPERATORS[operator];
  if (op === undefined) return undefined;
  const made = labelRequirement(key, op, values ?? []);
  return made.error === undefined ? compileRequirement(made.value) : undefined;
}

/** The only supported field is the node's name. */
function fieldTest({ key, operator, values }: NodeSelectorRequirement): NodeTest | undefined {
  if (key !== 'metadata.name' || values?.length !== 1) return undefined;
  if (operator === 'In') return (node) => node.metadata.name === values[0];
  if (operator === 'NotIn') return (node) => node.metadata.name !== values[0];
  return undefined;
}

const NO_LABELS: Labels = Object.freeze({});

function termTest({ matchExpressions = [], matchFields = [] }: NodeSelectorTerm): NodeTest | undefined {
  // An empty term matches nothing, unlike an empty label selector.
  if (matchExpressions.length === 0 && matchFields.length === 0) return undefined;
  const labelTests = matchExpressions.map(labelTest);
  const fieldTests = matchFields.map(fieldTest);
  return (node) =>
    labelTests.every((test) => test?.(node.metadata.labels ?? NO_LABELS) === true) && fieldTests.every((test) => test?.(node) === true);
}

const compiledTerms = new WeakMap<NodeSelectorTerm, NodeTest>();
const NOTHING: NodeTest = () => false;

/** Returns the predicate of one stored term, compiled once. */
export function nodeSelectorTerm(term: NodeSelectorTerm): NodeTest {
  let test = compiledTerms.get(term);
  if (test === undefined) compiledTerms.set(term, (test = termTest(term) ?? NOTHING));
  return test;
}

/** Terms are alternatives: one match is enough. */
export function nodeSelectorTerms(terms: readonly NodeSelectorTerm[]): NodeTest {
  const tests = terms.map(nodeSelectorTerm);
  return (node) => tests.some((test) => test(node));
}

/** Whether a term is empty, so that preferences skip it. */
export const isEmptyTerm = ({ matchExpressions = [], matchFields = [] }: NodeSelectorTerm): boolean =>
  matchExpressions.length === 0 && matchFields.length === 0;

/** Returns the predicate of the pod's node selector and required affinity; undefined: it has no requirements. */
export function requiredNodeTest({ nodeSelector, affinity }: Pick<PodSpec, 'nodeSelector' | 'affinity'>): NodeTest | undefined {
  const labels = Object.entries(nodeSelector ?? {});
  const required = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  if (labels.length === 0 && required === undefined) return undefined;
  const terms = required === undefined ? undefined : nodeSelectorTerms(required.nodeSelectorTerms);
  return (node) => labels.every(([key, value]) => node.metadata.labels?.[key] === value) && (terms === undefined || terms(node));
}
