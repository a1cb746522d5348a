/** A rehearsal of a release, as text, JSON and JUnit. */
import type { PhaseResult, Rehearsal } from '../../lab/rehearsal/index.ts';
import { titleOf, type Effects } from '../../lab/what-if/index.ts';
import { junitDocument, skippedCase, type JunitCase } from './junit.ts';
import { count, firstLines, restText, table } from './table.ts';
import type { Palette } from './terminal.ts';

const SHOWN = 25;

/** Whether every phase succeeds, every invariant holds, and the way back leads to the same. */
export const heldRehearsal = ({ run, differences }: Rehearsal): boolean => run.failures.length === 0 && differences?.length === 0;

/** The rehearsal for a reader. */
export function rehearsalLines(title: string, rehearsal: Rehearsal, palette: Palette): readonly string[] {
  const { phases, run, differences } = rehearsal;
  const held = heldRehearsal(rehearsal);
  const [good, bad] = [palette.good('✓'), palette.bad('✗')];
  /** What invariants of the rehearsal ask for, in a sentence, which stands for the condition. */
  const says = new Map((run.scenario.expressed ?? []).map(({ name, description }) => [name, description]));
  const lines = [
    palette.strong(`rehearse ${title}, on ${count(run.scenario.cluster.nodes.length, 'node')}`),
    held ? palette.good('✓ it comes through') : palette.bad('✗ it does not come through'),
  ];
  for (const { name, effects, failures } of phases) {
    lines.push(
      effects === undefined ? `  - ${name}: not reached` : `  ${failures.length === 0 ? good : bad} ${name}${effectsText(effects)}`,
      ...failures.flatMap(({ message, detail, waits = [], invariant, said }) => [
        `      ${palette.bad(invariant === undefined ? message : `${invariant}: ${said ?? message}`)}`,
        ...[says.get(invariant ?? '') ?? []].flat().map((line) => `        ${line}`),
        ...[...(says.has(invariant ?? '') ? [] : detail), ...waits].slice(0, SHOWN).map((line) => `        ${line.trim()}`),
      ]),
    );
  }
  if (differences?.length === 0) lines.push(`  ${good} rolled back, everything is as it was after the installation`);
  else if (differences !== undefined) {
    const shown = firstLines(differences, SHOWN).map((line) => `      ${line}`);
    lines.push(`  ${bad} rolled back, it is not as it was after the installation:`, ...shown);
  }
  const sum = `${run.invariants.filter((each) => each.held).length} of ${count(run.invariants.length, 'invariant')} held`;
  return [...lines, ...availabilityLines(phases), '', `  ${sum} · seed ${run.seed} · digest ${run.digest}`];
}

function effectsText({ gone, made, evictions, refused, restarts, restMs }: Effects): string {
  const refusals = Object.entries(refused);
  const parts = [
    ...(gone === 0 && made === 0 ? [] : [`${count(gone, 'pod')} gone, ${made} made`]),
    ...(evictions === 0 ? [] : [count(evictions, 'eviction')]),
    ...(refusals.length === 0 ? [] : [`refused at first by ${refusals.map(([by, times]) => `${by} (${times})`).join(', ')}`]),
    ...(restarts === 0 ? [] : [count(restarts, 'restart')]),
    restMs === 0 ? 'nothing changes' : `at rest after ${restText(restMs)}`,
  ];
  return `: ${parts.join(', ')}`;
}

/** The least that was available of each workload: in the rolls, and over all drains. */
function availabilityLines(phases: readonly PhaseResult[]): readonly string[] {
  const rows = leastOf(phases);
  if (rows.length === 0) return [];
  const cell = (least: number | undefined): string => (least === undefined ? '-' : String(least));
  const lines = rows.map(({ workload, wanted, roll, drains, back }) => [`  ${workload}`, ...[wanted, roll, drains, back].map(cell)]);
  return [
    '',
    ...table([['  available at least', 'wanted', 'roll', 'drains', 'roll back'], ...lines.slice(0, SHOWN)]),
    ...(rows.length > SHOWN ? [`  and ${rows.length - SHOWN} more`] : []),
  ];
}

function leastOf(phases: readonly PhaseResult[]) {
  const rows = new Map<string, { workload: string; wanted?: number; roll?: number; drains?: number; back?: number }>();
  for (const { name, effects } of phases)
    for (const { workload, before, after, least } of effects?.workloads ?? []) {
      const key = titleOf(workload);
      const row = rows.get(key) ?? { workload: key };
      rows.set(key, row);
      const wanted = before?.wanted ?? after?.wanted;
      if (wanted !== undefined) row.wanted ??= wanted;
      if (least === undefined || name === 'install') continue;
      if (name === 'roll') row.roll = least;
      else if (name === 'roll back') row.back = least;
      else row.drains = Math.min(row.drains ?? Infinity, least);
    }
  return [...rows.values()];
}

/** The rehearsal as JSON: everything but the run, with the results of its invariants. */
export function rehearsalJson(title: string, rehearsal: Rehearsal): unknown {
  const { run, ...rest } = rehearsal;
  const { invariants, seed, digest, lengthMs, scenario } = run;
  return {
    title,
    comesThrough: heldRehearsal(rehearsal),
    nodes: scenario.cluster.nodes.length,
    ...rest,
    available: leastOf(rest.phases),
    invariants,
    seed,
    digest,
    lengthMs,
  };
}

function rollbackCase(differences: Rehearsal['differences']): JunitCase {
  const name = 'rollback comes to the same';
  if (differences === undefined) return skippedCase(name, 'not reached');
  if (differences.length === 0) return { name, lengthMs: 0 };
  const failure = { type: 'rehearsal', message: count(differences.length, 'difference'), text: differences.join('\n') };
  return { name, lengthMs: 0, failures: [failure] };
}

/** The rehearsal for CI: a case for each phase, for each invariant, and for the way back. */
export function rehearsalJunit(title: string, { phases, run, differences }: Rehearsal, tookMs: number): string {
  const textOf = (failures: PhaseResult['failures']): NonNullable<JunitCase['failures']> =>
    failures.map(({ kind, message, detail, waits = [], said }) => ({
      type: kind,
      message: said ?? message,
      text: [...detail, ...waits].join('\n'),
    }));
  return junitDocument([
    {
      name: `rehearse ${title}`,
      cases: [
        ...phases.map(({ name, fromMs, untilMs, effects, failures }, at): JunitCase =>
          effects === undefined
            ? skippedCase(name, 'not reached')
            : {
                name,
                tookMs: at === 0 ? tookMs : 0,
                lengthMs: untilMs - fromMs,
                failures: textOf(failures.filter(({ invariant }) => invariant === undefined)),
              },
        ),
        ...run.invariants.map(({ name }): JunitCase => ({
          name,
          lengthMs: run.lengthMs,
          failures: textOf(phases.flatMap(({ failures }) => failures.filter(({ invariant }) => invariant === name))),
        })),
        rollbackCase(differences),
      ],
    },
  ]);
}
