/** The answer to a question of a cluster, as text, JSON and JUnit. */
import type { Answer, Load, NodeEffect, WorkloadEffect } from '../../lab/what-if/index.ts';
import { titleOf } from '../../lab/what-if/index.ts';
import { formatDurationMs } from '../../schema/values/index.ts';
import { junitDocument, type JunitCase } from './junit.ts';
import { count, firstWords, grouped, restText, table } from './table.ts';
import type { Palette } from './terminal.ts';

const SHOWN = 25;

/** A workload that has less than it wants. */
const isShort = ({ after }: WorkloadEffect): boolean => after !== undefined && after.available < after.wanted;

const changes = ({ before, after, least }: WorkloadEffect): boolean =>
  before?.available !== after?.available || before?.wanted !== after?.wanted || (before !== undefined && least !== before.available);

/** Whether the cluster comes through: steps succeed, nothing waits, every workload has what it wants. */
export const cameThrough = ({ run, workloads, waiting, atRest }: Answer): boolean =>
  run.failures.length === 0 && waiting.length === 0 && !workloads.some(isShort) && atRest;

/** The answer for a reader. */
export function whatIfLines(question: string, answer: Answer, palette: Palette): readonly string[] {
  const { run, workloads, nodes, waiting, why, gone, made, others, evictions, refused, restarts, runs, restMs, atRest } = answer;
  const verdict = cameThrough(answer) ? palette.good('✓ it comes through') : palette.bad('✗ it does not come through');
  // What was refused has changed nothing, or not all: that it is at rest then says little.
  const failed = run.failures.find(({ kind }) => kind === 'step' || kind === 'expectation');
  const rest =
    failed !== undefined
      ? `it fails after ${formatDurationMs(failed.sinceStartMs - answer.askedAtMs)}`
      : atRest
        ? `at rest after ${restText(restMs)}`
        : `not at rest after ${formatDurationMs(run.lengthMs - answer.askedAtMs)}`;
  const first = run.firstWrites?.length ?? 0;
  const refusals = Object.entries(refused);
  const refusedTimes = refusals.reduce((sum, [, times]) => sum + times, 0);
  const refusers = refusals.slice(0, SHOWN).map(([by, times]) => `${by} (${times})`);
  const lines = [
    palette.strong(`what if: ${question}`),
    `${verdict}; ${rest}`,
    `  ${count(gone, 'pod')} gone, ${grouped(made)} made, ${count(evictions, 'eviction')}, ${count(restarts, 'restart')}${runs === 0 ? '' : `; ${count(runs, 'run')} of CronJobs`}`,
    ...othersLines(others),
  ];
  const own = `${count(first, 'write')} of the first minute ${first === 1 ? 'is' : 'are'} the cluster's own`;
  if (first > 0) lines.push(`  ${palette.warn('note')} ${own}: orchsim run --from shows them`);
  for (const { message, detail } of run.failures)
    lines.push(`  ${palette.bad(message)}`, ...detail.slice(0, SHOWN).map((line) => `    ${line.trim()}`));
  if (refusals.length > 0)
    lines.push(`  ${palette.warn(`${count(refusedTimes, 'eviction')} refused`)}, and tried again: ${refusers.join(', ')}`);
  const wait = `${count(waiting.length, 'pod')} wait${waiting.length === 1 ? 's' : ''} at the end`;
  if (waiting.length > 0) lines.push('', `  ${wait}: ${firstWords(waiting.map(titleOf), 5)}`, ...why.map((line) => `    ${line}`));
  return [...lines, ...workloadLines(workloads), ...nodeLines(nodes)];
}

/** Objects beside pods that come and go. */
function othersLines(others: Answer['others']): readonly string[] {
  const all = Object.entries(others);
  const line = (did: string, of: (each: Answer['others'][string]) => number): readonly string[] => {
    const some = all.filter(([, each]) => of(each) > 0).map(([kind, each]) => `${grouped(of(each))} ${kind}`);
    return some.length === 0 ? [] : [`  also ${did}: ${some.join(', ')}`];
  };
  return [...line('gone', ({ gone }) => gone), ...line('made', ({ made }) => made)];
}

