/** Parts of the state that a stream, a controller or a process has in rare cases. */
import { describe, expect, it } from 'vitest';
import type { Cluster } from '../../../src/controlplane/cluster.ts';
import type { ProcessSpec } from '../../../src/controlplane/runtime/index.ts';
import { about, START, world } from './config-maps.ts';

const MANAGER = 'controller-manager';
const GETS = `${MANAGER} gets ConfigMap`;

/** The parts whose names match. */
function partsOf(cluster: Cluster, which: RegExp): Readonly<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  cluster.describe((part, value) => {
    if (which.test(part)) found[part] = value;
  });
  return found;
}
const ofStream = (cluster: Cluster) => partsOf(cluster, /gets ConfigMap|^delivery/);

describe('a stream after a relist', () => {
  it('delivers nothing before the changes that were cancelled would have arrived', () => {
    const { cluster, make, pass, relist } = world(about());
    make('a');
    relist();
    expect(ofStream(cluster)).toEqual({ [GETS]: [START + 50, []] });
    pass(10);
    expect(ofStream(cluster)).toEqual({ [GETS]: [START + 50, []] });
    pass(40);
    expect(ofStream(cluster)).toEqual({});
  });

  it('of an older revision delivers each change once, although several deliveries are pending', () => {
    const { cluster, make, pass, stored, deliveries } = world(about());
    const { revision } = cluster.store;
    make('a');
    for (let at = 0; at < 2; at++) cluster.runtime.relist(MANAGER, 'ConfigMap', revision);
    expect(ofStream(cluster)).toEqual({
      [GETS]: [START + 50, [['ADDED', stored('a')]]],
      [`delivery to ${MANAGER} of ConfigMap 0`]: START + 50,
    });
    pass(100);
    expect(deliveries()).toEqual(['ADDED a']);
  });

  it('is reported anew until that time, and not after it', () => {
    const { cluster, make, pass, relist } = world(about());
    const known = new Set<object>();
    const isReported = (): boolean => {
      let is = false;
      const report = (part: string): void => void (part.startsWith(`${MANAGER} has ConfigMap`) ? (is = true) : 0);
      cluster.describe(report, (of, parts) => {
        if (known.has(of)) return true;
        const lasts = parts(report);
        if (lasts) known.add(of);
        return lasts;
      });
      return is;
    };
    make('a');
    relist();
    expect([isReported(), isReported()]).toEqual([true, true]);
    pass(50);
    expect([isReported(), isReported()]).toEqual([true, false]);
  });
});

describe('the state of a controller', () => {
  const knows = (parts: object): unknown => partsOf(world(about(parts)).cluster, / knows$/);

  it('is as it describes it, or as it is; without a state there is no part', () => {
    const part = `${MANAGER} onlooker knows`;
    expect(knows({ start: () => ({ some: 1 }) })).toMatchObject({ [part]: { some: 1 } });
    expect(knows({ start: () => ({ some: 1 }), describe: ({ some }: { some: number }) => [some] })).toMatchObject({ [part]: [1] });
    expect(knows({})).not.toHaveProperty([part]);
  });
});

describe('the state of a process', () => {
  const last = (cluster: Cluster): readonly unknown[] => (partsOf(cluster, /^extra$/)['extra'] as readonly unknown[]).slice(6);
  const extra = (parts: Partial<ProcessSpec> = {}): ProcessSpec => ({ name: 'extra', controllers: [], ...parts });

  it('has the configuration of its next start, and what is left of its requests', () => {
    const { cluster, pass } = world(about());
    cluster.runtime.add(extra({ requestRate: { qps: 5, burst: 7 } }));
    pass(0);
    expect(last(cluster)).toEqual([0, 7]);
    cluster.runtime.configure(extra());
    expect(last(cluster)).toEqual([1, 7]);
    cluster.runtime.configure(extra({ start: { flags: ['--v=1'] } }));
    expect(last(cluster)).toEqual([{ flags: ['--v=1'] }, 7]);
  });
});
