/**
 * What nodes and their containers did, which no request of a client causes: it is an input of the run. Which nodes there are, how long pods took
 * to start, to be ready and to end, with which exit codes, and when a node fell silent.
 */
import type { NodeSpec, PodBehavior } from '../scenario/index.ts';
import { bisect, compareText, isMapping, keptIn, median, present, pushTo } from '../../schema/values/index.ts';
import type { AuditLog } from './read-log.ts';
import type { NodeReport, LogRecord } from './records.ts';
import type { Known } from './world.ts';

const BOUND = 'bound to ';

/** The times of a pod, milliseconds since the epoch, and its node. */
interface PodTimes {
  readonly pod: Known;
  boundAt?: number;
  node?: string;
  runningAt?: number;
  readyAt?: number;
  endedAt?: number;
  exitCode?: number;
}

/** When a node was silent, milliseconds since the start. */
export interface Silence {
  readonly node: string;
  readonly fromMs: number;
  untilMs?: number;
}

/**
 * From a node's failure to its condition Unknown: --node-monitor-grace-period counts from its last renewal, up to 10 s earlier; the controller
 * looks every 5 s. So it takes 30 to 45 s; this is the middle.
 */
const UNKNOWN_AFTER_MS = 37_500;
const ORDINARY: NodeSpec['capacity'] = { cpu: '4', memory: '8Gi', pods: '110' };

/** Collects what is known of nodes and pods. `renewals`: when the leases of nodes were renewed, in order. */
export function createMachines(renewals: AuditLog['renewals']) {
  const lastAlive = new Map<string, number>();
  const aliveBefore = (node: string, at: number): number => {
    const times = renewals.get(node) ?? [];
    return Math.max(lastAlive.get(node) ?? 0, times[bisect(times, (time) => time <= at) - 1] ?? 0);
  };
  const nodes = new Map<string, NodeReport | undefined>([...renewals.keys()].map((node) => [node, undefined]));
  const pods = new Map<Known, PodTimes>();
  const silent = new Map<string, Silence[]>();
  return {
    /** A node is spoken of; with an instant, it was alive then. */
    sees(node: string, aliveAt?: number, report?: NodeReport): void {
      if (aliveAt !== undefined) lastAlive.set(node, aliveAt);
      if (report !== undefined || !nodes.has(node)) nodes.set(node, report);
    },
    /** Takes what a write made true of an object. */
    learns(known: Known, news: readonly string[], { at, exitCodes, by }: LogRecord): void {
      if (known.kind === 'Node') {
        const last = silent.get(known.name)?.at(-1);
        if (news.includes('Ready Unknown'))
          pushTo(silent, known.name, { node: known.name, fromMs: Math.max(at - UNKNOWN_AFTER_MS, aliveBefore(known.name, at) + 1) });
        else if (by?.sort === 'node' && last !== undefined && last.untilMs === undefined) last.untilMs = at;
      }
      if (known.kind !== 'Pod') return;
      const times = keptIn(pods, known, (): PodTimes => ({ pod: known }));
      for (const each of news) {
        if (each.startsWith(BOUND)) {
          times.boundAt ??= at;
          times.node ??= each.slice(BOUND.length);
        } else if (each === 'phase Running') times.runningAt ??= at;
        else if (each === 'Ready True') times.readyAt ??= at;
        else if (known.deletedAt === undefined && (each === 'phase Succeeded' || each === 'phase Failed')) {
          // A pod that is deleted does not end by itself.
          times.endedAt ??= at;
          times.exitCode ??= exitCodes.find((code) => code !== 0) ?? (each === 'phase Failed' ? 1 : 0);
        }
      }
    },
    nodes: (): readonly NodeSpec[] => [...nodes].sort(([a], [b]) => compareText(a, b)).map(([name, report]) => nodeSpec(name, report)),
    behaviors: (): readonly PodBehavior[] => behaviorsOf([...pods.values()]),
    silences: (startAt: number): readonly Silence[] =>
      [...silent.values()].flat().map(({ node, fromMs, untilMs }) => ({
        node,
        fromMs: Math.max(0, fromMs - startAt),
        ...(untilMs === undefined ? {} : { untilMs: untilMs - startAt }),
      })),
  };
}

const MADE_BY_AGENT = /(?:^|\.)(?:kubernetes|orch)\.io\/(?:hostname|os|arch|instance-type)$/;

function nodeSpec(name: string, report: NodeReport | undefined): NodeSpec {
  if (report === undefined) return { name, capacity: ORDINARY };
  const texts = (of: Readonly<{ [name: string]: unknown }>): { [name: string]: string } =>
    Object.fromEntries(Object.entries(of).flatMap(([key, value]) => (typeof value === 'string' ? [[key, value] as const] : [])));
  const capacity = texts(report.capacity);
  const labels = Object.fromEntries(Object.entries(texts(report.labels)).filter(([key]) => !MADE_BY_AGENT.test(key)));
  return {
    name,
    capacity: Object.keys(capacity).length === 0 ? ORDINARY : capacity,
    ...(Object.keys(labels).length === 0 ? {} : { labels }),
    ...taintsIn(report.taints),
  };
}

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'] as const;
const BY_CONTROLLER = /(?:^|\.)(?:kubernetes|orch)\.io\/(?:not-ready|unreachable|unschedulable|[a-z]+-pressure|network-unavailable)$/;

