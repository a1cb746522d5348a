/**
 * The stages that creations and updates share: defaulting, managed fields, admission, hooks, the rules of the kind and of the
 * specification, and warnings. Models: apiserver pkg/registry/generic/registry store.go, pkg/registry/rest create.go, update.go.
 */
import type { AdmissionPlugin } from '../admission/index.ts';
import {
  ALWAYS,
  type ApiObject,
  type Draft,
  type Kind,
  type KindContext,
  type ObjectMeta,
  type Parts,
  partsOf,
  hooksOf,
  type PlannedHook,
  UNKNOWN,
  WHOLE,
} from '../machinery/index.ts';
import { checkRules } from './rules.ts';
import { fieldsAfter, tracks } from './tracking.ts';
import type { Write } from './write.ts';

/** A step of a write. It runs where the write changes a part that it reads. */
export interface Stage {
  readonly name: string;
  readonly reads: Parts;
  /** @throws {Refusal} where it refuses the write. */
  run(write: Write): void;
}

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
      if (concerns !== undefined && !write.isDrafted && !concerns(write.object, context, write.before)) return;
      call(run, write.draft(), write, context);
    },
  }));
}

/** Defaults that depend on more than the object's own fields. */
export const defaulting = (kind: Kind): readonly Stage[] =>
  hookStages('defaults', kind.applyDefaults, (hook, draft, _, context) => hook(draft, context));

/** The managed fields after the write, where they are tracked. */
export const tracking: Stage = {
  name: 'managed fields',
  reads: ALWAYS,
  run(write) {
    const { scope, resource, request, before, subresource } = write;
    if (write.managers === undefined) {
      if (!tracks(scope, request, before)) return;
      write.managers = fieldsAfter(scope, resource, request, write.object, before, subresource);
    }
    write.changed |= IDENTITY;
  },
};

/** The part of a write that a mutating plug-in reads. */
function readBy({ reads, changes }: AdmissionPlugin, verb: Write['verb']): Parts {
  // The decision on a new object is one for all objects of its template.
  if (verb === 'create') return reads === undefined ? WHOLE : SPEC;
  return changes === 'nothing' ? 0 : changes === 'spec' ? SPEC : WHOLE;
}

/** Returns the stage of a plug-in that may change the object. */
export const mutating = (plugin: AdmissionPlugin, verb: Write['verb']): Stage => ({
  name: `admission: ${plugin.name}`,
  reads: readBy(plugin, verb),
  run(write) {
    const draft = plugin.changes === 'nothing' ? write.view : write.draft();
    plugin.mutate?.(write.scope, write, draft, write.before);
  },
});

/** Returns the stage of a plug-in that only refuses. Objects of one template need those that say what they read only once. */
export const validating = (plugin: AdmissionPlugin, verb: Write['verb']): Stage => ({
  name: `admission: ${plugin.name}`,
  reads: verb === 'create' && plugin.reads !== undefined ? SPEC : ALWAYS,
  run(write) {
    plugin.validate?.(write.scope, write, write.object, write.before);
  },
});

/** Ends the draft: the stages after it only read. */
export const completing: Stage = {
  name: 'complete',
  reads: ALWAYS,
  run(write) {
    write.complete();
  },
};

/** The rules of the specification, and the refusal with all errors. */
export const specification: Stage = {
  name: 'rules of the specification',
  reads: ALWAYS,
  run(write) {
    checkRules(write);
  },
};

/** All that objects of one template share, or that rules of them do not read. */
export const BODY = partsOf('annotations', 'spec', 'status', 'other') | UNKNOWN;

/** Returns the stage of the kind's warnings. Objects of one template have none, or the template would not be kept. */
export const warnings = (kind: Kind, verb: Write['verb']): readonly Stage[] =>
  kind.warnings === undefined
    ? []
    : [
        {
          name: 'warnings',
          reads: verb === 'create' ? BODY : ALWAYS,
          run(write) {
            write.warn(kind.warnings?.(write.object, write.before, write.scope.context()) ?? []);
          },
        },
      ];

/** The clusterName in metadata is not stored, and the client gets a warning. */
export function warnOfClusterName(write: Write): void {
  const { given } = write as { readonly given: ObjectMeta & { readonly clusterName?: string } };
  if ('clusterName' in given && given.clusterName !== '')
    write.warn(['metadata.clusterName was specified. This field is not preserved and will be removed from the schema in 1.25']);
}

/** Returns the stored object of an update. */
export function beforeOf({ before }: Write): ApiObject {
  if (before === undefined) throw new TypeError('an update has a stored object');
  return before;
}
