/** Node selectors, required affinity, and tolerations that cover others. */
import { describe, expect, it } from 'vitest';
import {
  covers,
  isEmptyTerm,
  mayStayMs,
  mergeTolerations,
  nodeSelectorTerm,
  nodeSelectorTerms,
  requiredNodeTest,
  tolerates,
  untoleratedTaint,
} from '../../../src/apiserver/decisions/index.ts';
import type { Node, Taint } from '../../../src/apiserver/kinds/index.ts';
import type { NodeSelectorTerm, Toleration } from '../../../src/apiserver/machinery/index.ts';

const node = (name: string, labels?: Readonly<Record<string, string>>): Node =>
  ({ metadata: { name, ...(labels === undefined ? {} : { labels }) } }) as unknown as Node;
const NODES = [node('bare'), node('west', { zone: 'w', size: '5' }), node('east', { zone: 'e', size: '10', gpu: '' })];
const chosen = (test: (each: Node) => boolean): string =>
  NODES.filter(test)
    .map(({ metadata }) => metadata.name)
    .join(' ');
const label = (key: string, operator: string, ...values: readonly string[]) => ({
  key,
  operator,
  ...(values.length === 0 ? {} : { values }),
});
const labels = (...matchExpressions: readonly object[]): NodeSelectorTerm => ({ matchExpressions }) as never;
const fields = (...matchFields: readonly object[]): NodeSelectorTerm => ({ matchFields }) as never;

describe('a term', () => {
  it.each<[NodeSelectorTerm, string]>([
    [labels(label('zone', 'In', 'w', 'x')), 'west'],
    [labels(label('zone', 'NotIn', 'w')), 'bare east'],
    [labels(label('gpu', 'Exists')), 'east'],
    [labels(label('gpu', 'DoesNotExist')), 'bare west'],
    [labels(label('size', 'Gt', '5')), 'east'],
    [labels(label('size', 'Lt', '10')), 'west'],
    [labels(label('zone', 'In', 'w'), label('size', 'In', '5')), 'west'],
    [labels(label('zone', 'In', 'w'), label('size', 'In', '10')), ''],
    [labels(label('zone', 'Near', 'w')), ''],
    [labels(label('zone', 'In')), ''],
    [labels(label('gpu', 'Exists'), label('zone', 'Near', 'e')), ''],
    [fields(label('metadata.name', 'In', 'west')), 'west'],
    [fields(label('metadata.name', 'NotIn', 'west')), 'bare east'],
    [fields(label('metadata.name', 'Exists', 'west')), ''],
    [fields(label('metadata.name', 'In', 'west', 'east')), ''],
    [fields(label('metadata.name', 'In')), ''],
    [fields(label('metadata.uid', 'In', 'west')), ''],
    [{ ...labels(label('zone', 'Exists')), ...fields(label('metadata.name', 'In', 'west')) }, 'west'],
    [{ ...labels(label('gpu', 'Exists')), ...fields(label('metadata.name', 'In', 'west')) }, ''],
    [labels(), ''],
    [fields(), ''],
    [{}, ''],
  ])('%j chooses the nodes %j', (term, expected) => {
    expect(chosen(nodeSelectorTerm(term))).toBe(expected);
  });

  it('is empty without expressions and fields, and one of several is enough', () => {
    expect([{}, labels(), fields(), labels(label('a', 'Exists')), fields(label('a', 'Exists'))].map(isEmptyTerm)).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
    expect(chosen(nodeSelectorTerms([labels(label('zone', 'In', 'w')), labels(label('gpu', 'Exists'))]))).toBe('west east');
    expect(chosen(nodeSelectorTerms([]))).toBe('');
  });
});

describe('what a pod requires', () => {
  const affinity = (...nodeSelectorTerms: readonly NodeSelectorTerm[]) => ({
    affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } },
  });
  const fits = (spec: object): string | undefined => {
    const test = requiredNodeTest(spec);
    return test === undefined ? undefined : chosen(test);
  };

  it('is its selector and its affinity, both', () => {
    expect([
      fits({}),
      fits({ nodeSelector: {} }),
      fits({ affinity: {} }),
      fits({ affinity: { nodeAffinity: {} } }),
      fits({ nodeSelector: { zone: 'w' } }),
      fits({ nodeSelector: { zone: 'w', size: '5' } }),
      fits({ nodeSelector: { zone: 'w', size: '10' } }),
      fits(affinity(labels(label('zone', 'Exists')))),
      fits(affinity()),
      fits({ nodeSelector: { zone: 'w' }, ...affinity(labels(label('zone', 'Exists'))) }),
      fits({ nodeSelector: { zone: 'w' }, ...affinity(labels(label('gpu', 'Exists'))) }),
      fits({ nodeSelector: {}, ...affinity(labels(label('gpu', 'Exists'))) }),
    ]).toEqual([undefined, undefined, undefined, undefined, 'west', 'west', '', 'west east', '', 'west', '', 'east']);
  });
});

