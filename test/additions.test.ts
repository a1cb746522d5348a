/** The additions that CONTRIBUTING describes, in a copy of the tree: a folder or a file and one line for each. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { additions, FIELD, SCENARIO } from './additions/additions.ts';
import { brokenImports } from './layers/check.ts';
import { copyOfTheTree, type Ran } from './additions/tree.ts';

const root = join(import.meta.dirname, '..');
const tree = copyOfTheTree();
let types: Ran;
let built: Ran;

beforeAll(async () => {
  for (const addition of Object.values(additions)) tree.add(addition);
  tree.write('small.yaml', SCENARIO(3));
  tree.write('large.yaml', SCENARIO(11));
  const kind = tree.read(FIELD.path).replace(FIELD.before, `${FIELD.line}\n${FIELD.before}`);
  tree.write(FIELD.path, kind.replace(' obj, ', ' obj, oneOf, '));
  [types, built] = await Promise.all([tree.types('src'), tree.build()]);
}, 120_000);
afterAll(tree.remove);

describe.each(Object.entries(additions))('%s', (_, { registry, line, files }) => {
  it('is one line in an existing file, and new files in one place', () => {
    const before = readFileSync(join(root, registry), 'utf8').split('\n');
    const after = tree.read(registry).split('\n');
    expect(after.filter((each) => !before.includes(each))).toEqual([line]);
    expect(after.length).toBe(before.length + 1);
    const folders = new Set(Object.keys(files).map((path) => path.slice(0, path.lastIndexOf('/'))));
    expect(folders.size).toBe(1);
  });

  it('keeps the rules of the architecture', () => {
    expect(brokenImports(Object.entries(files).map(([path, text]) => ({ path, text })))).toEqual([]);
  });
});

describe('with all of them', () => {
  it('types and build pass', () => {
    expect(types).toEqual({ code: 0, out: '' });
    expect(built).toEqual({ code: 0, out: '' });
  });

  it.each([
    ['kinds', 'Widget', 'A kind of a test.'],
    ['controllers', 'widget-tidier', 'A controller of a test.'],
    ['controllers', 'recycling', 'An agent of a test.'],
    ['faults', 'hiccup', 'Kills a process and starts it at once.'],
    ['invariants', 'widget/is-small', 'No Widget is larger than ten.'],
  ])('%s lists %s', async (command, name, text) => {
    const { out } = await tree.orchsim(command);
    const line = out.split('\n').find((each) => each.includes(name));
    expect(line).toContain(text);
  });

  it('the command answers and stands in the help', async () => {
    expect(await tree.orchsim('hello')).toEqual({ code: 0, out: 'hello\n' });
    expect((await tree.orchsim('--help')).out).toContain('says hello');
  });

  it('a scenario uses kind, controller, agent and fault, and the invariant checks it', async () => {
    const { code, out } = await tree.orchsim('run', 'small.yaml', '-v');
    expect(code, out).toBe(0);
    for (const text of ['nothing is left of it', 'it says that it is trash', 'controller-manager had a hiccup'])
      expect(out).toContain(text);
    const large = await tree.orchsim('run', 'large.yaml');
    expect(large.code, large.out).toBe(1);
    expect(large.out).toContain('invariant widget/is-small is broken: Widget kept is 11 large');
  });
});

/** A driver that says how long its volumes keep. */
const DRIVER = (keepsFor: string): string => `apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: keeps-for }
spec:
  steps:
    - apply: { apiVersion: storage.orch.io/v1, kind: CSIDriver, metadata: { name: slow.example.com }, spec: { keepsFor: ${keepsFor} } }
    - expect: { match: { kind: CSIDriver, metadata: { name: slow.example.com }, spec: { keepsFor: Short } } }
`;

