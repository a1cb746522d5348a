/** Known incidents: found by a search of a scenario that holds, reduced, and fixed. `npm run measures` makes nine searches of each. */
import { describe, expect, it } from 'vitest';
import type { PointChoice } from '../../../../src/lab/scenario/index.ts';
import { simulate } from '../../../../src/lab/simulation/index.ts';
import { INCIDENTS } from './catalogue.ts';
import { hunt } from './hunt.ts';

/** The number of runs that a seed needs which is known to find it early. */
const RUNS = 256;

describe('rare incidents', () => {
  it.each(INCIDENTS.flatMap((incident) => (incident.rare === undefined ? [] : [{ ...incident, rare: incident.rare }])))(
    '$name: breaks from what a search came to, and not without any choice of it, nor with its fix',
    ({ scenario, making: { faults: _, ...making }, claims, rare, fixed }) => {
      const broken = (choices: readonly PointChoice[]) =>
        simulate({ ...scenario, choices }, making).failures.filter(({ invariant = '' }) => claims.some((claim) => claim.test(invariant)));
      expect(broken(rare)).not.toEqual([]);
      for (const left of rare) expect(broken(rare.filter((choice) => choice !== left))).toEqual([]);
      const mended = fixed({ scenario: { ...scenario, choices: rare }, choices: rare });
      expect(simulate(mended.scenario, mended.making).failures).toEqual([]);
    },
  );
});

describe('known incidents', () => {
  it.each(INCIDENTS.filter(({ rare }) => rare === undefined))(
    '$name: found, made small, gone with its fix',
    { timeout: 120_000 },
    (incident) => {
      const { making: all, narrowed: faults = all.faults } = incident;
      const { foundIn, small } = hunt({ ...incident, making: { ...all, faults } }, incident.seed, RUNS);
      const finding = small();
      if (foundIn === undefined || finding === undefined) throw new Error(`not found in ${RUNS} runs`);
      expect(incident.claims.some((claim) => claim.test(finding.cause.claim))).toBe(true);
      // A planted sequence needs as many choices as steps; for the others one choice is enough.
      expect(finding.choices.length).toBeLessThanOrEqual(incident.name.startsWith('three') ? 4 : 2);
      expect(finding.words.join('\n')).toContain(finding.choices[0]?.at);
      const { faults: _, ...making } = all;
      expect(simulate(finding.scenario, making).failures).not.toEqual([]);
      const { scenario, making: mended } = incident.fixed(finding);
      expect(simulate(scenario, mended).failures).toEqual([]);
      // It vanishes without its choices.
      const { choices: __, ...without } = finding.scenario;
      expect(simulate(without, making).failures).toEqual([]);
    },
  );
});
