/** The answer to a question of a cluster, as text. */
import { expect, it } from 'vitest';
import { askWhatIf } from '../../../src/lab/what-if/index.ts';
import { PLAIN, whatIfLines } from '../../../src/surfaces/report/index.ts';
import { beginWith } from '../../lab/snapshot/setup.ts';
import { clusterDump } from '../cli/what-if/dump.ts';

/** Returns the lines about a cluster that is asked nothing, with so many pods missing in its dump. */
function linesWithout(pods: number): readonly string[] {
  const dump = JSON.parse(clusterDump({ nodes: 1, workloads: 1, replicas: 3 })) as { readonly items: readonly { readonly kind: string }[] };
  const missing = dump.items.filter(({ kind }) => kind === 'Pod').slice(0, pods);
  const read = beginWith(JSON.stringify({ ...dump, items: dump.items.filter((item) => !missing.includes(item)) }), {
    spec: { until: '5m' },
  });
  if ('problems' in read) throw new Error(read.problems.join('\n'));
  return whatIfLines('nothing', askWhatIf(read.scenario), PLAIN);
}
const noteIn = (lines: readonly string[]): readonly string[] => lines.filter((line) => line.startsWith('  note '));

it('a note says how many writes of the first minute are no effect of the question, where there are any', () => {
  expect(noteIn(linesWithout(1))).toEqual([
    expect.stringMatching(/^ {2}note \d+ writes of the first minute are the cluster's own: orchsim run --from shows them$/),
  ]);
  expect(noteIn(linesWithout(0))).toEqual([]);
});
