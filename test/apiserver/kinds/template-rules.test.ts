/** Pods of one template are decoded and judged together: which members of each may differ from those of the first pod. */
import { describe, expect, it } from 'vitest';
import { podTemplateRules } from '../../../src/apiserver/kinds/pod/shape.ts';
import { deepFreeze } from '../../../src/schema/shape/index.ts';

const { templateKey, areInert, accepted } = podTemplateRules;
const containers = deepFreeze([{ name: 'c', image: 'i' }]);

describe('a template', () => {
  it('is known by its containers, where these are frozen', () => {
    expect(templateKey({ containers })).toBe(containers);
    expect(templateKey({ containers, volumes: [{ name: 'a', emptyDir: {} }, null] })).toBe(containers);
    expect([templateKey({}), templateKey({ containers: [{ name: 'c' }] }), templateKey({ containers: 'c' })]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('has no containers or claims of one pod', () => {
    expect(templateKey({ containers, ephemeralContainers: [] })).toBeUndefined();
    expect(templateKey({ containers, volumes: [{ name: 'a' }, { name: 'b', ephemeral: {} }] })).toBeUndefined();
  });

  it.each([
    ['a', true],
    ['example.com/a', true],
    ['pod-deletion-costs', true],
    ['x.alpha.y/z', false],
    ['x.beta.y/z', false],
    ['kubernetes.io/config.mirror', false],
    ['controller.kubernetes.io/pod-deletion-cost', false],
  ])('its annotation %s has no effect: %s', (key, inert) => {
    expect([areInert({}), areInert({ [key]: '' }), areInert({ a: '', [key]: '' })]).toEqual([true, inert, inert]);
  });
});

describe('of a pod may differ', () => {
  it('its host name and its node, where they are names', () => {
    const texts = ['a', 'a.b', 'A', '', 'a_b'];
    expect(texts.map((text) => accepted('hostname', text, 'x', 'x'))).toEqual(['a', undefined, undefined, undefined, undefined]);
    expect(texts.map((text) => accepted('nodeName', text, 'x', 'x'))).toEqual(['a', 'a.b', undefined, undefined, undefined]);
    expect([accepted('nodeName', 5, 'x', 'x'), accepted('nodeName', undefined, 'x', 'x')]).toEqual([undefined, undefined]);
  });

  const claim = (claimName: unknown, more: object = {}, moreOfVolume: object = {}) => ({
    name: 'data',
    persistentVolumeClaim: { claimName, ...more },
    ...moreOfVolume,
  });
  const shared = deepFreeze({ name: 'conf', configMap: { name: 'c' } });
  const first = [claim('a'), shared];
  const made = [claim('a'), { name: 'conf', configMap: { name: 'c', defaultMode: 420 } }];

  it('the names of its claims', () => {
    expect(accepted('volumes', [claim('b'), shared], first, made)).toEqual([claim('b'), made[1]]);
    expect((accepted('volumes', [claim('b'), shared], first, made) as readonly unknown[])[1]).toBe(made[1]);
  });

  it.each<[what: string, volumes: unknown]>([
    ['another number of volumes', [claim('b')]],
    ['a volume that is not shared', [claim('b'), { ...shared }]],
    ['a claim of another name', [{ ...claim('b'), name: 'other' }, shared]],
    ['a claim that is read only', [claim('b', { readOnly: true }), shared]],
    ['a claim with more', [claim('b', {}, { emptyDir: {} }), shared]],
    ['a claim without a name', [claim(''), shared]],
    ['a claim of a number', [claim(5), shared]],
    ['no claim', [{ name: 'data', persistentVolumeClaim: null }, shared]],
    ['no volume', [null, shared]],
    ['no name', [{ persistentVolumeClaim: { claimName: 'b' } }, shared]],
    ['no list', {}],
  ])('but not %s', (_, volumes) => {
    expect(accepted('volumes', volumes, first, made)).toBeUndefined();
  });

  it('its volumes only from a list', () => {
    expect([
      accepted('volumes', [claim('b')], undefined, [claim('a')]),
      accepted('volumes', [claim('b')], [claim('a')], undefined),
    ]).toEqual([undefined, undefined]);
    expect(accepted('volumes', [claim('b')], [{ name: 'data', emptyDir: {} }], [claim('a')])).toBeUndefined();
  });

  const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
  const pods = deepFreeze({ preferred: [] });
  const field = (node: unknown, more: object = {}) => ({ key: 'metadata.name', operator: 'In', values: [node], ...more });
  const affinity = (fields: readonly unknown[], more: object = {}, moreOfNode: object = {}) => ({
    nodeAffinity: { [REQUIRED]: { nodeSelectorTerms: [{ matchFields: fields }] }, ...moreOfNode },
    ...more,
  });
  const decoded = affinity([field('n')], { podAffinity: { decoded: true } });

  it('the node that its affinity pins it to', () => {
    expect(accepted('affinity', affinity([field('m')]), affinity([field('n')]), decoded)).toEqual(
      affinity([field('m')], { podAffinity: { decoded: true } }),
    );
    expect(
      accepted('affinity', affinity([field('m')], { podAffinity: pods }), affinity([field('n')], { podAffinity: pods }), decoded),
    ).toEqual(affinity([field('m')], { podAffinity: { decoded: true } }));
  });

  it.each<[what: string, value: unknown, first: unknown]>([
    ['no affinity', undefined, affinity([field('n')])],
    ['an affinity of a pod without one', affinity([field('m')]), undefined],
    ['two fields', affinity([field('m'), field('m')]), affinity([field('n')])],
    ['two nodes', affinity([{ ...field('m'), values: ['m', 'k'] }]), affinity([field('n')])],
    ['no node', affinity([{ ...field('m'), values: [] }]), affinity([field('n')])],
    ['another field', affinity([field('m', { key: 'metadata.uid' })]), affinity([field('n')])],
    ['another operator', affinity([field('m', { operator: 'NotIn' })]), affinity([field('n')])],
    ['more in a field', affinity([field('m', { more: 1 })]), affinity([field('n')])],
    ['a node that is no name', affinity([field('M')]), affinity([field('n')])],
    ['a node that is a number', affinity([field(5)]), affinity([field('n')])],
    ['another affinity', affinity([field('m')], { podAffinity: {} }), affinity([field('n')], { podAffinity: {} })],
    ['one affinity more', affinity([field('m')], { podAffinity: pods }), affinity([field('n')])],
    ['a preference of its own', affinity([field('m')], {}, { preferred: [] }), affinity([field('n')], {}, { preferred: [] })],
    [
      'more in a term',
      { nodeAffinity: { [REQUIRED]: { nodeSelectorTerms: [{ matchFields: [field('m')], matchExpressions: [] }] } } },
      affinity([field('n')]),
    ],
    [
      'more beside the terms',
      { nodeAffinity: { [REQUIRED]: { nodeSelectorTerms: [{ matchFields: [field('m')] }], more: 1 } } },
      affinity([field('n')]),
    ],
    [
      'two terms',
      { nodeAffinity: { [REQUIRED]: { nodeSelectorTerms: [{ matchFields: [field('m')] }, { matchFields: [field('m')] }] } } },
      affinity([field('n')]),
    ],
  ])('but not %s', (_, value, of) => {
    expect(accepted('affinity', value, of, decoded)).toBeUndefined();
  });
});
