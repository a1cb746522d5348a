/** Opens trace files of `run --trace`, dropped on the page or chosen. They are not uploaded. */
import { readTrace } from '../../lab/trace/index.ts';
import { compareWith, type OpenedRecording } from './actions.ts';
import { runOfTrace, whyNotBeside } from './from-trace.ts';
import { grouped } from './model/words.ts';
import { LONGEST } from './run-data.ts';
import * as state from './state.ts';

/** Maximum bytes of a file: a run with the maximum number of entries has some fifty million. */
const LARGEST = 256 << 20;

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

/** Opens one file beside the current run, or two beside each other. An error is shown, and changes nothing. */
export async function openFiles(files: readonly File[]): Promise<void> {
  try {
    state.offer.value = undefined;
    if (files.length > 2) throw new Refused('expected one recording to compare with this run, or two to compare with each other');
    const [one, other] = await Promise.all(files.map(read));
    if (one === undefined) return;
    const shown = state.model.value?.run;
    const first = other === undefined ? shown : one.run;
    if (first === undefined) throw new Refused('there is no run to compare it with: choose two recordings of one scenario');
    const second = other ?? one;
    const why = whyNotBeside(
      { said: other === undefined ? 'this run' : one.said, name: first.name },
      { said: second.said, name: second.run.name },
    );
    if (why !== undefined) throw new Refused(other === undefined ? `${why}; choose that one, or two files` : why);
    if (other === undefined) compareWith(one);
    else compareWith(other, one);
    state.notice.value = undefined;
  } catch (error) {
    state.notice.value =
      error instanceof Refused
        ? `${error.message}.`
        : `The file cannot be shown: ${error instanceof Error ? error.message : String(error)}`;
  }
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
