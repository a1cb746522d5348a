/** A build is reused only if a new one would have the same bytes. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';

const tree = mkdtempSync(join(tmpdir(), 'orchsim-fresh-'));
const module = new URL('../src/build/fresh.mjs', import.meta.url).href;
afterAll(() => rmSync(tree, { recursive: true }));

const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(tree, path)), { recursive: true });
  writeFileSync(join(tree, path), text);
};

/** Runs code in a separate process, like the build, with the functions and the tree as arguments; returns its value. */
const evaluated = (code: string): unknown =>
  JSON.parse(
    execFileSync(
      process.execPath,
      [
        '--input-type=module',
        '--eval',
        `import { rmSync, writeFileSync } from 'node:fs';
import { inputsOf, isFresh, stamp } from ${JSON.stringify(module)};
const [root, out] = ${JSON.stringify([tree, join(tree, 'dist')])};
const write = (path, text) => writeFileSync(root + '/' + path, text);
const build = (begun = inputsOf(root)) => { write('dist/made.js', 'made'); stamp(root, out, begun, ['src/a.ts', 'test/shared.ts', '../x/node_modules/y/z.js']); };
console.log(JSON.stringify((() => { ${code} })()));`,
      ],
      { encoding: 'utf8' },
    ),
  );

it('is fresh until a source, another input, a package or an output changes', () => {
  for (const path of [
    'src/a.ts',
    'bin/b.js',
    'test/shared.ts',
    'test/other.ts',
    'package.json',
    'node_modules/.package-lock.json',
    'dist/made.js',
  ])
    write(path, path);
  const changes = {
    nothing: '',
    'a file that is not an input': "write('test/other.ts', 'other')",
    'a source': "write('src/a.ts', 'other')",
    'a new source': "write('src/new.ts', 'new')",
    'an input outside of the folders': "write('test/shared.ts', 'other')",
    'a package': "write('node_modules/.package-lock.json', 'other')",
    'a source is gone': "rmSync(root + '/bin/b.js')",
    'an output': "write('dist/made.js', 'other')",
    'an output is gone': "rmSync(out + '/made.js')",
  };
  const found = evaluated(
    `const found = [['before any build', isFresh(root, out)]];
${Object.entries(changes)
  .map(([name, change]) => `build(); ${change}; found.push([${JSON.stringify(name)}, isFresh(root, out)]);`)
  .join('\n')}
return found;`,
  );
  const unharmed = new Set(['nothing', 'a file that is not an input']);
  expect(found).toEqual(['before any build', ...Object.keys(changes)].map((name) => [name, unharmed.has(name)]));
});

it('is not fresh if inputs changed during the build', () => {
  expect(evaluated("const begun = inputsOf(root); write('src/a.ts', 'later'); build(begun); return isFresh(root, out);")).toBe(false);
});
