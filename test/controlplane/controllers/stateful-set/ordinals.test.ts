import { describe, expect, it } from 'vitest';
import { claimName, ordinalNameOf, podName } from '../../../../src/controlplane/controllers/stateful-set/pods.ts';

describe('names with ordinals', () => {
  it.each([
    ['web-0', 'web', 0],
    ['web-12', 'web', 12],
    ['a-b-3', 'a-b', 3],
    ['web-1-2', 'web-1', 2],
    ['web-2147483647', 'web', 2147483647],
  ])('%s is a number of %s', (name, parent, ordinal) => expect(ordinalNameOf(name)).toEqual({ parent, ordinal }));

  it.each(['web', 'web-', '-1', '12', 'web-a', 'web-1a', 'web-01', 'web-2147483648', 'web-99999999999', 'web1', ''])(
    '%s has none',
    (name) => expect(ordinalNameOf(name)).toBeUndefined(),
  );

  it('names of pods and claims are parsed back', () => {
    expect(ordinalNameOf(podName('web', 7))).toEqual({ parent: 'web', ordinal: 7 });
    expect(claimName('data', 'web', 7)).toBe('data-web-7');
  });
});
