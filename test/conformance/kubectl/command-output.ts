/** Compares the recorded output of a command with its output here. */
import { isRuleWarning } from '../../../src/apiserver/machinery/index.ts';
import { compareText } from '../../../src/schema/values/index.ts';
import { normalise } from './normalise.ts';

/** A recorded command line and its result. */
export interface RecordedCommand {
  /** The recorded duration. */
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

/** The result here. */
export interface CommandOutput {
  readonly exit: number | null;
  readonly out: string;
  readonly err: string;
}

/**
 * Returns the difference; undefined if there is none. `plain` normalises the output here; the recordings replace the folder of their run by
 * a name.
 */
export function compare(
  { args, exit, stdout, stderr, outNorm, errNorm, unstable = [] }: RecordedCommand,
  ran: CommandOutput,
  plain: (text: string) => string,
  kept: (text: string) => string = (text) => text,
): string | undefined {
  const parts: string[] = [];
  if (!unstable.includes('exit') && ran.exit !== exit) parts.push(`exit ${ran.exit ?? 'killed'}, recorded ${exit ?? 'killed'}`);
  if (!unstable.includes('stdout'))
    parts.push(...firstLine('out', kept(comparable(args, outNorm ?? normalise(stdout))), kept(comparable(args, plain(ran.out)))));
  if (!unstable.includes('stderr')) parts.push(...firstLine('err', kept(errNorm ?? normalise(stderr)), kept(plain(unruled(ran.err)))));
  return parts.length === 0 ? undefined : parts.join('\n     ');
}

/** Removes warnings about rules that the recorded server does not have. */
const unruled = (text: string): string =>
  text
    .split('\n')
    .filter((line) => !(line.startsWith('Warning: ') && isRuleWarning(line.slice('Warning: '.length))))
    .join('\n');

/**
 * Returns the comparable part of an output. Descriptions of fields are our own texts, so of `explain` names, types, required fields and
 * enumerations are compared. Labels have the random order of a Go map.
 */
function comparable(args: readonly string[], text: string): string {
  const lines = text.split('\n');
  if (args[0] === 'explain') return lines.filter((line) => /^[A-Z]+:|^ *[^ ]+(?: {2}|\t)<|^ *enum:/.test(line)).join('\n');
  return args.includes('--list') ? lines.toSorted(compareText).join('\n') : text;
}

/** Splits a text into lines, and JSON on one line into elements, without the brackets that close omitted elements. */
export const elements = (text: string): readonly string[] =>
  text.split(text.startsWith('{"') ? /\n|(?<=[}\]]),|(?=\])/ : /\n/).filter((line) => line !== ']');

/** Returns the first line that differs. */
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
