import { describe, expect, it } from 'vitest';
import { formatProblem, lintWarningsOn } from '../../../src/lab/scenario/index.ts';
import { readScenarios, vocabulary } from '../../../src/lab/vocabulary.ts';

const HEAD = 'apiVersion: scenario.orch.io/v1\nkind: Scenario\nmetadata: { name: a }\nspec:\n  steps:\n';
const JOB = 'apiVersion: batch/v1, kind: Job, metadata: { name: x }';

const ALLOWING = HEAD.replace('spec:', 'spec:\n  allowUnknownFields: true');
const lintWarnings = (steps: string) => {
  const read = readScenarios(`${ALLOWING}${steps}`, { file: 'a.yaml' });
  if ('problems' in read) throw new Error(read.problems.map(formatProblem).join('\n'));
  return read.scenarios
    .flatMap((scenario) => lintWarningsOn(scenario, vocabulary().schemaOf ?? (() => undefined)))
    .map(({ line, text }) => `${line ?? 0}: ${text}`);
};
const problems = (steps: string) => {
  const read = readScenarios(`${HEAD}${steps}`, { file: 'a.yaml' });
  return 'problems' in read ? read.problems.map(formatProblem) : [];
};

describe('lint warnings', () => {
  it('name a misspelt field of a manifest, at any depth, with the nearest right one', () => {
    expect(
      lintWarnings(`  - apply: { ${JOB}, spec: { completins: 3, template: { spec: { containers: [{ name: c, imag: "c:1" }] } } } }\n`),
    ).toEqual([
      '7: Job has no field spec.completins: the server drops it; did you mean "completions"?',
      '7: Job has no field spec.template.spec.containers[0].imag: the server drops it; did you mean "image"?',
    ]);
  });

  it('cover patches of partial objects, but not their directives, nor JSON patches', () => {
    expect(lintWarnings('  - patch: { target: Job/x, patch: { spec: { paralelism: 2 } } }\n')).toEqual([
      '7: Job has no field spec.paralelism: the server drops it; did you mean "parallelism"?',
    ]);
    expect(
      lintWarnings(
        '  - patch: { target: Pod/x, type: strategic, patch: { spec: { $setElementOrder/containers: [], containers: [{ $patch: delete, name: c }] } } }\n',
      ),
    ).toEqual([]);
    expect(lintWarnings('  - patch: { target: Job/x, type: json, patch: [{ op: remove, path: /spec/x }] }\n')).toEqual([]);
  });

  it('ignore free-form keys and expected errors', () => {
    expect(
      lintWarnings(
        `  - apply: { apiVersion: v1, kind: ConfigMap, metadata: { name: c, labels: { anything: x } }, data: { whatever: "1" } }\n  - expectError: { create: { ${JOB}, spec: { completins: 3 } }, code: 422 }\n`,
      ),
    ).toEqual([]);
  });
});

describe('a misspelt field', () => {
  it('of a manifest or a patch fails the file, unless it is allowed', () => {
    expect(
      problems(`  - apply: { ${JOB}, spec: { completins: 3 } }\n  - patch: { target: Job/x, patch: { spec: { paralelism: 2 } } }\n`),
    ).toEqual([
      'a.yaml:6:78: spec.steps[0].apply.spec.completins: expected a field of Job (spec.allowUnknownFields: true lets the server drop others), found the unknown key "completins"; did you mean "completions"?',
      'a.yaml:7:46: spec.steps[1].patch.patch.spec.paralelism: expected a field of Job (spec.allowUnknownFields: true lets the server drop others), found the unknown key "paralelism"; did you mean "parallelism"?',
    ]);
  });

  it('of a plain manifest beside the scenario does too', () => {
    const pods = 'template: { spec: { restartPolicy: Never, containers: [{ name: c, image: i }] } }';
    const text = `${HEAD}  - note: x\n---\n{ ${JOB}, spec: { completins: 3, ${pods} } }\n`;
    const read = readScenarios(text, { file: 'a.yaml' });
    expect('problems' in read && read.problems.map(({ line, path }) => `${line} ${path}`)).toEqual(['8 spec.completins']);
    expect('scenarios' in readScenarios(text.replace('spec:', 'spec:\n  allowUnknownFields: true'))).toBe(true);
  });

  it('is ignored where it is valid: directives, operations, expected errors, free-form keys', () => {
    expect(
      problems(
        `  - patch: { target: Pod/x, patch: { spec: { $setElementOrder/containers: [], containers: [{ $patch: delete, name: c }] } } }\n  - patch: { target: Job/x, type: json, patch: [{ op: remove, path: /spec/x }] }\n  - expectError: { create: { ${JOB}, spec: { completins: 3 } }, code: 422 }\n  - apply: { apiVersion: v1, kind: ConfigMap, metadata: { name: c, labels: { anything: x } }, data: { whatever: "1" } }\n`,
      ),
    ).toEqual([]);
  });
});

describe('the members of an expectation', () => {
  it('must be a field of the kind: no object could ever have it', () => {
    expect(
      problems('  - expect: [{ match: { kind: Job, metadata: { name: x }, status: { conditions: [{ typ: Complete }], succeded: 1 } } }]\n'),
    ).toEqual([
      'a.yaml:6:84: spec.steps[0].expect[0].match.status.conditions[0].typ: expected a field of Job, found the unknown key "typ"; did you mean "type"?',
      'a.yaml:6:102: spec.steps[0].expect[0].match.status.succeded: expected a field of Job, found the unknown key "succeded"; did you mean "succeeded"?',
    ]);
  });
});
