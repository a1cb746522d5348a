/**
 * Validation of metadata of every kind. Models: v1.24 apimachinery pkg/api/validation/objectmeta.go, pkg/apis/core/validation
 * ValidateObjectMeta.
 */
import { memo } from '../../engine/index.ts';
import {
  append,
  areLabels,
  asPrefix,
  byteLength,
  compareText,
  goStrings,
  GoText,
  isDns1035Label,
  isDns1123Label,
  isDns1123Subdomain,
  isQualifiedName,
  isValidPathSegmentName,
  isValidPathSegmentPrefix,
  validateLabels,
} from '../../schema/values/index.ts';
import { FOREGROUND, ORPHAN } from '../objects/index.ts';
import type { ApiObject, FieldError, KindContext, ObjectMeta, OwnerReference } from '../objects/index.ts';
import { forbidden, immutableText, invalid, required, tooLong, sameValue } from './field-errors.ts';
import { objectMeta } from '../structs/index.ts';
import { shown, shownInstant } from './go-types.ts';

/** Returns the errors of a name; with `prefix` the text is the beginning of a generated one. */
export type NameRule = (name: string, prefix: boolean) => readonly string[];

const rule = (check: (name: string) => readonly string[]): NameRule => {
  const checkPrefix = asPrefix(check);
  return (name, prefix) => (prefix ? checkPrefix(name) : check(name));
};

export const subdomainName: NameRule = rule(isDns1123Subdomain);
export const labelName: NameRule = rule(isDns1123Label);
export const label1035Name: NameRule = rule(isDns1035Label);
export const pathSegmentName: NameRule = (name, prefix) => (prefix ? isValidPathSegmentPrefix(name) : isValidPathSegmentName(name));

const MAX_ANNOTATION_BYTES = 256 * 1024;

/** The metadata of templates, without the members of stored objects. */
type Meta = Partial<Omit<ObjectMeta, 'creationTimestamp'>>;

/** The path is put together only for an error. */
function blame(errors: FieldError[], member: string, name: string, problems: readonly string[]): void {
  for (let at = 0; at < problems.length; at++) errors.push(invalid(`metadata.${member}`, name, problems[at] ?? ''));
}

/** Returns all errors of the metadata of a new object. Without `standardFinalizers` the check of core kinds is skipped. */
export function validateMeta(
  object: { readonly metadata: Meta },
  namespaced: boolean,
  nameRule: NameRule,
  context: KindContext,
  standardFinalizers = true,
): FieldError[] {
  const meta = object.metadata;
  const errors: FieldError[] = [];
  if (meta.generateName !== undefined && meta.generateName !== '')
    blame(errors, 'generateName', meta.generateName, nameRule(meta.generateName, true));
  if (meta.name === undefined || meta.name === '') errors.push(required('metadata.name', 'name or generateName is required'));
  else blame(errors, 'name', meta.name, nameRule(meta.name, false));
  if (namespaced) {
    if (meta.namespace === undefined || meta.namespace === '') errors.push(required('metadata.namespace'));
    else blame(errors, 'namespace', meta.namespace, isDns1123Label(meta.namespace));
  } else if (meta.namespace !== undefined && meta.namespace !== '')
    errors.push(forbidden('metadata.namespace', 'not allowed on this type'));
  common(meta, errors);
  if (standardFinalizers && meta.finalizers !== undefined) checkStandard(meta.finalizers, context, errors);
  return errors;
}

function checkStandard(finalizers: readonly string[], context: KindContext, errors: FieldError[]): void {
  for (let at = 0; at < finalizers.length; at++) {
    const finalizer = finalizers[at] ?? '';
    if (!isStandard(finalizer, context)) append(errors, standardFinalizer(finalizer, `metadata.finalizers[${at}]`, context));
  }
}

