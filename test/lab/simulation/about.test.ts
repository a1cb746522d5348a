/** What a step does, in a few words, and the object that its narration is about. */
import { describe, expect, it } from 'vitest';
import {
  aboutOf,
  type DeletedObjects,
  describe as describeAction,
  describeExpectation,
  describeItem,
  watchDeletions,
} from '../../../src/lab/simulation/about.ts';
import type { Action, Expectation, Item, Scenario } from '../../../src/lab/scenario/index.ts';
import { clusterWith, map, node } from './world.ts';

const target = { kind: 'Job', name: 'pi' };

describe('an action in words', () => {
  it.each<[object, string]>([
    [{ verb: 'apply', objects: [{ object: { kind: 'Job', metadata: { name: 'pi' } } }] }, 'apply Job/pi'],
    [{ verb: 'create', objects: [{ object: { kind: 'Pod', metadata: { generateName: 'p-' } } }, { object: {} }] }, 'create Pod/p-, ?/?'],
    [{ verb: 'delete', target }, 'delete Job/pi'],
    [{ verb: 'scale', target, replicas: 3 }, 'scale Job/pi to 3'],
    [{ verb: 'drain', target: { kind: 'Node', name: 'n1' } }, 'drain Node/n1'],
    [{ verb: 'expectError', action: { verb: 'delete', target } }, 'delete Job/pi, which must fail'],
    [{ verb: 'refusedStart', process: 'scheduler' }, 'start scheduler, which must fail'],
    [{ verb: 'waitFor', expectation: { expect: 'absent', target } }, 'wait for no Job/pi'],
    [{ verb: 'fault', fault: { name: 'crash', subject: 'scheduler' } }, 'fault crash scheduler'],
    [{ verb: 'fault', fault: { name: 'failRequest', subject: target } }, 'fault failRequest'],
    [
      {
        verb: 'expect',
        expectations: [
          { expect: 'match', match: { kind: 'Pod' } },
          { expect: 'match', match: { kind: 'Pod' } },
          { expect: 'absent', target },
        ],
      },
      'check Pod, no Job/pi',
    ],
    [{ verb: 'note' }, 'note'],
  ])('%j', (action, words) => {
    expect(describeAction(action as Action)).toBe(words);
  });

  it.each<[object, string]>([
    [{ expect: 'match', match: { kind: 'Pod', metadata: { name: 'a' } } }, 'Pod/a'],
    [{ expect: 'match', match: { kind: 'Pod', metadata: { name: 1 } } }, 'Pod'],
    [{ expect: 'match', match: {} }, '?'],
    [{ expect: 'count', of: { kind: 'Pod', labels: { a: 'b' } } }, 'the number of Pod with a=b'],
    [{ expect: 'cel', expression: { cel: '1 == 1' } }, '1 == 1'],
    [{ expect: 'traffic' }, 'traffic'],
  ])('an expectation: %j', (expectation, words) => {
    expect(describeExpectation(expectation as Expectation)).toBe(words);
  });

  it('an item is its step; a check of a settled cluster says that it waits', () => {
    const check = { verb: 'expect', expectations: [{ expect: 'absent', target }] };
    const of = (step: object, when: string) => describeItem({ step: { ...step, timing: { when } } } as Item);
    expect([of(check, 'settled'), of(check, 'next'), of({ verb: 'note' }, 'settled')]).toEqual([
      'settled; check no Job/pi',
      'check no Job/pi',
      'note',
    ]);
  });
});

