/** Kinds that a file defines are known in all of it: in other documents, steps and files that it names. */
import { describe, expect, it } from 'vitest';
import { formatProblem } from '../../../src/lab/scenario/index.ts';
import { withDefinitions } from '../../../src/lab/scenario/definitions-in.ts';
import { readYaml } from '../../../src/schema/yaml/index.ts';
import { readScenarios, vocabulary } from '../../../src/lab/vocabulary.ts';

const definition = (kind: string, { version = 'v1', plural = `${kind.toLowerCase()}s`, type = 'integer' } = {}): string =>
  JSON.stringify({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.x.io` },
    spec: {
      group: 'x.io',
      scope: 'Namespaced',
      names: { kind, plural },
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: { size: { type } } } } } },
        },
      ],
    },
  });
const HEAD = 'apiVersion: scenario.orch.io/v1\nkind: Scenario\nmetadata: { name: a }\nspec:\n  domain: k8s.io\n';
const problems = (text: string, files: Readonly<Record<string, string>> = {}) => {
  const read = readScenarios(text, { file: 'dir/a.yaml', readFile: (path) => files[path] });
  return 'problems' in read ? read.problems.map((problem) => formatProblem(problem).replace(/^dir\/a.yaml:\d+:\d+: /, '')) : [];
};
const DELETE = '  steps: [{ at: 1s, delete: Widget/w }]\n';

describe('a definition', () => {
  it('beside the scenario, in a step, or in a file that is named there, defines a kind', () => {
    expect(problems(`${HEAD}${DELETE}`)).toEqual([
      expect.stringMatching(/^spec\.steps\[0\]\.delete: expected a kind before the first \/, found "Widget\/w"/),
    ]);
    expect(problems(`${HEAD}${DELETE}---\n${definition('Widget')}\n`)).toEqual([]);
    expect(problems(`${HEAD}  steps: [{ apply: ${definition('Widget')} }, { at: 1s, delete: Widget/w }]\n`)).toEqual([]);
    expect(
      problems(`${HEAD}  steps: [{ apply: { file: crd.yaml } }, { at: 1s, delete: Widget/w }]\n`, { 'crd.yaml': definition('Widget') }),
    ).toEqual([]);
    expect(problems(`${HEAD}${DELETE}---\n${definition('Gadget')}\n`)).toHaveLength(1);
  });

  it('has the schema of its objects', () => {
    const widget = (size: string) => `{ apiVersion: x.io/v1, kind: Widget, metadata: { name: w }, spec: { size: ${size} } }`;
    const file = (size: string) => `${HEAD}  steps: [{ at: 1s, create: ${widget(size)} }]\n---\n${definition('Widget')}\n`;
    expect(problems(file('1'))).toEqual([]);
    expect(problems(file('1').replace('size: 1', 'sice: 1'))).toEqual([expect.stringContaining('spec.sice: expected a field of Widget')]);
  });
});

describe('the vocabulary of a text', () => {
  const names = vocabulary();
  const of = (...texts: readonly string[]) => withDefinitions(names, readYaml(texts.join('\n---\n'), 'f').documents);

  it('is the same where nothing is defined, or nothing new', () => {
    expect(of('a: 1')).toBe(names);
    expect(of('kind: CustomResourceDefinition\nspec: {}')).toBe(names);
    expect(of(`kind: List\nitems: text`)).toBe(names);
  });

  it('has the kinds in the order of their definitions, in lists too', () => {
    const found = of(`[${definition('Widget')}, { deep: ${definition('Gadget')} }]`, definition('Widget', { version: 'v2' }));
    expect(found.kinds).toEqual([...names.kinds, 'Widget', 'Gadget']);
    expect(found.kindsOf?.('k8s.io').byKind('Widget')?.plural).toBe('widgets');
    expect([found.schemaOf?.('Widget', 'k8s.io')?.type, found.schemaOf?.('Pod', 'k8s.io'), found.schemaOf?.('Other', 'k8s.io')]).toEqual([
      'object',
      names.schemaOf?.('Pod', 'k8s.io'),
      undefined,
    ]);
    expect(found.invariants).toBe(names.invariants);
  });

  it('has the versions of both definitions of a kind; another name does not get it', () => {
    const versions = (second: string) => [
      ...(of(definition('Widget'), second).kindsOf?.('k8s.io').byKind('Widget')?.versions?.keys() ?? []),
    ];
    expect(versions(definition('Widget', { version: 'v2' }))).toEqual(['v1', 'v2']);
    const kept = of(definition('Widget'), definition('Widget', { plural: 'widgetry' }))
      .kindsOf?.('k8s.io')
      .byKind('Widget');
    expect(kept?.plural).toBe('widgets');
  });

  it('has a qualified name for a kind whose name another group has', () => {
    const other = definition('Widget').replaceAll('x.io', 'y.io');
    const found = of(definition('Pod'), definition('Widget'), other, other);
    expect(found.kinds.slice(names.kinds.length)).toEqual(['Pod.x.io', 'Widget', 'Widget.y.io']);
    const step = (object: string) =>
      problems(`${HEAD}  steps: [{ apply: ${definition('Pod')} }, { at: 1s, apply: ${object} }, { at: 2s, delete: Pod.x.io/p }]\n`);
    expect(step('{ apiVersion: x.io/v1, kind: Pod, metadata: { name: p }, spec: { size: 1 } }')).toEqual([]);
    expect(step('{ apiVersion: x.io/v1, kind: Pod, metadata: { name: p }, spec: { containers: [] } }')).toEqual([
      expect.stringContaining('spec.containers: expected a field of Pod.x.io'),
    ]);
    expect(step('{ apiVersion: y.io/v1, kind: Pod, metadata: { name: p } }')).toEqual([
      expect.stringContaining('expected v1, the version of Pod here'),
    ]);
  });

  it('has no registry where none is given', () => {
    const { kindsOf: _kindsOf, schemaOf: _schemaOf, ...without } = names;
    const found = withDefinitions(without, readYaml(definition('Widget'), 'f').documents);
    expect([found.kinds.at(-1), 'kindsOf' in found, 'schemaOf' in found]).toEqual(['Widget', false, false]);
  });
});
