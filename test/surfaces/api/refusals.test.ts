/** Public functions refuse wrong arguments by name, with a code that the guide explains. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ERROR_PAGES, OrchsimError } from '../../../src/engine/error.ts';
import * as fastCheck from '../../../src/fast-check.ts';
import * as library from '../../../src/index.ts';
import { guideTopics } from '../../../src/surfaces/guide/index.ts';
import { STORY } from '../../lab/trace/run.ts';

function only(text: string): library.Scenario {
  const read = library.readScenarios(text);
  if ('problems' in read) throw new Error(read.problems.map(library.formatProblem).join('\n'));
  const [scenario] = read.scenarios;
  if (scenario === undefined) throw new Error('no scenario');
  return scenario;
}

const scenario = only(STORY);

function refusal(call: () => unknown): OrchsimError {
  try {
    call();
  } catch (error) {
    if (error instanceof OrchsimError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

/** Functions without an argument that could be wrong. */
const WITHOUT = ['watchOnly', 'createCluster', 'OrchsimError', 'schema'];

describe('a wrong first argument', () => {
  const functions = Object.entries(library).filter(([name]) => !WITHOUT.includes(name)) as unknown as readonly [
    string,
    (...given: readonly unknown[]) => unknown,
  ][];
  it.each([...functions, ['checkScenarios', fastCheck.checkScenarios as (...given: readonly unknown[]) => unknown] as const])(
    '%s names it',
    (name, call) => {
      for (const wrong of [undefined, null, Symbol('wrong')]) {
        const error = refusal(() => call(wrong));
        expect(error.code).toBe('ORCH_ARGUMENT');
        expect(error.message).toMatch(new RegExp(`^${name}: \\w+: expected `));
        expect(error.message).toContain('npx orchsim help errors-arguments');
      }
    },
  );
});

it.each<[string, () => unknown, string]>([
  ['simulate', () => library.simulate(scenario, { sed: 7 } as object), 'options.sed: no such option; did you mean "seed"?'],
  ['simulate', () => library.simulate(scenario, { seed: -1 }), 'options.seed: expected an integer of at least 0, found -1'],
  ['search', () => library.search(scenario, { faults: ['crsh'] }), 'did you mean "crash"?'],
  ['createCluster', () => library.createCluster({ node: [] } as object), 'options.node: no such option; did you mean "nodes"?'],
  ['readScenarios', () => library.readScenarios('', { file: 3 } as never), 'options.file: expected a string, found 3'],
  ['watch', () => library.watch('Pod', 'key' as never), 'enqueue: expected a function, found "key"'],
  ['write', () => library.write('because', {} as never), 'writes[0]: expected a write'],
])('%s refuses what it does not know: %#', (name, call, text) => {
  const { message } = refusal(call);
  expect(message).toMatch(new RegExp(`^${name}: `));
  expect(message).toContain(text);
});

it('keeps the run as the cause of what did not hold', () => {
  const run = library.simulate(
    only(
      'apiVersion: scenario.orch.io/v1\nkind: Scenario\nmetadata: { name: absent }\nspec: { steps: [{ expect: { match: { kind: Job, metadata: { name: absent } } } }] }\n',
    ),
  );
  expect(refusal(() => library.assertHeld(run))).toMatchObject({ code: 'ORCH_NOT_HELD', cause: run });
});

it.each(Object.entries(ERROR_PAGES))('%s is explained on %s', (code, page) => {
  expect(guideTopics.map(({ name }) => name)).toContain(page);
  const places = guideTopics.filter(({ text }) => text.includes(`## ${code}\n`)).map(({ name }) => name);
  expect(places).toEqual([page]);
  expect(readFileSync(join(import.meta.dirname, '../../../src/guide', `${page}.md`), 'utf8')).toContain(code);
});
