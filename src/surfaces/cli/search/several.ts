/** Searches of several scenarios, one after the other, and their results as one text, list or JUnit document. */
import { junitDocument, type JunitSuite, PLAIN } from '../../report/index.ts';
import { EXIT } from '../exit.ts';
import { fitted, type Io, jsonText } from '../io.ts';
import type { LoadedScenario } from '../load.ts';
import type { SearchOptions } from './options.ts';
import { type Story, storyDocument, storyLines } from './report-lines.ts';

/** The result of a search: its story, or why the scenario cannot be searched. */
export type SearchResult =
  | { readonly loaded: LoadedScenario; readonly code: number; readonly tookMs: number; readonly story: Story }
  | { readonly loaded: LoadedScenario; readonly code: number; readonly unfit: string; readonly messages: readonly string[] };

/** The suite of a search: a case that fails once for each finding. */
function suiteOf(result: SearchResult): JunitSuite {
  const { scenario, file } = result.loaded;
  if ('unfit' in result) {
    const error = { message: result.unfit, text: [result.unfit, ...result.messages].join('\n') };
    return { name: file, cases: [{ name: scenario.name, tookMs: 0, failures: [], error }] };
  }
  const { story, tookMs } = result;
  const failures = story.findings.map(({ claim, words, file: written }) => ({
    type: 'finding',
    message: claim,
    text: [...words, ...(written === undefined ? [] : [`see it again: npx orchsim run ${written}`])].join('\n'),
  }));
  return { name: file, cases: [{ name: `search ${scenario.name}`, tookMs, failures, says: storyLines(story, PLAIN).join('\n') }] };
}

const documentOf = (result: SearchResult): unknown =>
  'story' in result
    ? storyDocument(result.story, result.code)
    : { exitCode: result.code, scenario: result.loaded.scenario.name, runs: 0, unfit: result.unfit, messages: result.messages };

/** The result of one search in a format. */
export function printSearch(result: SearchResult, format: SearchOptions['format'], io: Io): void {
  if (format === 'junit') io.out(junitDocument([suiteOf(result)]));
  else if ('story' in result) io.out(format === 'json' ? jsonText(documentOf(result)) : fitted(storyLines(result.story, io.palette), io));
}

/** Searches all; the exit code is the worst. */
export async function searchEach(
  all: readonly LoadedScenario[],
  format: SearchOptions['format'],
  io: Io,
  one: (loaded: LoadedScenario, present: (result: SearchResult) => void) => Promise<number>,
): Promise<number> {
  const results: SearchResult[] = [];
  let code: number = EXIT.held;
  for (const loaded of all) {
    const next = await one(loaded, (result) => {
      results.push(result);
      if (format === 'text') printSearch(result, format, io);
    });
    code = next === EXIT.held ? code : next;
    if (next === EXIT.interrupted) break;
  }
  if (format === 'junit') io.out(junitDocument(results.map(suiteOf)));
  if (format === 'json') io.out(jsonText(results.map(documentOf)));
  return code;
}
