/**
 * Which nodes a pod fits: taints and tolerations, which scheduling and eviction share, and node selectors as compiled predicates. Models:
 * v1.24 k8s.io/component-helpers scheduling/corev1 helpers, nodeaffinity.
 */
import { perObject } from '../../engine/index.ts';
import type { Node, Taint } from '../kinds/index.ts';
import type { NodeSelectorRequirement, NodeSelectorTerm, PodSpec, Toleration } from '../machinery/index.ts';
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

function termTest({ matchExpressions = [], matchFields = [] }: NodeSelectorTerm): NodeTest {
  const labelTests = matchExpressions.map(labelTest);
  const fieldTests = matchFields.map(fieldTest);
  return (node) =>
    labelTests.every((test) => test?.(node.metadata.labels ?? NO_LABELS) === true) && fieldTests.every((test) => test?.(node) === true);
}

/** Returns the predicate of one stored term, compiled once. An empty term matches nothing, unlike an empty label selector. */
export const nodeSelectorTerm = perObject((term: NodeSelectorTerm): NodeTest => (isEmptyTerm(term) ? () => false : termTest(term)));

/** Terms are alternatives: one match is enough. */
export function nodeSelectorTerms(terms: readonly NodeSelectorTerm[]): NodeTest {
  const tests = terms.map((term) => nodeSelectorTerm(term));
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

type Tolerations = readonly Toleration[] | undefined;

/** Whether one toleration tolerates a taint. Empty keys and effects match any; an unknown operator matches nothing. */
export function tolerates(toleration: Toleration, taint: Taint): boolean {
  if ((toleration.effect ?? '') !== '' && toleration.effect !== taint.effect) return false;
  if ((toleration.key ?? '') !== '' && toleration.key !== taint.key) return false;
  switch (toleration.operator ?? '') {
    case '':
    case 'Equal':
      return (toleration.value ?? '') === (taint.value ?? '');
    case 'Exists':
      return true;
    default:
      return false;
  }
}

export const isTolerated = (taint: Taint, tolerations: Tolerations): boolean =>
  tolerations?.some((toleration) => tolerates(toleration, taint)) === true;

/** Returns the first taint with one of the effects that is not tolerated. */
export const untoleratedTaint = (
  taints: readonly Taint[] | undefined,
  tolerations: Tolerations,
  concerns: (taint: Taint) => boolean,
): Taint | undefined => taints?.find((taint) => concerns(taint) && !isTolerated(taint, tolerations));

/** Returns for how many milliseconds a pod may stay under NoExecute taints, by the shortest toleration; Infinity: without limit. */
export function mayStayMs(tolerations: Tolerations, taints: readonly Taint[]): number {
  let shortest = Infinity;
  for (const taint of taints) {
    const used = tolerations?.filter((toleration) => tolerates(toleration, taint)) ?? [];
    if (used.length === 0) return 0;
    for (const { tolerationSeconds } of used)
      if (tolerationSeconds !== undefined) shortest = Math.min(shortest, Math.max(0, tolerationSeconds) * 1000);
  }
  return shortest;
}

// Models: v1.24 pkg/util/tolerations.
const isSame = (a: Toleration, b: Toleration): boolean =>
  a === b ||
  (a.key === b.key &&
    a.operator === b.operator &&
    a.value === b.value &&
    a.effect === b.effect &&
    a.tolerationSeconds === b.tolerationSeconds);

export function covers(wide: Toleration, narrow: Toleration): boolean {
  if (isSame(wide, narrow)) return true;
  const [key, effect] = [wide.key ?? '', wide.effect ?? ''];
  if ((narrow.key ?? '') !== key && (key !== '' || wide.operator !== 'Exists')) return false;
  if ((narrow.effect ?? '') !== effect && effect !== '') return false;
  if (
    effect === 'NoExecute' &&
    wide.tolerationSeconds !== undefined &&
    (narrow.tolerationSeconds === undefined || narrow.tolerationSeconds > wide.tolerationSeconds)
  )
    return false;
  if (wide.operator === 'Exists') return true;
  return (narrow.operator ?? '') === (wide.operator ?? '') && (narrow.value ?? '') === (wide.value ?? '');
}

/** Returns both lists in order, without tolerations that another one covers; of equal ones the first is kept. */
export function mergeTolerations(first: readonly Toleration[], second: readonly Toleration[]): readonly Toleration[] {
  const all = [...first, ...second];
  const merged: Toleration[] = [];
  for (const [at, toleration] of all.entries()) {
    if (merged.some((other) => covers(other, toleration))) continue;
    if (all.slice(at + 1).some((other) => !isSame(other, toleration) && covers(other, toleration))) continue;
    merged.push(toleration);
  }
  return merged;
}
