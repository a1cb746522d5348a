/** Questions in words, as steps: what each asks for, and what is said of one that cannot be asked. */
import { describe, expect, it } from 'vitest';
import { kindsFor } from '../../../../src/apiserver/kinds/index.ts';
import { namesFor } from '../../../../src/apiserver/machinery/index.ts';
import { BadInput } from '../../../../src/surfaces/cli/exit.ts';
import { type Asked, readQuestion } from '../../../../src/surfaces/cli/what-if/question.ts';

const node = (name: string, zone?: string, more: object = {}, key = 'topology.kubernetes.io/zone') => ({
  name,
  ...(zone === undefined ? {} : { labels: { [key]: zone } }),
  ...more,
});
const object = (kind: string, name: string, namespace?: string) => ({
  kind,
  metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
});
const NODES = [
  node('n-1', 'a'),
  node('n-2', 'b', {}, 'topology.orch.io/zone'),
  node('n-3', 'a', {}, 'failure-domain.beta.kubernetes.io/zone'),
  node('n-4', 'a', { restored: 'down' }),
  node('n-5'),
];
const asked = (more: object = {}): Asked =>
  ({
    scenario: { cluster: { nodes: NODES }, from: { snapshot: {} } },
    kinds: kindsFor(namesFor('k8s.io')),
    objects: () => [
      object('Deployment', 'web', 'shop'),
      object('Deployment', 'db', 'a'),
      object('Deployment', 'db', 'b'),
      object('Namespace', 'shop'),
    ],
    atMs: 60_000,
    manifests: (path: string) => [{ object: { kind: 'ConfigMap', metadata: { name: path } } }],
    ...more,
  }) as unknown as Asked;
const read = (question: string, of = asked()) => readQuestion(question === '' ? [] : question.split(' '), of);
const said = (question: string, of = asked()): string => {
  try {
    read(question, of);
  } catch (error) {
    if (error instanceof BadInput) return error.message;
    throw error;
  }
  return '';
};

const FIRST = { timing: { when: 'at', atMs: 60_000 } };
const NEXT = { timing: { when: 'next' } };
const after = (afterMs: number) => ({ timing: { when: 'after', afterMs } });
const MINUTE = 60_000;
const drain = (name: string) => ({
  verb: 'drain',
  target: { kind: 'Node', name },
  ignoreDaemonSets: true,
  deleteEmptyDirData: true,
  force: true,
  timeoutMs: 20 * MINUTE,
});
const fault = (name: string, subject: string) => ({ verb: 'fault', fault: { name, subject, parameters: {} } });

describe('a question', () => {
  it('drains nodes one after the other', () => {
    expect(read('drain n-1 node/n-2 nodes/n-5')).toEqual({
      steps: [
        { ...FIRST, ...drain('n-1') },
        { ...NEXT, ...drain('n-2') },
        { ...NEXT, ...drain('n-5') },
      ],
      forMs: 30 * MINUTE,
    });
  });

  it('loses nodes or a zone, for ever or for a time', () => {
    expect(read('lose n-1 n-5')).toEqual({
      steps: [
        { ...FIRST, ...fault('nodeDown', 'n-1') },
        { ...NEXT, ...fault('nodeDown', 'n-5') },
      ],
      forMs: 30 * MINUTE,
    });
    // A node that is down already is not lost, and labels of older releases name zones too.
    expect(read('lose zone a for 20m')).toEqual({
      steps: [
        { ...FIRST, ...fault('nodeDown', 'n-1') },
        { ...NEXT, ...fault('nodeDown', 'n-3') },
        { ...after(20 * MINUTE), ...fault('nodeUp', 'n-1') },
        { ...NEXT, ...fault('nodeUp', 'n-3') },
      ],
      forMs: 50 * MINUTE,
    });
    expect(read('lose zone b').steps).toEqual([{ ...FIRST, ...fault('nodeDown', 'n-2') }]);
  });

  it('scales, applies and deletes', () => {
    const web = { kind: 'Deployment', name: 'web', namespace: 'shop' };
    const forMs = 30 * MINUTE;
    expect(read('scale deploy/web 12')).toEqual({ steps: [{ ...FIRST, verb: 'scale', target: web, replicas: 12 }], forMs });
    expect(read('scale Deployment/shop/web 0').steps).toEqual([{ ...FIRST, verb: 'scale', target: web, replicas: 0 }]);
    expect(read('apply a.yaml')).toEqual({
      steps: [{ ...FIRST, verb: 'apply', objects: [{ object: { kind: 'ConfigMap', metadata: { name: 'a.yaml' } } }] }],
      forMs,
    });
    expect(read('delete deploy/web')).toEqual({ steps: [{ ...FIRST, verb: 'delete', target: web }], forMs });
    expect(read('delete ns/shop').steps).toEqual([{ ...FIRST, verb: 'delete', target: { kind: 'Namespace', name: 'shop' } }]);
    expect(read('delete deploy/b/db').steps).toEqual([
      { ...FIRST, verb: 'delete', target: { kind: 'Deployment', name: 'db', namespace: 'b' } },
    ]);
  });

  it('upgrades the nodes that are there, one by one', () => {
    const turn = (name: string, begins: object) => [
      { ...begins, ...drain(name) },
      { ...NEXT, ...fault('nodeDown', name) },
      { ...after(2 * MINUTE), ...fault('nodeUp', name) },
      { ...NEXT, verb: 'uncordon', target: { kind: 'Node', name } },
    ];
    const whole = {
      steps: [...turn('n-1', FIRST), ...['n-2', 'n-3', 'n-5'].flatMap((name) => turn(name, after(MINUTE)))],
      forMs: (4 * 23 + 30) * MINUTE,
    };
    expect(read('upgrade nodes one by one')).toEqual(whole);
    expect(read('upgrade nodes')).toEqual(whole);
  });
});

