/** Files of other things than one scenario: manifests alone, faults alone, manifests of several files, and what is none of these. */
import { describe, expect, it } from 'vitest';
import { parseFault, parseManifestFiles, parseManifests, parseScenarios, scenarioHead } from '../../../src/lab/scenario/index.ts';
import { formatProblem, type Problem } from '../../../src/lab/scenario/index.ts';
import { vocabulary as everything } from '../../../src/lab/vocabulary.ts';
import { vocabulary } from './vocabulary.ts';

const options = { ...vocabulary, file: 'f' };
const lines = (problems: readonly Problem[]) => problems.map(formatProblem);
const MAP = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n';

describe('a fault alone', () => {
  const read = (text: string) => {
    const found = parseFault(text, options);
    return 'fault' in found ? found.fault : lines(found.problems);
  };
  it.each<[string, unknown]>([
    ['{ crash: scheduler, restartAfter: 2s }', { name: 'crash', subject: 'scheduler', parameters: { restartAfter: 2_000 } }],
    ['', ['f:1:1: expected a mapping with the name of a fault, found nothing']],
    ['crash: scheduler\n---\nnodeUp: a\n', ['f:3:1: expected one fault, found 2 documents']],
    ['crash: scheduler\n---\nnodeUp: a\n---\nx: 1\n', ['f:3:1: expected one fault, found 3 documents']],
    [
      '{ crush: scheduler }',
      [expect.stringMatching(/^f:1:3: expected the name of a fault \(crash, lag, .*\), found "crush"; did you mean "crash"\?$/)],
    ],
    ['{ crash: schedular }', [expect.stringMatching(/^f:1:10: crash: expected controller-manager or scheduler/)]],
    ['text', ['f:1:1: expected a mapping with the name of a fault, found "text"']],
    ['{}', [expect.stringMatching(/^f:1:1: expected the name of a fault/)]],
    ['crash: [', ['f:1:8: expected a ] that closes this [, found none']],
  ])('%j', (text, found) => {
    expect(read(text)).toEqual(found);
  });
});

describe('manifests', () => {
  const read = (text: string) => {
    const found = parseManifests(text, options);
    return 'manifests' in found
      ? found.manifests.map(({ object, source }) => [object.kind, `${source?.line}:${source?.col}`])
      : lines(found.problems);
  };
  it('are read, also from lists, each with its place', () => {
    expect(
      read(`${MAP}---\nkind: List\napiVersion: v1\nitems:\n- { apiVersion: v1, kind: Pod }\n- { apiVersion: v1, kind: Job }\n`),
    ).toEqual([
      ['ConfigMap', '1:1'],
      ['Pod', '8:3'],
      ['Job', '9:3'],
    ]);
    expect(read('')).toEqual([]);
    expect(read('apiVersion: v1\nkind: Jbo\n')).toEqual([expect.stringMatching(/^f:2:7: kind: expected .*did you mean "Job"\?$/)]);
  });

  describe('of several files', () => {
    const { kindsOf, schemaOf, ...names } = everything();
    const whole = { ...names, ...(kindsOf === undefined ? {} : { kindsOf }), ...(schemaOf === undefined ? {} : { schemaOf }) };
    const readAll = (files: Readonly<Record<string, string>>, more: object = {}) => {
      const found = parseManifestFiles(
        Object.entries(files).map(([file, text]) => ({ file, text })),
        { ...whole, ...more },
      );
      return 'problems' in found
        ? lines(found.problems)
        : {
            ...found,
            foreign: [...found.foreign],
            manifests: found.manifests.map(({ object, source }) => `${source?.file} ${object.kind}`),
          };
    };
    const monitor = 'apiVersion: monitoring.coreos.com/v1\nkind: ServiceMonitor\nmetadata: { name: m }\n';

    it('may have kinds that the server lacks, which are counted', () => {
      expect(
        readAll({
          a: `${MAP}---\n${monitor}---\n${monitor}`,
          b: `kind: List\napiVersion: v1\nitems:\n- { apiVersion: x.io/v1, kind: Other, metadata: { name: o } }\n- ${JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'b' } })}\n`,
        }),
      ).toEqual({
        manifests: ['a ConfigMap', 'b ConfigMap'],
        domain: 'k8s.io',
        foreign: [
          ['ServiceMonitor', 2],
          ['Other', 1],
        ],
      });
    });

    it('are those of the server by kind, unless they are of a group from elsewhere', () => {
      const service = (apiVersion: string): string =>
        `apiVersion: ${apiVersion}\nkind: Service\nmetadata: { name: s }\nspec: { ports: [{ port: 80 }] }\n`;
      expect(readAll({ a: service('serving.knative.dev/v1') })).toEqual({ manifests: [], domain: 'k8s.io', foreign: [['Service', 1]] });
      expect(readAll({ a: service('serving.k8s.io/v1') })).toEqual([
        expect.stringMatching(/^a:1:13: apiVersion: expected v1, the version of Service here, found "serving\.k8s\.io\/v1"/),
      ]);
      expect(readAll({ a: MAP.replace('ConfigMap', 'ConfigMapList\nitems: [{ kind: Pod }]') })).toEqual([
        expect.stringMatching(/^a:2:7: kind: expected .*found "ConfigMapList"/),
      ]);
    });

    it('determine the names, unless these are given', () => {
      const set = 'apiVersion: apps.orch.io/v1\nkind: Other\nmetadata: { name: o }\n';
      expect(readAll({ a: MAP })).toMatchObject({ domain: 'k8s.io' });
      expect(readAll({ a: MAP }, { domain: 'orch.io' })).toMatchObject({ domain: 'orch.io' });
      expect(readAll({ a: MAP }, { strict: true })).toMatchObject({ domain: 'orch.io' });
      expect(readAll({ a: `${MAP}---\n${set}` })).toMatchObject({ domain: 'orch.io', foreign: [['Other', 1]] });
    });

    it('that are strict have only kinds of the server; problems are told file by file', () => {
      expect(readAll({ a: monitor }, { strict: true })).toEqual([expect.stringMatching(/^a:2:7: kind: expected /)]);
      expect(readAll({ a: 'kind: [', b: `${MAP}data: { a: 1 }\n` })).toEqual([
        expect.stringMatching(/^a:1:/),
        'b:4:12: data.a: expected a text, found 1, which without quotes is a number; did you mean "1"?',
      ]);
      expect(readAll({ a: MAP.replace('ConfigMap', 'Confgmap') })).toEqual([expect.stringMatching(/^a:2:7: kind: /)]);
    });
  });
});