describe('the object of a narration', () => {
  const cluster = clusterWith([
    map('a'),
    map('b', ', labels: { app: x }'),
    ...['c', 'd', 'e', 'f', 'g', 'h'].map((name) => `{ apiVersion: v1, kind: Secret, metadata: { name: ${name} } }`),
    node('n1'),
    '{ apiVersion: v1, kind: Service, metadata: { name: web }, spec: { ports: [{ port: 80 }] } }',
    '{ apiVersion: v1, kind: Event, metadata: { name: e1 }, reason: Started, involvedObject: { kind: Job, namespace: default, name: pi } }',
    '{ apiVersion: v1, kind: Event, metadata: { name: e2, namespace: default }, reason: Ready, involvedObject: { kind: Node, name: n1 } }',
    '{ apiVersion: v1, kind: Event, metadata: { name: e3 }, reason: Odd, involvedObject: { name: n1 } }',
  ]);
  const NONE: DeletedObjects = { note: () => undefined, has: () => false };
  const of = (step: object, beside?: object, gone = NONE) => aboutOf(cluster, { step, beside, taken: 1 } as unknown as Item, gone);
  const found = (kind: string, name: string, namespace: string | undefined = 'default') => ({
    about: { kind, name, ...(namespace === undefined ? {} : { namespace }) },
  });
  const A = { kind: 'ConfigMap', name: 'a' };
  const expectation = (more: object) => ({ verb: 'expect', expectations: [more] });

  it('is what the step names, also where that is gone', () => {
    expect(of({ verb: 'note', about: A })).toEqual(found('ConfigMap', 'a'));
    const gone = { note: () => undefined, has: (kind: string, key: string) => `${kind} ${key}` === 'Job other/pi' };
    expect(of({ verb: 'note', about: { ...target, namespace: 'other' } }, undefined, gone)).toEqual(found('Job', 'pi', 'other'));
  });

  it('that never was is a trouble, with what there is', () => {
    expect(of({ verb: 'note', about: target })).toEqual({
      trouble: { message: 'the note is about Job/pi, which does not exist and never did', detail: ['  found no Job'] },
    });
    expect(of({ verb: 'note', about: { kind: 'Node', name: 'n2' } })).toMatchObject({ trouble: { detail: ['  found Node n1'] } });
    expect(of({ verb: 'note', about: { kind: 'Secret', labels: { a: 'b' } } })).toMatchObject({
      trouble: {
        message: 'the note is about Secret with a=b, which does not exist and never did',
        detail: ['  found Secret default/c, default/d, default/e, default/f, default/g'],
      },
    });
  });

  it.each<[string, object, object]>([
    [
      'what is asserted',
      {
        verb: 'note',
        assertions: [
          { expect: 'cel', expression: { cel: 'true' } },
          { expect: 'absent', target },
        ],
      },
      found('Job', 'pi'),
    ],
    ['what is shown', { verb: 'note', look: { at: A } }, found('ConfigMap', 'a')],
    ['what is done, where nothing is there to show', { verb: 'delete', target: A, look: { at: target } }, found('ConfigMap', 'a')],
    [
      'what matches',
      expectation({ expect: 'match', match: { kind: 'ConfigMap', metadata: { labels: { app: 'x' } } } }),
      found('ConfigMap', 'b'),
    ],
    ['nothing, where nothing matches', expectation({ expect: 'match', match: { kind: 'Job' } }), {}],
    ['what an Event is about', expectation({ expect: 'match', match: { kind: 'Event', reason: 'Started' } }), found('Job', 'pi')],
    [
      'a node that an Event is about',
      expectation({ expect: 'match', match: { kind: 'Event', reason: 'Ready' } }),
      { about: { kind: 'Node', name: 'n1' } },
    ],
    [
      'an Event itself that is about nothing',
      expectation({ expect: 'match', match: { kind: 'Event', reason: 'Odd' } }),
      found('Event', 'e3'),
    ],
    [
      'what is counted',
      expectation({ expect: 'count', of: { kind: 'ConfigMap', labels: { app: 'x' } }, bounds: { is: 1 } }),
      found('ConfigMap', 'b'),
    ],
    [
      'what an expression names',
      expectation({ expect: 'cel', expression: { cel: "object('Job/other/pi') == null" } }),
      found('Job', 'pi', 'other'),
    ],
    ['whose events it asks for', expectation({ expect: 'cel', expression: { cel: "events('Job/pi').size() == 1" } }), found('Job', 'pi')],
    ['nothing of an expression that names a kind', expectation({ expect: 'cel', expression: { cel: "objects('Job').size() == 1" } }), {}],
    ['nothing of a text that is no target', expectation({ expect: 'cel', expression: { cel: "object('Job//pi') == null" } }), {}],
    [
      'the service of endpoints',
      expectation({ expect: 'endpoints', question: { service: 'web', namespace: 'other' } }),
      found('Service', 'web', 'other'),
    ],
    [
      'the ingress of a backend',
      expectation({ expect: 'backend', question: { ingress: { kind: 'Ingress', name: 'site' } } }),
      found('Ingress', 'site'),
    ],
    ['nothing of a backend without one', expectation({ expect: 'backend', question: {} }), {}],
    ['nothing of traffic', expectation({ expect: 'traffic', question: {} }), {}],
    [
      'the first that is about something',
      {
        verb: 'expect',
        expectations: [
          { expect: 'traffic', question: {} },
          { expect: 'absent', target: A },
        ],
      },
      found('ConfigMap', 'a'),
    ],
    ['what is waited for', { verb: 'waitFor', expectation: { expect: 'absent', target: A } }, found('ConfigMap', 'a')],
    [
      'the last object that is written',
      { verb: 'apply', objects: [{ object: {} }, { object: { kind: 'Node', metadata: { name: 'n2' } } }] },
      { about: { kind: 'Node', name: 'n2' } },
    ],
    [
      'with its namespace',
      { verb: 'apply', objects: [{ object: { kind: 'Job', metadata: { name: 'pi', namespace: 'other' } } }] },
      found('Job', 'pi', 'other'),
    ],
    ['no object without a name', { verb: 'apply', objects: [{ object: { kind: 'Job', metadata: { generateName: 'pi' } } }] }, {}],
    ['no object without a kind', { verb: 'apply', objects: [{ object: { metadata: { name: 'pi' } } }] }, {}],
    ['no object at all', { verb: 'apply', objects: [] }, {}],
    ['what must fail', { verb: 'expectError', action: { verb: 'delete', target: A } }, found('ConfigMap', 'a')],
    ['nothing of a fault', { verb: 'fault', fault: { name: 'crash', subject: 'scheduler' } }, {}],
  ])('otherwise is %s', (_, step, about) => {
    expect(of(step)).toEqual(about);
  });

  it('is what is checked beside a step that is about nothing', () => {
    const beside = expectation({ expect: 'absent', target: A });
    expect(of({ verb: 'fault', fault: { name: 'crash' } }, beside)).toEqual(found('ConfigMap', 'a'));
    expect(of({ verb: 'delete', target }, beside)).toEqual(found('Job', 'pi'));
  });
});

it('the deletions of objects that notes name are kept, and no others', () => {
  const steps = [{ about: { kind: 'Job', name: 'pi' } }, { about: { kind: 'Pod', labels: {} } }, {}];
  const gone = watchDeletions({ steps } as unknown as Scenario);
  const note = (type: string, kind: string, key: string) =>
    gone.note({ type, kind, key, object: { metadata: { name: key.split('/')[1] } } } as never);
  note('DELETED', 'Job', 'other/pi');
  note('DELETED', 'Job', 'default/phi');
  note('MODIFIED', 'Job', 'default/pi');
  expect(['other/pi', 'default/phi', 'default/pi'].map((key) => gone.has('Job', key))).toEqual([true, false, false]);
  expect(gone.has('Pod', 'other/pi')).toBe(false);
});