const FORMS = `
  drain NODE…
  lose NODE… [for 20m]
  lose zone ZONE [for 20m]
  scale KIND/NAME COUNT
  apply FILE
  delete KIND/NAME
  upgrade nodes one by one`;

describe('what cannot be asked', () => {
  it.each([
    ['', `expected a question, found ""${FORMS}`],
    ['drian n-1', `expected a question, found "drian n-1"; did you mean "drain"?${FORMS}`],
    ['upgrad nodes', `expected a question, found "upgrad nodes"; did you mean "upgrade"?${FORMS}`],
    ['drain', 'expected the name of a node (there are n-1, n-2, n-3, n-4, n-5)'],
    ['drain n-1 n-6', 'there is no node "n-6"; did you mean "n-1"?; there are n-1, n-2, n-3, n-4, n-5'],
    ['lose', 'expected the name of a node (there are n-1, n-2, n-3, n-4, n-5)'],
    ['lose n-1 for', 'lose … for: expected a duration such as 20m, found ""'],
    ['lose n-1 for ever', 'lose … for: expected a duration such as 20m, found "ever"'],
    ['lose n-1 for 20m more', 'lose … for: expected a duration such as 20m, found "20m more"'],
    ['lose zone', `expected one word, found ""${FORMS}`],
    ['lose zone a b', `expected one word, found "a b"${FORMS}`],
    ['lose zone c', 'no node is in zone "c" (there are a, b)'],
    ['scale deploy/web', `expected two words, found "deploy/web"${FORMS}`],
    ['scale deploy/web 1 2', `expected two words, found "deploy/web 1 2"${FORMS}`],
    ['scale deploy/web many', 'scale: expected a number of replicas, found "many"'],
    ['scale deploy/web 1000000', 'scale: expected a number of replicas, found "1000000"'],
    ['scale deploy/web -1', 'scale: expected a number of replicas, found "-1"'],
    ['scale deploy/web 1x', 'scale: expected a number of replicas, found "1x"'],
    ['apply', `expected one word, found ""${FORMS}`],
    ['delete', `expected one word, found ""${FORMS}`],
    ['delete web', 'expected an object such as deploy/web or deploy/shop/web, found "web"'],
    ['delete deploy/', 'expected an object such as deploy/web or deploy/shop/web, found "deploy/"'],
    ['delete a/b/c/d', 'expected an object such as deploy/web or deploy/shop/web, found "a/b/c/d"'],
    ['delete deploymnt/web', 'there is no kind "deploymnt"; did you mean Deployment? (orchsim kinds lists them)'],
    ['delete deploy/wbe', 'the dump has no Deployment "wbe"; did you mean "web"?'],
    ['delete deploy/a/web', 'the dump has no Deployment "a/web"; did you mean "web"?'],
    ['delete deploy/db', 'there are 2 of this name: deploy/a/db, deploy/b/db'],
    ['upgrade', 'expected upgrade nodes one by one, found "upgrade "'],
    ['upgrade nodes all', 'expected upgrade nodes one by one, found "upgrade nodes all"'],
  ])('%s', (question, message) => {
    expect(said(question)).toBe(message);
  });

  it('of a cluster without nodes, zones or a dump', () => {
    const of = (nodes: readonly object[]) => asked({ scenario: { cluster: { nodes } } });
    expect(said('drain n-1', of([]))).toBe('there is no node "n-1"; there is none');
    expect(said('drain', of([]))).toBe('expected the name of a node (there is none)');
    expect(said('drain x', of(NODES.concat(node('n-6'))))).toMatch(/; there are n-1, n-2, n-3, n-4, n-5, …$/);
    expect(said('lose zone a', of([node('n-1')]))).toBe('no node has a label topology.kubernetes.io/zone: name the nodes instead');
    expect(said('lose zone a', of([node('n-1', 'a', { restored: 'down' })]))).toBe('no node is in zone "a" (there are a)');
    expect(said('delete deploy/x', of(NODES))).toBe('there is no Deployment "x"');
  });
});
