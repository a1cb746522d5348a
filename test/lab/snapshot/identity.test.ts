/** Who is who in a dump: names, what is named twice, owners; and which of them contradict each other. */
import { describe, expect, it } from 'vitest';
import { namesFor } from '../../../src/apiserver/machinery/index.ts';
import { kindsFor } from '../../../src/apiserver/kinds/index.ts';
import { contradictions } from '../../../src/lab/snapshot/contradictions.ts';
import { namedOf, once, ownersOf, titleOf, versionOf, type Named } from '../../../src/lab/snapshot/identity.ts';

const found = (value: object, line = 1) => ({ value: value as Named['value'], at: () => ({ file: 'f', line, col: 1 }) });
const named = (value: object, line = 1): Named => {
  const one = namedOf(found(value, line));
  if (!('apiVersion' in one)) throw new Error(one.expected);
  return one;
};
const object = (kind: string, name: string, metadata: object = {}, line = 1, more: object = {}): Named =>
  named({ apiVersion: 'v1', kind, metadata: { name, namespace: 'shop', ...metadata }, ...more }, line);

describe('an object', () => {
  it('has names, or lacks one', () => {
    const { value, at: _, ...names } = object('Pod', 'a', { uid: 'u', x: 1 });
    expect(names).toEqual({
      apiVersion: 'v1',
      kind: 'Pod',
      name: 'a',
      namespace: 'shop',
      uid: 'u',
      metadata: { name: 'a', namespace: 'shop', uid: 'u', x: 1 },
    });
    expect(value).toMatchObject({ kind: 'Pod' });
    expect(object('Pod', 'a', { namespace: '', uid: 7 })).toMatchObject({ namespace: undefined, uid: undefined });
    const lacks = (given: object) => {
      const { path, expected, found: instead } = namedOf(found(given)) as { path: string; expected: string; found: string };
      return `${path}: expected ${expected}, found ${instead}`;
    };
    const whole = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } };
    expect(
      [
        {},
        { ...whole, apiVersion: '' },
        { ...whole, kind: 1 },
        { ...whole, metadata: [] },
        { ...whole, metadata: { name: { long: 'x'.repeat(60) } } },
      ].map(lacks),
    ).toEqual([
      'apiVersion: expected an apiVersion such as apps/v1, found nothing',
      'apiVersion: expected an apiVersion such as apps/v1, found ""',
      'kind: expected a kind, found 1',
      'metadata: expected the metadata of an object, found []',
      `metadata.name: expected a name, found {"long":"${'x'.repeat(51)}`,
    ]);
  });

  it('has a title and a version', () => {
    expect([titleOf({ kind: 'Node', namespace: undefined, name: 'n' }), titleOf({ kind: 'Pod', namespace: 'shop', name: 'a' })]).toEqual([
      'Node n',
      'Pod shop/a',
    ]);
    expect(['v1', 'apps/v1', 'a.b/v1/x'].map((apiVersion) => versionOf({ apiVersion }))).toEqual([
      ['', 'v1'],
      ['apps', 'v1'],
      ['a.b', 'v1/x'],
    ]);
  });

  it('has owners that are named completely', () => {
    const of = { apiVersion: 'v1', kind: 'Job', name: 'pi', uid: 'u' };
    const owners = (ownerReferences: unknown) => ownersOf({ metadata: { ownerReferences } });
    expect(owners([{ ...of, controller: true }, 'text', null, ...Object.keys(of).map((key) => ({ ...of, [key]: '' }))])).toEqual([of]);
    expect([owners(undefined), owners('none')]).toEqual([[], []]);
  });
});

describe('what is named twice', () => {
  const of = (...all: readonly Named[]) => {
    const { kept, problems } = once(all);
    return {
      kept: kept.map((one) => one.at().line),
      problems: problems.map(({ line, path, expected, found: instead }) => `${line} ${path}: expected ${expected}, found ${instead}`),
    };
  };

  it('is one object; of two states the newer counts', () => {
    const [old, young] = [
      object('Pod', 'a', { uid: 'u', resourceVersion: '9' }, 1),
      object('Pod', 'a', { uid: 'u', resourceVersion: '10' }, 2),
    ];
    expect([of(old, young), of(young, old), of(old, old)]).toEqual([
      { kept: [2], problems: [] },
      { kept: [2], problems: [] },
      { kept: [1], problems: [] },
    ]);
    expect(
      of(
        object('Pod', 'a', { resourceVersion: 'x' }, 1),
        object('Pod', 'a', { resourceVersion: 5 }, 2),
        object('Pod', 'a', { resourceVersion: '1' }, 3),
      ).kept,
    ).toEqual([3]);
  });

  it('contradicts itself with another uid, or the uid of another', () => {
    expect(of(object('Pod', 'a', { uid: 'u' }, 1), object('Pod', 'a', { uid: 'v' }, 2), object('Pod', 'a', {}, 3))).toEqual({
      kept: [1],
      problems: [
        '2 metadata.uid: expected the uid u that Pod shop/a has at f:1 (are these two clusters?), found v',
        '3 metadata.uid: expected the uid u that Pod shop/a has at f:1 (are these two clusters?), found nothing',
      ],
    });
    expect(of(object('Pod', 'a', {}, 1), object('Pod', 'a', { uid: 'v' }, 2)).problems).toEqual([
      '2 metadata.uid: expected the uid (none) that Pod shop/a has at f:1 (are these two clusters?), found v',
    ]);
    expect(
      of(
        object('Pod', 'a', { uid: 'u', resourceVersion: '1' }, 1),
        object('Pod', 'a', { uid: 'u', resourceVersion: '2' }, 2),
        object('Job', 'b', { uid: 'u' }, 3),
      ),
    ).toEqual({
      kept: [2],
      problems: ['3 metadata.uid: expected a uid that no other object has, found that of Pod shop/a at f:2'],
    });
  });

  it('is not what differs in kind, namespace or group', () => {
    expect(
      of(
        object('Pod', 'a', {}, 1),
        object('Job', 'a', {}, 2),
        object('Pod', 'a', { namespace: 'x' }, 3),
        named({ apiVersion: 'x.io/v1', kind: 'Pod', metadata: { name: 'a', namespace: 'shop' } }, 4),
      ).kept,
    ).toEqual([1, 2, 3, 4]);
    expect(
      of(
        named({ apiVersion: 'apps/v1', kind: 'Pod', metadata: { name: 'a' } }, 1),
        named({ apiVersion: 'apps/v1beta1', kind: 'Pod', metadata: { name: 'a' } }, 2),
      ).kept,
    ).toEqual([1]);
  });
});

