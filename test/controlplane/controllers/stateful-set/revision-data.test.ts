import { describe, expect, it } from 'vitest';
import type { StatefulSet } from '../../../../src/apiserver/kinds/index.ts';
import { templatePatch, textOf } from '../../../../src/controlplane/shared/index.ts';
import { revisionHash, revisionName, templateIn } from '../../../../src/controlplane/controllers/stateful-set/revisions.ts';
import { setOf } from '../../../support/sets.ts';

/** The template of a recorded set, and the name of its first revision. */
const recorded = {
  metadata: {
    creationTimestamp: null,
    labels: { app: 's' },
    annotations: { 'sim/ready-delay': '0.5', 'sim/start-delay': '0.5', 'sim/term-delay': '0.5' },
  },
  spec: {
    containers: [
      {
        name: 'c',
        image: 'sim:1',
        resources: {},
        terminationMessagePath: '/dev/termination-log',
        terminationMessagePolicy: 'File',
        imagePullPolicy: 'IfNotPresent',
      },
    ],
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 5,
    dnsPolicy: 'ClusterFirst',
    securityContext: {},
    schedulerName: 'default-scheduler',
  },
} as unknown as StatefulSet['spec']['template'];

describe('the data of a revision', () => {
  it('hashes to the recorded names', () => {
    const { text } = templatePatch(recorded);
    expect(revisionName('s', revisionHash(text, 0))).toBe('s-5cf7c76d9f');
    const second = {
      ...recorded,
      spec: { ...recorded.spec, containers: recorded.spec.containers.map((container) => ({ ...container, image: 'sim:2' })) },
    };
    expect(revisionName('s', revisionHash(templatePatch(second).text, 0))).toBe('s-848c4b5848');
  });

  it('has another name for each collision', () => {
    const { text } = templatePatch(recorded);
    expect(new Set([0, 1, 2, 3].map((collisions) => revisionHash(text, collisions))).size).toBe(4);
  });

  it('is computed once per template', () => expect(templatePatch(recorded)).toBe(templatePatch(recorded)));

  it('is compared independent of the order of fields, and escaped as in Go', () => {
    expect(textOf({ b: [1, { z: null, a: '<&>' }], a: undefined })).toBe('{"b":[1,{"a":"\\u003c\\u0026\\u003e","z":null}]}');
    expect(textOf({ a: 1, b: 2 })).toBe(textOf({ b: 2, a: 1 }));
  });

  it('restores the template', () => {
    const set = setOf('web', { image: 'sim:2' });
    expect(templateIn(templatePatch(recorded).data, set)).toEqual(recorded);
    expect(templateIn({ spec: {} }, set)).toBe(set.spec.template);
    expect(templateIn(undefined, set)).toBe(set.spec.template);
  });

  it("has a name with the set's name truncated", () => expect(revisionName('x'.repeat(250), 'h')).toHaveLength(225));
});
