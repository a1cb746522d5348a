/**
 * The roles and bindings of every new cluster, as objects. The tables are in `people`, `components` and `controllers`; this module
 * translates their names into those of the domain. Models: v1.24 plugin/pkg/auth/authorizer/rbac/bootstrappolicy.
 */
import { compareText } from '../../../schema/values/index.ts';
import type { Names, ObjectInput, PolicyRule } from '../../machinery/index.ts';
import { aggregatedRules, type AggregatableRole } from '../authorizer.ts';
import { componentBindings, components, namespaced, namespacedBindings } from './components.ts';
import { controllerBindings, controllers } from './controllers.ts';
import { people, peopleBindings } from './people.ts';
import type { BindingRow, Line, RoleRow } from './table.ts';

/** Returns the objects in an order in which each can be created: roles before their bindings. Aggregated roles include their rules. */
export function builtInRoles(names: Names): readonly ObjectInput[] {
  const own = ownWords(names);
  const roles: RoleObject[] = [];
  for (const row of [...people(), ...components(), ...controllers(), ...namespaced()]) {
    const role = roleOf(row, names, own);
    // The table lists an aggregated role after the roles that it aggregates.
    const aggregated = aggregatedRules(role, roles);
    roles.push(aggregated === undefined ? role : { ...role, rules: aggregated });
  }
  const bindings = [...peopleBindings(), ...componentBindings(), ...controllerBindings(), ...namespacedBindings()];
  return [...roles, ...bindings.map((row) => bindingOf(row, names, own))];
}

type Words = (text: string) => string;
type RoleObject = ObjectInput & AggregatableRole;

/** Returns the translation of upstream's names in the tables into those of the domain. */
function ownWords({ domain }: Names): Words {
  if (domain === 'k8s.io') return (text) => text;
  const table = [
    [/kubernetes\.io|k8s\.io/g, domain],
    [/kubelet/g, 'agent'],
    [/kube-/g, 'orch-'],
  ] as const;
  return (text) => table.reduce((said, [theirs, ours]) => said.replace(theirs, ours), text);
}

const metadataOf = (
  names: Names,
  own: Words,
  name: string,
  namespace: string | undefined,
  labels: Readonly<Record<string, string>> = {},
) => ({
  name: own(name),
  ...(namespace === undefined ? {} : { namespace: own(namespace) }),
  labels: { [names.key('', 'bootstrapping')]: 'rbac-defaults', ...labels },
  annotations: { [names.key('rbac.authorization', 'autoupdate')]: 'true' },
});

const aggregationKey = (names: Names, into: string): string => `${names.group('rbac.authorization')}/aggregate-to-${into}`;

function roleOf({ name, namespace, rules, aggregatesTo, aggregates }: RoleRow, names: Names, own: Words): RoleObject {
  const labels = aggregatesTo === undefined ? {} : { [aggregationKey(names, aggregatesTo)]: 'true' };
  return {
    apiVersion: `${names.group('rbac.authorization')}/v1`,
    kind: namespace === undefined ? 'ClusterRole' : 'Role',
    metadata: metadataOf(names, own, name, namespace, labels),
    ...(aggregates === undefined
      ? {}
      : { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { [aggregationKey(names, aggregates)]: 'true' } }] } }),
    rules: rules.map((rule) => ruleIn(rule, names, own)),
  };
}

const words = (text: string): readonly string[] => text.split(' ').sort(compareText);

/** Groups in the table have no domain; `extensions` has none upstream either. */
function ruleIn({ verbs, groups, resources, names: resourceNames, paths }: Line, names: Names, own: Words): PolicyRule {
  const groupOf = (group: string): string => (group === 'core' ? '' : group === '*' || group === 'extensions' ? group : names.group(group));
  return {
    verbs: words(verbs),
    ...(groups === undefined ? {} : { apiGroups: words(groups).map(groupOf) }),
    ...(resources === undefined ? {} : { resources: words(resources) }),
    ...(resourceNames === undefined ? {} : { resourceNames: words(resourceNames).map(own) }),
    ...(paths === undefined ? {} : { nonResourceURLs: words(paths) }),
  };
}

function bindingOf({ name, namespace, role = name, subjects }: BindingRow, names: Names, own: Words): ObjectInput {
  const apiGroup = names.group('rbac.authorization');
  return {
    apiVersion: `${apiGroup}/v1`,
    kind: namespace === undefined ? 'ClusterRoleBinding' : 'RoleBinding',
    metadata: metadataOf(names, own, name, namespace),
    roleRef: { apiGroup, kind: namespace === undefined ? 'ClusterRole' : 'Role', name: own(role) },
    subjects: subjects.map(([kind, subject]) => ({
      kind,
      ...(kind === 'ServiceAccount' ? { namespace: names.systemNamespace } : { apiGroup }),
      name: own(subject),
    })),
  };
}
