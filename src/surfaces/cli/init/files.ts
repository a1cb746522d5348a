/** The files of a new project. Each is short, runs unchanged, and shows one thing to change next. */
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { modeline, SCHEMA_FILE } from '../editor.ts';
import cards from './cards.ts.txt';
import controller from './greeter.ts.txt';
import kind from './greeting.ts.txt';
import scenario from './greeting.yaml';
import config from './orchsim.config.ts.txt';
import test from './greeter.test.ts.txt';
import { readFileSync } from 'node:fs';
import { packageRoot, version } from '../install.ts';

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
  'orchsim.config.ts': config,
  'greeting.ts': kind,
  'greeter.ts': controller,
  'cards.ts': cards,
  'greeter.test.ts': test,
  'scenarios/greeting.yaml': `${modeline(`../${SCHEMA_FILE}`)}\n${scenario}`,
});

/** Returns the version of the package for `package.json` in `root`: a range if `here` is from a registry, else tarball or folder. */
export function orchsimAt(root: string, here = packageRoot()): string {
  const modules = dirname(here);
  if (!here.includes(`${sep}node_modules${sep}`)) return fileFrom(root, here);
  const resolved = resolvedIn(modules);
  if (resolved === undefined) return fileFrom(root, here);
  return resolved.startsWith('file:') ? fileFrom(root, resolve(dirname(modules), resolved.slice('file:'.length))) : `^${version()}`;
}

/** The source that npm recorded when it installed this package. */
function resolvedIn(modules: string): string | undefined {
  try {
    const { packages } = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8')) as {
      readonly packages?: Readonly<Record<string, { readonly resolved?: string } | undefined>>;
    };
    return packages?.['node_modules/orchsim']?.resolved;
  } catch {
    return undefined;
  }
}

function fileFrom(root: string, full: string): string {
  const path = relative(root, full);
  return `file:${(isAbsolute(path) || path.startsWith('.') ? path : `./${path}`).replaceAll(sep, '/')}`;
}
