/** Prints `N passed, N failed` as the very last line of a run, which continuous integration reads; and keeps the time of each file. */
import { writeFileSync, writeSync } from 'node:fs';
import { relative, sep } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';
import { keepTimings } from '../habits/timings.ts';

export interface Count {
  readonly passed: number;
  readonly failed: number;
}

const UPDATING = process.env['UPDATE_TIMINGS'] !== undefined;

export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    // A run of a few named tests says nothing about the time of their files.
    if (!process.argv.some((word) => word === '-t' || word.startsWith('--testNamePattern'))) keepTimings(timesOf(modules), UPDATING);
    const counted = count(modules);
    const total = { passed: counted.passed, failed: counted.failed + unhandledErrors.length };
    const file = process.env['ORCHSIM_COUNT_FILE'];
    // `npm test` also counts its other steps, and prints the line itself.
    if (file !== undefined) writeFileSync(file, JSON.stringify(total));
    // At exit, because other reporters may still be printing their summaries.
    else process.once('exit', () => writeSync(1, closingLine(total)));
  }
}

const timesOf = (modules: readonly TestModule[]): Record<string, number> =>
  Object.fromEntries(
    modules
      .filter((module) => module.ok())
      .map((module) => [relative(module.project.config.root, module.moduleId).split(sep).join('/'), module.diagnostic().duration]),
  );

/** A file that could not be loaded, or a hook that failed, counts as one failure: its tests never ran. */
export function count(modules: readonly TestModule[]): Count {
  let passed = 0;
  let failed = 0;
  for (const module of modules) {
    let failedHere = 0;
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      if (state === 'passed') passed++;
      if (state === 'failed') failedHere++;
    }
    failed += failedHere === 0 && module.state() === 'failed' ? 1 : failedHere;
  }
  return { passed, failed };
}

export function closingLine({ passed, failed }: Count): string {
  return `${passed} passed, ${failed} failed\n`;
}
