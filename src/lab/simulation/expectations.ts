/** Evaluates expectations about a running cluster: whether they hold, and otherwise what was found. */
import { decideAccess, PRIVILEGED } from '../../apiserver/access/index.ts';
import { type ApiObject, keyOf } from '../../apiserver/machinery/index.ts';
import type { Cluster } from '../../controlplane/cluster.ts';
import { compileExpression, explainMismatch, formatTarget, matches } from '../scenario/index.ts';
import type { AccessQuestion, CountBounds, Expectation, Manifest, TargetRef } from '../scenario/index.ts';
import { type Trouble, troubleOf } from './run.ts';
import { addressOf as nameOf } from '../../controlplane/runtime/index.ts';
import { own } from '../../schema/values/index.ts';
import { DECISION_KINDS, dissentOf } from './decisions.ts';
import { expressionFacts, resolveTarget, schemasOf } from './facts.ts';
import { accessors } from '../../engine/index.ts';

const withDetail = accessors('detail');

const boundsText = ({ is, atLeast, atMost }: CountBounds): string =>
  [is === undefined ? '' : `${is}`, atLeast === undefined ? '' : `at least ${atLeast}`, atMost === undefined ? '' : `at most ${atMost}`]
    .filter((part) => part !== '')
    .join(' and ');
const withinBounds = (count: number, { is, atLeast, atMost }: CountBounds): boolean =>
  (is === undefined || count === is) && (atLeast === undefined || count >= atLeast) && (atMost === undefined || count <= atMost);

/** Evaluates an expectation; undefined: it holds. The explanation is computed only when it fails. */
export function evaluate(cluster: Cluster, expectation: Expectation): Trouble | undefined {
  switch (expectation.expect) {
    case 'match':
      return matching(cluster, expectation.match);
    case 'absent':
      return absent(cluster, expectation.target);
    case 'count': {
      const count = resolveTarget(cluster, expectation.of).length;
      return withinBounds(count, expectation.bounds)
        ? undefined
        : troubleOf(`expected ${boundsText(expectation.bounds)} of ${formatTarget(expectation.of)}, found ${count}`);
    }
    case 'cel':
      return expressionHolds(cluster, expectation.expression.cel);
    case 'allowed':
      return allowed(cluster, expectation.question, expectation.is);
    default:
      return dissentOf(cluster, expectation);
  }
}

/**
 * Whether an expectation holds, without an explanation. `changed`: the keys of the objects that have changed since it did not hold; absent: any may
 * have.
 */
export function holdsNow(cluster: Cluster, expectation: Expectation, changed: readonly string[] | undefined): boolean {
  if (expectation.expect !== 'match') return evaluate(cluster, expectation) === undefined;
  const { match } = expectation;
  const kind = match.kind ?? '';
  if (changed === undefined) return hasMatch(cluster, match);
  return changed.some((key) => {
    const object = cluster.store.get(kind, key);
    return object !== undefined && matches(match, object);
  });
}

function hasMatch(cluster: Cluster, expected: Manifest): boolean {
  for (const object of cluster.store.values(expected.kind ?? '')) if (matches(expected, object)) return true;
  return false;
}

/** Whether some object of the kind has these members. */
function matching(cluster: Cluster, expected: Manifest): Trouble | undefined {
  const kind = expected.kind ?? '';
  if (hasMatch(cluster, expected)) return undefined;
  const { text, nearest, differences } = explainMismatch(expected, [...cluster.store.values(kind)]);
  const [first = '', ...rest] = text.split('\n');
  const [difference] = differences;
  const field = difference === undefined ? {} : { field: difference.path };
  return troubleOf(first.replace(/:$/, ''), rest, nearest === undefined ? undefined : { ...field, ...nameOf(nearest as ApiObject) });
}

function absent(cluster: Cluster, target: TargetRef): Trouble | undefined {
  const found = resolveTarget(cluster, target);
  const [first] = found;
  if (first === undefined) return undefined;
  return troubleOf(
    `expected no ${formatTarget(target)}, found ${found.length}`,
    found.slice(0, 5).map((object) => `  found ${object.kind} ${keyOf(object)}`),
    nameOf(first),
  );
}

function expressionHolds(cluster: Cluster, cel: string): Trouble | undefined {
  const compiled = compileExpression(cel, { about: 'world', schemaOf: schemasOf(cluster) });
  if (!('expression' in compiled)) return troubleOf(`the expression is wrong: ${compiled.error.message}`);
  const { expression } = compiled;
  const facts = expressionFacts(cluster);
  const answer = expression.evaluate(facts);
  if ('error' in answer) return troubleOf(`the expression could not be evaluated: ${answer.error}`, [`  ${cel}`]);
  if (answer.holds) return undefined;
  // A waitFor evaluates this after each change and reads the details only once, so they are computed lazily.
  const detail = () => [`  ${expression.cel}`, ...expression.explain(facts).map((line) => `    ${line}`)];
  return withDetail({ detail }, { message: 'the expression is false' });
}

/**
 * Whether a user may do this, by the roles and bindings in the cluster. Without groups the user is in those of every authenticated user.
 */
function allowed(cluster: Cluster, question: AccessQuestion, is: boolean): Trouble | undefined {
  const { verb, path, resource = '', subresource = '', name = '', namespace = '' } = question;
  const user = { name: question.user, groups: question.groups ?? [AUTHENTICATED] };
  const group = question.group ?? groupOf(cluster, resource);
  const decision = decideAccess(
    cluster.store,
    cluster.names,
    path === undefined ? { user, verb, group, resource, subresource, name, namespace } : { user, verb, path },
  );
  if (decision.allowed === is) return undefined;
  const what =
    path ??
    [`${resource}${subresource === '' ? '' : `/${subresource}`}`, name, namespace === '' ? '' : `in ${namespace}`]
      .filter((part) => part !== '')
      .join(' ');
  return troubleOf(`expected that ${user.name} may ${is ? '' : 'not '}${verb} ${what}`, [
    decision.allowed
      ? `  ${decision.reason === '' ? `it is a member of ${PRIVILEGED}` : decision.reason}`
      : `  no binding allows it${decision.reason === '' ? '' : ` (${decision.reason})`}`,
  ]);
}

const AUTHENTICATED = 'system:authenticated';

/** Returns the API group of a resource that is named without one: the group of its kind. */
const groupOf = (cluster: Cluster, resource: string): string => {
  const kind = cluster.kinds.list().find(({ plural }) => plural === resource);
  return kind === undefined ? '' : cluster.names.group(kind.groupPrefix);
};

/** Returns the kinds whose changes can alter the answer of an expectation; undefined: any kind. */
export function kindsOf(expectation: Expectation): ReadonlySet<string> | undefined {
  switch (expectation.expect) {
    case 'match':
      return new Set([expectation.match.kind ?? '']);
    case 'absent':
      return new Set([expectation.target.kind]);
    case 'count':
      return new Set([expectation.of.kind]);
    default:
      return own(DECISION_KINDS, expectation.expect);
  }
}
