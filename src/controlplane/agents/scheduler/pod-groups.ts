import { memo } from '../../../engine/index.ts';
import type { Affinity } from '../../../apiserver/machinery/index.ts';
import type { Pod } from '../../../apiserver/kinds/index.ts';
import { bump, compareText, keptIn } from '../../../schema/values/index.ts';
import type { PodInfo } from './node-info.ts';

type Labels = Readonly<Record<string, string>>;

/** The part of a pod that a query may read: the same for all pods of a group. */
export interface GroupView {
  readonly namespace: string;
  readonly labels: Labels;
  readonly terminating: boolean;
}

/** Pods on nodes that have pod affinity themselves, by namespace and affinity. */
interface AffinityHolders {
  readonly namespace: string;
  readonly affinity: Affinity;
  readonly tally: Tally;
}

interface Question {
  readonly matches: (group: GroupView) => boolean;
  readonly tally: Tally;
}
interface Group {
  readonly view: GroupView;
  readonly nodes: Map<string, number>;
  readonly questions: Set<Question>;
}

/** The number of queries whose counts are updated; the least recently used one is dropped. */
const MAX_QUESTIONS = 512;

const NO_LABELS: Labels = Object.freeze({});
const texts = memo(new WeakMap<Labels, string>());

/** Labels as one text, independent of their order. */
const labelsText = (labels: Labels): string =>
  keptIn(texts, labels, () =>
    Object.keys(labels)
      .sort(compareText)
      .map((key) => `${key}=${labels[key] ?? ''}`)
      .join(','),
  );

export const groupView = ({ metadata }: Pod): GroupView => ({
  namespace: metadata.namespace ?? '',
  labels: metadata.labels ?? NO_LABELS,
  terminating: metadata.deletionTimestamp !== undefined,
});

const last = { namespace: '', labels: NO_LABELS, terminating: false, name: '' };

/** Cached, because most pods share the labels of the pod before. */
export function groupName({ metadata }: Pod): string {
  const { namespace = '', labels = NO_LABELS } = metadata;
  const terminating = metadata.deletionTimestamp !== undefined;
  if (last.name !== '' && labels === last.labels && namespace === last.namespace && terminating === last.terminating) return last.name;
  const name = `${namespace}/${terminating ? '-' : '+'}/${labelsText(labels)}`;
  Object.assign(last, { namespace, labels, terminating, name });
  return name;
}

/**
 * Pods on nodes, grouped by what selectors can read of them. The counts of a query ("pods like this") are computed once and then updated,
 * so that spreading and affinity never loop over all pods. Replaces upstream's scans of every node's pods.
 */
export class PodGroups {
  private readonly groups = new Map<string, Group>();
  private readonly questions = new Map<string, Question>();
  private readonly byNamespace = new Map<string, Map<Affinity, AffinityHolders>>();
  private readonly labelsOf: (node: string) => Labels | undefined;

  constructor(labelsOf: (node: string) => Labels | undefined) {
    this.labelsOf = labelsOf;
  }

  get hasHolders(): boolean {
    return this.byNamespace.size > 0;
  }

  holders(): Iterable<AffinityHolders> {
    return allOf(this.byNamespace);
  }

  /** A pod was added to a node (1) or removed from it (-1). */
  move(info: PodInfo, node: string, sign: 1 | -1): void {
    const name = groupName(info.pod);
    let group = this.groups.get(name);
    if (group === undefined) {
      const view = groupView(info.pod);
      this.groups.set(name, (group = { view, nodes: new Map(), questions: new Set() }));
      for (const question of this.questions.values()) if (question.matches(view)) group.questions.add(question);
    }
    bump(group.nodes, node, sign);
    for (const question of group.questions) question.tally.bump(node, sign);
    if (group.nodes.size === 0) this.groups.delete(name);
    this.moveHolder(info, node, sign);
  }

  /** A node was added or removed, or its labels changed. */
  relabelled(node: string): void {
    for (const { tally } of this.questions.values()) tally.relabelled(node);
    for (const byAffinity of this.byNamespace.values()) for (const { tally } of byAffinity.values()) tally.relabelled(node);
  }