/** The checks of both create and update. */
function common(meta: Meta, errors: FieldError[]): void {
  if (meta.generation !== undefined && meta.generation < 0)
    errors.push(invalid('metadata.generation', meta.generation, 'must be greater than or equal to 0'));
  if (meta.labels !== undefined && !areGood(meta.labels)) append(errors, validateLabels(meta.labels, 'metadata.labels'));
  if (meta.annotations !== undefined) append(errors, validateAnnotations(meta.annotations, 'metadata.annotations'));
  if (meta.ownerReferences !== undefined && !validLists.has(meta.ownerReferences))
    collect(meta.ownerReferences, validateOwners(meta.ownerReferences, 'metadata.ownerReferences'), errors);
  if (meta.finalizers !== undefined && !validLists.has(meta.finalizers))
    collect(meta.finalizers, validateFinalizers(meta.finalizers, 'metadata.finalizers'), errors);
}

function areGood(labels: Readonly<Record<string, string>>): boolean {
  if (validLabelMaps.has(labels)) return true;
  if (!areLabels(labels)) return false;
  if (Object.isFrozen(labels)) validLabelMaps.add(labels);
  return true;
}

/** Lists that many objects share and that were found valid. */
const validLists = memo(new WeakSet<object>());

function collect(list: readonly unknown[], found: readonly FieldError[], errors: FieldError[]): void {
  if (found.length === 0 && Object.isFrozen(list)) validLists.add(list);
  else append(errors, found);
}

/** Valid labels of templates, which all their pods share. */
const validLabelMaps = memo(new WeakSet<object>());

/** Keys are compared in lower case, and the total size is limited. */
export function validateAnnotations(annotations: Readonly<Record<string, string>>, field: string): FieldError[] {
  const errors: FieldError[] = [];
  let size = 0;
  for (const key in annotations) {
    for (const text of isQualifiedName(key.toLowerCase())) errors.push(invalid(field, key, text));
    size += byteLength(key) + byteLength(annotations[key] ?? '');
  }
  if (size > MAX_ANNOTATION_BYTES) errors.push(tooLong(field, '', MAX_ANNOTATION_BYTES));
  return errors;
}

const OWNERS = objectMeta.fields.ownerReferences;

function validateOwners(owners: readonly OwnerReference[], field: string): FieldError[] {
  const errors: FieldError[] = [];
  let controller: string | undefined;
  // The error prints all references, and may occur once for each of them.
  let all: unknown;
  for (const owner of owners) {
    append(errors, validateOwner(owner, field));
    if (owner.controller !== true) continue;
    if (controller !== undefined) {
      errors.push(
        invalid(
          field,
          (all ??= shown(owners, OWNERS)),
          `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${owner.name}`,
        ),
      );
    } else controller = owner.name;
  }
  return errors;
}

function validateOwner({ apiVersion, kind, name, uid, ...rest }: OwnerReference, field: string): FieldError[] {
  const errors: FieldError[] = [];
  const parts = apiVersion.split('/');
  // A text with more than one slash is not a version.
  const [group = '', version = ''] = parts.length === 1 ? ['', apiVersion] : parts.length === 2 ? parts : [];
  if (version === '') errors.push(invalid(`${field}.apiVersion`, apiVersion, 'version must not be empty'));
  if (kind === '') errors.push(invalid(`${field}.kind`, kind, 'kind must not be empty'));
  if (name === '') errors.push(invalid(`${field}.name`, name, 'name must not be empty'));
  if (uid === '') errors.push(invalid(`${field}.uid`, uid, 'uid must not be empty'));
  if (group === '' && version === 'v1' && kind === 'Event') {
    errors.push(
      invalid(
        field,
        shown({ apiVersion, kind, name, uid, ...rest }, OWNERS.items),
        `${group}/${version}, Kind=${kind} is disallowed from being an owner`,
      ),
    );
  }
  return errors;
}

