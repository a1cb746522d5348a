/** Custom kinds, from a CustomResourceDefinition and from TypeScript: in scenarios, over HTTP with kubectl, and with errors. */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { defineConfig, defineKind, type Infer, type ObjectOf, readScenarios, schema, simulate } from '../../../src/index.ts';
import { readCustomKinds } from '../../../src/lab/definitions/index.ts';
import { cli, folderWith, ROOT } from '../../surfaces/cli/cli.ts';

const { int32, obj, ptr, required, str, typeMeta } = schema;
const CRD = readFileSync(join(import.meta.dirname, 'widget.yaml'), 'utf8');
const SCENARIO = `apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: widgets }
spec:
  domain: k8s.io
  steps:
    - apply: { apiVersion: example.com/v1, kind: Widget, metadata: { name: w }, spec: { size: small, code: abc, parts: [{ name: a, count: 0 }], free: { any: { thing: 1 } } } }
    - expectError: { create: { apiVersion: example.com/v1, kind: Widget, metadata: { name: x }, spec: { size: huge } }, code: 422, message: 'Unsupported value: "huge": supported values: "small", "large"' }
    - expectError: { create: { apiVersion: example.com/v1, kind: Widget, metadata: { name: x }, spec: { size: small, code: A1 } }, message: "spec.code in body should match '^[a-z]+$'" }
    - expectError: { create: { apiVersion: example.com/v1, kind: Widget, metadata: { name: x }, spec: { size: small, replicas: 10 } }, message: spec.replicas in body should be less than or equal to 9 }
    - expectError: { create: { apiVersion: example.com/v1, kind: Widget, metadata: { name: x }, spec: { size: small, parts: [{ name: a }, { name: a }] } }, field: "spec.parts[1]" }
    - expectError: { create: { apiVersion: example.com/v1, kind: Widget, metadata: { name: x }, spec: {} }, field: spec.size, reason: Invalid }
    - patch: { target: Widget/w, type: merge, subresource: status, patch: { spec: { size: large }, status: { conditions: [{ type: Ready, status: "True" }] } } }
    - expect:
        match: { kind: Widget, metadata: { name: w, generation: 1 }, spec: { size: small, replicas: 1, parts: [{ name: a, count: 0 }], free: { any: { thing: 1 } } }, status: { conditions: [{ status: "True" }] } }
`;

describe('a kind from a definition of custom resources', () => {
  it('has its defaults, rules and sub-resources in a scenario, and its columns in tables', async () => {
    const cwd = folderWith({ 'widget.yaml': CRD, 'a.yaml': SCENARIO });
    expect(await cli(['run', 'a.yaml', '--with', 'widget.yaml'], { cwd })).toMatchObject({ code: 0, err: '' });
    expect((await cli(['state', 'wd', 'a.yaml', '--with', 'widget.yaml'], { cwd })).out).toMatch(
      /NAME +SIZE +READY +AGE\nw +small +True +0s/,
    );
    expect((await cli(['schema', 'Widget', '--with', 'widget.yaml'], { cwd })).out).toContain('How big it is.');
  });

  it.skipIf(!existsSync('/usr/bin/kubectl'))('is served to kubectl: get, explain, scale, refusal', async () => {
    const cwd = folderWith({ 'widget.yaml': CRD, 'a.yaml': SCENARIO });
    const server = spawn(
      process.execPath,
      [join(ROOT, 'bin/orchsim.js'), 'serve', 'a.yaml', '--with', 'widget.yaml', '--port', '0', '--kubeconfig', 'kc', '--json'],
      { cwd },
    );
    onTestFinished(() => {
      server.kill();
    });
    await new Promise((resolve) => server.stdout.once('data', resolve));
    const kubectl = (...args: readonly string[]): string =>
      execFileSync('/usr/bin/kubectl', ['--kubeconfig', 'kc', ...args], { cwd, encoding: 'utf8', timeout: 20_000 });
    expect(kubectl('get', 'wd')).toMatch(/^w +small +True/m);
    expect(kubectl('explain', 'widget.spec.size')).toContain('How big it is.');
    kubectl('scale', 'widget', 'w', '--replicas', '3');
    expect(kubectl('get', 'widget', 'w', '-o', 'jsonpath={.spec.replicas}')).toBe('3');
    expect(() => kubectl('patch', 'widget', 'w', '--type', 'merge', '-p', '{"spec":{"size":"huge"}}')).toThrow('Unsupported value: "huge"');
  });

  it('reports all its problems with their paths', () => {
    const wrong = CRD.replace('scope: Namespaced', 'scope: Somewhere')
      .replace('type: string, enum', 'type: text, enum')
      .replace('.spec.size }', '$..x }');

    const read = readCustomKinds(wrong, 'w.yaml');
    expect('problems' in read && read.problems).toEqual([
      'w.yaml:1: spec.scope: Unsupported value: "Somewhere": supported values: "Cluster", "Namespaced"',
      expect.stringContaining('properties[size].type: Unsupported value: "text": supported values: "array", "boolean"'),
      expect.stringContaining('additionalPrinterColumns[0].jsonPath: Invalid value: "$..x": is an invalid path: expected one such as'),
    ]);
    const unstructured = CRD.replace('^[a-z]+$', '[').replace('description: How big it is.', 'not: { type: string }');
    const other = readCustomKinds(unstructured, 'w.yaml');
    expect('problems' in other && other.problems).toEqual([
      expect.stringContaining('properties[code].pattern: Invalid value: "[": must be a valid regular expression'),
      expect.stringContaining('properties[size].not.type: Forbidden: must be empty to be structural'),
    ]);
  });
});

describe('a kind in TypeScript', () => {
  it('needs a schema and a name', () => {
    const schema = obj('Lamp', { ...typeMeta, spec: obj('LampSpec', { colour: str(), watts: ptr(int32) }) });
    type Lamp = ObjectOf<'Lamp', Infer<typeof schema>>;
    const lamp = defineKind<Lamp>({
      kind: 'Lamp',
      group: 'example.com',
      schema,
      validate: ({ spec }) => (spec?.colour === undefined ? [required('spec.colour')] : []),
    });
    const own = defineConfig({ kinds: [lamp] });
    const read = readScenarios(
      `{ apiVersion: scenario.orch.io/v1, kind: Scenario, metadata: { name: lamps }, spec: { steps: [
        { apply: { apiVersion: example.com/v1, kind: Lamp, metadata: { name: a }, spec: { colour: red, watts: 0 } } },
        { expectError: { create: { apiVersion: example.com/v1, kind: Lamp, metadata: { name: b }, spec: {} }, field: spec.colour } },
        { expect: { match: { kind: Lamp, metadata: { name: a }, spec: { watts: 0 } } } } ] } }`,
      { with: own },
    );
    if ('problems' in read) throw new Error(JSON.stringify(read.problems));
    expect(read.scenarios.flatMap((scenario) => simulate(scenario, { with: own }).failures)).toEqual([]);
    expect(read.scenarios.length).toBe(1);
  });
});
