/**
 * Holds what is about to be stored against the rules of its kind, then against those of the specification that the recorded server does not
 * have: what breaks one of these is refused like any other mistake, or passes with a warning, as the server's mode has it.
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

/** What is judged. */
export interface Judged {
  readonly object: ApiObject;
  readonly old: ApiObject | undefined;
  /** The document that the writer meant; undefined where there is none. */
  readonly sent: unknown;
  readonly subresource?: string | undefined;
  /** What the kind's own rules found. */
  readonly own: readonly FieldError[];
}

const NONE: readonly string[] = [];

/** Throws what is wrong with the object, all of it at once; answers the warnings for what is not held against it. */
export function judged(scope: Scope, resource: Resource, what: Judged): readonly string[] {
  const { specification } = resource.kind;
  const { own } = what;
  const refuses = specification !== undefined && rulesOf(scope.context()) === 'specification';
  if (own.length > 0 && !refuses) throw invalid(resource, what.object.metadata.name, own);
  if (specification === undefined) return NONE;
  const find: RuleFacts['find'] = (kind, namespace, name) => scope.store.get(kind, storeKey(namespace, name));
  const broken = brokenRules(specification, what, { find, ...scope.context() });
  if (refuses && own.length + broken.length > 0)
    throw invalid(resource, what.object.metadata.name, [...own, ...broken.map(({ error }) => error)]);
  return broken.length === 0 ? NONE : broken.map(({ rule, error }) => ruleWarning(rule, error.field, causeOf(error).message ?? ''));
}

interface Broken {
  readonly rule: Rule;
  readonly error: FieldError;
}

/** The rules of a kind that an object breaks, among whatever `known` finds beside it. */
export function brokenRules(
  rules: readonly Rule[],
  { object, old, sent, subresource }: Judged,
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

/** Whether a write over what is stored has a rule's say: what it leaves alone was judged when it came. */
function concerns({ member, asSent }: WriteRule, object: ApiObject, old: ApiObject, subresource: string | undefined): boolean {
  // A write of the status leaves the rest, whatever it says of it, and one of the rest leaves the status.
  if (subresource === 'status' && member !== 'status') return false;
  if (member === undefined || object[member] !== old[member]) return true;
  return asSent === true && (member === 'status') === (subresource === 'status');
}
