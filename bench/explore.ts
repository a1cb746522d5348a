/**
 * `npm run explore -- [PROPERTY…] [--runs N] [--seed N] [--seeds N] [--with FILE] [--no-config]`: searches longer than the tests do.
 * Findings are written to .orchsim/found/. Searches run in a worker thread, so that the main thread can handle SIGINT.
 */
/* oxlint-disable unicorn/require-post-message-target-origin -- threads have no origins, windows do */
import { join, resolve } from 'node:path';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { didYouMean } from '../src/schema/values/index.ts';
import { findingText, properties, search } from '../src/lab/explore/index.ts';
import { readArguments, wrongUsage } from './arguments.ts';
import { printable } from '../src/surfaces/report/index.ts';
import { writeWholeFile } from '../src/surfaces/whole-file.ts';
import { pluginsFrom, pluginLoader, type Plugins, type Sources } from '../src/surfaces/plugins/index.ts';

const USAGE = `usage: npm run explore -- [PROPERTY…] [--runs N] [--seed N] [--seeds N] [--with FILE] [--no-config]
  PROPERTY     ${properties.map(({ name }) => name).join(', ')} (default: all)
  --runs       scenarios a search (default: 500)
  --seed       of the first search (default: the time, so that each call searches other scenarios)
  --seeds      searches a property (default: 1)
  --with       loads controllers, invariants, faults and kinds from a module of yours; may be given several times
  --no-config  does not look for orchsim.config.ts in this folder`;

interface Search {
  readonly property: string;
  readonly seed: number;
  readonly runs: number;
}

/** The result of a search: the scenario file of a finding and its description, or nothing. */
interface Found {
  readonly finding?: { readonly file: string; readonly text: string };
}

const EXIT = { held: 0, broken: 1, badInput: 2, interrupted: 130 } as const;

async function main(args: readonly string[]): Promise<number> {
  const asked = searchesOf(args);
  if (typeof asked === 'number') return asked;
  const { searches, plugins } = asked;
  const worker = new Worker(new URL(import.meta.url), { workerData: plugins.sources });
  let interrupted = false;
  const interruption = new Promise<undefined>((done) => {
    process.once('SIGINT', () => {
      interrupted = true;
      done(undefined);
    });
  });
  let [held, failed] = [0, 0];
  for (const one of searches) {
    const startedAt = Date.now();
    const found = await Promise.race([searchIn(worker, one), interruption]);
    if (found === undefined) break;
    if (printFinding(one, found, ((Date.now() - startedAt) / 1000).toFixed(1))) held++;
    else failed++;
  }
  await worker.terminate();
  if (interrupted) console.error(`interrupted: ${held + failed} of ${searches.length} searches were made`);
  console.log(`${held} passed, ${failed} failed`);
  return interrupted ? EXIT.interrupted : failed === 0 ? EXIT.held : EXIT.broken;
}

function searchesOf(args: readonly string[]): { readonly searches: readonly Search[]; readonly plugins: Plugins } | number {
  const options = {
    runs: { type: 'string' },
    seed: { type: 'string' },
    seeds: { type: 'string' },
    with: { type: 'string', multiple: true },
    'no-config': { type: 'boolean' },
  } as const;
  const parsed = readArguments(args, options, USAGE);
  if (typeof parsed === 'number') return parsed;
  const { values, positionals } = parsed;
  const names = properties.map(({ name }) => name);
  const unknown = positionals.find((name) => !names.includes(name));
  if (unknown !== undefined) return wrongUsage(`there is no property ${unknown}${didYouMean(unknown, names)}`, USAGE);
  const [runs, seeds, first] = [
    Number(values.runs ?? 500),
    Number(values.seeds ?? 1),
    Number(values.seed ?? Math.floor(Date.now() / 1000)),
  ];
  if (![runs, seeds].every((count) => Number.isInteger(count) && count > 0) || !Number.isInteger(first))
    return wrongUsage('expected positive integers for --runs and --seeds, and an integer for --seed', USAGE);
  const loaded = pluginLoader({ with: values.with ?? [], config: values['no-config'] !== true }, process.cwd()).of(undefined);
  if ('problems' in loaded) {
    console.error(printable(loaded.problems.join('\n')));
    return EXIT.badInput;
  }
  const chosen = names.filter((name) => positionals.length === 0 || positionals.includes(name));
  const searches = Array.from({ length: seeds }, (_, i) => first + i).flatMap((seed) =>
    chosen.map((property) => ({ property, seed, runs })),
  );
  return { searches, plugins: loaded.plugins };
}

const fileOf = ({ property, seed }: Search): string => join('.orchsim', 'found', `${property}-${seed}.yaml`);

const searchIn = (worker: Worker, one: Search): Promise<Found> =>
  new Promise((done, failed) => {
    worker.removeAllListeners();
    worker.once('message', done).once('error', failed);
    worker.postMessage(one);
  });

/** Runs in the worker thread: one search after another. */
function serveSearches(sources: Sources): void {
  const plugins = pluginsFrom(sources);
  // The main thread has already loaded the same sources.
  if ('problems' in plugins) throw new Error(plugins.problems.join('\n'));
  parentPort?.on('message', (one: Search) => {
    const property = properties.find(({ name }) => name === one.property);
    if (property === undefined) throw new Error(`there is no property ${one.property}`);
    const { finding } = search(property, { seed: one.seed, runs: one.runs, simulate: { with: plugins.definitions } });
    const found: Found =
      finding === undefined
        ? {}
        : { finding: { file: finding.file, text: findingText(finding, [fileOf(one), ...sources.words].join(' ')) } };
    parentPort?.postMessage(found);
  });
}

/** Prints the result of a search and writes its finding. Returns whether the property held. */
function printFinding(one: Search, { finding }: Found, seconds: string): boolean {
  const { property, seed, runs } = one;
  if (finding === undefined) {
    console.log(`✓ ${property.padEnd(20)} seed ${seed}  ${runs} scenarios held  ${seconds} s`);
    return true;
  }
  writeWholeFile(resolve(fileOf(one)), finding.file);
  console.log(printable(`✗ ${property.padEnd(20)} seed ${seed}  ${seconds} s\n${finding.text}`));
  return false;
}

// At the end of the module, because everything above must be initialised.
if (isMainThread) process.exitCode = await main(process.argv.slice(2));
else serveSearches(workerData as Sources);
