/** A request as one short phrase: `create Pod default/a-*`. */
import { storeKey } from '../vocabulary/index.ts';
import type { ApiRequest } from '../request/index.ts';

export function describeRequest(request: ApiRequest): string {
  const sub = 'subresource' in request && request.subresource !== undefined ? `/${request.subresource}` : '';
  const target = targetOf(request);
  return `${VERB[request.verb]} ${request.kind}${sub}${target === '' ? '' : ` ${target}`}`;
}

const VERB: Readonly<Record<ApiRequest['verb'], string>> = {
  get: 'get',
  list: 'list',
  create: 'create',
  update: 'update',
  patch: 'patch',
  delete: 'delete',
  deletecollection: 'delete all',
};

function targetOf(request: ApiRequest): string {
  const namespace =
    request.namespace ?? (request.verb === 'create' || request.verb === 'update' ? request.body?.metadata?.namespace : undefined);
  const name = nameOf(request);
  if (name === undefined) return namespace === undefined || namespace === '' ? '' : `in ${namespace}`;
  return storeKey(namespace, name);
}

function nameOf(request: ApiRequest): string | undefined {
  switch (request.verb) {
    case 'list':
    case 'deletecollection':
      return undefined;
    case 'create': {
      const { name, generateName } = request.body?.metadata ?? {};
      return request.name ?? name ?? (generateName === undefined ? undefined : `${generateName}*`);
    }
    default:
      return request.name;
  }
}
