/** ControllerRevisions: a template as the patch that restores it, in the text that Go writes. */
import { describe, expect, it } from 'vitest';
import { readRevision, revisionOf, templatePatch, textOf } from '../../../src/controlplane/shared/index.ts';
import { setOf } from '../../support/sets.ts';

describe('the text of stored data', () => {
  it('has its keys in byte order, and what HTML needs is escaped', () => {
    const data = { b: [1, 'x', null, { d: undefined, c: true }], B: '<a> & b', é: '\u2028\u2029"', a: {} };
    expect(textOf(data)).toBe(String.raw`{"B":"\u003ca\u003e \u0026 b","a":{},"b":[1,"x",null,{"c":true}],"é":"\u2028\u2029\""}`);
    expect([textOf(undefined), textOf(null), textOf('a'), textOf(7), textOf([])]).toEqual(['null', 'null', '"a"', '7', '[]']);
  });
});

describe('a revision', () => {
  const set = setOf('web', {}, {}, { annotations: { note: 'x' } });

  it('restores the whole template', () => {
    const template = {
      metadata: { labels: { app: 'web' } },
      spec: { restartPolicy: 'Always', containers: [{ name: 'c', image: 'sim:1' }] },
    };
    const patch = templatePatch(set.spec.template);
    expect(patch.data).toEqual({
      spec: { template: { ...template, metadata: { labels: { app: 'web' }, creationTimestamp: null }, $patch: 'replace' } },
    });
    expect(patch.text).toBe(
      '{"spec":{"template":{"$patch":"replace","metadata":{"creationTimestamp":null,"labels":{"app":"web"}},' +
        '"spec":{"containers":[{"image":"sim:1","name":"c"}],"restartPolicy":"Always"}}}}',
    );
    expect(JSON.stringify(patch.data)).toBe(patch.text);
  });

  it('is owned by its set, with labels of the template and its own', () => {
    const ownerReferences = [
      { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'web', uid: 'uid-web', controller: true, blockOwnerDeletion: true },
    ];
    expect(revisionOf(set, 'web-1', { app: 'other', hash: '1' }, 3)).toStrictEqual({
      apiVersion: 'apps/v1',
      kind: 'ControllerRevision',
      metadata: { name: 'web-1', namespace: 'default', labels: { app: 'other', hash: '1' }, annotations: { note: 'x' }, ownerReferences },
      data: templatePatch(set.spec.template).data,
      revision: 3,
    });
    expect(Object.keys(revisionOf(setOf('web'), 'web-1', {}, 1).metadata)).toEqual(['name', 'namespace', 'labels', 'ownerReferences']);
  });

  it('whose name is taken is read from the API server', () => {
    expect(readRevision(set, 'web-1')).toEqual({
      why: 'revision web-1 exists already: read it from the API server to compare',
      writes: [{ op: 'get', kind: 'ControllerRevision', namespace: 'default', name: 'web-1', resume: true }],
    });
  });
});
