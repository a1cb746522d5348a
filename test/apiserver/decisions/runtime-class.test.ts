import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { admitRuntimeClass, covers, mergeTolerations } from '../../../src/apiserver/decisions/index.ts';
import type { RuntimeClassDecision, RuntimeClassPod } from '../../../src/apiserver/decisions/index.ts';
import type { Toleration } from '../../../src/apiserver/machinery/index.ts';
import { stored } from './objects.ts';

const boxed = stored('RuntimeClass', 'boxed', {
  handler: 'h',
  overhead: { podFixed: { cpu: '250m', memory: '1Gi' } },
  scheduling: { nodeSelector: { runtime: 'boxes' }, tolerations: [{ key: 'r', operator: 'Exists' }] },
});
const plain = stored('RuntimeClass', 'plain', { handler: 'h' });
const admit = (pod: RuntimeClassPod): RuntimeClassDecision =>
  admitRuntimeClass(pod, (name) => [boxed, plain].find(({ metadata }) => metadata.name === name));

describe('a pod of a runtime class', () => {
  it('gets overhead, selector and tolerations in addition to its own', () => {
    expect(admit({ runtimeClassName: 'boxed', nodeSelector: { disk: 'ssd' }, tolerations: [{ key: 'x', operator: 'Exists' }] })).toEqual({
      admitted: true,
      changes: {
        overhead: { cpu: '250m', memory: '1Gi' },
        nodeSelector: { disk: 'ssd', runtime: 'boxes' },
        tolerations: [
          { key: 'x', operator: 'Exists' },
          { key: 'r', operator: 'Exists' },
        ],
      },
    });
  });

  it('is unchanged with an empty class, and without a class', () => {
    expect([admit({ runtimeClassName: 'plain' }), admit({})]).toEqual([
      { admitted: true, changes: {} },
      { admitted: true, changes: {} },
    ]);
  });

  it.each<[string, RuntimeClassPod, string]>([
    ['a class that does not exist', { runtimeClassName: 'zzz' }, 'pod rejected: RuntimeClass "zzz" not found'],
    [
      'overhead without a class',
      { overhead: { cpu: '1' } },
      'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead',
    ],
    [
      'overhead with a class that has none',
      { runtimeClassName: 'plain', overhead: { cpu: '1' } },
      'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead',
    ],
    [
      'another overhead',
      { runtimeClassName: 'boxed', overhead: { cpu: '250m' } },
      "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead",
    ],
    [
      'a selector that conflicts',
      { runtimeClassName: 'boxed', nodeSelector: { runtime: 'none' } },
      'conflict: runtimeClass.scheduling.nodeSelector[runtime] = boxes; pod.spec.nodeSelector[runtime] = none',
    ],
  ])('is refused for %s', (_, pod, why) => {
    expect(admit(pod)).toEqual({ admitted: false, why });
  });

  it('may have the same values as its class, written differently', () => {
    expect(
      admit({ runtimeClassName: 'boxed', nodeSelector: { runtime: 'boxes' }, overhead: { memory: '1024Mi', cpu: '0.25' } }).admitted,
    ).toBe(true);
  });
});

describe('joined tolerations', () => {
  const wide = { operator: 'Exists' };
  it('keep the wider of two, the first of equals', () => {
    expect(mergeTolerations([{ key: 'a', operator: 'Equal', value: '1', effect: 'NoSchedule' }], [wide])).toEqual([wide]);
    expect(mergeTolerations([wide], [wide])).toEqual([wide]);
    expect(
      mergeTolerations(
        [{ key: 'a', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 }],
        [{ key: 'a', operator: 'Exists', effect: 'NoExecute' }],
      ),
    ).toEqual([{ key: 'a', operator: 'Exists', effect: 'NoExecute' }]);
  });

  it('omit only covered ones, and have no duplicates', () => {
    const one: fc.Arbitrary<Toleration> = fc.record(
      {
        key: fc.constantFrom('a', 'b'),
        operator: fc.constantFrom('Equal', 'Exists'),
        value: fc.constantFrom('', '1'),
        effect: fc.constantFrom('NoSchedule', 'NoExecute', ''),
        tolerationSeconds: fc.nat(2),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.array(one, { maxLength: 4 }), fc.array(one, { maxLength: 4 }), (first, second) => {
        const merged = mergeTolerations(first, second);
        expect([...first, ...second].every((given) => merged.some((kept) => covers(kept, given)))).toBe(true);
        expect(merged.every((kept) => first.includes(kept) || second.includes(kept))).toBe(true);
        expect(mergeTolerations(merged, [])).toEqual(merged);
      }),
    );
  });
});