describe('manifests without a scenario', () => {
  const read = (text: string, more: object = {}) => {
    const found = parseScenarios(text, { ...options, ...more });
    return 'problems' in found ? lines(found.problems) : found;
  };
  const PLAIN = { plain: 'named' };

  it('make one, where that is asked for', () => {
    expect(read(MAP, PLAIN)).toMatchObject({
      plain: true,
      scenarios: [
        {
          name: 'named',
          domain: 'k8s.io',
          steps: [],
          manifests: [{ object: { kind: 'ConfigMap' } }],
          cluster: { podBehaviors: [{ selector: { matchExpressions: [{ key: 'job-name', operator: 'Exists' }] }, runForMs: 10_000 }] },
        },
      ],
    });
    const cron = read('apiVersion: batch.orch.io/v1\nkind: CronJob\nmetadata: { name: a }\n', PLAIN);
    expect(cron).toMatchObject({ scenarios: [{ domain: 'orch.io', untilMs: 3_600_000 }] });
    const headOf = (found: unknown) => scenarioHead((found as { scenarios: readonly never[] }).scenarios[0] as never);
    const behaviors = [
      '  cluster:',
      '    podBehaviors: [{ selector: { matchExpressions: [{ key: job-name, operator: Exists }] }, runFor: 10s }]',
      '  steps:',
    ];
    const head = ['apiVersion: scenario.orch.io/v1', 'kind: Scenario', 'metadata: { name: named }', 'spec:'];
    expect(headOf(read(MAP, PLAIN))).toEqual([
      ...head,
      '  domain: k8s.io',
      ...behaviors,
      '    - { when: settled, note: The result. }',
      '---',
    ]);
    expect(headOf(cron)).toEqual([...head, '  until: 1h', ...behaviors, '    - { at: 30m, note: The result. }', '---']);
  });

  it.each<[string, string, object, readonly string[]]>([
    ['nothing', '', {}, ['f:1:1: expected a document with apiVersion: scenario.orch.io/v1 and kind: Scenario, found nothing']],
    [
      'manifests',
      MAP,
      {},
      [
        'f:1:1: expected a document with apiVersion: scenario.orch.io/v1 and kind: Scenario, found only manifests (named by itself, the file is run as it is)',
      ],
    ],
    [
      'something else',
      'a: 1\n',
      {},
      ['f:1:1: expected a document with apiVersion: scenario.orch.io/v1 and kind: Scenario, found a mapping with a'],
    ],
    ['a text', 'text\n', PLAIN, ['f:1:1: expected a document with apiVersion: scenario.orch.io/v1 and kind: Scenario, found "text"']],
    ['a wrong manifest alone', 'apiVersion: v1\nkind: Confgmap\n', PLAIN, [expect.stringMatching(/^f:2:7: kind: /) as never]],
  ])('%s is no scenario', (_, text, more, found) => {
    expect(read(text, more)).toEqual(found);
  });

  it('beside scenarios have one name each', () => {
    const scenario = (name: string) => `apiVersion: scenario.orch.io/v1\nkind: Scenario\nmetadata: { name: ${name} }\nspec: {}\n`;
    expect(read(`${scenario('a')}---\n${scenario('b')}---\n${scenario('a')}`)).toEqual([
      'f:13:19: metadata.name: expected a name that no other scenario of the file has, found "a" (also at line 3)',
    ]);
    expect(read('apiVersion: scenario.orch.io/v2\nkind: Scenaro\nmetadata: { name: a }\nspec: {}\n')).toEqual([
      'f:1:13: apiVersion: expected scenario.orch.io/v1, found "scenario.orch.io/v2"; did you mean "scenario.orch.io/v1"?',
      'f:2:7: kind: expected Scenario, found "Scenaro"; did you mean "Scenario"?',
    ]);
  });
});
