/** `why TARGET PATH`: the last write of an object and its causes. `why not TARGET PATH`: what the object waits for. */
import { formatParts, formatSince, lastWriteOf, type LineParts } from '../../../lab/trace/index.ts';
import { count, paintParts, cacheViewText, type Palette } from '../../report/index.ts';
import { defineCommand, type OptionsOf } from '../command.ts';
import { type Io, fitted, jsonText } from '../io.ts';
import { BadInput } from '../exit.ts';
import { lastRenewal, renewalLines, renewedBy, renewalOf, whyStep, type Why } from '../question/why.ts';
import { openHistory, type History } from '../question/history.ts';
import { formatMoment, readMoment, type Moment } from '../question/world.ts';
import { everExisted, formatName, isInMisspeltNamespace, nameTarget, readTarget, likelyField } from '../question/target.ts';
import { waitingText, type Waiting } from '../../../lab/blockers/index.ts';
import { whyNot, whyNotLines } from '../question/introspection.ts';
import { QUESTION, HISTORY_PATH } from '../options.ts';

const options = [
  ['--at <moment>', 'the last write at or before it: 5s, #212, end', 'end'],
  ['--field <path>', 'the last write that changed this field, such as status.active'],
  ['--all', 'every cause, coalesced ones too, instead of the latest of each'],
  ...QUESTION,
] as const;
type Options = OptionsOf<typeof options>;

export const command = defineCommand({
  arguments: [
    ['<target>', 'an object such as Job/pi, or a step such as #212; with not before it: what it waits for'],
    ['<path>', HISTORY_PATH],
    ['[path]', 'the path, after not TARGET'],
  ],
  options,
  act({ io }, given, first, second, third) {
    const not = first === 'not' && third !== undefined;
    if (!not && third !== undefined)
      throw new BadInput(`why: expected TARGET PATH or not TARGET PATH, found ${[first, second, third].join(' ')}`);
    const [target, path] = not ? [second, third] : [first, second];
    const history = openHistory(path, given, io);
    const moment = readMoment(given.at, history.trace, '--at');
    if (not) answerNot(target, history, moment, given, io);
    else answer(target, history, moment, given, io);
  },
});

type Out = Pick<Io, 'out' | 'palette' | 'terminal' | 'columns'>;

function answer(target: string, history: History, moment: Moment, options: Options, io: Out): void {
  const { trace } = history;
  const { startAt } = trace;
  const { all, json, field } = options;
  if (target.startsWith('#')) return print(whyStep(trace, readMoment(target, trace, 'target').step, all), [], target, startAt, options, io);
  const name = nameTarget(target, history);
  // An object that never existed may be awaited: the blockers of its owner explain it.
  if (!everExisted(name, history) && !isInMisspeltNamespace(name, history) && whyNot(name, history, moment).waits.length > 0)
    return answerNot(target, history, moment, options, io);
  const object = readTarget(target, history);
  const step = lastWriteOf(trace, object, moment.step, field);
  const about = `${formatName(object)} at ${formatMoment(moment, trace)}`;
  const unseen = step === undefined && field === undefined ? lastRenewal(trace, object, 0, moment.at) : undefined;
  if (unseen !== undefined)
    return io.out(json ? jsonText({ about, renewed: unseen }) : fitted(renewalLines(unseen, about, startAt, io.palette), io));
  if (step === undefined)
    throw new BadInput(
      `${notWritten(formatName(object), field, formatMoment(moment, trace))}${field === undefined ? '' : likelyField(object, field, history)}`,
    );
  const { waits } = whyNot(object, history, moment);
  const renewed = field === undefined ? renewalOf(trace, step, moment.at) : undefined;
  print({ ...whyStep(trace, step, all), renewed }, waits, about, startAt, options, io);
}

function answerNot(target: string, history: History, moment: Moment, { json }: Options, io: Out): void {
  if (target.startsWith('#')) throw new BadInput(`why not: expected an object such as Job/pi, found ${target}: a step has happened`);
  const name = nameTarget(target, history);
  const found = whyNot(name, history, moment);
  if (!found.exists && (found.waits.length === 0 || isInMisspeltNamespace(name, history))) readTarget(target, history);
  const about = `${formatName(name)} at ${formatMoment(found.at, history.trace)}`;
  io.out(json ? jsonText({ about, ...found }) : fitted(whyNotLines(found, name, about, io.palette), io));
}

