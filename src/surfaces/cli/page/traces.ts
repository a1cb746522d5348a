/** Pages of recordings: one trace, or two of one scenario side by side, possibly from different builds. */
import { basename } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import {
  LONGEST,
  pageHtml,
  recordingText,
  runDataOf,
  runOfTrace,
  stretchFor,
  whyNotBeside,
  type CarriedRun,
  type RunData,
} from '../../page/index.ts';
import { grouped } from '../../report/index.ts';
import { BadInput } from '../exit.ts';
import type { History } from '../question/history.ts';
import { shell } from './carry.ts';

/** Returns a page of one or two recordings. A scenario in place of a trace has been run before. */
export function tracesPage(first: History, second: History | undefined): string {
  const { scenario, seed, file } = first;
  const [said, other] = namesOf(first, second);
  if (second !== undefined) {
    const why = whyNotBeside({ said: file, name: scenario }, { said: second.file, name: second.scenario });
    if (why !== undefined) throw new BadInput(why);
    for (const each of [first, second]) refuseLong(each);
  }
  const run = dataOf(first);
  const carried: CarriedRun = { scenario, seed, verdict: run.verdict, replay: '', packed: packed(run) };
  return pageHtml(shell('recording.html'), {
    scenarios: [{ name: scenario, title: scenario, file: said, text: '' }],
    open: scenario,
    seed,
    runs: [carried],
    ...(second === undefined ? {} : { beside: { said: other, packed: packed(dataOf(second)) } }),
  });
}

/** File names without folders, if that distinguishes them. */
function namesOf({ file }: History, second: History | undefined): readonly [string, string] {
  const names = [file, second?.file ?? ''] as const;
  const short = [basename(names[0]), basename(names[1])] as const;
  return short[0] === short[1] ? names : short;
}

function refuseLong({ file, trace: { entries } }: History): void {
  if (entries.length <= LONGEST) return;
  throw new BadInput(`${file} is too long for a page with two runs: ${grouped(entries.length)} entries of at most ${grouped(LONGEST)}`);
}

function dataOf({ run, trace, scenario, seed }: History): RunData {
  if (run !== undefined) return runDataOf(run, trace, stretchFor(trace.entries.length, run.failures[0]?.traceStep));
  return runOfTrace({ head: { scenario, seed }, trace });
}

const packed = (run: RunData): string => deflateRawSync(recordingText(run), { level: 9 }).toString('base64');
