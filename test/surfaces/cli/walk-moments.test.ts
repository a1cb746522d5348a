/**
 * Forks of a walk go on from the living world: with the build that can go back, the command shows what it shows without it, where each fork
 * runs from the start. Random walks; the seed is in the names of the tests.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createRandom } from '../../../src/engine/index.ts';
import type { Replays } from '../../../src/lab/moments/index.ts';
import { loaded } from '../../../src/surfaces/cli/moments.ts';
import { momentsProduct } from '../../support/moments.ts';
import { root } from '../../support/shipped.ts';
import { cli, folderWith } from './cli.ts';

const product = await momentsProduct();

/** The build, which counts forks that went on from a moment. */
let went = 0;
const counting: NonNullable<typeof loaded.by> = {
  ...product,
  replayMoments(...given) {
    const counted = ({ at, continueAs }: Replays): Replays => ({
      at,
      continueAs(...how) {
        const gone = continueAs(...how);
        if (gone === undefined) return undefined;
        went++;
        return { run: gone.run, replays: counted(gone.replays) };
      },
    });
    return counted(product.replayMoments(...given));
  },
};

const SCENARIOS = ['job/01-runs-to-completion', 'lessons/03-crash-between-writes', 'lessons/02-retries', 'broken/job-forgets-a-success'];
const seed = Number(process.env['SEED'] ?? 27);
const draw = createRandom(seed).stream('walks');
const FORKS = [
  'fork fault crash controller-manager restartAfter=5s',
  'fork fault lag scheduler by=2s for=10s',
  'fork apply: { apiVersion: v1, kind: ConfigMap, metadata: { name: forked } }',
];
const ASKED = ['state --as scheduler', 'state', 'why not Job/pi', 'diff', 'unfork', 'n', 'back', 'goto end', 'state Node', 'save'];

/** A walk that goes somewhere, forks, asks, and forks again. */
const drawn = (): string =>
  Array.from({ length: 14 }, (_, nth) => {
    if (nth % 4 === 0) return `goto #${1 + draw.below(60)}`;
    return (nth % 4 === 1 ? draw.pick(FORKS) : draw.pick(ASKED)) ?? '';
  }).join('; ');

it.each(SCENARIOS.map((name) => [name, drawn()] as const))(`%s, seed ${seed}`, async (name, script) => {
  const text = readFileSync(join(root, 'scenarios', `${name}.yaml`), 'utf8');
  const walked = async (by: typeof loaded.by): Promise<string> => {
    loaded.by = by;
    const { out } = await cli(['walk', 'a.yaml', '--script', script], { cwd: folderWith({ 'a.yaml': text }) });
    return out;
  };
  const before = went;
  const [living, whole] = [await walked(counting), await walked(undefined)];
  expect(living, `--script '${script}'`).toBe(whole);
  expect(went).toBeGreaterThan(before);
});

/** Prints at the exit of the command whether it has loaded the build that can go back. */
const TELLS = `data:text/javascript,${encodeURIComponent(
  "import { createRequire } from 'node:module'; process.on('exit', () => { const { cache } = createRequire(process.argv[1]); process.stderr.write(`moments ${Object.keys(cache).some((path) => path.endsWith('moments.cjs'))}`); });",
)}`;

it('the command as users start it forks by the build that can go back', async () => {
  const text = readFileSync(join(root, 'scenarios/job/01-runs-to-completion.yaml'), 'utf8');
  const cwd = folderWith({ 'a.yaml': text });
  const words = ['walk', 'a.yaml', '--script', 'goto #12; fork fault crash controller-manager restartAfter=5s; state'];
  const { stdout, stderr } = spawnSync(process.execPath, ['--import', TELLS, join(root, 'bin/orchsim.js'), ...words], {
    cwd,
    encoding: 'utf8',
  });
  expect(stderr).toBe('moments true');
  loaded.by = undefined;
  expect(stdout).toBe((await cli(words, { cwd })).out);
});
