/**
 * The cost of validating a Job, beside that of a compiled JSON Schema validator for the same schema, which `orchsim schema Job` publishes.
 * Ours checks more (Go's errors with their paths, quantities, empty values) and orders members.
 */
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ApiObject, ObjectInput } from '../src/apiserver/machinery/index.ts';
import { decode } from '../src/schema/shape/index.ts';
import { kindJsonSchema } from '../src/surfaces/report/index.ts';
import type { Benchmark, Row } from './benchmark.ts';
import { ask, kinds, names, NOW, openServer } from './server.ts';
import { cpu, inTurns, type Timed } from './measure.ts';

/** A Job of three kilobytes: two containers with common fields. */
function largeJob(): string {
  const container = (name: string): object => ({
    name,
    image: `registry.example.com/team/${name}:1.2.3`,
    command: ['/bin/work', '--verbose', '--mode=batch'],
    workingDir: '/srv',
    env: Array.from({ length: 12 }, (_, at) => ({ name: `SETTING_${at}`, value: `value number ${at}` })),
    ports: [{ name: `${name}-http`, containerPort: 8080, protocol: 'TCP' }],
    resources: { requests: { cpu: '250m', memory: '256Mi' }, limits: { cpu: '1', memory: '1Gi' } },
    volumeMounts: [
      { name: 'scratch', mountPath: '/scratch' },
      { name: 'settings', mountPath: '/etc/settings', readOnly: true },
    ],
  });
  const labels = { app: 'report', team: 'finance', 'example.com/tier': 'batch' };
  return JSON.stringify({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: 'x',
      namespace: 'default',
      labels,
      annotations: { 'example.com/owner': 'somebody@example.com', 'example.com/note': 'n'.repeat(200) },
    },
    spec: {
      parallelism: 4,
      completions: 16,
      backoffLimit: 3,
      completionMode: 'Indexed',
      activeDeadlineSeconds: 3600,
      template: {
        metadata: { labels },
        spec: {
          restartPolicy: 'OnFailure',
          serviceAccountName: 'builder',
          containers: [container('worker'), container('sidecar')],
          nodeSelector: { 'example.com/pool': 'batch' },
          tolerations: [{ key: 'example.com/batch', operator: 'Exists', effect: 'NoSchedule' }],
          volumes: [
            { name: 'scratch', emptyDir: {} },
            { name: 'settings', configMap: { name: 'settings' } },
          ],
        },
      },
    },
  });
}

/** As many objects as fit the processor's cache, because the work is measured and not memory access. */
const BATCH = 200;

/** Applies a function to each of many copies of a parsed object, in batches; parsing is not counted. */
function over(text: string, count: number, act: (value: unknown) => unknown): Timed<unknown> {
  let ms = 0;
  for (let done = 0; done < count; done += BATCH) {
    const values = Array.from({ length: BATCH }, () => JSON.parse(text) as unknown);
    ms += cpu(() => {
      for (const value of values) act(value);
    }).ms;
  }
  return { ms, value: undefined };
}

export const validation: Benchmark = {
  name: 'validation',
  asks: 'the shape of a Job of 3 KB against ajv, compiled: as it was sent with defaults to fill in, and complete; the worse ratio counts',
  run(scale) {
    const kind = kinds.byKind('Job');
    if (kind === undefined) throw new Error('there are no Jobs');
    const sent = largeJob();
    const server = openServer();
    const context = { names, gates: {}, now: NOW };
    const create = (body: unknown, name: string): ApiObject | undefined =>
      ask(server, {
        verb: 'create',
        kind: kind.kind,
        namespace: 'default',
        body: { ...(body as ObjectInput), metadata: { ...(body as ObjectInput).metadata, name } },
        dryRun: name !== 'x',
      });
    // A stored object has a uid, a selector and all fields that the rules need.
    const stored = create(JSON.parse(sent), 'x');
    if (stored === undefined || kind.validate(stored, context).length > 0) throw new Error('the Job is not valid');
    const complete = JSON.stringify(decode(kind.schema, JSON.parse(sent)));
    const schema = kindJsonSchema(kind, kinds);
    /** One validator for each text, so that each is optimized for its input. */
    const ajv = (useDefaults: boolean): ((value: unknown) => void) => {
      const check = new Ajv2020({ strict: false, validateFormats: false, useDefaults }).compile(schema);
      return (value) => {
        if (!check(value)) throw new Error(`ajv finds ${JSON.stringify(check.errors)}`);
      };
    };
    const ours = (value: unknown): unknown => decode(kind.schema, value);
    const judged = (value: unknown): void => {
      if (kind.validate(value as ApiObject, context).length > 0) throw new Error('the Job is not valid');
    };
    const count = scale.size(20_000);
    const cases: readonly (readonly [label: string, text: string, act: (value: unknown) => unknown])[] = [
      ['as sent: ajv, filling in defaults', sent, ajv(true)],
      ['as sent: ours', sent, ours],
      ['complete: ajv', complete, ajv(false)],
      ['complete: ours', complete, ours],
      ['rules about values', JSON.stringify(stored), judged],
      ['a whole create (dry run)', sent, (value) => create(value, 'y')],
    ];
    for (const [, text, act] of cases) over(text, BATCH * 5, act);
    const parsing = (): Timed<unknown> =>
      cpu(() => {
        for (let at = 0; at < count; at++) JSON.parse(sent);
      });
    const timed = inTurns(scale.rounds, [
      parsing,
      ...cases.map(
        ([, text, act]) =>
          () =>
            over(text, count, act),
      ),
    ]);
    const rows = [['JSON.parse', sent] as const, ...cases].map(([label, text], at): Row => ({
      label,
      ms: timed[at]?.ms ?? 0,
      units: count,
      unit: 'Job',
      work: { bytes: text.length },
    }));
    const ratio = (at: number): number => (timed[at + 1]?.ms ?? 0) / (timed[at]?.ms ?? 1);
    return { rows, score: { value: Math.max(ratio(1), ratio(3)), limit: 2, is: 'most', unit: 'x' } };
  },
};
