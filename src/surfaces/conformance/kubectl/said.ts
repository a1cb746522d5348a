/** What a command said when it was recorded, held against what it says here. */
import { isRuleWarning } from '../../../apiserver/machinery/index.ts';
import { compareText } from '../../../schema/values/index.ts';
import { normalise } from './normalise.ts';

/** A command line and what came of it. */
export interface Reported {
  /** How long it took when it was recorded. */
  readonly ms?: number;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** null: it was ended by a signal. */
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly outNorm?: string;
  readonly errNorm?: string;
  readonly unstable?: readonly string[];
}

/** What came of it here. */
export interface Ran {
  readonly exit: number | null;
  readonly out: string;
  readonly err: string;
}

/** `plain`: what was said, comparable; the recordings call the folder of their own run by a name. */
export function compare(
  { args, exit, stdout, stderr, outNorm, errNorm, unstable = [] }: Reported,
  ran: Ran,
  plain: (text: string) => string,
  kept: (text: string) => string = (text) => text,
): string | undefined {
  const parts: string[] = [];
  if (!unstable.includes('exit') && ran.exit !== exit) parts.push(`exit ${ran.exit ?? 'killed'}, recorded ${exit ?? 'killed'}`);
  if (!unstable.includes('stdout'))
    parts.push(...firstLine('out', kept(reported(args, outNorm ?? normalise(stdout))), kept(reported(args, plain(ran.out)))));
  if (!unstable.includes('stderr')) parts.push(...firstLine('err', kept(errNorm ?? normalise(stderr)), kept(plain(unruled(ran.err)))));
  return parts.length === 0 ? undefined : parts.join('\n     ');
}

/** Without the warnings about rules that the recorded server does not have. */
const unruled = (text: string): string =>
  text
    .split('\n')
    .filter((line) => !(line.startsWith('Warning: ') && isRuleWarning(line.slice('Warning: '.length))))
    .join('\n');

/**
 * What counts of an answer. Descriptions of fields are in our own words: of `explain` names, types, what is required and what may stand
 * there.
 * Labels are listed in the order of a Go map, which is none.
 */
function reported(args: readonly string[], text: string): string {
  const lines = text.split('\n');
  if (args[0] === 'explain') return lines.filter((line) => /^[A-Z]+:|^ *[^ ]+(?: {2}|\t)<|^ *enum:/.test(line)).join('\n');
  return args.includes('--list') ? lines.toSorted(compareText).join('\n') : text;
}

/** Lines, and of JSON in one line the elements; brackets that close what was left out go with it. */
export const elements = (text: string): readonly string[] =>
  text.split(text.startsWith('{"') ? /\n|(?<=[}\]]),|(?=\])/ : /\n/).filter((line) => line !== ']');

/** The first line that differs. */
function firstLine(name: string, wanted: string, got: string): readonly string[] {
  if (wanted === got) return [];
  const [a, b] = [wanted.split('\n'), got.split('\n')];
  const at = a.findIndex((line, index) => line !== b[index]);
  const index = at < 0 ? a.length : at;
  return [
    `${name} line ${index + 1}: want ${(a[index] ?? '(nothing)').slice(0, 300)}`,
    `${' '.repeat(name.length)}            got  ${(b[index] ?? '(nothing)').slice(0, 300)}`,
  ];
}
