/**
 * The stages of a creation, most of which an update shares: defaulting, admission, hooks, the rules of the kind and of the specification,
 * warnings. Models: apiserver pkg/registry/generic/registry store.go, pkg/registry/rest create.go, update.go.
 */
import type { AdmissionPlugin, Scope } from '../admission/index.ts';
import { ALWAYS, hooksOf, isWriteRule, partsOf, rulesOf, ruleWarning, UNKNOWN, WHOLE } from '../machinery/index.ts';
import type {
  ApiObject,
  Draft,
  FieldError,
  Kind,
  KindContext,
  ObjectMeta,
  Parts,
  PlannedHook,
  Rule,
  RuleFacts,
  WriteRule,
} from '../machinery/index.ts';
import { type ApiRequest, causeOf, invalid, sameValue, storeKey } from '../request/index.ts';
import { fieldsAfter } from './tracking.ts';
import type { Place, Write } from './write.ts';

/** A step of a write. It runs where the write changes a part that it reads. */
export interface Stage {
  readonly name: string;
  readonly reads: Parts;
  /** @throws {Refusal} where it refuses the write. */
  run(write: Write): void;
}

export type Plan = readonly Stage[];

export const IDENTITY = partsOf('identity');
const SPEC = partsOf('spec');

/** Returns a stage for each hook of a member of the kind. */
export function hookStages<F extends (...args: never[]) => void>(
  name: string,
  hooks: Parameters<typeof hooksOf<F>>[0],
  call: (hook: F, draft: Draft, write: Write, context: KindContext) => void,
): readonly Stage[] {
  return hooksOf(hooks).map(({ reads, concerns, run }: PlannedHook<F>) => ({
    name,
    reads,
    run(write) {
      // A draft costs more than the question, unless there is one already.
      const context = write.scope.context();
      if (concerns !== undefined && !write.isDrafted && !concerns(write.object, context, write.place.before)) return;
      call(run, write.draft(), write, context);
    },
  }));
}

/** Defaults that depend on more than the object's own fields. */
export const defaulting = (kind: Kind): readonly Stage[] =>
  hookStages('defaults', kind.applyDefaults, (hook, draft, _, context) => hook(draft, context));

/** The part of a write that a mutating plug-in reads. */
function readBy({ reads, changes }: AdmissionPlugin, verb: Place['verb']): Parts {
  // The decision on a new object is one for all objects of its template.
  if (verb === 'create') return reads === undefined ? WHOLE : SPEC;
  return changes === 'nothing' ? 0 : changes === 'spec' ? SPEC : WHOLE;
}

/** Whether a write is tracked: on request, and for objects that have managed fields already. */
export const tracks = (scope: Scope, request: ApiRequest, stored: ApiObject | undefined): boolean =>
  stored?.metadata.managedFields !== undefined || scope.trackFields?.(request) === true;

/** The managed fields after the write, where they are tracked. */
export const tracking: Stage = {
  name: 'managed fields',
  reads: ALWAYS,
  run(write) {
    const { scope, place } = write;
    if (write.managers === undefined) {
      if (!tracks(scope, place.request, place.before)) return;
      write.managers = fieldsAfter(scope, place, write.object);
    }
    write.changed |= IDENTITY;
  },
};

const isIdle = ({ needs }: AdmissionPlugin, { scope }: Write): boolean => needs !== undefined && scope.store.size(needs) === 0;

/** Returns the stage of a plug-in that may change the object. */
export const mutating = (plugin: AdmissionPlugin, verb: Place['verb']): Stage => ({
  name: `admission: ${plugin.name}`,
  reads: readBy(plugin, verb),
  run(write) {
    if (isIdle(plugin, write)) return;
    const draft = plugin.changes === 'nothing' ? write.view : write.draft();
    plugin.mutate?.(write.scope, write.place, draft, write.place.before, write);
  },
});

/** Returns the stage of a plug-in that only refuses. Objects of one template need those that say what they read only once. */
export const validating = (plugin: AdmissionPlugin, verb: Place['verb']): Stage => ({
  name: `admission: ${plugin.name}`,
  reads: verb === 'create' && plugin.reads !== undefined ? SPEC : ALWAYS,
  run(write) {
    if (!isIdle(plugin, write)) plugin.validate?.(write.scope, write.place, write.object, write.place.before, write);
  },
});

/** Ends the draft: the stages after it only read. */
export const completing: Stage = {
  name: 'complete',
  reads: ALWAYS,
  run: (write) => write.complete(),
};

/** Returns the errors of the kind's own validation, in the version of the request. */
export function kindErrors({ place, object, scope }: Write): readonly FieldError[] {
  const { resource, request, before } = place;
  const { kind } = resource;
  const version = 'version' in request ? request.version : undefined;
  const context = scope.context();
  if (version !== undefined && kind.validateIn !== undefined) return kind.validateIn(version, object, before, context);
  return before === undefined ? kind.validate(object, context) : kind.validateUpdate(object, before, context);
}

/**
 * The refusal of an object with errors. Then the rules of the specification that the recorded server does not have: a violation is refused
 * like any other error, or gives a warning, depending on the mode of the server.
 */
export const specification: Stage = {
  name: 'rules of the specification',
  reads: ALWAYS,
  run(write) {
    const { resource } = write.place;
    if (resource.kind.specification !== undefined) checkSpecification(write, resource.kind.specification);
    else if (write.errors.length > 0) throw invalid(resource, write.object.metadata.name, write.errors);
  },
};

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

/** All that objects of one template share, or that rules of them do not read. */
export const BODY = partsOf('annotations', 'spec', 'status', 'other') | UNKNOWN;

/** Returns the stage of the kind's warnings. Objects of one template have none, or the template would not be kept. */
export const warnings = (kind: Kind, verb: Place['verb']): readonly Stage[] =>
  kind.warnings === undefined
    ? []
    : [
        {
          name: 'warnings',
          reads: verb === 'create' ? BODY : ALWAYS,
          run: (write) => write.warn(kind.warnings?.(write.object, write.place.before, write.scope.context()) ?? []),
        },
      ];

/** The clusterName in metadata is not stored, and the client gets a warning. */
export function warnOfClusterName(write: Write): void {
  const { given } = write as { readonly given: ObjectMeta & { readonly clusterName?: string } };
  if ('clusterName' in given && given.clusterName !== '')
    write.warn(['metadata.clusterName was specified. This field is not preserved and will be removed from the schema in 1.25']);
}

export function beforeOf({ place: { before } }: Write): ApiObject {
  if (before === undefined) throw new TypeError('an update has a stored object');
  return before;
}
