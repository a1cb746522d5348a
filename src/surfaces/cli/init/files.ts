/** The files of a new project. Each is short, runs unchanged, and shows one thing to change next. */
import { basename } from 'node:path';
import { modeline, SCHEMA_FILE } from '../editor/install.ts';
import { orchsimAt } from './source.ts';

/** By path, relative to the project. */
export const projectFiles = (root: string): Readonly<Record<string, string>> => ({
  'package.json': `${JSON.stringify(
    {
      name:
        basename(root)
          .toLowerCase()
          .replaceAll(/[^a-z0-9-]+/g, '-') || 'my-controllers',
      private: true,
      type: 'module',
      scripts: { start: 'orchsim run scenarios', test: 'tsc && vitest run', schema: 'orchsim schema --install --force' },
      devDependencies: {
        '@types/node': '^20.19.0',
        'fast-check': '^4.0.0',
        orchsim: orchsimAt(root),
        typescript: '^5.9.0',
        vitest: '^4.0.0',
      },
    },
    null,
    2,
  )}\n`,
  'tsconfig.json': `${JSON.stringify(
    {
      compilerOptions: {
        target: 'es2023',
        lib: ['es2023', 'dom'],
        types: ['node'],
        module: 'nodenext',
        strict: true,
        skipLibCheck: true,
        noEmit: true,
        allowImportingTsExtensions: true,
      },
      include: ['*.ts'],
    },
    null,
    2,
  )}\n`,
  'orchsim.config.ts': CONFIG,
  'greeting.ts': KIND,
  'greeter.ts': CONTROLLER,
  'greeter.test.ts': TEST,
  'scenarios/greeting.yaml': SCENARIO,
});

const CONFIG = `// What every orchsim command in this folder loads.
import { defineConfig } from 'orchsim';
import { greeter } from './greeter.ts';
import { greeting } from './greeting.ts';

export default defineConfig({ kinds: [greeting], controllers: [greeter] });
`;

const KIND = `// A kind: its fields, their defaults, and their validation.
import { defineKind, type Infer, type ObjectOf, schema } from 'orchsim';

const fields = schema.obj('Greeting', {
  ...schema.typeMeta,
  spec: schema.obj('GreetingSpec', { to: schema.str() }),
  status: schema.obj('GreetingStatus', { said: schema.str() }),
});
export type Greeting = ObjectOf<'Greeting', Infer<typeof fields>>;

// Gives caches and controllers the type of a Greeting.
declare module 'orchsim' {
  interface CustomObjects {
    Greeting: Greeting;
  }
}

export const greeting = defineKind<Greeting>({
  kind: 'Greeting',
  group: 'example.com',
  schema: fields,
  validate: ({ spec }) => (spec?.to === undefined ? [schema.required('spec.to', 'a greeting needs a name')] : []),
  columns: [schema.nameColumn, { name: 'Said', type: 'string', priority: 0, cell: ({ status }) => status?.said ?? '' }, schema.ageColumn],
});
`;

export const CONTROLLER = `// A controller: it reads its cache, and returns the writes to make with the reason.
import { defineController, idle, update, write } from 'orchsim';

export const greeter = defineController({
  name: 'greeter',
  reconciles: 'Greeting',
  writes: ['Greeting'],
  reconcile({ self: greeting }) {
    const said = \`Hello, \${greeting.spec?.to ?? 'nobody'}!\`;
    if (greeting.status?.said === said) return idle('the status is up to date');
    // Objects of the cache are frozen: change a draft.
    return write(
      'the status is not up to date',
      update(greeting, (draft) => {
        draft.status = { said };
      }),
    );
  },
});
`;

const TEST = `import { readFileSync } from 'node:fs';
import { formatProblem, readScenarios, simulate } from 'orchsim';
import { checkScenarios, faultOperations, inOrder } from 'orchsim/fast-check';
import { search } from 'orchsim/testing';
import 'orchsim/vitest';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import own from './orchsim.config.ts';

const file = 'scenarios/greeting.yaml';
const read = readScenarios(readFileSync(file, 'utf8'), { file, with: own });
if ('problems' in read) throw new Error(read.problems.map(formatProblem).join('\\n'));

it.each(read.scenarios)('$name', (scenario) => {
  const run = simulate(scenario, { with: own, trace: true });
  expect(run).toHold();
  expect(run).toReach({ kind: 'Greeting', metadata: { name: 'world' }, status: { said: 'Hello, world!' } });
});

// The same with random faults, a hundred times: a failure is shrunk and written to a file.
it.each(read.scenarios)('$name, with random faults', (scenario) => {
  // Each apply comes two seconds after the one before, so that faults may come in between.
  const applied = scenario.steps
    .filter(({ verb }) => verb === 'apply')
    .map((step, index) => [{ ...step, timing: { when: 'at' as const, atMs: 2_000 * index } }]);
  const expected = scenario.steps.filter(({ verb }) => verb === 'expect');
  const scenarios = fc
    .array(faultOperations(scenario.cluster.nodes.length), { maxLength: 4 })
    .map((operations) => ({ ...scenario, steps: [...inOrder([...applied, ...operations]), ...expected] }));
  checkScenarios(scenarios, { runs: 100, simulate: { with: own } });
}, 60_000);

// Watch delays, lost responses, crashes between two writes: 64 runs with faults. \`npx orchsim search\` makes more, and writes what it finds as
// a scenario file.
it.each(read.scenarios)('$name, with faults that search draws', (scenario) => {
  const found = search(scenario, { with: own, runs: 64, faults: ['hold', 'late', 'slow', 'lose', 'refuse', 'crash'] });
  if ('unfit' in found) throw new Error([found.unfit, ...found.messages].join('\\n'));
  expect(found.findings.flatMap(({ words }) => words)).toEqual([]);
}, 60_000);
`;

const SCENARIO = `${modeline(`../${SCHEMA_FILE}`)}
# npx orchsim run scenarios -v
apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: greeting }
spec:
  title: Greetings are answered
  invariants:
    - { name: greeted-soon, foreach: Greeting, eventually: "has(self.status) && self.status.said != ''", within: 5m }
  steps:
    - apply: { apiVersion: example.com/v1, kind: Greeting, metadata: { name: world }, spec: { to: world } }
    - at: 2s
      fault: { crash: controller-manager, restartAfter: 3s }
    - apply: { apiVersion: example.com/v1, kind: Greeting, metadata: { name: late }, spec: { to: you } }
    - when: settled
      expect:
        - match: { kind: Greeting, metadata: { name: world }, status: { said: "Hello, world!" } }
        - match: { kind: Greeting, metadata: { name: late }, status: { said: "Hello, you!" } }
`;
