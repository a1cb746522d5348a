// The loader of `typescript.mjs`, on Node's loader thread: types are removed when a file is read, everything else stays an ordinary module.
// Each file is kept without its types, so that the workers of a run, and the next run, share the work: half of the time of a start.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transform, version } from 'esbuild';

const root = join(import.meta.dirname, '../..');
/** One file for each source of this folder, which may be deleted at any time. */
const folder = join(root, '.orchsim/stripped');
const options = {
  loader: 'ts',
  format: 'esm',
  // The first target with import attributes.
  target: 'node20.10',
  sourcemap: 'inline',
  sourcesContent: false,
};
const how = JSON.stringify([version, options]);
const digestOf = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash('sha1')).digest('hex');

export async function load(url, context, next) {
  const { protocol, pathname } = new URL(url);
  if (protocol === 'file:' && /\.(?:md|yaml|sh|txt)$/.test(pathname)) {
    const text = await readFile(fileURLToPath(url), 'utf8');
    return { format: 'module', source: `export default ${JSON.stringify(text)};`, shortCircuit: true };
  }
  if (protocol !== 'file:' || !pathname.endsWith('.ts')) return next(url, context);
  return { format: 'module', source: await stripped(fileURLToPath(url)), shortCircuit: true };
}

async function stripped(sourcefile) {
  const text = readFileSync(sourcefile, 'utf8');
  const strip = async () => (await transform(text, { ...options, sourcefile })).code;
  if (!sourcefile.startsWith(root)) return strip();
  const path = join(folder, digestOf(sourcefile));
  const head = `//${digestOf(how, text)}\n`;
  const kept = keptIn(path);
  if (kept?.startsWith(head) === true) return kept.slice(head.length);
  const code = await strip();
  try {
    mkdirSync(folder, { recursive: true });
    const unfinished = `${path}.${process.pid}`;
    writeFileSync(unfinished, head + code);
    renameSync(unfinished, path);
  } catch {
    // A folder that cannot be written is no reason to fail.
  }
  return code;
}

function keptIn(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
