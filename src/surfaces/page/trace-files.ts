/** Opens files that are dropped on the page or chosen: scenarios, manifests, dumps of clusters, traces. They are not uploaded. */
import { readTrace } from '../../lab/trace/index.ts';
import { compareWith, showRecording, type OpenedRecording } from './actions.ts';
import { runOfTrace, whyNotBeside } from './from-trace.ts';
import { grouped } from './model/words.ts';
import { open } from './opening.ts';
import { LONGEST } from './run-data.ts';
import * as state from './state.ts';
import { scenarioOf } from './own-files.ts';

/** Maximum bytes of a trace: a run with the maximum number of entries has some fifty million. */
const LARGEST = 256 << 20;
/** Maximum bytes of a scenario, of manifests or of a dump. */
const LARGEST_TEXT = 32 << 20;
/** Characters in which the kind of a file shows. */
const HEAD = 200;

/** Files may be dropped anywhere. */
export function listenToDrops(): void {
  addEventListener('dragover', (event) => {
    event.preventDefault();
  });
  addEventListener('drop', (event) => {
    event.preventDefault();
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length > 0) void openFiles(files);
  });
}

/** Opens files: a scenario with what it refers to, or one or two traces. An error is shown, and changes nothing. */
export async function openFiles(files: readonly File[]): Promise<void> {
  try {
    state.offer.value = undefined;
    const heads = await Promise.all(files.map((file) => file.slice(0, HEAD).text()));
    const traces = files.filter((_, at) => heads[at]?.trimStart().startsWith('{"trace":') === true);
    if (traces.length === 0) await openOwn(files);
    else if (traces.length < files.length) throw new Refused('expected traces, or a scenario with its files: not both at once');
    else await openTraces(traces);
  } catch (error) {
    state.notice.value =
      error instanceof Refused
        ? `${error.message}.`
        : `The file cannot be shown: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Runs the reader's own scenario. What is wrong with it is shown as problems. */
async function openOwn(files: readonly File[]): Promise<void> {
  const large = files.find(({ size }) => size > LARGEST_TEXT);
  if (large !== undefined) throw new Refused(`${large.name} is too large for a page: ${grouped(large.size)} bytes`);
  const made = scenarioOf(await Promise.all(files.map(async (file) => ({ name: file.name, text: await file.text() }))));
  if ('refused' in made) throw new Refused(made.refused);
  state.notice.value = undefined;
  await open(made);
}

/** Shows one trace beside the current run of its scenario, else alone, or two beside each other. */
async function openTraces(files: readonly File[]): Promise<void> {
  if (files.length > 2) throw new Refused('expected one recording to compare with this run, or two to compare with each other');
  const [one, other] = await Promise.all(files.map(read));
  if (one === undefined) return;
  const shown = state.view.value === 'run' ? state.model.value?.run : undefined;
  if (other === undefined && shown?.name === one.run.name) compareWith(one);
  else if (other === undefined) showRecording(one);
  else {
    const why = whyNotBeside({ said: one.said, name: one.run.name }, { said: other.said, name: other.run.name });
    if (why !== undefined) throw new Refused(why);
    compareWith(other, one);
  }
  state.notice.value = undefined;
}

class Refused extends Error {}

async function read(file: File): Promise<OpenedRecording> {
  if (file.size > LARGEST) throw new Refused(`${file.name} is too large for a page: ${grouped(file.size)} bytes`);
  const found = readTrace((await file.text()).split('\n'));
  if ('error' in found) throw new Refused(`${file.name}:${found.line}: ${found.error}`);
  const { length } = found.trace.entries;
  if (length > LONGEST)
    throw new Refused(`${file.name} is too long for a page with two runs: ${grouped(length)} entries of at most ${grouped(LONGEST)}`);
  return { said: file.name, run: runOfTrace(found) };
}