function workloadLines(workloads: readonly WorkloadEffect[]): readonly string[] {
  const changed = workloads.filter(changes);
  const rest = workloads.length - changed.length;
  if (changed.length === 0) return ['', `  no workload is less available at any time (${count(rest, 'workload')})`];
  const cell = (of: WorkloadEffect['before']): string => (of === undefined ? '-' : `${of.available}/${of.wanted}`);
  const rows = changed.slice(0, SHOWN).map(({ workload, before, after, least, leastAtMs }) => {
    const at = leastAtMs === undefined || least === before?.available ? '' : ` at ${formatDurationMs(leastAtMs)}`;
    return [`  ${titleOf(workload)}`, cell(before), least === undefined ? '-' : `${least}${at}`, cell(after)];
  });
  return [
    '',
    ...table([['  available', 'before', 'least', 'after'], ...rows]),
    ...(changed.length > SHOWN ? [`  and ${changed.length - SHOWN} more`] : []),
    ...(rest === 0 ? [] : [`  ${count(rest, 'workload')} unchanged`]),
  ];
}

const share = (part: number, of: number): string => (of === 0 ? '-' : `${Math.round((part * 100) / of)}%`);

function nodeLines(nodes: readonly NodeEffect[]): readonly string[] {
  const changed = nodes.filter(
    ({ before, after }) => before.pods !== after.pods || before.milliCpu !== after.milliCpu || before.memory !== after.memory,
  );
  const row = ({ node, room, before, after }: NodeEffect): readonly string[] => [
    `  ${node}`,
    `${share(before.milliCpu, room.milliCpu)} → ${share(after.milliCpu, room.milliCpu)}`,
    `${share(before.memory, room.memory)} → ${share(after.memory, room.memory)}`,
    `${grouped(before.pods)} → ${grouped(after.pods)} of ${grouped(room.pods)}`,
  ];
  const sum = (of: 'room' | 'before' | 'after'): Load => {
    const total = (part: keyof Load): number => nodes.reduce((so, node) => so + node[of][part], 0);
    return { milliCpu: total('milliCpu'), memory: total('memory'), pods: total('pods') };
  };
  const all = { node: `all ${count(nodes.length, 'node')}`, room: sum('room'), before: sum('before'), after: sum('after') };
  return [
    '',
    ...table([['  requested of', 'cpu', 'memory', 'pods'], ...[...changed.slice(0, SHOWN), all].map(row)]),
    ...(changed.length > SHOWN ? [`  and ${changed.length - SHOWN} more nodes changed`] : []),
  ];
}

/** The answer as JSON: everything but the run, with the failures of its steps. */
export function whatIfJson(question: string, answer: Answer): unknown {
  const { run, ...effects } = answer;
  const { failures, firstWrites = [], seed, digest, lengthMs } = run;
  return { question, comesThrough: cameThrough(answer), ...effects, failures, firstWrites, seed, digest, lengthMs };
}

/** The answer for CI: a case for the steps, for rest, for what waits, and for each workload that changed. */
export function whatIfJunit(question: string, answer: Answer, tookMs: number): string {
  const { run, workloads, waiting, why, atRest } = answer;
  const held = (name: string, wrong: string | undefined, text = ''): JunitCase => ({
    name,
    lengthMs: run.lengthMs,
    failures: wrong === undefined ? [] : [{ type: 'what-if', message: wrong, text }],
  });
  const [failed] = run.failures;
  return junitDocument([
    {
      name: `what if: ${question}`,
      cases: [
        { ...held('steps', failed?.message, failed?.detail.join('\n')), tookMs },
        held('comes to rest', atRest ? undefined : 'it is still writing at the end'),
        held('nothing waits', waiting.length === 0 ? undefined : `${count(waiting.length, 'pod')} wait at the end`, why.join('\n')),
        ...workloads
          .filter(changes)
          .map((each) =>
            held(
              titleOf(each.workload),
              isShort(each) ? `${each.after?.available ?? 0} of ${each.after?.wanted ?? 0} available at the end` : undefined,
            ),
          ),
      ],
    },
  ]);
}
