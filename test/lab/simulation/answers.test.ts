/** The answers of the server to the steps of a scenario: which end it, and what their failures say. */
import { describe, expect, it } from 'vitest';
import type { SimulateOptions } from '../../../src/lab/simulation/index.ts';
import { runScenario } from '../../support/scenarios.ts';

const HERE = '{ apiVersion: v1, kind: ConfigMap, metadata: { name: here } }';
const NEW = '{ apiVersion: v1, kind: ConfigMap, metadata: { name: new } }';
const BAD = '{ apiVersion: v1, kind: ConfigMap, metadata: { name: Bad_, labels: { "a b": c } } }';

const run = (steps: readonly string[], options: SimulateOptions = {}) =>
  runScenario(
    `apiVersion: scenario.orch.io/v1\nkind: Scenario\nmetadata: { name: answers }\nspec:\n  until: 1s\n  cluster: { nodes: { count: 0 }, managedFields: true }\n  steps:\n    - create: ${HERE}\n${steps.map((step) => `    - { ${step} }\n`).join('')}`,
    { trace: true, ...options },
  );
const failures = (...steps: readonly string[]) => run(steps).failures.map(({ kind, message, detail }) => [kind, message, ...detail]);
const AGAIN = '409 AlreadyExists: configmaps "here" already exists';

describe('a write', () => {
  it.each<[string, readonly (readonly string[])[]]>([
    [`create: ${NEW}`, []],
    [`create: ${HERE}`, [['step', `the server refused it: ${AGAIN}`]]],
    [`code: 409, create: ${HERE}`, []],
    [`code: 201, create: ${NEW}`, []],
    [`code: 200, create: ${NEW}`, []],
    [`code: 404, create: ${NEW}`, [['step', 'expected the answer 404, but the server accepted it (201)']]],
    [`code: 404, create: ${HERE}`, [['step', `expected the answer 404, but the server refused it: ${AGAIN}`]]],
    [`code: 201, create: ${HERE}`, [['step', `expected the answer 201, but the server refused it: ${AGAIN}`]]],
    [`code: 300, create: ${NEW}`, [['step', 'expected the answer 300, but the server accepted it (201)']]],
    [`code: 404, delete: ConfigMap/none`, []],
    [`delete: { target: ConfigMap/none, ignoreNotFound: true }`, []],
    [`delete: { kind: ConfigMap, labels: { a: b } }`, [['step', 'nothing matches ConfigMap with a=b']]],
  ])('%s', (step, found) => {
    expect(failures(step)).toEqual(found);
  });

  it('of an invalid object has a line for each reason', () => {
    const made = failures(
      `patch: { target: ConfigMap/here, type: json, patch: [{ op: add, path: /metadata/labels, value: { "a b": c, "d e": f } }] }`,
    );
    expect(made).toHaveLength(1);
    expect(made[0]?.slice(0, 2)).toEqual(['step', 'the server refused it: 422 Invalid: ConfigMap "here" is invalid']);
    expect(made[0]?.slice(2).every((line) => line.startsWith('  metadata.labels: '))).toBe(true);
    expect(made[0]?.length).toBeGreaterThan(3);
  });

  it('that is refused ends the scenario, one whose answer was stated does not', () => {
    const after = `create: ${NEW}`;
    const made = (...steps: readonly string[]) => run(steps).cluster.store.get('ConfigMap', 'default/new') !== undefined;
    expect([made(`create: ${HERE}`, after), made(`code: 201, create: ${HERE}`, after), made(`code: 409, create: ${HERE}`, after)]).toEqual([
      false,
      true,
      true,
    ]);
  });

  it('of several objects ends at the first that is refused', () => {
    const { failures: found, cluster } = run([`create: [${NEW}, ${HERE}, { apiVersion: v1, kind: ConfigMap, metadata: { name: third } }]`]);
    expect(found).toHaveLength(1);
    expect(['new', 'third'].map((name) => cluster.store.get('ConfigMap', `default/${name}`) !== undefined)).toEqual([true, false]);
  });
});

