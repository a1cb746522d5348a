/**
 * Tokens of service accounts: made when they are asked for, good for as long as the cluster lives. Models: v1.24
 * pkg/registry/core/serviceaccount/storage token.go. The signature proves nothing outside.
 */
import { decode, DecodeError } from '../../../grammar/schema/index.ts';
import { Refusal, type User } from '../../../apiserver/request/index.ts';
import { reply } from '../answer/encode.ts';
import type { Area } from '../call.ts';
import { AUTHENTICATED } from '../auth/tokens.ts';
import { badRequest, methodNotAllowed } from '../refusals.ts';
import { checkAcceptable } from '../request/accept.ts';
import { versionPath } from '../request/path.ts';
import { bodyOf } from '../request/value.ts';
import { tokenRequest, type TokenRequest } from './shapes.ts';

const HOUR_SECONDS = 3600;

/** What was issued, by token. */
export type Issued = Map<string, User>;

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const accountUser = (namespace: string, name: string): User => ({
  name: `system:serviceaccount:${namespace}:${name}`,
  groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, AUTHENTICATED],
});

/** `POST …/serviceaccounts/NAME/token`. */
export function tokenRequests(issued: Issued): Area {
  return ({ path, http, backend, user, format }) => {
    const below = versionPath(path);
    if (below === undefined || below.group !== '' || below.version !== 'v1') return undefined;
    const [namespaces, namespace = '', plural, name = '', subresource, ...rest] = below.parts;
    if (namespaces !== 'namespaces' || plural !== 'serviceaccounts' || subresource !== 'token' || rest.length > 0) return undefined;
    if (http.method !== 'POST') throw methodNotAllowed();
    checkAcceptable(http.headers['accept']);
    const apiVersion = `${backend.names.group('authentication')}/v1`;
    const { value } = bodyOf(http, 'TokenRequest', (kind) =>
      kind === 'TokenRequest' ? { schema: tokenRequest, group: 'authentication' } : undefined,
    );
    let given: TokenRequest;
    try {
      given = decode(tokenRequest, value ?? {}) as TokenRequest;
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      throw badRequest(`TokenRequest in version "v1" cannot be handled as a TokenRequest: ${error.message}`);
    }
    const found = backend.handle({
      verb: 'get',
      kind: 'ServiceAccount',
      namespace,
      name,
      user,
      userAgent: http.headers['user-agent'] ?? '',
    });
    if (!found.ok) throw new Refusal(found.status);
    const uid = 'object' in found ? found.object.metadata.uid : '';
    const seconds = Math.floor(backend.now() / 1000);
    const expires = seconds + (given.spec.expirationSeconds ?? HOUR_SECONDS);
    const audiences = given.spec.audiences ?? ['https://orchsim.invalid'];
    const token = `${part({ alg: 'none', typ: 'JWT' })}.${part({ aud: audiences, exp: expires, iat: seconds, sub: `system:serviceaccount:${namespace}:${name}`, uid, jti: issued.size + 1 })}.${part({ simulated: true })}`;
    issued.set(token, accountUser(namespace, name));
    return reply(
      201,
      {
        kind: 'TokenRequest',
        apiVersion,
        metadata: { ...given.metadata, name, namespace, creationTimestamp: new Date(seconds * 1000).toISOString().replace('.000', '') },
        spec: {
          audiences,
          expirationSeconds: given.spec.expirationSeconds ?? HOUR_SECONDS,
          boundObjectRef: given.spec.boundObjectRef ?? null,
        },
        status: { token, expirationTimestamp: new Date(expires * 1000).toISOString().replace('.000', '') },
      },
      format(),
    );
  };
}