describe('a toleration', () => {
  const taint = (more: Partial<Taint> = {}): Taint => ({ key: 'k', effect: 'NoSchedule', ...more });
  it.each<[Toleration, Taint, boolean]>([
    [{ key: 'k' }, taint(), true],
    [{ key: 'k', operator: '' }, taint({ value: '' }), true],
    [{ key: 'k', value: '' }, taint(), true],
    [{ key: 'k', value: 'v' }, taint(), false],
    [{ key: '', operator: 'Exists', effect: '' }, taint({ value: 'v' }), true],
    [{ operator: 'Exists', effect: 'NoSchedule' }, taint(), true],
    [{ operator: 'Exists', effect: 'NoExecute' }, taint(), false],
    [{ key: 'j', operator: 'Exists' }, taint(), false],
    [{ operator: 'Equal' }, taint(), true],
  ])('%j of %j: %s', (toleration, of, expected) => {
    expect(tolerates(toleration, of)).toBe(expected);
  });

  it('is asked only about the taints that count', () => {
    const taints = [taint({ effect: 'PreferNoSchedule' }), taint({ key: 'j' }), taint()];
    const hard = ({ effect }: Taint): boolean => effect === 'NoSchedule';
    expect([
      untoleratedTaint(taints, [], hard),
      untoleratedTaint(taints, [{ key: 'j', operator: 'Exists' }], hard),
      untoleratedTaint(taints, [{ operator: 'Exists' }], hard),
      untoleratedTaint(taints, undefined, () => false),
    ]).toEqual([taints[1], taints[2], undefined, undefined]);
  });

  it('lets a pod stay for the shortest of its times, and not at all where a taint has none', () => {
    const taints = ['a', 'b'].map((key) => taint({ key, effect: 'NoExecute' }));
    const of = (key: string, tolerationSeconds?: number): Toleration => ({
      key,
      operator: 'Exists',
      ...(tolerationSeconds === undefined ? {} : { tolerationSeconds }),
    });
    expect([
      mayStayMs([of('a', 3), of('b', 7)], taints),
      mayStayMs([of('a', 9), of('b', 7), of('b', 8)], taints),
      mayStayMs([of('a', 3), of('b')], taints),
      mayStayMs([of('a'), of('b')], taints),
      mayStayMs([of('a', 3)], taints),
      mayStayMs([of('a', 0), of('b')], taints),
    ]).toEqual([3000, 7000, 3000, Infinity, 0, 0]);
  });

  it.each<[Toleration, Toleration, boolean]>([
    [{ key: 'a' }, { key: 'a' }, true],
    [{ key: 'a' }, { key: 'b' }, false],
    [{ operator: 'Exists' }, { key: 'b', value: 'x', effect: 'NoSchedule' }, true],
    [{ operator: 'Equal' }, { key: 'b' }, false],
    [{ key: '', operator: 'Exists' }, { key: 'b' }, true],
    [{ key: 'a', operator: 'Exists' }, { key: 'a', value: 'x' }, true],
    [{ key: 'a', operator: 'Exists' }, { value: 'x' }, false],
    [{ key: 'a', operator: 'Exists', effect: 'NoSchedule' }, { key: 'a', effect: 'NoExecute' }, false],
    [{ key: 'a', operator: 'Exists', effect: 'NoSchedule' }, { key: 'a' }, false],
    [{ key: 'a', operator: 'Exists' }, { key: 'a', effect: 'NoExecute' }, true],
    [{ key: 'a', value: 'x' }, { key: 'a', value: 'x', effect: 'NoSchedule' }, true],
    [{ key: 'a', value: 'x' }, { key: 'a', value: 'y' }, false],
    [{ key: 'a', value: 'x' }, { key: 'a', value: 'x', operator: 'Equal' }, false],
    [{ key: 'a', operator: 'Equal', value: '' }, { key: 'a', operator: 'Equal' }, true],
    // Of a NoExecute toleration the one that lasts longer is wider.
    [
      { key: 'a', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 },
      { key: 'a', operator: 'Exists', effect: 'NoExecute' },
      false,
    ],
    [
      { key: 'a', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 },
      { key: 'a', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 },
      true,
    ],
    [
      { key: 'a', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 },
      { key: 'a', value: 'x', effect: 'NoExecute', tolerationSeconds: 5 },
      true,
    ],
    [
      { key: 'a', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 },
      { key: 'a', value: 'x', effect: 'NoExecute', tolerationSeconds: 6 },
      false,
    ],
    [
      { key: 'a', operator: 'Exists', effect: 'NoExecute' },
      { key: 'a', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 },
      true,
    ],
    [{ key: 'a', operator: 'Exists', effect: 'NoSchedule', tolerationSeconds: 1 }, { key: 'a', value: 'x', effect: 'NoSchedule' }, true],
  ])('%j covers %j: %s', (wide, narrow, expected) => {
    expect(covers(wide, narrow)).toBe(expected);
  });

  it('that another covers is left out, wherever it stands, and of equal ones the first stays', () => {
    const [wide, narrow, other]: readonly Toleration[] = [{ key: 'a', operator: 'Exists' }, { key: 'a', value: 'x' }, { key: 'b' }];
    if (wide === undefined || narrow === undefined || other === undefined) throw new Error('there are three');
    expect([
      mergeTolerations([narrow], [wide, other]),
      mergeTolerations([wide], [narrow, other]),
      mergeTolerations([narrow, { ...narrow }], [other, { ...other }]),
      mergeTolerations([], []),
    ]).toEqual([[wide, other], [wide, other], [narrow, other], []]);
    expect(mergeTolerations([narrow], [{ ...narrow }])[0]).toBe(narrow);
  });
});
