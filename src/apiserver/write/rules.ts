/**
 * Validates an object before it is stored: by the rules of its kind, then by the rules of the specification that the recorded server does
 * not have. A violation of the latter is refused like any other error, or gives a warning, depending on the mode of the server.
 */
import {
  type ApiObject,
  type FieldError,
  isWriteRule,
  type KindContext,
  pathSegmentName,
  type Rule,
  type RuleFacts,
  rulesOf,
  ruleWarning,
  validateMeta,
  validateMetaUpdate,
  type WriteRule,
} from '../machinery/index.ts';
import { causeOf, invalid, sameValue, storeKey } from '../request/index.ts';
import type { Write } from './write.ts';

const NONE: readonly FieldError[] = [];

/** Returns the errors in the metadata of an update. Parts taken from the stored object are valid. Models: validateCommonFields. */
export function commonErrors({ place: { resource }, object, scope }: Write, stored: ApiObject): readonly FieldError[] {
  const is = object.metadata;
  const was = stored.metadata;
  const same =
    is.labels === was.labels &&
    is.annotations === was.annotations &&
    is.ownerReferences === was.ownerReferences &&
    is.finalizers === was.finalizers &&
    is.uid === was.uid &&
    is.deletionTimestamp === was.deletionTimestamp &&
    is.deletionGracePeriodSeconds === was.deletionGracePeriodSeconds;
  if (same) return NONE;
  const context = scope.context();
  const errors = validateMeta(object, resource.kind.namespaced, pathSegmentName, context, 'metadata', false);
  const ofChange = validateMetaUpdate(object, stored, context);
  if (ofChange.length === 0) return errors;
  // The check for standard finalizers belongs to the kinds.
  return [...errors, ...ofChange.filter(({ field }) => !field.startsWith('metadata.finalizers['))];
}

/** Returns the errors of the kind's own validation, in the version of the request. */
export function kindErrors({ place, object, scope }: Write): readonly FieldError[] {
  const { resource, request, before } = place;
  const { kind } = resource;
  const version = 'version' in request ? request.version : undefined;
  const context = scope.context();
  if (version !== undefined && kind.validateIn !== undefined) return kind.validateIn(version, object, before, context);
  return before === undefined ? kind.validate(object, context) : kind.validateUpdate(object, before, context);
}

/** Refuses an object with errors, and adds warnings about rules of the specification that are not enforced. */
export function checkRules(write: Write): void {
  const { resource } = write.place;
  const { specification } = resource.kind;
  if (specification !== undefined) checkSpecification(write, specification);
  else if (write.errors.length > 0) throw invalid(resource, write.object.metadata.name, write.errors);
}

function checkSpecification(write: Write, specification: readonly Rule[]): void {
  const { scope, place, errors, object } = write;
  const { resource, before: old, sent, subresource } = place;
  const refuses = rulesOf(scope.context()) === 'specification';
  if (errors.length > 0 && !refuses) throw invalid(resource, object.metadata.name, errors);
  const find: RuleFacts['find'] = (kind, namespace, name) => scope.store.get(kind, storeKey(namespace, name));
  const broken = brokenRules(specification, { object, old, sent, subresource }, { find, ...scope.context() });
  if (refuses && errors.length + broken.length > 0)
    throw invalid(resource, object.metadata.name, [...errors, ...broken.map(({ error }) => error)]);
  write.unenforced = broken.map(({ rule, error }) => ruleWarning(rule, error.field, causeOf(error).message ?? ''));
}

interface Broken {
  readonly rule: Rule;
  readonly error: FieldError;
}

/** Returns the rules that an object violates. `known.find` returns other objects. */
export function brokenRules(
  rules: readonly Rule[],
  { object, old, sent, subresource }: Pick<RuleFacts, 'old' | 'sent' | 'subresource'> & { readonly object: ApiObject },
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
  if (member === undefined || !sameValue(object[member], old[member])) return true;
  return asSent === true && (member === 'status') === (subresource === 'status');
}
