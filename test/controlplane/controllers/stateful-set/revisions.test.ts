import { describe, expect, it } from 'vitest';
import type { ControllerRevision, StatefulSet } from '../../../../src/apiserver/kinds/index.ts';
import type { Outcome, Write } from '../../../../src/controlplane/runtime/index.ts';
import { statefulSet } from '../../../../src/controlplane/controllers/stateful-set/controller.ts';
import type { SetMemory } from '../../../../src/controlplane/controllers/stateful-set/input.ts';
import { decide, phrase, recover, resume, statusIn } from '../../../support/reconcile.ts';
import { revisionOf, setOf, setPod } from '../../../support/sets.ts';

const v = (n: number, status: Partial<StatefulSet['status']> = {}, spec: Partial<StatefulSet['spec']> = {}): StatefulSet =>
  setOf('web', { replicas: 1, image: `sim:${n}`, ...spec }, { currentRevision: 'r1', updateRevision: 'r1', collisionCount: 0, ...status });
const history = (...images: readonly number[]): ControllerRevision[] =>
  images.map((image, index) => revisionOf(v(image), `r${image}`, index + 1));
const phrases = (set: StatefulSet, revisions: readonly ControllerRevision[], ...pods: readonly string[]): readonly string[] =>
  decide(statefulSet, { objects: [set, ...revisions, ...pods.map((revision, ordinal) => setPod(set, ordinal, { revision }))] })
    .writes.map(phrase)
    .filter((text) => text.includes('ControllerRevision'));

describe('revisions of a template', () => {
  it('are numbered on from the last', () => {
    const [made] = decide(statefulSet, { objects: [v(3), ...history(1, 2)] }).writes;
    expect(made).toMatchObject({
      op: 'create',
      object: {
        kind: 'ControllerRevision',
        revision: 3,
        metadata: { labels: { app: 'web', 'controller.kubernetes.io/hash': expect.any(String) } },
      },
    });
  });

  it("carry the set's annotations", () => {
    const [made] = decide(statefulSet, { objects: [setOf('web', {}, {}, { annotations: { cause: 'x' } })] }).writes;
    expect(made).toMatchObject({ object: { metadata: { annotations: { cause: 'x' } } } });
  });

  it('stay while the template stays', () => expect(phrases(v(1), history(1), 'r1')).toEqual([]));

  it('get the greatest number again when the template is reverted', () => {
    const outcome = decide(statefulSet, {
      objects: [v(1, { currentRevision: 'r2' }), ...history(1, 2), setPod(v(1), 0, { revision: 'r2' })],
    });
    expect(outcome.writes[0]).toMatchObject({ op: 'update', object: { metadata: { name: 'r1' }, revision: 3 } });
    expect(outcome.writes.map(phrase)).toContain('delete Pod web-0');
    expect(statusIn(outcome)).toMatchObject({ updateRevision: 'r1', currentRevision: 'r2' });
  });

  it('are deleted beyond the limit, the oldest first, unless a pod has them', () => {
    const set = v(5, { currentRevision: 'r5' }, { revisionHistoryLimit: 1 });
    expect(phrases(set, history(1, 2, 3, 4, 5), 'r5')).toEqual([
      'delete ControllerRevision r1',
      'delete ControllerRevision r2',
      'delete ControllerRevision r3',
    ]);
    expect(phrases(set, history(1, 2, 3, 4, 5), 'r1')).toEqual(['delete ControllerRevision r2', 'delete ControllerRevision r3']);
    expect(phrases(v(5, { currentRevision: 'r2' }, { revisionHistoryLimit: 0 }), history(1, 2, 5), 'r5')).toEqual([
      'delete ControllerRevision r1',
    ]);
    expect(phrases(v(5, {}, { revisionHistoryLimit: 3 }), history(1, 2, 3, 4, 5), 'r5')).toEqual([]);
  });

  it('of another owner do not count', () => {
    const [made] = decide(statefulSet, {
      objects: [
        v(2),
        ...history(1),
        revisionOf(v(2), 'other', 7, {
          ownerReferences: [{ apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'else', uid: 'else', controller: true }],
        }),
      ],
    }).writes;
    expect(made).toMatchObject({ op: 'create', object: { revision: 2 } });
  });
});

describe('a revision whose name is taken', () => {
  const set = v(2);
  const objects = [set, ...history(1), setPod(set, 0)];
  const create = decide(statefulSet, { objects }).writes[0] as Extract<Write, { op: 'create' }>;
  const name = create.object.metadata.name ?? '';
  const taken = (write: Write, memory?: unknown): Outcome<SetMemory> =>
    recover(
      statefulSet,
      { objects, memory },
      {
        write,
        status: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason: 'AlreadyExists', code: 409 },
        dropped: [],
      },
    ) as Outcome<SetMemory>;

  it('is read live', () =>
    expect(taken(create).writes).toEqual([{ op: 'get', kind: 'ControllerRevision', namespace: 'default', name, resume: true }]));

  it('is used if its data is the same', () => {
    const same = revisionOf(set, name, 2);
    const outcome = resume(
      statefulSet,
      { objects, memory: taken(create).memory },
      { write: taken(create).writes[0] as Write, object: same },
    );
    expect(outcome.writes.map(phrase)).toEqual(['delete Pod web-0', 'update StatefulSet/status web']);
    expect(statusIn(outcome)).toMatchObject({ updateRevision: name, collisionCount: 0 });
  });

  it('gets another name for each collision, counted in the status', () => {
    const other = { ...revisionOf(v(9), name, 1) };
    const second = resume(
      statefulSet,
      { objects, memory: taken(create).memory },
      { write: taken(create).writes[0] as Write, object: other },
    ) as Outcome<SetMemory>;
    const next = (second.writes[0] as Extract<Write, { op: 'create' }>).object.metadata;
    expect(next.name).not.toBe(name);
    // As in upstream, collisions change only the name.
    expect(next.labels).toEqual(create.object.metadata.labels);
    expect(statusIn(second)).toMatchObject({ collisionCount: 1, updateRevision: next.name });
    const again = taken(second.writes[0] as Write, second.memory);
    const third = resume(statefulSet, { objects, memory: again.memory }, { write: again.writes[0] as Write, object: other });
    expect(statusIn(third)).toMatchObject({ collisionCount: 2 });
  });
});
