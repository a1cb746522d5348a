/** Completions and hovers at a position of a scenario file, in incomplete texts. `▮` is the cursor. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { assistAt } from '../../../src/lab/scenario/index.ts';
import { vocabulary } from '../../../src/lab/vocabulary.ts';

const HEAD = 'apiVersion: scenario.orch.io/v1\nkind: Scenario\nmetadata: { name: a }\nspec:\n';

function at(marked: string) {
  const text = (HEAD + marked).replace('▮', '');
  const before = (HEAD + marked).split('▮')[0] ?? '';
  const lines = before.split('\n');
  return assistAt(text, lines.length, (lines.at(-1)?.length ?? 0) + 1, vocabulary());
}
const names = (marked: string): readonly string[] => at(marked).suggestions.map(({ name }) => name);

describe('completions', () => {
  it.each([
    ['members of spec', '  ti▮', ['title']],
    ['members of the cluster', '  cluster:\n    podB▮', ['podBehaviors']],
    ['verbs of a step', '  steps:\n    - wai▮', ['waitFor']],
    ['verbs of a step whose list is not indented', '  steps:\n  - wai▮', ['waitFor']],
    ['further members of a step', '  steps:\n    - at: 3s\n      loo▮', ['look']],
    ['members of a question', '  steps:\n    - ask:\n        que▮', ['question']],
    ['members of a choice', '  steps:\n    - ask:\n        choices:\n          - say: a\n            bec▮', ['because']],
    ['names of faults', '  steps:\n    - fault: { cra▮ }', ['crash']],
    ['parameters of faults', '  steps:\n    - fault: { crash: scheduler, restart▮ }', ['restartAfter']],
    ['gates', '  featureGates:\n    CronJobT▮', ['CronJobTimeZone']],
    ['values of an enumeration', '  rules: spec▮', ['specification']],
    ['fields of the object that is written', '  steps:\n    - apply:\n        kind: Job\n        spec:\n          paral▮', ['parallelism']],
    ['fields of a match in braces', '  steps:\n    - expect:\n        - match: { kind: Job, status: { succ▮ } }', ['succeeded']],
    [
      'fields of the item of a list that the cursor is in',
      '  steps:\n    - apply:\n        - kind: ConfigMap\n          metadata: { name: a }\n        - kind: Job\n          spec:\n            paral▮',
      ['parallelism'],
    ],
    ['fields of the item in braces', '  steps:\n    - apply: [{ kind: ConfigMap }, { kind: Job, spec: { paral▮ } }]', ['parallelism']],
    [
      'fields of the object, not of a kind that it names',
      '  steps:\n    - apply:\n        spec: { scaleTargetRef: { kind: Deployment } }\n        kind: HorizontalPodAutoscaler\n        spec:\n          maxRep▮',
      ['maxReplicas'],
    ],
    ['values of a closed set of a kind', '  steps:\n    - apply: { kind: Pod, spec: { restartPolicy: On▮ } }', ['OnFailure']],
    ['fields of a manifest of its own', '  title: a\n---\nkind: StatefulSet\nspec:\n  repl▮', ['replicas']],
  ])('%s', (_, marked, expected) => {
    expect(names(marked)).toEqual(expect.arrayContaining(expected));
  });

  it('are empty in texts and comments, and omit present keys', () => {
    expect(names('  steps:\n    - note: |\n        wai▮')).toEqual([]);
    expect(names('  # ti▮')).toEqual([]);
    expect(names('  title: a\n  ti▮')).toEqual([]);
  });

  it('start at the start of the word', () => {
    expect(at('  ti▮').from).toBe(3);
    expect(at('  steps:\n    - fault: { cra▮').from).toBe(16);
  });
});

it('have the descriptions of the table', () => {
  expect(at('  steps:\n    - fault: { crash: scheduler, restart▮After: 3s }').hover).toContain('duration');
  expect(at('  un▮til: 3s').hover).toMatch(/\. Wants a/);
});

it('cover every key of the format in every shipped scenario', () => {
  const root = join(import.meta.dirname, '../../../scenarios/lessons');
  const unknown: string[] = [];
  for (const file of readdirSync(root)) {
    const text = readFileSync(join(root, file), 'utf8');
    text.split('\n').forEach((line, index) => {
      const key =
        /^( *(?:- +)*)(at|after|when|note|before|ask|look|try|expect|apply|delete|patch|fault|waitFor|question|choices|say|cel|because|then): /.exec(
          line,
        );
      if (key === null) return;
      const { hover } = assistAt(text, index + 1, (key[1]?.length ?? 0) + 2, vocabulary());
      if (hover === undefined) unknown.push(`${file}:${index + 1}: ${line}`);
    });
  }
  expect(unknown).toEqual([]);
});