describe('objects of a dump', () => {
  const registry = kindsFor(namesFor('k8s.io'));
  const check = (...all: readonly Named[]) => {
    const { stored, problems, notes } = contradictions(
      all.map((one) => ({ named: one, object: one.value as never })),
      registry,
    );
    return {
      objects: stored.map((each) => each.object as unknown as { metadata: { uid?: string; ownerReferences?: readonly object[] } }),
      problems: problems.map(
        ({ line, path, expected, found: instead, suggestion }) =>
          `${line} ${path}: expected ${expected}, found ${instead}${suggestion === undefined ? '' : `, ${suggestion}?`}`,
      ),
      notes,
    };
  };
  const owner = (kind: string, name: string, uid: string) => ({ apiVersion: 'v1', kind, name, uid });
  const spec = (nodeName: string) => ({ spec: { nodeName } });

  it('run on nodes that are there, where the dump has nodes', () => {
    const node = object('Node', 'node-1', { uid: 'n', namespace: undefined });
    const pods = [
      object('Pod', 'a', { uid: 'a' }, 2, spec('node-1')),
      object('Pod', 'b', { uid: 'b' }, 3, spec('node-2')),
      object('Pod', 'c', { uid: 'c' }, 4, spec('zzz')),
      object('Job', 'd', { uid: 'd' }, 5, spec('node-3')),
    ];
    expect(check(node, ...pods).problems).toEqual([
      '3 spec.nodeName: expected one of the 1 nodes of the dump, found "node-2", "node-1"?',
      '4 spec.nodeName: expected one of the 1 nodes of the dump, found "zzz"',
    ]);
    expect(check(...pods).problems).toEqual([]);
  });

  it('have owners that are there; owners of kinds that are not in the dump are set aside', () => {
    const job = object('Job', 'pi', { uid: 'pi' });
    const pod = (name: string, ...owners: readonly object[]) => object('Pod', name, { uid: name, ownerReferences: owners }, 2);
    const { objects, problems, notes } = check(
      job,
      pod('a', owner('Job', 'pi', 'pi')),
      pod('b', owner('Job', 'gone', 'x'), owner('Job', 'pi', 'pi')),
      pod('c', owner('ReplicaSet', 'web', 'y')),
      pod('d', owner('Policy', 'p', 'z'), owner('ReplicaSet', 'web', 'y')),
      pod('e'),
    );
    expect(problems).toEqual(['2 metadata.ownerReferences: expected an owner that the dump has, found Job gone with uid x, which is gone']);
    expect(notes).toEqual([
      'the dump has no ReplicaSet: 2 references to owners of this kind are set aside, so that nothing is collected',
      'the dump has no Policy: 1 reference to an owner of this kind is set aside, so that nothing is collected',
    ]);
    expect(objects.map(({ metadata }) => metadata.ownerReferences)).toEqual([
      undefined,
      [owner('Job', 'pi', 'pi')],
      [owner('Job', 'pi', 'pi')],
      undefined,
      undefined,
      [],
    ]);
  });

  it('that have no uid get the one by which their dependents know them, or a new one', () => {
    const { objects, problems } = check(
      object('ConfigMap', 'none'),
      object('Job', 'pi'),
      object('Node', 'n1', { namespace: undefined }),
      object('Pod', 'a', { uid: 'a', ownerReferences: [owner('Job', 'pi', 'u-pi'), owner('Node', 'n1', 'u-n1')] }),
      object('Job', 'other', { ownerReferences: [owner('Secret', 'taken', 'a')] }),
      object('Secret', 'taken'),
    );
    expect(objects.map(({ metadata }) => metadata.uid)).toEqual([
      '00000000-0000-4000-8000-000000000000',
      'u-pi',
      'u-n1',
      'a',
      '00000000-0000-4000-8000-000000000004',
      '00000000-0000-4000-8000-000000000005',
    ]);
    expect(problems).toEqual([]);
  });
});
