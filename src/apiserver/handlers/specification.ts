/**
 * Validates an object before it is stored: by the rules of its kind, then by the rules of the specification that the recorded server does
 * not have. A violation of the latter is refused like any other error, or gives a warning, depending on the mode of the server.
 */
import {
  type ApiObject,
  type FieldError,
  isWriteRule,
  type KindContext,
  type Rule,
  type RuleFacts,
  rulesOf,
  ruleWarning,
  type WriteRule,
} from '../machinery/index.ts';
import { causeOf, invalid, type Resource, storeKey } from '../request/index.ts';
import type { Scope } from './request-scope.ts';

/** A write to be validated. */
export interface ValidatedWrite {
  readonly object: ApiObject;
  readonly old: ApiObject | undefined;
  /** The document of the client; undefined where there is none. */
  readonly sent: unknown;
  readonly subresource?: string | undefined;
  /** The errors found by the kind's kindErrors validation. */
  readonly kindErrors: readonly FieldError[];
}

const NONE: readonly string[] = [];

/**
 * Returns the warnings about rules that are not enforced.
 * @throws {Refusal} with all errors of the object.
 */
export function validated(scope: Scope, resource: Resource, what: ValidatedWrite): readonly string[] {
  const { specification } = resource.kind;
  const { kindErrors } = what;
  const refuses = specification !== undefined && rulesOf(scope.context()) === 'specification';
  if (kindErrors.length > 0 && !refuses) throw invalid(resource, what.object.metadata.name, kindErrors);
  if (specification === undefined) return NONE;
  const find: RuleFacts['find'] = (kind, namespace, name) => scope.store.get(kind, storeKey(namespace, name));
  const broken = brokenRules(specification, what, { find, ...scope.context() });
  if (refuses && kindErrors.length + broken.length > 0)
    throw invalid(resource, what.object.metadata.name, [...kindErrors, ...broken.map(({ error }) => error)]);
  return broken.length === 0 ? NONE : broken.map(({ rule, error }) => ruleWarning(rule, error.field, causeOf(error).message ?? ''));
}

interface Broken {
  readonly rule: Rule;
  readonly error: FieldError;
}

/** Returns the rules that an object violates. `known.find` returns other objects. */
export function brokenRules(
  rules: readonly Rule[],
  { object, old, sent, subresource }: ValidatedWrite,
  known: KindContext & Pick<RuleFacts, 'find'>,
): readonly Broken[] {
  const broken: Broken[] = [];
  let facts: RuleFacts | undefined;
  for (const rule of rules) {
    if (!isWriteRule(rule)) continue;
    if (old !== undefined && !concerns(rule, object, old, subresource)) continue;
    facts ??= { old, sent, subresource, ...known };
    for (const error of rule.check(object, facts)) broken.push({ rule, error });
  }
  return broken;
}

/** Whether a rule applies to an update: members that it leaves unchanged were validated when they were written. */
function concerns({ member, asSent }: WriteRule, object: ApiObject, old: ApiObject, subresource: string | undefined): boolean {
  // A status update changes only the status, regardless of its body, and any other update does not change the status.
  if (subresource === 'status' && member !== 'status') return false;
  if (member === undefined || object[member] !== old[member]) return true;
  return asSent === true && (member === 'status') === (subresource === 'status');
}
