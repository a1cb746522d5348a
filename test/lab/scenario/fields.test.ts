/** Conditions are checked against the fields of kinds before the run, and read zero for fields that the API omits. */
import { describe, expect, it } from 'vitest';
import { customKinds } from '../../../src/lab/definitions/index.ts';
import { compileExpression } from '../../../src/lab/scenario/index.ts';
import { readScenarios, schemaOf, vocabulary } from '../../../src/lab/vocabulary.ts';

const { kinds } = vocabulary();
const wrongWith = (cel: string, self?: string): unknown => {
  const compiled = compileExpression(cel, { about: self === undefined ? 'world' : 'self', kinds, schemaOf, self });
  return 'error' in compiled ? [compiled.error.message, compiled.error.suggestion] : undefined;
};

describe('a condition reads fields that are there', () => {
  it.each([
    ["object('Job/b').status.suceeded == 1", 'JobStatus has no field "suceeded"', 'succeeded'],
    ["objects('Pod').all(p, p.status.phse == 'Running')", 'PodStatus has no field "phse"', 'phase'],
    ["objects('Pod').filter(p, has(p.spec.nodeNam)).size() == 0", 'PodSpec has no field "nodeNam"', 'nodeName'],
    ["objects('Pod').map(p, p.spec)[0].containers[0].imag == 'c'", 'Container has no field "imag"', 'image'],
    ["object('Job/b').?status.?activ.orValue(0) == 0", 'JobStatus has no field "activ"', 'active'],
    ["cel.bind(j, object('Job/b'), j.spec.paralelism == 1)", 'JobSpec has no field "paralelism"', 'parallelism'],
    ["objects('Pod').map(p, p.spec.nodeNam == 'n', p.spec).size() == 1", 'PodSpec has no field "nodeNam"', 'nodeName'],
    ["objects('Pod').map(p, true, p.spec)[0].nodeNam == 'n'", 'PodSpec has no field "nodeNam"', 'nodeName'],
    ["objects('Pod').filter(p, true)[0].metadat == null", 'Pod has no field "metadat"', 'metadata'],
    ["objects('Pod').exists_one(p, p.metadat == null)", 'Pod has no field "metadat"', 'metadata'],
    ["object('Pod/a').?spec.orValue({}).nodeNam == 'n'", 'PodSpec has no field "nodeNam"', 'nodeName'],
    ["object('Pod/a').spec[?'nodeNam'].hasValue()", 'PodSpec has no field "nodeNam"', 'nodeName'],
    ["(true ? object('Job/a') : object('Job/b')).spc == null", 'Job has no field "spc"', 'spec'],
    ["(object('Job/a').spc == null ? 1 : 2) == 1", 'Job has no field "spc"', 'spec'],
    ["(true ? 1 : object('Job/a').spc) == 1", 'Job has no field "spc"', 'spec'],
    ["[object('Job/a').spc].size() == 1", 'Job has no field "spc"', 'spec'],
    ["size(object('Job/a').spc) == 1", 'Job has no field "spc"', 'spec'],
    ["object('Job/b')['metadata'].nam == 'b'", 'ObjectMeta has no field "nam"', 'name'],
    ["events('Job/b').exists(e, e.reson == 'Created')", 'Event has no field "reson"', 'reason'],
    ["objects('Jb').size() == 0", 'unknown kind "Jb"', 'Job'],
    ["objects('Pod').all(pod, pd.status.phase == 'Running')", 'Unknown variable: pd', 'pod'],
    ["objects('Pod').all(p, true) && p.spec == null", 'Unknown variable: p', undefined],
    ['elapsd > duration("1s")', 'Unknown variable: elapsd', 'elapsed'],
  ])('%s', (cel, message, suggestion) => {
    expect(wrongWith(cel)).toEqual([message, suggestion]);
  });

  it('of self too, by the kind of the target', () => {
    expect(wrongWith("self.status.phse == 'Running'", 'Pod')).toEqual(['PodStatus has no field "phse"', 'phase']);
    expect(wrongWith("slf.status.phase == 'Running'", 'Pod')).toEqual(['Unknown variable: slf', 'self']);
    expect(wrongWith("slf.status.phase == 'Running'")).toEqual(['Unknown variable: slf', undefined]);
    const read = readScenarios(
      'apiVersion: scenario.orch.io/v1\nkind: Scenario\nmetadata: { name: a }\nspec:\n  steps:\n    - delete: { kind: Pod, cel: "self.status.phse == \'Failed\'" }\n',
    );
    expect('problems' in read && read.problems.map(({ line, found, suggestion }) => [line, found, suggestion])).toEqual([
      [6, 'PodStatus has no field "phse"', '"phase"'],
    ]);
  });

  it.each([
    "objects('Pod').all(p, p.metadata.labels['app'] == 'x' && p.metadata.labels.whatever == 'y')",
    "objects('ConfigMap').all(c, c.data.anything == '1')",
    "(true ? object('Job/a') : object('Pod/a')).nothing == null",
    "objects('Job').map(j, j.status.active).exists(n, n > 0)",
    "object('Job/a') == null || object('Job/a').status.conditions.exists(c, c.type == 'Complete')",
    "objects('Lease').all(l, l.spec.renewTime > l.spec.acquireTime)",
  ])('and accepts free-form and valid members: %s', (cel) => {
    expect(wrongWith(cel)).toBeUndefined();
  });

  it('any member of a kind whose schema is open', () => {
    const open = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
    const [widget] = customKinds(
      JSON.stringify({
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        spec: {
          group: 'x.io',
          scope: 'Namespaced',
          names: { kind: 'Widget', plural: 'widgets' },
          versions: [{ name: 'v1', storage: true, schema: open }],
        },
      }),
    );
    const ofWidget = (cel: string): unknown =>
      compileExpression(cel, { about: 'self', kinds, schemaOf: () => widget?.schema, self: 'Widget' });
    expect(ofWidget('self.spec.anything == 1')).toHaveProperty('expression');
    expect(ofWidget("self.metadata.nam == 'a'")).toHaveProperty('error.message', 'ObjectMeta has no field "nam"');
  });
});

