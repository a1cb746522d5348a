/** Where a new project gets orchsim from: from where the one came that makes it, which need not be a registry. */
import { readFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { packageRoot, version } from '../install.ts';

/** What `package.json` of a project in `root` says of the package in `here`: a range for what a registry gave, a tarball or a folder otherwise. */
export function orchsimAt(root: string, here = packageRoot()): string {
  const modules = dirname(here);
  if (!here.includes(`${sep}node_modules${sep}`)) return fileFrom(root, here);
  const resolved = resolvedIn(modules);
  if (resolved === undefined) return fileFrom(root, here);
  return resolved.startsWith('file:') ? fileFrom(root, resolve(dirname(modules), resolved.slice('file:'.length))) : `^${version()}`;
}

/** What npm wrote down when it installed this package. */
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
