/** Every recorded response of the API server: equal, or a listed deviation with its reason in `deviations.ts`. */
import { describe, expect, it } from 'vitest';
import { parseLine } from '../api/json.ts';
import { API_SUITES } from '../api/suites.ts';
import { oracleLines } from '../../support/oracle.ts';

interface Expected {
  readonly total: number;
  readonly deviating: readonly string[];
}

const FILES: Readonly<Record<string, Expected>> = {
  admission: { total: 2893, deviating: [] },
  update: { total: 535, deviating: [] },
  delete: { total: 234, deviating: [] },
  list: { total: 42, deviating: ['D/Lease/compaction.watchAfterCompaction'] },
  errors: { total: 208, deviating: ['G/405.put.root', 'G/misc.gzip'] },
  patch: { total: 172, deviating: [] },
  watch: { total: 48, deviating: [] },
  rbac: { total: 336, deviating: [] },
};

describe('recorded answers of the API server', () => {
  for (const [name, expected] of Object.entries(FILES)) {
    it(`${name}: all ${expected.total}, except the listed deviations`, { timeout: 120_000 }, async () => {
      const suite = API_SUITES.find((each) => each.name === name);
      const lines = oracleLines(`v1.24/${name === 'rbac' ? 'rbac' : 'api'}/${name}.jsonl`, parseLine);
      const { differences, total, deviating } = (await suite?.run(lines, { http: false, only: '' })) ?? {};
      expect(differences).toEqual([]);
      expect({ total, deviating }).toEqual(expected);
    });
  }

  it.each([
    ['admission', 812],
    ['update', 249],
    ['patch', 110],
    ['delete', 33],
    ['list', 3],
    ['watch', 3],
  ])('of Deployments, sets, budgets and autoscalers, %s: all %i', { timeout: 120_000 }, async (name, total) => {
    const suite = API_SUITES.find((each) => each.name === name);
    const result = await suite?.run(oracleLines(`v1.24-workloads/api/${name}.jsonl`, parseLine), { http: false, only: '' });
    expect(result).toMatchObject({ differences: [], total, deviating: [] });
  });

  it('over a socket as in process', { timeout: 60_000 }, async () => {
    const suite = API_SUITES.find(({ name }) => name === 'watch');
    const result = await suite?.run(oracleLines('v1.24/api/watch.jsonl'), { http: true, only: 'E/Lease/from' });
    expect(result?.differences).toEqual([]);
    expect(result?.total).toBeGreaterThan(5);
  });
});
