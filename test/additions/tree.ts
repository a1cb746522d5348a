/** A copy of the sources that additions are made in: its types are checked and its command is built as those of the sources are. */
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Addition } from './additions.ts';

const root = join(import.meta.dirname, '../..');

export interface Ran {
  readonly code: number;
  readonly out: string;
}

const run = async (folder: string, words: readonly string[]): Promise<Ran> => {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: folder, maxBuffer: 64 * 1024 * 1024 });
    return { code: 0, out: stdout };
  } catch (error) {
    const { code, stdout = '', stderr = '' } = error as { readonly code?: number; readonly stdout?: string; readonly stderr?: string };
    return { code: code ?? 1, out: `${stdout}${stderr}` };
  }
};

/** What the fuzzer of the served process and the bench share with the tests. */
export const SHARED_WITH_TESTS = [
  'test/surfaces/cli/what-if/dump.ts',
  'test/surfaces/http/fuzz.ts',
  'test/apiserver/handlers/fuzz.ts',
  'test/apiserver/handlers/setup.ts',
  'test/support/examples.ts',
  'test/support/hostile.ts',
  'test/support/timers.ts',
];

export function copyOfTheTree() {
  const folder = mkdtempSync(join(tmpdir(), 'orchsim-additions-'));
  for (const name of ['src', 'bin', 'bench', 'test/conformance', ...SHARED_WITH_TESTS, 'package.json', 'tsconfig.json'])
    cpSync(join(root, name), join(folder, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const at = (path: string): string => join(folder, path);

  return {
    /** Writes the new files, and the line at the end of the registry or of its list. */
    add({ files, registry, line }: Addition): void {
      for (const [path, text] of Object.entries(files)) {
        if (existsSync(at(path))) throw new Error(`${path} is there already`);
        mkdirSync(dirname(at(path)), { recursive: true });
        writeFileSync(at(path), text);
      }
      const text = readFileSync(at(registry), 'utf8');
      const end = text.endsWith('\n];\n') ? text.length - '];\n'.length : text.length;
      writeFileSync(at(registry), `${text.slice(0, end)}${line}\n${text.slice(end)}`);
    },
    write: (path: string, text: string): void => writeFileSync(at(path), text),
    read: (path: string): string => readFileSync(at(path), 'utf8'),
    /** The problems that the compiler finds in a file or a folder, and in what it imports. */
    types(path: string): Promise<Ran> {
      const project = at('types.json');
      writeFileSync(project, JSON.stringify({ extends: './tsconfig.json', include: [path] }));
      return run(folder, [join(root, 'node_modules/typescript/lib/tsc.js'), '--singleThreaded', '-p', project]);
    },
    /** Of what is built only the command is asked here: nothing that is added could keep the page from being made of what the compiler passes. */
    build: (): Promise<Ran> => run(folder, ['src/build/main.mjs', '--programs', '--quiet']),
    orchsim: (...words: readonly string[]): Promise<Ran> => run(folder, ['bin/orchsim.js', ...words]),
    /** A module over the sources of the copy; what it prints is a line of JSON. */
    script: (text: string): Promise<Ran> =>
      run(folder, ['--import', join(root, 'test/support/typescript.mjs'), '--input-type=module', '-e', text]),
    remove: (): void => rmSync(folder, { recursive: true }),
  };
}
