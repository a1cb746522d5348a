/**
 * Admission: changes and refusals of a write beyond the rules of its kind. Each plug-in has one file, and one line here in the order of
 * execution: plug-ins that change objects first, quota last.
 */
import type { ApiObject, Draft } from '../machinery/index.ts';
import type { Scope } from './request-scope.ts';
import { claimResize } from './claim-resize.ts';
import { defaultIngressClass } from './default-ingress-class.ts';
import { defaultStorageClass } from './default-storage-class.ts';
import { defaultTolerations } from './default-tolerations.ts';
import { escalation } from './escalation.ts';
import { limitRanger } from './limit-ranger/index.ts';
import { namespaceLifecycle } from './namespace-lifecycle.ts';
import { nodeTaint } from './node-taint.ts';
import { objectInUse } from './object-in-use.ts';
import { serviceAddresses } from './services/index.ts';
import type { AdmissionPlugin, AdmissionVerb, Attributes } from './plugin.ts';
import { podSecurity } from './pod-security.ts';
import { priority } from './priority.ts';
import { resourceQuota } from './resource-quota.ts';
import { runtimeClass } from './runtime-class.ts';

export type { Scope, ServerOptions } from './request-scope.ts';
export type { AdmissionPlugin, Attributes } from './plugin.ts';

export const plugins: readonly AdmissionPlugin[] = [
  namespaceLifecycle,
  limitRanger,
  nodeTaint,
  priority,
  defaultTolerations,
  defaultStorageClass,
  objectInUse,
  runtimeClass,
  defaultIngressClass,
  serviceAddresses,
  podSecurity,
  escalation,
  claimResize,
  resourceQuota,
];

/** Returns the plug-ins that handle the creation of objects of a kind. */
export const pluginsFor = (kind: string): readonly AdmissionPlugin[] =>
  plugins.filter(({ verbs, kinds }) => verbs.includes('create') && (kinds === undefined || kinds.includes(kind)));

/** The attributes that decide which plug-ins handle a write. */
type Which = Pick<Attributes, 'verb' | 'resource' | 'subresource'>;

export interface Admission {
  mutate(scope: Scope, attributes: Attributes, draft: Draft, old: ApiObject | undefined): void;
  validate(scope: Scope, attributes: Attributes, object: ApiObject, old: ApiObject | undefined): void;
  /**
   * The kinds that admission of a new object reads, so that the result holds for all objects of one template; undefined if some plug-in
   * changes each object individually.
   */
  reads(kind: string): readonly string[] | undefined;
  /** Whether no plug-in would change a write. `spec`: whether the write changes the specification. */
  leavesUnchanged(attributes: Which, spec: boolean): boolean;
  /** Runs only those validating plug-ins that must see each object, although a template of it is cached. */
  validateInstance(scope: Scope, attributes: Attributes, object: ApiObject): void;
}

interface Route {
  readonly mutating: readonly AdmissionPlugin[];
  readonly validating: readonly AdmissionPlugin[];
  /** What the mutating plug-ins may change, combined. */
  readonly changes: AdmissionPlugin['changes'];
  /** The validating plug-ins that must see each object of a template. */
  readonly each: readonly AdmissionPlugin[];
}

/** Routes by verb and kind. */
const createRoutes = (): Readonly<Record<AdmissionVerb, Map<string, Route>>> => ({
  create: new Map(),
  update: new Map(),
  delete: new Map(),
});

/** Returns the admission chain of these plug-ins, in order. The plug-ins of each kind are determined once. */
export function createAdmission(registered: readonly AdmissionPlugin[] = plugins): Admission {
  const routes = { whole: createRoutes(), sub: createRoutes() };
  /** A cache, because admission is called several times for one write. */
  let last: Route | undefined;
  let lastVerb: AdmissionVerb | undefined;
  let lastKind: string | undefined;
  let lastSub: boolean | undefined;
  const route = (which: Which): Route => {
    const { verb } = which;
    const { kind } = which.resource.kind;
    const sub = which.subresource !== undefined;
    if (last !== undefined && verb === lastVerb && kind === lastKind && sub === lastSub) return last;
    lastVerb = verb;
    lastKind = kind;
    lastSub = sub;
    return (last = find(which));
  };
  const find = ({
    verb,
    resource: {
      kind: { kind },
    },
    subresource,
  }: Which): Route => {
    const sub = subresource !== undefined;
    const known = (sub ? routes.sub : routes.whole)[verb];
    let found = known.get(kind);
    if (found === undefined) {
      const concerned = registered.filter(
        (plugin) => plugin.verbs.includes(verb) && (plugin.kinds?.includes(kind) ?? true) && (!sub || plugin.subresources === true),
      );
      const mutating = concerned.filter((plugin) => plugin.mutate !== undefined);
      const changes = mutating.map((plugin) => plugin.changes);
      const validating = concerned.filter((plugin) => plugin.validate !== undefined);
      found = {
        mutating,
        changes: changes.includes(undefined) ? undefined : changes.includes('spec') ? 'spec' : 'nothing',
        validating,
        each: validating.filter((plugin) => plugin.reads === undefined),
      };
      known.set(kind, found);
    }
    return found;
  };
  return {
    mutate(scope, attributes, draft, old) {
      const { mutating } = route(attributes);
      for (let at = 0; at < mutating.length; at++) mutating[at]?.mutate?.(scope, attributes, draft, old);
    },
    validate(scope, attributes, object, old) {
      const { validating } = route(attributes);
      for (let at = 0; at < validating.length; at++) validating[at]?.validate?.(scope, attributes, object, old);
    },
    reads(kind) {
      const mutating = registered.filter(
        ({ mutate, verbs, kinds }) => mutate !== undefined && verbs.includes('create') && (kinds?.includes(kind) ?? true),
      );
      if (mutating.some(({ reads }) => reads === undefined)) return undefined;
      return [...new Set(registered.flatMap(({ reads = [], kinds }) => ((kinds?.includes(kind) ?? true) ? reads : [])))];
    },
    leavesUnchanged(which, spec) {
      const { changes } = route(which);
      return changes === 'nothing' || (changes === 'spec' && !spec);
    },
    validateInstance(scope, attributes, object) {
      const { each } = route(attributes);
      for (let at = 0; at < each.length; at++) each[at]?.validate?.(scope, attributes, object, undefined);
    },
  };
}
export { FIRST_ADDRESS } from './services/index.ts';
export { covers } from './quota-scopes.ts';
export { usageOf } from './quota-usage.ts';
