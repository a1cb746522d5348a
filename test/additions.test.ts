/** The additions that CONTRIBUTING describes, in a copy of the tree: a folder or a file and one line for each. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { additions, SCENARIO } from './additions/additions.ts';
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

describe('a kind that lacks parts', () => {
  it('is refused by the compiler, which names them and its folder', async () => {
    const path = 'src/apiserver/kinds/widget/index.ts';
    tree.write(path, tree.read(path).replace(/^ {2}(?:texts|wire|example): .*\n/gm, ''));
    const { out } = await tree.types('src/apiserver/kinds/widget');
    const lines = out.split('\n').filter((line) => line.startsWith(path));
    expect(lines.find((line) => line.includes('missing'))).toMatch(/texts, wire, example/);
  });
});
