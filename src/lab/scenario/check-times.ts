/** Reports contradictory times: a step after the end or before the previous step, a wait longer than the run, an inverted range. */
import { formatDurationMs, LATEST_START_MS } from '../../schema/values/index.ts';
import { joinPath, type Located } from '../../schema/yaml/index.ts';
import { check } from './check.ts';
import type { RawScenario } from './compile.ts';
import { formatInstant } from './targets.ts';
import { memberAt, note, type CheckContext } from './context.ts';

/** A step may be this much earlier than the previous one, milliseconds. */
const NOTED_APART_MS = 10;

/** The default limit of virtual time, milliseconds. */
export const MOST_TIME_MS = 400 * 86_400_000;

/**
 * Reports every contradiction. The length of waits is known only during the run, so only times are reported that are impossible whatever
 * the waits take.
 */
export function checkTimes(raw: RawScenario, document: Located, context: CheckContext): void {
  checkYears(raw, document, context);
  const { untilMs: until } = raw.spec;
  const most = raw.spec.limits?.timeMs ?? MOST_TIME_MS;
  const untilNode = memberAt(document, 'spec', 'until');
  if (until !== undefined && until > most && untilNode !== undefined)
    note(context, untilNode, 'spec.until', `a time within the limits (${limitText(raw)})`, formatDurationMs(until));
  checkSteps(raw, document, context);
  checkLatencies(raw, document, context);
}

/** The longest run, milliseconds: from the latest start it ends before instants have no RFC 3339 form. */
const LONGEST_MS = 100 * 366 * 86_400_000;

function checkYears({ spec: { startTime, limits } }: RawScenario, document: Located, context: CheckContext): void {
  const start = memberAt(document, 'spec', 'startTime');
  if (start !== undefined && (startTime ?? 0) > LATEST_START_MS)
    note(context, start, 'spec.startTime', `an instant up to ${formatInstant(LATEST_START_MS)}`, formatInstant(startTime ?? 0));
  const most = memberAt(document, 'spec', 'limits', 'time');
  if (most !== undefined && (limits?.timeMs ?? 0) > LONGEST_MS)
    note(context, most, 'spec.limits.time', `at most ${formatDurationMs(LONGEST_MS)}`, formatDurationMs(limits?.timeMs ?? 0));
}

const limitText = ({ spec: { limits } }: RawScenario): string =>
  limits?.timeMs === undefined
    ? `${formatDurationMs(MOST_TIME_MS)} unless spec.limits.time says more`
    : `spec.limits.time: ${formatDurationMs(limits.timeMs)}`;

function checkSteps(raw: RawScenario, document: Located, context: CheckContext): void {
  const { untilMs: until, limits } = raw.spec;
  const steps = memberAt(document, 'spec', 'steps');
  if (steps?.shape !== 'list') return;
  const most = limits?.timeMs ?? MOST_TIME_MS;
  const quiet: CheckContext = { ...context, problems: [] };
  const durationOf = (node: Located | undefined): number | undefined =>
    node === undefined ? undefined : check({ type: 'duration' }, node, '', quiet);
  /** The earliest start of the next steps. */
  let earliest = 0;
  let before: number | undefined;
  for (const [index, item] of steps.items.entries()) {
    const [at, after] = [memberAt(item, 'at'), memberAt(item, 'after')];
    const [time, wait] = [durationOf(at), durationOf(after)];
    const node = at ?? after;
    if (node === undefined || (time === undefined && wait === undefined)) continue;
    const path = joinPath(`spec.steps[${index}]`, at === undefined ? 'after' : 'at');
    const found = `${formatDurationMs(time ?? wait ?? 0)}${time === undefined ? ` after ${formatDurationMs(earliest)}` : ''}`;
    const starts = time ?? earliest + (wait ?? 0);
    if (until !== undefined && starts > until)
      note(context, node, path, `a time before the run ends (until: ${formatDurationMs(until)})`, found);
    else if (starts > most) note(context, node, path, `a time within the limits (${limitText(raw)})`, found);
    // Recorded times are those at which requests were sent; requests sent together may be recorded a few milliseconds apart in another
    // order.
    else if (time !== undefined && before !== undefined && time < before - NOTED_APART_MS)
      note(context, node, path, `a time not before that of the steps above (${formatDurationMs(before)}), since steps run in order`, found);
    if (time !== undefined) before = Math.max(before ?? 0, time);
    earliest = Math.max(earliest, starts);
  }
}

function checkLatencies(raw: RawScenario, document: Located, context: CheckContext): void {
  for (const name of ['api', 'watch'] as const) {
    const range = raw.spec.cluster?.latency?.[name];
    const node = memberAt(document, 'spec', 'cluster', 'latency', name);
    if (typeof range === 'object' && range.minMs > range.maxMs && node !== undefined)
      note(
        context,
        node,
        `spec.cluster.latency.${name}`,
        'min not above max',
        `${formatDurationMs(range.minMs)} and ${formatDurationMs(range.maxMs)}`,
      );
  }
}
