// node test/oracle/pack.mjs FOLDER : makes the compressed recordings in this folder anew from a folder of open recordings.
// Every table stays one file; all cases of a traces folder become one file, because brotli sees across cases.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';

const source = process.argv[2];
if (source === undefined) {
  console.error('usage: node test/oracle/pack.mjs FOLDER   (a folder that holds v1.24 and v1.24-gates)');
  process.exit(2);
}
const target = import.meta.dirname;
// What the folder has not is left as it is.
const versions = ['v1.24', 'v1.24-gates', 'v1.24-workloads'].filter((version) => existsSync(join(source, version)));
let total = 0;

for (const version of versions) {
  rmSync(join(target, version), { recursive: true, force: true });
  packTree(version);
}
console.log(`${total} bytes in all`);

function packTree(path) {
  const entries = readdirSync(join(source, path), { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const inner = `${path}/${entry.name}`;
    if (entry.isDirectory() && entry.name === 'traces') write(`${inner}.jsonl`, bundleOfCases(inner));
    else if (entry.isDirectory()) packTree(inner);
    else if (/\.jsonl?$/.test(entry.name)) write(inner, readFileSync(join(source, inner)));
  }
}

function bundleOfCases(path) {
  const cases = readdirSync(join(source, path)).sort((a, b) => (a < b ? -1 : 1));
  const lines = cases.map((name) => {
    const read = (file) => readFileSync(join(source, path, name, file), 'utf8');
    const trace = read('trace.jsonl').split('\n').filter((line) => line.trim() !== '').map((line) => JSON.parse(line));
    return JSON.stringify({ case: name, actions: JSON.parse(read('actions.json')), trace, input: read('input.yaml') });
  });
  return Buffer.from(`${lines.join('\n')}\n`);
}

function write(path, bytes) {
  const packed = brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 11,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
  const file = join(target, `${path}.br`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, packed);
  total += packed.length;
}
