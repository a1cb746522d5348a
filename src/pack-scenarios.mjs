// dist/scenarios.txt: the shipped scenarios as the playground carries them, packed with Zstandard, under the digest of their JSON. Node 20
// has no Zstandard of its own, so that `play` takes what stands here, unless scenarios have changed since.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compress, init } from '@bokuweb/zstd-wasm';

const DATA = /<script type="application\/json" id="data">(.*?)<\/script>/s;

/**
 * The text of the file; undefined where the scenarios cannot be read, which `play` then tells of. `out`: where the programs have been put.
 */
export async function packedScenarios(out) {
  rmSync(join(out, 'scenarios.txt'), { force: true });
  const folder = mkdtempSync(join(tmpdir(), 'orchsim-build-'));
  const file = join(folder, 'playground.html');
  const { status } = spawnSync(process.execPath, [join(out, 'orchsim.js'), 'play', '--no-open', '--out', file], { stdio: 'ignore' });
  const data = status === 0 ? DATA.exec(readFileSync(file, 'utf8'))?.[1] : undefined;
  rmSync(folder, { recursive: true, force: true });
  if (data === undefined) return undefined;
  const json = JSON.stringify(JSON.parse(data).scenarios);
  await init();
  const packed = Buffer.from(compress(Buffer.from(json), 22)).toString('base64');
  return `${createHash('sha256').update(json).digest('base64')}\n${packed}\n`;
}
