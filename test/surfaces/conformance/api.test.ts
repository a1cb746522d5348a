/** Every recorded answer of the API server, except what is named a deviation. The floors rise as kinds and rules land; they never fall. */
import { describe, expect, it } from 'vitest';
import { parseLine } from '../../../src/surfaces/conformance/api/json.ts';
import { API_SUITES } from '../../../src/surfaces/conformance/api/suites.ts';
import { oracleLines } from '../../support/oracle.ts';

/** Share that must pass. */
const FLOORS: Readonly<Record<string, number>> = {
  admission: 0.99,
  update: 0.99,
  delete: 0.99,
  list: 0.97,
  errors: 0.99,
  patch: 0.99,
  watch: 0.97,
  rbac: 0.99,
};

describe('recorded answers of the API server', () => {
  for (const [name, floor] of Object.entries(FLOORS)) {
    it(`${name}: at least ${floor * 100} %`, { timeout: 120_000 }, async () => {
      const suite = API_SUITES.find((each) => each.name === name);
      const lines = oracleLines(`v1.24/${name === 'rbac' ? 'rbac' : 'api'}/${name}.jsonl`).map((line) => parseLine(JSON.stringify(line)));
      const result = await suite?.run(lines, { http: false, only: '' });
      expect((result?.passed ?? 0) / (result?.total ?? 1), result?.differences.join('\n').slice(0, 3000)).toBeGreaterThanOrEqual(floor);
    });
  }

  it('over a socket as in process', { timeout: 60_000 }, async () => {
    const suite = API_SUITES.find(({ name }) => name === 'watch');
    const result = await suite?.run(oracleLines('v1.24/api/watch.jsonl'), { http: true, only: 'E/Lease/from' });
    expect(result?.differences).toEqual([]);
    expect(result?.total).toBeGreaterThan(5);
  });
});