function taintsIn(taints: unknown): Pick<NodeSpec, 'taints'> {
  const kept = (Array.isArray(taints) ? (taints as readonly unknown[]) : []).flatMap((each) => {
    if (!isMapping(each) || typeof each['key'] !== 'string' || BY_CONTROLLER.test(each['key'])) return [];
    const effect = EFFECTS.find((known) => known === each['effect']);
    return effect === undefined
      ? []
      : [{ key: each['key'], effect, ...(typeof each['value'] === 'string' ? { value: each['value'] } : {}) }];
  });
  return kept.length === 0 ? {} : { taints: kept };
}

/** Labels that differ from pod to pod, or from revision to revision. */
const CHANGING =
  /^(?:pod-template-hash|controller-revision-hash|controller-uid|pod-template-generation)$|\/(?:pod-name|job-completion-index|controller-uid)$/;

/** The labels by which pods of an owner are selected; a drawn name in one of them only says that it is there. */
function selectorOf({ labels, subject }: Known): NonNullable<PodBehavior['selector']> {
  const pairs = Object.entries(labels).flatMap(([key, value]) =>
    typeof value === 'string' && !CHANGING.test(key) ? [[key, value] as const] : [],
  );
  const isDrawn = ([key]: readonly [string, string]): boolean => JOB_NAME.test(key) && subject.includes('*');
  const drawn = pairs.filter(isDrawn);
  const plain = pairs.filter((each) => !isDrawn(each));
  return {
    ...(plain.length === 0 ? {} : { matchLabels: Object.fromEntries(plain) }),
    ...(drawn.length === 0 ? {} : { matchExpressions: drawn.map(([key]) => ({ key, operator: 'Exists' as const })) }),
  };
}

const JOB_NAME = /(?:^|\/)job-name$/;
const sizeOf = ({ matchLabels = {}, matchExpressions = [] }: NonNullable<PodBehavior['selector']>): number =>
  2 * Object.keys(matchLabels).length + matchExpressions.length;

/** A behaviour for the pods of each owner: those with the same labels. */
function behaviorsOf(all: readonly PodTimes[]): readonly PodBehavior[] {
  const groups = new Map<string, PodTimes[]>();
  for (const each of all) {
    const selector = selectorOf(each.pod);
    if (sizeOf(selector) > 0) pushTo(groups, `${each.pod.namespace ?? ''} ${JSON.stringify(selector)}`, each);
  }
  // The first match wins, so the one with more labels stands first.
  return [...groups.values()]
    .flatMap((group) => behaviorOf(group) ?? [])
    .sort((a, b) => sizeOf(b.selector ?? {}) - sizeOf(a.selector ?? {}));
}

function behaviorOf(group: readonly PodTimes[]): PodBehavior | undefined {
  const [first] = group;
  if (first === undefined) return undefined;
  const medianOf = (between: (times: PodTimes) => readonly [from: number | undefined, to: number | undefined]): number | undefined =>
    median(
      group.flatMap((times) => {
        const [from, to] = between(times);
        return from === undefined || to === undefined || to < from ? [] : [to - from];
      }),
    );
  const codes = group
    .filter(({ endedAt }) => endedAt !== undefined)
    .sort((a, b) => (a.endedAt ?? 0) - (b.endedAt ?? 0))
    .map(({ exitCode = 0 }) => exitCode);
  const said = present({
    startDelayMs: medianOf(({ boundAt, runningAt }) => [boundAt, runningAt]),
    readyDelayMs: medianOf(({ runningAt, readyAt }) => [runningAt, readyAt]),
    runForMs: medianOf(({ runningAt, boundAt, endedAt }) => [runningAt ?? boundAt, endedAt]),
    exitCodes: codes.some((code) => code !== 0) ? withoutRepeats(codes) : undefined,
  });
  const nodes = placesOf(group);
  return Object.keys(said).length === 0 && nodes === undefined
    ? undefined
    : { selector: selectorOf(first.pod), ...present({ namespace: first.pod.namespace, nodes }), ...said };
}

/** The nodes to which pods were bound, in the order of that. */
function placesOf(group: readonly PodTimes[]): readonly string[] | undefined {
  const bound = group.flatMap(({ boundAt, node }) => (boundAt === undefined || node === undefined ? [] : [{ boundAt, node }]));
  return bound.length === 0 ? undefined : bound.sort((a, b) => a.boundAt - b.boundAt).map(({ node }) => node);
}

/** The last exit code repeats. */
const withoutRepeats = (codes: readonly number[]): readonly number[] =>
  codes.slice(0, codes.findLastIndex((code, at) => code !== codes[at - 1]) + 1);