describe('zero values that the API omits', () => {
  const job = { kind: 'Job', metadata: { name: 'a', namespace: 'default' }, spec: {}, status: {} };
  const facts = { objects: () => [job], object: () => job, now: 0, startAt: 0 };
  const ask = (cel: string): unknown => {
    const compiled = compileExpression(cel, { about: 'world', kinds, schemaOf });
    return 'expression' in compiled ? compiled.expression.evaluate(facts) : compiled;
  };
  it.each([
    ["object('Job/a').status.active == 0", true],
    ["object('Job/a').status.active > 0", false],
    ["object('Job/a').status.completedIndexes == ''", true],
    ["object('Job/a').status.conditions.size() == 0", true],
    ["object('Job/a').metadata.labels.size() == 0", true],
    ["has(object('Job/a').status.active)", false],
    ["has(object('Job/a').status.conditions)", false],
    ["objects('Job').exists(j, has(j.status.active))", false],
    ["objects('Job').exists(j, has(j.spec.template.spec.nodeName))", false],
    ["has(objects('Job')[0].metadata.name)", true],
    ["has(object('Job/a').metadata.name) && object('Job/a').metadata.name == 'a'", true],
    ["objects('Job').all(j, j.status.active == 0)", true],
    ["object('Job/a').?status.?active.hasValue()", false],
    ["object('Job/a').status.?active.orValue(7) == 7", true],
  ])('%s is %s', (cel, holds) => {
    expect(ask(cel)).toEqual({ holds });
  });

  it.each([
    "object('Job/a').spec.suspend == false",
    "object('Job/a').metadata.labels.app == 'x'",
    "object('Job/a').status.completionTime != ''",
    "object('CronJob/a').spec.concurrencyPolicy == ''",
  ])('are none where absence is something else: %s', (cel) => {
    expect(ask(cel)).toEqual({ error: expect.stringContaining('No such key') as string });
  });
});
