/** The reference of the scenario format: every field has an example, and every example is part of a scenario that runs and holds. */
import { describe, expect, it } from 'vitest';
import { readScenarios, vocabulary } from '../../../src/lab/vocabulary.ts';
import { referencePaths, referenceSections } from '../../../src/lab/scenario/index.ts';
import { simulate } from '../../../src/lab/simulation/index.ts';
import { assertHeld } from '../../../src/surfaces/api/index.ts';
import { exampleOf, exampleScenarios } from '../../../src/surfaces/cli/reference/index.ts';
import { cli, folderWith } from './cli.ts';

const DUMP = [{ file: 'dump.yaml', text: 'apiVersion: v1\nkind: Node\nmetadata: { name: node-0 }\n' }];
const sections = referenceSections(vocabulary());

describe('the reference of the scenario format', () => {
  it('has an example of every field: a new field needs a place in src/surfaces/cli/reference/examples.yaml', () => {
    const lacking = sections.flatMap((section) =>
      section.fields.filter((field) => exampleOf(field, section) === undefined).map(({ name }) => `${section.title}: ${name}`),
    );
    expect(lacking).toEqual([]);
  });

  const read = readScenarios(exampleScenarios, { file: 'examples.yaml', readDump: () => DUMP, readFile: () => 'podBehaviors: []' });
  it('takes them from scenarios that can be read', () => {
    expect('problems' in read ? read.problems : []).toEqual([]);
  });
  it.each('scenarios' in read ? read.scenarios : [])('takes them from $name, which runs and holds', (scenario) => {
    assertHeld(simulate(scenario));
  });

  it('describes each field once, and refers to it elsewhere', () => {
    const paths = referencePaths(sections);
    expect(paths.length).toBe(new Set(paths).size);
    expect(paths).toEqual(expect.arrayContaining(['spec.until', 'spec.steps[].expect[].match', 'spec.cluster.podBehaviors[].runFor']));
    expect(paths).not.toContain('spec.steps[].waitFor.match');
    expect(sections.find(({ title }) => title === 'spec.steps[].waitFor')?.elsewhere.get('spec.steps[].expect[]')).toContain('match');
  });

  it('is printed by schema --reference, no line wider than the terminal, faults of plugins too', async () => {
    const { code, out } = await cli(['schema', '--reference'], { columns: 100 });
    expect(code).toBe(0);
    for (const { title, fields } of sections) {
      expect(out).toContain(`\n${title}\n`);
      for (const { name } of fields) expect(out).toContain(`\n    ${name}: `);
    }
    // Words that cannot be broken.
    const wide = out.split('\n').filter((line) => line.length > 100);
    expect(wide).toEqual([]);
    const cwd = folderWith({
      'mine.mjs':
        "export default { faults: [{ name: 'hiccup', description: 'Hiccups.', subject: { type: 'string', description: 'Who.' }, parameters: {}, apply: () => ({ detail: 'hic' }) }] };",
    });
    expect((await cli(['schema', '--reference', '--with', 'mine.mjs'], { cwd })).out).toContain(
      'fault hiccup\n  Hiccups.\n    hiccup: …\n',
    );
  });
});
