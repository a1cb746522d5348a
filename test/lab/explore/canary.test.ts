/** A planted bug is found, shrunk to a few steps and written as a file that shows it again without the search. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { explore, jobScenarios } from '../../../src/lab/explore/index.ts';
import { simulate, type Run } from '../../../src/lab/simulation/index.ts';
import { readScenarios } from '../../../src/lab/vocabulary.ts';
import { checkScenarios } from '../../../src/surfaces/testing/index.ts';
import { forgetful } from '../../support/canary.ts';
import { cli, folderWith } from '../../surfaces/cli/cli.ts';

const scenarios = jobScenarios();
const search = { seed: 8, runs: 1000, simulate: { controllers: forgetful } };
const said = ({ failures }: Run): readonly string[] => failures.map(({ invariant = '', message }) => `${invariant}: ${message}`);

describe('a controller that forgets an index after a crash', () => {
  const { finding } = explore(scenarios, search);

  it('is found and shrunk to at most five steps, the crash among them', () => {
    expect(finding?.scenario.steps.length).toBeLessThanOrEqual(5);
    expect(finding?.scenario.steps.some((step) => step.verb === 'fault' && step.fault.name === 'crash')).toBe(true);
    expect(finding === undefined ? [] : said(finding.run)).toContainEqual(expect.stringMatching(/^job\/never-stuck: /));
  });

  it('breaks the scenario that was written in the same way, without the search', () => {
    const read = readScenarios(finding?.file ?? '');
    const [scenario] = 'scenarios' in read ? read.scenarios : [];
    if (scenario === undefined || finding === undefined) throw new Error(`not a scenario: ${JSON.stringify(read)}`);
    const again = simulate(scenario, { controllers: forgetful });
    expect(said(again)).toEqual(said(finding.run));
    expect(again.digest).toBe(finding.run.digest);
    expect(finding.file).toContain(said(finding.run)[0]);
    // It is the bug that breaks it, not the crash.
    expect(said(simulate(scenario))).toEqual([]);
  });

  it('leaves a file and the one command that runs it', async () => {
    const out = join(folderWith({}), 'deeper', 'found.yaml');
    const message = messageOf(() => checkScenarios(scenarios, { ...search, out }));
    expect(message).toMatch(
      /^a property broke \(search seed 8\); shrunk \d+ times to \d steps?\n( {2}job\/.*: .*\n)+see it again: npx orchsim run .*found\.yaml -v\nthe replay needs the definitions of this test too: /,
    );
    expect(readFileSync(out, 'utf8')).toBe(finding?.file);
    const [, words = ''] = /npx orchsim (.*)/.exec(message) ?? [];
    expect(await cli(words.split(' '))).toMatchObject({ code: 0, err: '' });
  });
});

function messageOf(check: () => unknown): string {
  try {
    check();
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
  return '';
}
