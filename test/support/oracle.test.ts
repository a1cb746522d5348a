import { describe, expect, it } from 'vitest';
import { oracleCases, oracleJson, oracleLines, recordings } from './oracle.ts';

describe('packed recordings', () => {
  it('all parse', () => {
    for (const path of recordings()) {
      if (path.endsWith('traces.jsonl')) continue;
      expect(path.endsWith('.jsonl') ? oracleLines(path) : oracleJson(path), path).toBeTruthy();
    }
  });

  it.each(['v1.24', 'v1.24-gates'] as const)('cases of %s have actions, changes and manifests', (version) => {
    const cases = oracleCases(version);
    expect(cases.length).toBeGreaterThan(20);
    for (const { name, actions, trace, input } of cases) {
      expect(actions.actions.length, name).toBeGreaterThan(0);
      for (const change of trace) expect(change, name).toMatchObject({ t: expect.any(Number), object: { kind: expect.any(String) } });
      expect(input, name).toBeTypeOf('string');
    }
    expect(oracleCases(version)).toBe(cases);
  });

  it('names what there is when a path is wrong', () => {
    expect(() => oracleLines('v1.24/api/quantities.jsonl')).toThrow(
      /no recording v1\.24\/api\/quantities\.jsonl; there are: .*v1\.24\/api\/quantity\.jsonl/,
    );
  });
});
