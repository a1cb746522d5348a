/** The order of test files: the longest of the last run first, so that at the end no core waits for the last file of the other. */
import { relative, sep } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { lastTimings } from '../habits/timings.ts';

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const timings = lastTimings();
    const ms = ({ moduleId }: TestSpecification): number => timings.of(relative(this.ctx.config.root, moduleId).split(sep).join('/'));
    // A run that ends with its first failure begins with the shortest.
    const sign = process.env['SHORTEST_FIRST'] === undefined ? -1 : 1;
    return (await super.sort(files)).sort((a, b) => sign * (ms(a) - ms(b)));
  }
}
