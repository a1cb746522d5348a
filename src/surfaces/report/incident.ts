/** An incident that was replayed, as text and JSON: what became of the log, and where the run and the log part. */
import type { AuditLog, Incident, Judged, Parting } from '../../lab/incident/index.ts';
import { describeDifference } from '../../lab/invariants/index.ts';
import { formatInstant } from '../../lab/scenario/index.ts';
import { formatSince } from '../../lab/trace/index.ts';
import { formatDurationMs } from '../../schema/values/index.ts';
import { count, firstWords, grouped } from './table.ts';
import { messageOf } from './junit.ts';
import type { Palette } from './terminal.ts';

/** What an import has read. */
export interface Imported {
  readonly files: readonly string[];
  readonly log: AuditLog;
  readonly incident: Incident;
}

const SHOWN = 5;

/** What became of the log. */
export function importedLines({ files, log, incident }: Imported, palette: Palette): readonly string[] {
  const { from, to, lines, leftOut } = log;
  const span =
    from === undefined || to === undefined
      ? ''
      : `, ${formatInstant(from)} to ${formatInstant(to)} (${formatSince(Math.max(0, to - from))})`;
  const { steps, clients, writes } = incident;
  const named = clients.length === 0 ? '' : ` (${firstWords(clients, SHOWN)})`;
  return [
    palette.strong(`incident: ${files.slice(0, SHOWN).join(', ')}${files.length > SHOWN ? ` and ${files.length - SHOWN} more` : ''}`),
    `  ${count(lines, 'line')}${span}`,
    `  ${count(steps, 'request')} of ${count(clients.length, 'client')} ${steps === 1 ? 'is a step' : 'are steps'}${named}; ${count(writes, 'write')} of the cluster ${writes === 1 ? 'is' : 'are'} compared`,
    ...(leftOut.size === 0 ? [] : [`  without meaning for the run: ${[...leftOut].map(([why, many]) => `${many} ${why}`).join(', ')}`]),
    ...incident.leftOut.flatMap(({ why, count: many, first }) => [
      `  ${palette.warn('left out')} ${many} ${why}`,
      ...first.map((each) => `      ${each}`),
      ...(many > first.length ? [`      and ${many - first.length} more`] : []),
    ]),
    ...(writes === 0 ? [`  ${palette.warn('note')} the log has no write of the control plane with a body: nothing is compared`] : []),
  ];
}

/** Whether the run did what the log says. */
export const agrees = ({ run, partings }: Judged): boolean => partings.length === 0 && run.failures.length === 0;

/** Where the run and the log part. */
export function judgedLines(judged: Judged, { incident }: Imported, withinMs: number, palette: Palette): readonly string[] {
  const { met, partings, run } = judged;
  const share = `${grouped(met)} of ${count(incident.writes, 'write')} within ${formatDurationMs(withinMs)}`;
  if (agrees(judged))
    return [
      incident.writes === 0 ? '- the run was compared with nothing' : `${palette.good('✓ the run does what the log says')}: ${share}`,
    ];
  const [first, ...others] = partings;
  const { message, detail } = first === undefined ? { message: undefined, detail: [] } : describeDifference(first, withinMs);
  return [
    palette.bad(`✗ ${message ?? 'the run answers otherwise than the log'}`),
    ...detail,
    ...(first?.why === undefined ? [] : [`  why  ${first.why}`]),
    ...(others.length === 0 ? [] : [`  and ${count(others.length, 'more difference')}: ${firstWords(others.map(shortOf), SHOWN, ';')}`]),
    `  ${share}`,
    ...run.failures
      .slice(0, SHOWN)
      .flatMap((failure) => [
        `${palette.bad('✗')} at ${formatSince(failure.sinceStartMs)}: ${messageOf(failure)}`,
        ...failure.detail.slice(0, SHOWN),
      ]),
    ...(run.failures.length > SHOWN ? [`  and ${count(run.failures.length - SHOWN, 'more failure')}`] : []),
  ];
}

const shortOf = ({ atMs, run, log, lacks }: Parting): string => {
  const write = lacks === 'log' ? run : log;
  return `${formatSince(atMs)} only the ${lacks === 'log' ? 'run' : 'log'}: ${write?.of ?? '?'}: ${write?.did ?? '?'}`;
};

/** The same for programs. */
export function incidentJson({ files, log, incident }: Imported, judged: Judged | undefined, withinMs: number): unknown {
  const { from, to, lines, problems } = log;
  const { steps, clients, writes, leftOut } = incident;
  return {
    files,
    lines,
    ...(from === undefined || to === undefined ? {} : { from: formatInstant(from), to: formatInstant(to) }),
    problems,
    withoutMeaning: Object.fromEntries(log.leftOut),
    steps,
    clients,
    writes,
    leftOut,
    withinMs,
    ...(judged === undefined ? {} : judgedJson(judged)),
  };
}

function judgedJson(judged: Judged): object {
  const { failures, seed, digest } = judged.run;
  const differences = judged.partings.map(({ run, ...rest }) => ({ ...rest, ...(run === undefined ? {} : { run: withoutObject(run) }) }));
  return { agrees: agrees(judged), met: judged.met, differences, failures, seed, digest };
}

function withoutObject({ object, ...write }: NonNullable<Parting['run']>): unknown {
  const { kind, metadata } = object;
  return { ...write, object: { kind, namespace: metadata.namespace, name: metadata.name } };
}