  /** Counts of the pods that match; `name` must contain everything that `matches` depends on. */
  count(name: string, matches: (group: GroupView) => boolean): Tally {
    const { questions, groups } = this;
    let question = questions.get(name);
    if (question !== undefined) {
      if (questions.size > MAX_QUESTIONS / 2) {
        questions.delete(name);
        questions.set(name, question);
      }
      return question.tally;
    }
    question = { matches, tally: new Tally(this.labelsOf) };
    for (const group of groups.values()) {
      if (!matches(group.view)) continue;
      group.questions.add(question);
      for (const [node, count] of group.nodes) question.tally.bump(node, count);
    }
    questions.set(name, question);
    if (questions.size > MAX_QUESTIONS) {
      for (const [oldest, dropped] of questions) {
        questions.delete(oldest);
        for (const group of groups.values()) group.questions.delete(dropped);
        break;
      }
    }
    return question.tally;
  }

  private moveHolder({ pod }: PodInfo, node: string, sign: 1 | -1): void {
    const { affinity } = pod.spec;
    if (affinity?.podAffinity === undefined && affinity?.podAntiAffinity === undefined) return;
    const namespace = pod.metadata.namespace ?? '';
    const byAffinity = keptIn(this.byNamespace, namespace, () => new Map<Affinity, AffinityHolders>());
    const holder = keptIn(byAffinity, affinity, () => ({ namespace, affinity, tally: new Tally(this.labelsOf) }));
    holder.tally.bump(node, sign);
    if (holder.tally.nodes.size === 0) byAffinity.delete(affinity);
    if (byAffinity.size === 0) this.byNamespace.delete(namespace);
  }
}

/** At module level, because every generator function has a hidden class of its own for its iterators. */
function* allOf(holders: ReadonlyMap<string, ReadonlyMap<Affinity, AffinityHolders>>): Generator<AffinityHolders> {
  for (const byAffinity of holders.values()) yield* byAffinity.values();
}

/** Pods by value of one label of their nodes; values without pods are left out. */
export class ValueCounts {
  private readonly counts = new Map<string, number>();
  /** The number of values with each count: gives the smallest count without a loop. */
  private readonly histogram = new Map<number, number>();
  private smallest = Infinity;
  /** All of them together. */
  total = 0;

  get size(): number {
    return this.counts.size;
  }

  get(value: string): number {
    return this.counts.get(value) ?? 0;
  }

  /** The smallest count among so many values of nodes; infinite for none. */
  least(values: number): number {
    return values === 0 ? Infinity : this.counts.size < values ? 0 : this.smallest;
  }

  bump(value: string, by: number): void {
    const before = this.get(value);
    const count = before + by;
    this.total += by;
    bump(this.counts, value, by);
    if (before !== 0) bump(this.histogram, before, -1);
    if (count !== 0) bump(this.histogram, count, 1);
    if (this.counts.size === 0) this.smallest = Infinity;
    else if (count > 0 && count < this.smallest) this.smallest = count;
    else while (!this.histogram.has(this.smallest)) this.smallest++;
  }
}

/**
 * Selected pods counted by node and, for the label keys in use, by the node's value. Updated one pod at a time, so that reading costs
 * nothing, independent of the number of pods.
 */
export class Tally {
  readonly nodes = new Map<string, number>();
  private readonly tables = new Map<string, ValueCounts>();
  private readonly labelsOf: (node: string) => Labels | undefined;

  constructor(labelsOf: (node: string) => Labels | undefined) {
    this.labelsOf = labelsOf;
  }

  by(key: string): ValueCounts {
    let table = this.tables.get(key);
    if (table === undefined) {
      this.tables.set(key, (table = new ValueCounts()));
      for (const [node, count] of this.nodes) this.count(key, table, node, count);
    }
    return table;
  }

  bump(node: string, by: number): void {
    bump(this.nodes, node, by);
    for (const [key, table] of this.tables) this.count(key, table, node, by);
  }

  /** A node was added or removed, or its labels changed. */
  relabelled(node: string): void {
    if (this.nodes.has(node)) this.tables.clear();
  }

  private count(key: string, table: ValueCounts, node: string, by: number): void {
    const value = this.labelsOf(node)?.[key];
    if (value !== undefined) table.bump(value, by);
  }
}