describe('a user', () => {
  it('is the one of the step; fields are managed by its program, or by its name', () => {
    const asked = (as: string) => {
      const found: unknown[] = [];
      run([`${as}apply: ${NEW}`, `${as}patch: { target: ConfigMap/new, patch: { data: { a: b } } }`], {
        onRequest({ envelope: { request, by } }) {
          if (!('user' in request)) return;
          const { verb, user, userAgent, fieldManager } = request as {
            verb: string;
            user?: object;
            userAgent?: string;
            fieldManager?: string;
          };
          if (request.kind === 'ConfigMap' && by.process !== 'controller-manager')
            found.push([verb, by.process, user, userAgent, fieldManager]);
        },
      });
      return found.slice(1);
    };
    const groups = ['system:masters'];
    const [user, jane] = [
      { name: 'user', groups },
      { name: 'jane', groups },
    ];
    expect(asked('')).toEqual([
      ['create', 'user', user, undefined, undefined],
      ['patch', 'user', user, undefined, 'user'],
    ]);
    expect(asked('as: { user: jane }, ')).toEqual([
      ['create', 'jane', jane, undefined, undefined],
      ['patch', 'jane', jane, undefined, 'jane'],
    ]);
    expect(asked('as: { user: jane, userAgent: "kubectl/v1.24" }, ')).toEqual([
      ['create', 'jane', jane, 'kubectl/v1.24', undefined],
      ['patch', 'jane', jane, 'kubectl/v1.24', 'kubectl'],
    ]);
  });
});

describe('an expected error', () => {
  const DELETE = 'delete: ConfigMap/none';
  it.each<[string, readonly (readonly string[])[]]>([
    [`{ ${DELETE}, code: 404 }`, []],
    [`{ ${DELETE}, code: 404, reason: NotFound, message: not found }`, []],
    [`{ create: ${NEW}, code: 422 }`, [['step', 'expected an error 422, but the server accepted it']]],
    [`{ create: ${NEW}, reason: Conflict }`, [['step', 'expected an error, but the server accepted it']]],
    [
      `{ ${DELETE}, code: 409, reason: Conflict, field: spec.x, message: busy }`,
      [
        [
          'step',
          'the server refused it with another error than expected',
          '  code     expected 409  found 404',
          '  reason   expected Conflict  found NotFound',
          '  field    expected spec.x  found none',
          '  message  expected to contain busy  found configmaps "none" not found',
        ],
      ],
    ],
    [
      `{ ${DELETE}, reason: Conflict }`,
      [['step', 'the server refused it with another error than expected', '  reason   expected Conflict  found NotFound']],
    ],
    [`{ create: ${BAD}, field: metadata.name }`, []],
    [
      `{ create: ${BAD}, field: spec }`,
      [
        [
          'step',
          'the server refused it with another error than expected',
          '  field    expected spec  found metadata.name, metadata.labels',
        ],
      ],
    ],
    ['{ delete: { kind: ConfigMap, labels: { a: b } }, code: 404 }', [['step', 'nothing matches ConfigMap with a=b']]],
  ])('%s', (error, found) => {
    expect(failures(`expectError: ${error}`)).toEqual(found);
  });
});

describe('a fault', () => {
  it('has its parameters as the scenario writes them', () => {
    const { trace } = run([
      'fault: { lag: controller-manager, by: 3s, for: 1m, kinds: [Pod, Job] }',
      'fault: { failRequest: controller-manager, code: 500, times: 2 }',
      'fault: { crash: scheduler }',
    ]);
    expect(trace?.entries.flatMap((entry) => (entry.type === 'fault' ? [[entry.fault, entry.given?.text]] : []))).toEqual([
      ['lag', 'by: 3s, for: 1m, kinds: [Pod, Job]'],
      ['failRequest', 'code: 500, times: 2'],
      ['crash', ''],
    ]);
  });

  it('that cannot happen fails the step', () => {
    expect(failures('fault: { crash: scheduler }', 'fault: { crash: scheduler }')).toEqual([['step', expect.any(String)]]);
  });
});
