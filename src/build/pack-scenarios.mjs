// dist/scenarios.txt: the shipped scenarios for the playground, packed with Zstandard. Its first line has the digest of their files, and
// the scenario that is open first: while the digest matches, a page is created without reading a scenario. Node 20 has no Zstandard, and
// reading all scenarios takes seconds.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compress, init } from '@bokuweb/zstd-wasm';
import { build } from 'esbuild';

const DATA = /<script type="application\/json" id="data">(.*?)<\/script>/s;

/**
 * Returns the text of the file; undefined if the scenarios cannot be read, which `play` reports. `root`: of the project; `out`: the folder
 * of the programs.
 */
export async function packedScenarios(root, out) {
  rmSync(join(out, 'scenarios.txt'), { force: true });
  const folder = mkdtempSync(join(tmpdir(), 'orchsim-build-'));
  const file = join(folder, 'playground.html');
  const { status } = spawnSync(process.execPath, [join(out, 'orchsim.js'), 'play', '--no-open', '--out', file], { stdio: 'ignore' });
  const data = status === 0 ? DATA.exec(readFileSync(file, 'utf8'))?.[1] : undefined;
  rmSync(folder, { recursive: true, force: true });
  if (data === undefined) return undefined;
  const { scenarios, open } = JSON.parse(data);
  const { name, title, file: path } = scenarios.find((each) => each.name === open);
  const { sourcesDigest } = await digester(root);
  const head = { sources: sourcesDigest(join(root, 'scenarios')), open: { name, title, file: path, text: '' } };
  await init();
  const packed = Buffer.from(compress(Buffer.from(JSON.stringify(scenarios)), 22)).toString('base64');
  return `${JSON.stringify(head)}\n${packed}\n`;
}

/** Loads the function that the program itself uses, from its source. */
async function digester(root) {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ['src/surfaces/cli/page/sources.ts'],
    bundle: true,
    platform: 'node',
    format: 'esm',
    write: false,
  });
  return import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
}
