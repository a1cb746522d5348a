/** Recordings that a reader brings along: files of `run --trace`, dropped on the page or chosen. They stay on the reader's machine. */
import { readTrace } from '../../lab/trace/index.ts';
import { compareWith, type Brought } from './actions.ts';
import { runOfTrace, whyNotBeside } from './from-trace.ts';
import { grouped } from './model/words.ts';
import { LONGEST } from './run-data.ts';
import * as state from './state.ts';

/** Bytes of a file that a page reads: a run of as many entries as it can show has some fifty million. */
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

/** One stands beside the run that is shown, two beside each other; what cannot be done is said, and changes nothing. */
export async function openFiles(files: readonly File[]): Promise<void> {
  try {
    state.offer.value = undefined;
    if (files.length > 2) throw new Refused('one recording stands beside what is shown, two beside each other: there is no room for more');
    const [one, other] = await Promise.all(files.map(read));
    if (one === undefined) return;
    const shown = state.model.value?.run;
    const first = other === undefined ? shown : one.run;
    if (first === undefined) throw new Refused('nothing is shown that it could stand beside: choose two recordings of one scenario');
    const second = other ?? one;
    const why = whyNotBeside(
      { said: other === undefined ? 'what is shown' : one.said, name: first.name },
      { said: second.said, name: second.run.name },
    );
    if (why !== undefined) throw new Refused(other === undefined ? `${why}; choose that one, or bring two files` : why);
    if (other === undefined) compareWith(one);
    else compareWith(other, one);
    state.notice.value = undefined;
  } catch (error) {
    state.notice.value =
      error instanceof Refused ? `${error.message}.` : `That cannot be shown: ${error instanceof Error ? error.message : String(error)}`;
  }
}

class Refused extends Error {}

async function read(file: File): Promise<Brought> {
  if (file.size > LARGEST) throw new Refused(`${file.name} is too large for a page: ${grouped(file.size)} bytes`);
  const found = readTrace((await file.text()).split('\n'));
  if ('error' in found) throw new Refused(`${file.name}:${found.line}: ${found.error}`);
  const { length } = found.trace.entries;
  if (length > LONGEST)
    throw new Refused(
      `${file.name} is too long for a page with two runs: ${grouped(length)} entries of at most ${grouped(LONGEST)}`,
    );
  return { said: file.name, run: runOfTrace(found) };
}
