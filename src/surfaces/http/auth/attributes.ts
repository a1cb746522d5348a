/**
 * The attributes of a request for authorization, which are derived before anything else is read. Models: apiserver
 * pkg/endpoints/request/requestinfo.go, pkg/endpoints/filters/authorization.go.
 */
import type { AccessQuestion } from '../../../apiserver/access/index.ts';
import type { User } from '../../../apiserver/request/index.ts';
import { exactFieldMatch, isValidPathSegmentName, parseFieldSelector } from '../../../schema/values/index.ts';
import type { Call } from '../call.ts';
import { firstOf, flagOf, type Query } from '../request/query.ts';

const VERBS: Readonly<Record<string, string>> = {
  POST: 'create',
  GET: 'get',
  HEAD: 'get',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

/** Returns the attributes of a request. */
export function questionOf(
  { http: { method }, path, below, query }: Pick<Call, 'http' | 'path' | 'below' | 'query'>,
  user: User,
): AccessQuestion {
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
