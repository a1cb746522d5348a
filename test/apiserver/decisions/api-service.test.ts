import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { preferredGroups, preferredVersion } from '../../../src/apiserver/decisions/index.ts';
import { compareVersions } from '../../../src/schema/values/index.ts';
import { stored } from './objects.ts';

const service = (version: string, group: string, groupPriorityMinimum: number, versionPriority: number) =>
  stored('APIService', `${version}.${group}`, { spec: { group, version, groupPriorityMinimum, versionPriority } });

describe('versions', () => {
  it('sort GA, beta, alpha, by major, then minor; others below, by text', () => {
    const sorted = [
      'v10',
      'v2',
      'v1',
      'v11beta2',
      'v10beta3',
      'v10beta1',
      'v3beta1',
      'v12alpha1',
      'v11alpha2',
      'foo1',
      'foo10',
      'v',
      'v1gamma1',
    ];
    expect(sorted.toReversed().toSorted(compareVersions)).toEqual(sorted);
  });

  it('are totally ordered, for any text', () => {
    const version = fc.oneof(
      fc
        .tuple(fc.nat(30), fc.constantFrom('', 'alpha', 'beta'), fc.nat(3))
        .map(([major, stage, minor]) => `v${major}${stage}${stage === '' ? '' : minor}`),
      fc.string({ maxLength: 4 }),
      fc.constantFrom('v99999999999999999999', 'V1', 'v1beta', 'v-1'),
    );
    fc.assert(
      fc.property(version, version, version, (a, b, c) => {
        expect(compareVersions(a, b) + compareVersions(b, a)).toBe(0);
        expect(compareVersions(a, a)).toBe(0);
        if (compareVersions(a, b) <= 0 && compareVersions(b, c) <= 0) expect(compareVersions(a, c)).toBeLessThanOrEqual(0);
      }),
    );
  });
});

describe('groups', () => {
  it('sort by the highest priority of their services, then by name', () => {
    const all = [
      service('v1', 'b.io', 1000, 10),
      service('v1', 'a.io', 1000, 10),
      service('v1', 'c.io', 10, 1),
      service('v2', 'c.io', 2000, 1),
      service('v1', 'd.io', 17_000, 1),
    ];
    for (const order of [all, all.toReversed()]) {
      expect(preferredGroups(order).map(({ group, priority }) => [group, priority])).toEqual([
        ['d.io', 17_000],
        ['c.io', 2000],
        ['a.io', 1000],
        ['b.io', 1000],
      ]);
    }
  });

  it('prefer the version of the highest priority, on ties the most mature', () => {
    const all = [
      service('v1alpha1', 'a.io', 1, 15),
      service('v1', 'a.io', 1, 15),
      service('v2beta1', 'a.io', 1, 15),
      service('v3alpha1', 'a.io', 1, 20),
      service('v1', '', 18_000, 1),
    ];
    expect(preferredGroups(all)[1]?.versions).toEqual(['v3alpha1', 'v1', 'v2beta1', 'v1alpha1']);
    expect([preferredVersion('a.io', all), preferredVersion('', all), preferredVersion('z.io', all)]).toEqual([
      'v3alpha1',
      'v1',
      undefined,
    ]);
  });
});
