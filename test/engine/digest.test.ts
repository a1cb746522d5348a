import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDigest, hashValue } from '../../src/engine/index.ts';

const digestOf = (...values: unknown[]): string => {
  const digest = createDigest();
  for (const value of values) digest.mixValue(value);
  return digest.text();
};

describe('digest', () => {
  it('is the same for equal values, cached or not', () => {
    const value = { a: [1, 'x', null, true], b: { c: 0.5 } };
    expect(digestOf(value, value)).toBe(digestOf(structuredClone(value), structuredClone(value)));
  });

  it('depends on order, nesting and type', () => {
    const all = [
      [1, 2],
      [2, 1],
      [[1], 2],
      ['1', 2],
      [1, 2, null],
      [{ a: 1 }, 2],
      [{ b: 1 }, 2],
    ].map((values) => digestOf(...values));
    expect(new Set(all).size).toBe(all.length);
  });

  it('distinguishes almost all JSON values', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.jsonValue(), { selector: (value) => JSON.stringify(value), minLength: 2, maxLength: 50 }), (values) => {
        const hashes = values.filter((value) => !Object.is(value, -0)).map(hashValue);
        expect(hashes.length - new Set(hashes).size).toBeLessThanOrEqual(1);
      }),
      { seed: 3, numRuns: 100 },
    );
  });

  it('mixes a revision by its difference to the previous one', () => {
    const spec = { image: 'a' };
    const before = { kind: 'Pod', metadata: { name: 'p', n: 1 }, spec, status: { phase: 'Pending' } };
    const revision = (after: object): string => {
      const digest = createDigest();
      digest.mixRevision(before, after);
      return digest.text();
    };
    const next = { ...before, metadata: { ...before.metadata, n: 2 } };
    expect(revision(next)).toBe(revision({ ...before, metadata: { name: 'p', n: 2 } }));
    const others = [
      before,
      { ...next, status: { phase: 'Running' } },
      { ...next, status: {} },
      { ...next, spec: { image: 'b' } },
      { ...next, metadata: { name: 'q', n: 2 } },
      { ...next, metadata: { n: 2 } },
      { ...next, metadata: { ...next.metadata, uid: 'u' } },
      { kind: 'Pod', metadata: next.metadata, spec },
    ].map(revision);
    expect(new Set([...others, revision(next)]).size).toBe(9);
  });

  it('hashes the items that a long list shares with its last revision as if it had not seen them', () => {
    const edits = fc.array(fc.record({ at: fc.nat(60), gone: fc.nat(2), come: fc.array(fc.nat(9), { maxLength: 2 }) }), { minLength: 8 });
    fc.assert(
      fc.property(edits, (all) => {
        const [sharing, copying] = [createDigest(), createDigest()];
        let list: readonly { readonly name: string }[] = Array.from({ length: 40 }, (_, at) => Object.freeze({ name: `a-${at}` }));
        for (const { at, gone, come } of all) {
          list = list.toSpliced(at, gone, ...come.map((name) => Object.freeze({ name: `b-${name}` })));
          sharing.mixRevision(undefined, { parts: [{ list: Object.freeze(list) }] });
          copying.mixRevision(undefined, { parts: [{ list: list.map((item) => ({ ...item })) }] });
          expect(sharing.text()).toBe(copying.text());
        }
      }),
      { numRuns: 50 },
    );
  });

  it('is pinned', () => {
    expect(digestOf({ kind: 'Pod', n: 1 }, 'text', 1.25)).toMatchInlineSnapshot(`"319bdaba6a1cbff8"`);
  });
});
