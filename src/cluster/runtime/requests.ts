/** A controller's write as a request to the door. */
import type { ApiRequest, User } from '../server/request.ts';
import type { Write } from './contract.ts';

type RequestWrite = Exclude<Write, { readonly op: 'event' }>;

const at = (namespace: string | undefined): { namespace?: string } => (namespace === undefined || namespace === '' ? {} : { namespace });

/** The request that makes a write. */
export function requestOf(write: RequestWrite, user: User): ApiRequest {
  switch (write.op) {
    case 'create': return { verb: 'create', kind: write.object.kind, ...at(write.object.metadata.namespace), user, body: write.object };
    case 'update': {
      const { kind, metadata } = write.object;
      return { verb: 'update', kind, ...at(metadata.namespace), name: metadata.name, user, body: write.object, ...(write.subresource === undefined ? {} : { subresource: write.subresource }) };
    }
    case 'patch': return { verb: 'patch', kind: write.kind, ...at(write.namespace), name: write.name, user, body: write.patch, patchType: write.patchType, ...(write.subresource === undefined ? {} : { subresource: write.subresource }) };
    case 'delete': {
      const preconditions = { ...(write.uid === undefined ? {} : { uid: write.uid }), ...(write.resourceVersion === undefined ? {} : { resourceVersion: write.resourceVersion }) };
      return {
        verb: 'delete', kind: write.kind, ...at(write.namespace), name: write.name, user, preconditions,
        ...(write.propagationPolicy === undefined ? {} : { propagationPolicy: write.propagationPolicy }),
        ...(write.gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds: write.gracePeriodSeconds }),
      };
    }
    case 'check': case 'get': return { verb: 'get', kind: write.kind, ...at(write.namespace), name: write.name, user };
    case 'post': return { verb: 'create', kind: write.kind, ...at(write.namespace), name: write.name, subresource: write.subresource, user, body: write.body };
    default: { const never: never = write; return never; }
  }
}

/** A request as a phrase for people: `update Job/status default/pi`. */
export function phraseOf(request: ApiRequest): string {
  const name = request.verb === 'create' ? (request.name ?? request.body.metadata.name ?? `${request.body.metadata.generateName ?? ''}*`) : 'name' in request ? request.name : '*';
  const sub = 'subresource' in request && request.subresource !== undefined ? `/${request.subresource}` : '';
  return `${request.verb} ${request.kind}${sub} ${request.namespace === undefined ? '' : `${request.namespace}/`}${name}`;
}