describe('a field of a kind, added in one line', () => {
  it('is explained, and part of the JSON Schema with its text and values', async () => {
    const { out } = await tree.orchsim('kinds', 'CSIDriver');
    expect(out).toMatch(/spec\.keepsFor .*gate CSIInlineVolume .*How many days a volume of it keeps\./);
    const schema = JSON.parse((await tree.orchsim('schema', 'CSIDriver')).out) as { $defs: Record<string, { properties: object }> };
    expect(schema.$defs['CSIDriverSpec']?.properties).toMatchObject({
      keepsFor: { description: 'How many days a volume of it keeps.', enum: ['Long', 'Short'] },
    });
  });

  it('is stored, refused with a value of another type, at the value, and judged by its facets', async () => {
    tree.write('keeps.yaml', DRIVER('Short'));
    expect((await tree.orchsim('run', 'keeps.yaml')).code).toBe(0);
    tree.write('wrong.yaml', DRIVER('{ days: 3 }'));
    const wrong = await tree.orchsim('run', 'wrong.yaml');
    expect(wrong.code).toBe(2);
    expect(wrong.out).toMatch(/wrong\.yaml:6:\d+: .*spec\.keepsFor/);
    tree.write('other.yaml', DRIVER('Medium'));
    const other = await tree.orchsim('run', 'other.yaml');
    expect(other.code).toBe(2);
    expect(other.out).toMatch(/other\.yaml:6:\d+: .*spec\.keepsFor/);
  });

  it('is in OpenAPI with its text and values, read from protobuf by its number, drawn, a column of kubectl, and dropped without its gate', async () => {
    // The field's tag is 42 and of bytes; the spec is field 2.
    const { out, code } = await tree.script(`
      const { kindsFor } = await import('./src/apiserver/kinds/index.ts');
      const { namesFor } = await import('./src/apiserver/machinery/index.ts');
      const { documentV2 } = await import('./src/surfaces/http/openapi/documents.ts');
      const { readMessage } = await import('./src/surfaces/http/protobuf/message.ts');
      const kinds = kindsFor(namesFor('orch.io'));
      const { definitions } = documentV2(kinds, { OpenAPIEnums: true });
      const name = Object.keys(definitions).find((each) => each.endsWith('.CSIDriverSpec'));
      const value = [0xd2, 0x02, 5, ...new TextEncoder().encode('Short')];
      const { spec } = readMessage(kinds.byKind('CSIDriver').schema, { left: 100 }, Uint8Array.from([0x12, value.length, ...value]));
      const { specOf } = await import('./src/lab/explore/arbitrary.ts');
      const { default: fc } = await import('fast-check');
      const drawn = [...new Set(fc.sample(specOf('CSIDriver', {}).whole, { seed: 1, numRuns: 50 }).map(({ keepsFor }) => keepsFor ?? ''))].sort();
      const { columns, prepareForCreate } = kinds.byKind('CSIDriver');
      const object = (value) => ({ metadata: {}, spec: { keepsFor: value } });
      const column = columns.flatMap(({ name, description, cell }) => (name === 'Keeps' ? [description, cell(object('Short'), {})] : []));
      const kept = [true, false].map((on) => {
        const draft = object('Short');
        for (const { run } of prepareForCreate) run(draft, { names: namesFor('orch.io'), gates: { CSIInlineVolume: on } });
        return draft.spec.keepsFor ?? 'dropped';
      });
      console.log(JSON.stringify({ openapi: definitions[name].properties.keepsFor, protobuf: spec.keepsFor, drawn, column, kept }));
    `);
    expect(code, out).toBe(0);
    expect(JSON.parse(out)).toEqual({
      openapi: { description: 'How many days a volume of it keeps.', type: 'string', enum: ['Long', 'Short'] },
      protobuf: 'Short',
      drawn: ['', 'Long', 'Short'],
      column: ['How many days a volume of it keeps.', 'Short'],
      kept: ['Short', 'dropped'],
    });
  });
});

describe('a kind that lacks parts', () => {
  it('is refused by the compiler, which names them and its file', async () => {
    const path = 'src/apiserver/kinds/widget.ts';
    tree.write(path, tree.read(path).replace(/^ {2}(?:models|example): .*\n/gm, ''));
    const { out } = await tree.types(path);
    const lines = out.split('\n').filter((line) => line.startsWith(path));
    expect(lines.find((line) => line.includes('missing'))).toMatch(/'models' is missing/);
  });
});
