/** Scenarios in the form that a page contains: their text, and the texts that they refer to. */
import { readFileSync } from 'node:fs';
import { dirname, resolve, basename } from 'node:path';
import { withoutSecrets } from '../../../schema/yaml/index.ts';
import { readScenarios } from '../../../lab/vocabulary.ts';
import { LONGEST, pageHtml, recordingText, runDataOf, runOfTrace, stretchFor, whyNotBeside } from '../../page/index.ts';
import type { CarriedScenario, CarriedRun, RunData } from '../../page/index.ts';
import { BadInput } from '../exit.ts';
import { dumpReader } from '../dump.ts';
import { readText, writeWhole } from '../files.ts';
import { builtProgram } from '../install.ts';
import type { Io } from '../io.ts';
import type { LoadedScenario } from '../load.ts';
import { deflateRawSync } from 'node:zlib';
import { grouped } from '../../report/index.ts';
import type { History } from '../question/history.ts';

/** Returns a loaded scenario for a page, under the page's name for it. `several`: its file has other scenarios too. */
export function carry(
  { scenario, file }: Pick<LoadedScenario, 'scenario' | 'file'>,
  name: string,
  cwd: string,
  several: boolean,
): CarriedScenario {
  const carried = carryText(readText(resolve(cwd, file), file), { scenario, file }, name, cwd);
  return several ? { ...carried, scenario: scenario.name } : carried;
}

/** Returns a scenario in no file, for a page; paths in its text are relative to the working folder. */
export function carryText(
  text: string,
  { scenario, file }: Pick<LoadedScenario, 'scenario' | 'file'>,
  name: string,
  cwd: string,
): CarriedScenario {
  const files: Record<string, string> = {};
  const readDump = dumpReader({ cwd }, []);
  readScenarios(text, {
    file,
    plain: scenario.name,
    readDump(path) {
      const found = readDump(path);
      for (const each of found ?? []) files[each.file] = each.text;
      return found;
    },
    readFile: (path, from) => {
      const found = readText(resolve(cwd, dirname(from), path), path);
      files[path] = found;
      return found;
    },
  });
  return {
    name,
    title: scenario.title ?? scenario.name,
    file,
    text,
    ...(Object.keys(files).length === 0 ? {} : { files }),
  };
}

/** Replaces the values of Secrets, for a page that does not run the scenario. */
export const redactedScenario = (carried: CarriedScenario): CarriedScenario => ({
  ...carried,
  text: withoutSecrets(carried.text),
  ...(carried.files === undefined
    ? {}
    : { files: Object.fromEntries(Object.entries(carried.files).map(([path, text]) => [path, withoutSecrets(text)])) }),
});

/** Writes a page to its file; `-` is standard output. */
export function putPage(html: string, path: string, option: string, { cwd, out }: Io): void {
  if (path === '-') out(html, 'verbatim');
  else writeWhole({ option, path, cwd }, html);
}

/** Returns the built page without scenarios; `recording.html` is the one without the engine. */
export function shell(name: 'page.html' | 'recording.html' = 'page.html'): string {
  try {
    return readFileSync(builtProgram(name), 'utf8');
  } catch {
    throw new BadInput('the page is not built: npm run build makes it');
  }
}

/** Returns a page of one or two recordings. A scenario in place of a trace has been run before. */
export function tracesPage(first: History, second: History | undefined): string {
  const { scenario, file } = first;
  const [said, other] = namesOf(first, second);
  if (second !== undefined) {
    const why = whyNotBeside({ said: file, name: scenario }, { said: second.file, name: second.scenario });
    if (why !== undefined) throw new BadInput(why);
    for (const each of [first, second]) refuseLong(each);
  }
  return recordedPage(
    { said, title: scenario, run: dataOf(first) },
    second === undefined ? undefined : { said: other, run: dataOf(second) },
  );
}

/** A run, and what the page calls it. */
interface Recorded {
  readonly said: string;
  readonly run: RunData;
}

/** Returns a page of one or two recorded runs of a scenario, without the engine. */
export function recordedPage({ said, title, run }: Recorded & { readonly title: string }, second: Recorded | undefined): string {
  const { name, seed, verdict } = run;
  const carried: CarriedRun = { scenario: name, seed, verdict, replay: '', packed: packed(run) };
  return pageHtml(shell('recording.html'), {
    scenarios: [{ name, title, file: said, text: '' }],
    open: name,
    seed,
    runs: [carried],
    ...(second === undefined ? {} : { beside: { said: second.said, packed: packed(second.run) } }),
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

export const packed = (run: RunData): string => deflateRawSync(recordingText(run), { level: 9 }).toString('base64');
