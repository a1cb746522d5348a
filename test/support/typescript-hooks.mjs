// The loader of `typescript.mjs`, on Node's loader thread: types are removed when a file is read, everything else stays an ordinary module.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';

export async function load(url, context, next) {
  const { protocol, pathname } = new URL(url);
  if (protocol === 'file:' && /\.(?:md|yaml|sh|txt)$/.test(pathname)) {
    const text = await readFile(fileURLToPath(url), 'utf8');
    return { format: 'module', source: `export default ${JSON.stringify(text)};`, shortCircuit: true };
  }
  if (protocol !== 'file:' || !pathname.endsWith('.ts')) return next(url, context);
  const sourcefile = fileURLToPath(url);
  const text = await readFile(sourcefile, 'utf8');
  const { code } = await transform(text, {
    loader: 'ts',
    format: 'esm',
    // The first target with import attributes.
    target: 'node20.10',
    sourcefile,
    sourcemap: 'inline',
    sourcesContent: false,
  });
  return { format: 'module', source: code, shortCircuit: true };
}
