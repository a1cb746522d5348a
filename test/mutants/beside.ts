/** The tests that are asked about a mutant: those of the nearest folder that reach its file. */
import { foldersBeside, importersOf, isTest, reaching, sourceFiles } from '../habits/graph.ts';
import { lastTimings } from '../habits/timings.ts';

/** The time of the tests that are asked about one mutant, by their last run: the nearest ones of a large folder. */
const LONGEST_MS = 120_000;

/** Returns a function that names the tests beside a file, the nearest first; none: nothing in a folder of its path reaches it. */
export function testsBeside(): (file: string) => readonly string[] {
  const importers = importersOf(sourceFiles());
  const timings = lastTimings();
  return (file) => {
    const distances = reaching(importers, [file]);
    const found = foldersBeside(file)
      .map((folder) => [...distances.keys()].filter((path) => isTest(path) && path.startsWith(folder)))
      .find((tests) => tests.length > 0);
    let rest = LONGEST_MS;
    return (found ?? [])
      .toSorted((a, b) => (distances.get(a) ?? 0) - (distances.get(b) ?? 0) || timings.of(a) - timings.of(b))
      .filter((test, index) => index === 0 || (rest -= timings.of(test)) > 0);
  };
}
