/** Authorizes requests and impersonation by roles and bindings. Models: pkg/endpoints/filters authorization.go, impersonation.go. */
import { forbidden, qualified } from '../refusals.ts';
import { type AccessQuestion, decideAccess } from '../../../apiserver/access/index.ts';
import { type User, storeKey, Refusal } from '../../../apiserver/request/index.ts';
import { exactFieldMatch, isValidPathSegmentName, parseFieldSelector } from '../../../schema/values/index.ts';
import type { Call } from '../call.ts';
import { firstOf, flagOf, type Query } from '../request/query.ts';
import type { Backend } from '../backend.ts';
import type { Impersonated } from './guard.ts';

const VERBS: Readonly<Record<string, string>> = {
  POST: 'create',
  GET: 'get',
  HEAD: 'get',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

function questionOf({ http: { method }, path, below, query }: Pick<Call, 'http' | 'path' | 'below' | 'query'>, user: User): AccessQuestion {
  if (below === undefined || (below.resource ?? '') === '') return { user, verb: method.toLowerCase(), path };
  const { group, special, resource = '', subresource = '' } = below;
  let { name = '' } = below;
  // A request for a namespace object counts as in that namespace.
  const namespace = below.namespace ?? (resource === 'namespaces' ? name : '');
  let verb: string = special ?? VERBS[method] ?? '';
  if (name === '' && verb === 'get') {
    verb = flagOf(query, 'watch') === true ? 'watch' : 'list';
    name = namedBySelector(query);
  } else if (name === '' && verb === 'watch') name = namedBySelector(query);
  else if (name === '' && verb === 'delete') verb = 'deletecollection';
  return { user, verb, group, resource, subresource, name, namespace };
}

/** A list with a field selector for one name is about that name. */
function namedBySelector(query: Query): string {
  const parsed = parseFieldSelector(firstOf(query, 'fieldSelector') ?? '');
  const name = parsed.value === undefined ? undefined : exactFieldMatch(parsed.value, 'metadata.name');
  return name !== undefined && isValidPathSegmentName(name).length === 0 ? name : '';
}

export type RequestAuthorizer = ReturnType<typeof createRequestAuthorizer>;

export function createRequestAuthorizer(backend: Backend) {
  const decide = (question: AccessQuestion) => decideAccess(backend.store, backend.names, question);
  /** Throws the refusal of what is not allowed. */
  const demand = (question: AccessQuestion): void => {
    const { allowed, reason } = decide(question);
    if (!allowed) throw refusing(question, `${sentence(question)}${reason === '' ? '' : `: ${reason}`}`);
  };
  const authentication = backend.names.group('authentication');
  return {
    decide,
    demand,
    authorize(call: Call, user: User): void {
      const question = questionOf(call, user);
      demand(question);
      const creates = creationBehind(call, question);
      if (creates !== undefined && !decide(creates).allowed) throw refusing(creates, decide(creates).reason);
    },
    authorizeImpersonation(user: User, as: Impersonated): void {
      const may = (group: string, resource: string, name: string, more?: Partial<AccessQuestion>): void =>
        demand({ user, verb: 'impersonate', group, resource, name, ...more });
      const [, namespace = '', account] = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(as.user) ?? [];
      if (account === undefined) may('', 'users', as.user);
      else may('', 'serviceaccounts', account, { namespace });
      for (const group of as.groups) may('', 'groups', group);
      for (const [key, values] of as.extra) for (const value of values) may(authentication, 'userextras', value, { subresource: key });
      if (as.uid !== '') may(authentication, 'uids', as.uid);
    },
  };
}

/** An apply patch or a replacement of an object that does not exist creates it, which requires the create permission too. */
function creationBehind({ http, backend, routed }: Call, question: AccessQuestion): AccessQuestion | undefined {
  if (question.path !== undefined || (question.subresource ?? '') !== '') return undefined;
  const applies = question.verb === 'patch' && (http.headers['content-type'] ?? '').startsWith('application/apply-patch+yaml');
  if (!applies && question.verb !== 'update') return undefined;
  const found = routed();
  // An unknown resource is refused later: the handlers use the same route.
  if (found === undefined || found instanceof Refusal) return undefined;
  const { kind, namespace, name = '' } = found.route;
  if (!applies && !kind.allowCreateOnUpdate) return undefined;
  return backend.store.get(kind.kind, storeKey(kind.namespaced ? namespace : undefined, name)) === undefined
    ? { ...question, verb: 'create' }
    : undefined;
}

/** `User "alice" cannot get resource "jobs" in API group "batch" in the namespace "default"`. */
function sentence(question: AccessQuestion): string {
  const who = `User ${JSON.stringify(question.user.name)} cannot`;
  if (question.path !== undefined) return `${who} ${question.verb} path ${JSON.stringify(question.path)}`;
  const { verb, group, resource, subresource = '', namespace = '' } = question;
  const what = subresource === '' ? resource : `${resource}/${subresource}`;
  return `${who} ${verb} resource ${JSON.stringify(what)} in API group ${JSON.stringify(group)} ${namespace === '' ? 'at the cluster scope' : `in the namespace ${JSON.stringify(namespace)}`}`;
}

function refusing(question: AccessQuestion, why: string): Refusal {
  if (question.path !== undefined) return forbidden(`forbidden: ${why}`, {});
  const { group, resource, name = '' } = question;
  const details = { ...(name === '' ? {} : { name }), ...(group === '' ? {} : { group }), kind: resource };
  return forbidden(`${qualified(resource, group)}${name === '' ? '' : ` ${JSON.stringify(name)}`} is forbidden: ${why}`, details);
}
