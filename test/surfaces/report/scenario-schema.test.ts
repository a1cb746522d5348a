/** The schema for editors, checked with an independent validator: shipped scenarios pass, misspelt ones do not. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { kindsFor } from '../../../src/apiserver/kinds/index.ts';
import { namesFor } from '../../../src/apiserver/machinery/index.ts';
import { scenarioSchema } from '../../../src/surfaces/report/index.ts';

const folder = join(import.meta.dirname, '../../../scenarios');
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.yaml'))
  .sort();
const validate = new Ajv2020({ strict: false, allErrors: true, validateFormats: false }).compile(
  scenarioSchema(kindsFor(namesFor('orch.io'))),
);

const scenario = (steps: readonly object[]): object => ({
  apiVersion: 'scenario.orch.io/v1',
  kind: 'Scenario',
  metadata: { name: 'a' },
  spec: { steps },
});
/** The place, and the member. */
const places = (document: object): readonly string[] => {
  if (validate(document)) return [];
  const reported = (validate.errors ?? []).filter(
    ({ keyword }) => keyword === 'additionalProperties' || keyword === 'enum' || keyword === 'type',
  );
  return reported.map(({ instancePath, params }) =>
    `${instancePath} ${(params as { additionalProperty?: string }).additionalProperty ?? ''}`.trim(),
  );
};

describe('the schema of scenario files', () => {
  it.each(files)('accepts %s', (name) => {
    for (const document of parseAllDocuments(readFileSync(join(folder, name), 'utf8'), { merge: true })) {
      const value = document.toJS() as { kind?: string } | null;
      if (value?.kind === 'Scenario') expect([validate(value), validate.errors]).toEqual([true, null]);
    }
  });

  it('has the fields and the values of the contained objects', () => {
    expect(
      places(scenario([{ apply: { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'x' }, spec: { completins: 3 } } }])),
    ).toContain('/spec/steps/0/apply/spec completins');
    expect(places(scenario([{ expect: [{ match: { kind: 'StatefulSet', spec: { podManagementPolicy: 'Ordered' } } }] }]))).toContain(
      '/spec/steps/0/expect/0/match/spec/podManagementPolicy',
    );
    expect(
      places(scenario([{ create: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' }, data: { anything: 'goes' } } }])),
    ).toEqual([]);
  });

  it('accepts partial expected objects', () => {
    expect(
      places(
        scenario([
          {
            waitFor: {
              match: {
                kind: 'Pod',
                metadata: { name: 'x', uid: 'u' },
                status: { containerStatuses: [{ state: { terminated: { exitCode: 1 } } }] },
              },
            },
          },
        ]),
      ),
    ).toEqual([]);
  });
});
