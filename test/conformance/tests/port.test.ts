/** The comparison is a port of the recordings' tool; the original's results for every case are stored as digests. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { compare, inOrder, isScenario, signature, toScenario, type RecordedCase, type TraceLine } from '../index.ts';
import { oracleCases, type OracleVersion } from '../../support/oracle.ts';
import original from './original.json' with { type: 'json' };

/** Parts that the original lacks: owners and volumes with random names, candidates of elections. */
const IMPROVED = /^gc-(block|chain|cross|recreated|two)|^le-two-candidates-clock$|^pv-protection$|^q-lease-failover$/;
const VERSIONS = ['v1.24', 'v1.24-gates'] as const;
const digest = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);
const casesOf: (version: OracleVersion) => readonly RecordedCase[] = oracleCases;
const signed = (lines: readonly TraceLine[]): ReturnType<typeof signature> => signature(inOrder(lines));

describe.each(VERSIONS)('recordings %s', (version) => {
  const digests: Readonly<Record<string, { readonly scenario?: string; readonly signature: string }>> = original[version];

  it('become the same scenarios and signatures as with the original', () => {
    for (const recorded of casesOf(version)) {
      const scenario =
        isScenario(recorded) && !IMPROVED.test(recorded.name)
          ? { scenario: digest(toScenario(recorded, { gates: version === 'v1.24-gates' })) }
          : {};
      const { scenario: expected, ...rest } = digests[recorded.name] ?? { signature: '' };
      expect({ ...scenario, signature: digest(signed(recorded.trace)) }, recorded.name).toEqual(
        expected === undefined || IMPROVED.test(recorded.name) ? rest : { scenario: expected, ...rest },
      );
    }
  });

  it('agree with themselves', () => {
    for (const { name, trace } of casesOf(version)) expect(compare(signed(trace), signed(trace)), name).toEqual([]);
  });

  it('differ from themselves without any change of the last object', () => {
    for (const { name, trace } of casesOf(version)) {
      const pods = inOrder(trace).filter(({ object }) => object.kind === 'Pod');
      const uid = pods.at(-1)?.object.metadata?.uid;
      if (uid === undefined) continue;
      const without = trace.filter(({ object }) => object.metadata?.uid !== uid);
      expect(compare(signed(trace), signed(without)).length, name).toBeGreaterThan(0);
    }
  });
});

describe("the names of a scenario's targets", () => {
  it('are positions in the order of creation for generated names', () => {
    const targets = VERSIONS.flatMap(casesOf)
      .filter(isScenario)
      .flatMap((recorded) => JSON.stringify(toScenario(recorded)).match(/"nth":-?\d+/g) ?? []);
    expect(targets.length).toBeGreaterThan(0);
    expect(targets).not.toContain('"nth":0');
  });
});
