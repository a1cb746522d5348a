/** The guide lists every rule in which the specification and v1.24 differ, as the kinds declare it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { specificationOf } from '../../../../src/apiserver/kinds/index.ts';
import { isWriteRule, namesFor } from '../../../../src/apiserver/machinery/index.ts';

const guide = readFileSync(join(import.meta.dirname, '../../../../src/guide/specification.md'), 'utf8');
const rows = guide
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.slice(2, -2).replaceAll('\\|', '|').split(' | '));
const code = (text: string): string => (text === '' ? '' : `\`${text}\``);

it('with its field, its place and what v1.24 does', () => {
  const rules = specificationOf(namesFor('orch.io')).map((rule) => [
    code(rule.name),
    code(rule.field),
    rule.statement,
    rule.place,
    isWriteRule(rule) ? 'a write that breaks it is refused' : rule.does,
    rule.recorded,
  ]);
  expect(rules.length).toBeGreaterThan(50);
  // The guide lists those of processes behind them.
  expect(rows.slice(0, rules.length)).toEqual(rules);
});

it('under a name that begins with its kind, once', () => {
  const rules = specificationOf(namesFor('k8s.io'));
  const kindOf = (kind: string): string =>
    kind === '*' ? 'api' : kind.replace(/[a-z](?=[A-Z])|[A-Z](?=[A-Z][a-z])/g, '$&-').toLowerCase();
  expect(rules.map(({ name }) => name.split('/')[0])).toEqual(rules.map(({ kind }) => kindOf(kind)));
  expect(new Set(rules.map(({ name }) => name)).size).toBe(rules.length);
});

it('with the member that it is about, unless it is about the document', () => {
  const writes = specificationOf(namesFor('orch.io')).filter(isWriteRule);
  const members = new Set(['metadata', 'spec', 'status', 'rules', 'subsets', 'endpoints', 'ports']);
  const begins = ({ field }: { readonly field: string }) => /^\w*/.exec(field)?.[0] ?? '';
  const others = writes.filter((rule) => rule.member !== (members.has(begins(rule)) ? begins(rule) : undefined));
  expect(others.map(({ name, member }) => `${name} ${String(member)}`)).toEqual(
    [
      'csi-driver/spec-is-there',
      'csi-node/drivers-are-there',
      'endpoint-slice/endpoints-are-there',
      'network-policy/pod-selector-is-there',
    ].map((name) => `${name} undefined`),
  );
});
