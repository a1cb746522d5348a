// The loader of `typescript.mjs`, on the thread that Node gives to loaders: types are taken away as a file is read, the rest stays a module of Node's own.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';

export async function load(url, context, next) {
  const { protocol, pathname } = new URL(url);
  if (protocol === 'file:' && pathname.endsWith('.md')) {
    const text = await readFile(fileURLToPath(url), 'utf8');
    return { format: 'module', source: `export default ${JSON.stringify(text)};`, shortCircuit: true };
  }
  if (protocol !== 'file:' || !pathname.endsWith('.ts')) return next(url, context);
  const sourcefile = fileURLToPath(url);
  const text = await readFile(sourcefile, 'utf8');
  const { code } = await transform(text, {
    loader: 'ts',
    format: 'esm',
    // The first of them that knows attributes of imports.
    target: 'node20.10',
    sourcefile,
    sourcemap: 'inline',
    sourcesContent: false,
  });
  return { format: 'module', source: code, shortCircuit: true };
}