function validateFinalizers(finalizers: readonly string[], field: string): FieldError[] {
  const errors: FieldError[] = [];
  let orphan = false;
  let foreground = false;
  for (const finalizer of finalizers) {
    for (const text of isQualifiedName(finalizer)) errors.push(invalid(field, finalizer, text));
    if (finalizer === ORPHAN) orphan = true;
    if (finalizer === FOREGROUND) foreground = true;
  }
  if (orphan && foreground)
    errors.push(invalid(field, new GoText(goStrings(finalizers)), 'finalizer orphan and foregroundDeletion cannot be both set'));
  return errors;
}

const NO_ERRORS: readonly FieldError[] = [];

const isStandard = (finalizer: string, { names }: KindContext): boolean =>
  finalizer.includes('/') || finalizer === ORPHAN || finalizer === FOREGROUND || finalizer === brandOf(names);

/** A finalizer without a prefix must be a standard one. */
export function standardFinalizer(finalizer: string, field: string, context: KindContext): readonly FieldError[] {
  if (isStandard(finalizer, context)) return NO_ERRORS;
  return [invalid(field, finalizer, 'name is neither a standard finalizer name nor is it fully qualified')];
}

/** Returns the brand of a domain, which its finalizers and labels contain: `kubernetes`, `orch`. */
export const brandOf = (names: KindContext['names']): string => names.key('', '').replace('.io/', '');

const UNCHANGEABLE = ['name', 'namespace', 'uid', 'creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds'] as const;

/** Returns the errors of updated metadata: changes of immutable members, and invalid values. */
export function validateMetaUpdate(object: ApiObject, old: ApiObject, context: KindContext, standardFinalizers = true): FieldError[] {
  const meta = object.metadata;
  const before = old.metadata;
  const errors: FieldError[] = [];
  if (before.deletionTimestamp !== undefined && meta.finalizers !== before.finalizers) {
    const had = new Set(before.finalizers);
    const added = (meta.finalizers ?? []).filter((finalizer) => !had.has(finalizer)).sort(compareText);
    if (added.length > 0)
      errors.push(
        forbidden(
          'metadata.finalizers',
          `no new finalizers can be added if the object is being deleted, found new finalizers ${goStrings(added)}`,
        ),
      );
  }
  if (meta.resourceVersion === undefined || meta.resourceVersion === '')
    errors.push(invalid('metadata.resourceVersion', meta.resourceVersion ?? '', 'must be specified for an update'));
  if (meta.generation !== undefined && before.generation !== undefined && meta.generation < before.generation)
    errors.push(invalid('metadata.generation', meta.generation, 'must not be decremented'));
  for (const name of UNCHANGEABLE) {
    if (meta[name] !== before[name])
      errors.push(invalid(`metadata.${name}`, name.endsWith('Timestamp') ? shownInstant(meta[name]) : meta[name], immutableText));
  }
  // Parts taken from the stored object by reference were validated when they were written.
  if (meta.labels !== before.labels) append(errors, validateLabels(meta.labels, 'metadata.labels'));
  if (meta.annotations !== before.annotations) append(errors, validateAnnotations(meta.annotations ?? {}, 'metadata.annotations'));
  if (meta.ownerReferences !== before.ownerReferences)
    append(errors, validateOwners(meta.ownerReferences ?? [], 'metadata.ownerReferences'));
  if (standardFinalizers && meta.finalizers !== undefined && meta.finalizers !== before.finalizers)
    checkStandard(meta.finalizers, context, errors);
  return errors;
}

const IMMUTABLE = 'field is immutable when `immutable` is set';

/** Returns the check that data which was declared immutable stays so, and stays. */
export const immutableDataErrors =
  <O extends { readonly immutable?: boolean }>(...fields: readonly (keyof O & string)[]) =>
  (now: O, _: KindContext, before: O): FieldError[] =>
    before.immutable !== true
      ? []
      : [
          ...(now.immutable === true ? [] : [forbidden('immutable', IMMUTABLE)]),
          ...fields.filter((field) => !sameValue(now[field] ?? {}, before[field] ?? {})).map((field) => forbidden(field, IMMUTABLE)),
        ];
