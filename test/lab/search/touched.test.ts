/**
 * The state watch of a search looks again only at processes and controllers that were touched. At each moment of scenarios, with their
 * faults, its fingerprint is that of all parts, looked at anew.
 */
import { expect, it } from 'vitest';
import { chained, createFingerprinter, createRandom, fingerprintText, NOTHING, plus, type Fingerprint } from '../../../src/engine/index.ts';
import { watchState } from '../../../src/lab/search/exhaustive/state.ts';
import { stage } from '../../../src/lab/simulation/index.ts';
import { shipped } from '../../support/shipped.ts';

const isWhole = process.env['MOMENTS'] === 'all';
const seed = Number(process.env['SEED'] ?? 27);
const draw = createRandom(seed).stream('touched');
const all = (['scenarios', 'scenarios/broken'] as const).flatMap((of) => shipped(of).scenarios.map(({ scenario }) => scenario));
/** An old list in it sends changes again that are under way already. */
const RELISTS = 'incident-a-volume-on-two-nodes';
const drawn = Array.from({ length: 12 }, () => draw.pick(all)).filter((each) => each !== undefined);
const scenarios = isWhole ? all : [...new Set([...drawn, ...all.filter(({ name }) => name === RELISTS)])];
const MOST = isWhole ? 20_000 : 400;

const { text } = createFingerprinter();
const summed = (parts: ReadonlyMap<string, Fingerprint>): string =>
  fingerprintText([...parts].reduce((sum, [part, print]) => plus(sum, chained(text(part), print)), NOTHING));

it.each(scenarios.map((scenario) => [scenario.name, scenario] as const))(
  `%s, seed ${seed}`,
  (_name, scenario) => {
    for (const eagerLeases of [true, false]) {
      const staged = stage(scenario, { tries: false, eagerLeases });
      const states = watchState(staged);
      staged.pauseAt(0);
      const last = new Map<string, string>();
      for (let events = 0; events < MOST && staged.passing.next().done !== true; events++) {
        const parts = states.parts();
        const now = fingerprintText(states.now());
        if (now !== summed(parts)) {
          const changed = [...parts].filter(([part, print]) => last.get(part) !== fingerprintText(print)).map(([part]) => part);
          expect.unreachable(
            `event ${events} at ${staged.cluster.now - staged.cluster.startAt} ms; of these one was not touched: ${changed.join(', ')}`,
          );
        }
        for (const [part, print] of parts) last.set(part, fingerprintText(print));
      }
    }
  },
  isWhole ? 1_200_000 : 60_000,
);
