/** The dependency of a new project on orchsim: from the same source as this installation, which need not be a registry. */
import { readFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { packageRoot, version } from '../install.ts';

/**
 * Returns the version text for `package.json` of a project in `root`: a range if the package in `here` is from a registry, else a tarball
 * or a folder.
 */
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
