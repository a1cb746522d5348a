/** `why TARGET PATH`: which write made an object what it is, why it was decided, and what led to it. */
import { formatParts, lastWriteOf } from '../../../lab/trace/index.ts';
import { count, paintParts, sightText, type Palette } from '../../report/index.ts';
import type { CommandModule } from '../command.ts';
import { BadInput, EXIT } from '../exit.ts';
import { openHistory } from '../question/history.ts';
import { formatMoment, readMoment } from '../question/moment.ts';
import { formatName, readTarget } from '../question/target.ts';
import { whyStep, type Why } from '../question/why.ts';
import { PATH_TEXT, withQuestionOptions, type QuestionOptions } from './question-options.ts';

interface Options extends QuestionOptions {
  readonly at: string;
  readonly field?: string;
  readonly all?: boolean;
}

export const why: CommandModule = {
  define(command, { io, action }) {
    withQuestionOptions(
      command
        .argument('<target>', 'an object such as Job/pi, or a step such as #212')
        .argument('<path>', PATH_TEXT)
        .option('--at <moment>', 'the last write at or before it: 5s, #212, end', 'end')
        .option('--field <path>', 'the last write that changed this field, such as status.active')
        .option('--all', 'every cause, coalesced ones too, instead of the latest of each'),
    ).action(
      action((target: string, path: string, options: Options) => {
        const history = openHistory(path, options, io.cwd);
        const { trace } = history;
        const moment = readMoment(options.at, trace, '--at');
        if (target.startsWith('#'))
          return print(whyStep(trace, readMoment(target, trace, 'target').step, options.all === true), target, trace.startAt, options, io);
        const object = readTarget(target, history);
        const step = lastWriteOf(trace, object, moment.step, options.field);
        if (step === undefined) throw new BadInput(notWritten(formatName(object), options.field, formatMoment(moment, trace)));
        return print(
          whyStep(trace, step, options.all === true),
          `${formatName(object)} at ${formatMoment(moment, trace)}`,
          trace.startAt,
          options,
          io,
        );
      }),
    );
  },
};

const notWritten = (name: string, field: string | undefined, when: string): string =>
  `nothing ${field === undefined ? 'wrote' : `changed ${field} of`} ${name} between the start and ${when}; what came before the start has no causes here`;

function print(
  found: Why,
  about: string,
  startAt: number,
  { json }: Options,
  io: { out(text: string): void; readonly palette: Palette },
): number {
  if (json === true)
    io.out(
      `${JSON.stringify({ about, ...found, ...sightJson(found), line: { ...found.line, text: formatParts(found.line).trimStart() } }, null, 2)}\n`,
    );
  else io.out(`${whyLines(found, about, startAt, io.palette).join('\n')}\n`);
  return EXIT.held;
}

/** Objects by their revisions: `state` shows them whole. */
const sightJson = ({ sight }: Why) =>
  sight === undefined
    ? {}
    : {
        sight: {
          ...sight,
          unseen: sight.unseen.map(({ saw, was, ...rest }) => ({
            ...rest,
            saw: saw?.metadata.resourceVersion ?? null,
            was: was?.metadata.resourceVersion ?? null,
          })),
        },
      };

/** An explanation in words. */
export function whyLines(
  { line, because, decidedBy, sight, causes }: Why,
  about: string,
  startAt: number,
  palette: Palette,
): readonly string[] {
  const lines = [palette.strong(about), paintParts({ ...line, why: '' }, palette)];
  if (because !== '') lines.push(`  because  ${palette.strong(because)}`);
  const seen = sight === undefined ? undefined : sightText(sight, startAt);
  if (seen !== undefined) lines.push(`  but      ${palette.bad(seen.unseen)}`);
  if (seen !== undefined && seen.reasons !== '') lines.push(`  since    ${palette.bad(seen.reasons)}`);
  if (decidedBy !== undefined)
    lines.push(`           ${palette.dim(`decided by ${decidedBy.controller} in ${decidedBy.process}, step #${decidedBy.step}`)}`);
  if (causes.length === 0) lines.push('', '  nothing inside the run led to it');
  else lines.push('', `  ${count(causes.length, 'cause')}, the latest first:`, ...causes.map((cause) => paintParts(cause.line, palette)));
  return lines;
}