/** At most so many blockers are shown beside a chain of causes; `why not` shows more. */
const FEW = 6;

const notWritten = (name: string, field: string | undefined, when: string): string =>
  `nothing ${field === undefined ? 'wrote' : `changed ${field} of`} ${name} between the start and ${when}; writes before the start have no recorded causes`;

function print(found: Why, waits: readonly Waiting[], about: string, startAt: number, { json }: Options, io: Out): void {
  const line = { ...found.line, text: formatParts(found.line).trimStart() };
  const document = { about, ...found, ...cacheViewJson(found), waits, line };
  io.out(json ? jsonText(document) : fitted(whyLines(found, about, startAt, io.palette, waits), io));
}

/** Objects as revisions: `state` shows them in full. */
const cacheViewJson = ({ cacheView }: Why) =>
  cacheView === undefined
    ? {}
    : {
        cacheView: {
          ...cacheView,
          unseen: cacheView.unseen.map(({ saw, was, ...rest }) => ({
            ...rest,
            saw: saw?.metadata.resourceVersion ?? null,
            was: was?.metadata.resourceVersion ?? null,
          })),
        },
      };

export function whyLines(
  { line, because, decidedBy, cacheView, renewed, causes }: Why,
  about: string,
  startAt: number,
  palette: Palette,
  waits: readonly Waiting[] = [],
): readonly string[] {
  const lines = [palette.strong(about), paintParts({ ...line, why: '' }, palette)];
  if (because !== '') lines.push(`  because  ${palette.strong(because)}`);
  const seen = cacheView === undefined ? undefined : cacheViewText(cacheView, startAt);
  if (seen !== undefined) lines.push(`  but      ${palette.bad(seen.unseen)}`);
  if (seen !== undefined && seen.reasons !== '') lines.push(`  since    ${palette.bad(seen.reasons)}`);
  if (decidedBy !== undefined)
    lines.push(`           ${palette.dim(`decided by ${decidedBy.controller} in ${decidedBy.process}, step #${decidedBy.step}`)}`);
  if (renewed !== undefined)
    lines.push(
      `  renewed  ${palette.strong(`${renewedBy(renewed)} since, last at ${formatSince(renewed.at - startAt)} (rv ${renewed.revision})`)}`,
    );
  const open = waits.filter(({ ended }) => ended !== true);
  if (open.length > 0) lines.push('', '  what it waits for:', ...waitingText(open, FEW).map((text) => `    ${text}`));
  if (causes.length === 0) lines.push('', '  it has no cause within the run');
  else lines.push('', `  ${count(causes.length, 'cause')}, the latest first:`, ...foldedCauses(causes, palette));
  return lines;
}

/** Causes with the same text are folded if there are more than this. */
const MOST_REPEATED = 2;

/** Causes as lines. Of more than a few with the same text about the same object, the latest is shown with their number. */
function foldedCauses(causes: Why['causes'], palette: Palette): readonly string[] {
  const alike = new Map<string, { readonly line: LineParts; count: number; first: LineParts }>();
  const keyOf = ({ who, about, what, why: because }: LineParts): string => JSON.stringify([who, about, what, because]);
  for (const { line } of causes) {
    const same = alike.get(keyOf(line));
    if (same === undefined) alike.set(keyOf(line), { line, count: 1, first: line });
    else {
      same.count++;
      same.first = line;
    }
  }
  return causes.flatMap(({ line }) => {
    const same = alike.get(keyOf(line));
    if (same === undefined || same.count <= MOST_REPEATED) return [paintParts(line, palette)];
    if (same.line !== line) return [];
    return [
      paintParts(line, palette),
      palette.dim(`             and ${same.count - 1} times before it, first at ${same.first.time.trim()}, ${same.first.step}`),
    ];
  });
}
