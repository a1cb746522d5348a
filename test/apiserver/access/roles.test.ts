/** The roles and bindings of every new cluster: those of v1.24's bootstrappolicy, a line for each rule in `roles.txt`. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { builtInRoles } from '../../../src/apiserver/access/index.ts';
import { type Domain, namesFor, type PolicyRule } from '../../../src/apiserver/machinery/index.ts';

interface RoleOrBinding {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly labels: Readonly<Record<string, string>> };
  readonly rules?: readonly PolicyRule[];
  readonly aggregationRule?: { readonly clusterRoleSelectors: readonly object[] };
  readonly roleRef?: { readonly kind: string; readonly name: string };
  readonly subjects?: readonly { readonly kind: string; readonly namespace?: string; readonly name: string }[];
}

const within = (namespace: string | undefined, name: string): string => (namespace === undefined ? name : `${namespace}/${name}`);

const ruleLine = ({ verbs = [], apiGroups = [], resources = [], resourceNames, nonResourceURLs }: PolicyRule): string =>
  nonResourceURLs !== undefined
    ? `  ${verbs?.join(',')} ${nonResourceURLs.join(',')}`
    : `  ${verbs?.join(',')} ${apiGroups.map((group) => (group === '' ? 'core' : group)).join(',')}: ${resources.join(',')}${resourceNames === undefined ? '' : ` named ${resourceNames.join(',')}`}`;

/** An aggregated role is without its rules: those of others. */
function linesOf({
  kind,
  metadata: { name, namespace, labels },
  rules = [],
  aggregationRule,
  roleRef,
  subjects = [],
}: RoleOrBinding): readonly string[] {
  const at = `${kind} ${within(namespace, name)}`;
  if (roleRef !== undefined)
    return [
      `${at}: ${roleRef.kind} ${roleRef.name} to ${subjects.map((each) => `${each.kind} ${within(each.namespace, each.name)}`).join(', ')}`,
    ];
  const into = Object.keys(labels).filter((key) => key.includes('aggregate-to'));
  const from = aggregationRule === undefined ? '' : ` aggregates ${JSON.stringify(aggregationRule.clusterRoleSelectors)}`;
  return [`${at}${into.length === 0 ? '' : ` (${into.join(' ')})`}${from}`, ...(aggregationRule === undefined ? rules.map(ruleLine) : [])];
}

const rolesOf = (domain: Domain) => builtInRoles(namesFor(domain)) as unknown as readonly RoleOrBinding[];
const textOf = (domain: Domain): string => `${rolesOf(domain).flatMap(linesOf).join('\n')}\n`;
const published = readFileSync(new URL('roles.txt', import.meta.url), 'utf8');

it('are those that upstream publishes', () => {
  expect(textOf('k8s.io')).toBe(published);
});

it('have the names of the neutral domain there', () => {
  const sorted = (text: string): readonly string[] => text.split('\n').map((line) => line.split(/[ ,]/).toSorted().join(' '));
  const neutral = published
    .replaceAll(/kubernetes\.io|k8s\.io/g, 'orch.io')
    .replaceAll('kubelet', 'agent')
    .replaceAll('kube-', 'orch-');
  expect(sorted(textOf('orch.io'))).toEqual(sorted(neutral));
});

it('are marked as defaults, and aggregated roles have the rules of the others', () => {
  const all = rolesOf('k8s.io');
  for (const { metadata } of all)
    expect(metadata).toMatchObject({
      labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults' },
      annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'true' },
    });
  const rules = (name: string): readonly PolicyRule[] =>
    all.find((each) => each.metadata.name === name && each.roleRef === undefined)?.rules ?? [];
  expect(rules('view')).toEqual(rules('system:aggregate-to-view'));
  expect(rules('edit')).toEqual([...rules('system:aggregate-to-edit'), ...rules('view')]);
  expect(rules('admin')).toEqual([...rules('edit'), ...rules('system:aggregate-to-admin')]);
});
