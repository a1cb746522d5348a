/** Token requests: signs tokens of service accounts. Models: v1.24 pkg/registry/core/serviceaccount/storage token.go. */
import type { Pod } from '../../../apiserver/kinds/index.ts';
import { type ApiObject, invalid } from '../../../apiserver/machinery/index.ts';
import { invalidAs } from '../../../apiserver/request/index.ts';
import { formatTime, unlessEmpty } from '../../../schema/values/index.ts';
import { reply } from '../answer/encode.ts';
import { BOUND_KINDS, type AccountTokens, type Bound } from '../auth/account-tokens.ts';
import { type Area, type Call, objectFor } from '../call.ts';
import { badRequest, methodNotAllowed, conflict } from '../refusals.ts';
import { checkAcceptable } from '../request/accept.ts';
import { readAs } from '../request/value.ts';
import { tokenRequest, type TokenRequest } from './shapes.ts';

const HOUR_SECONDS = 3600;
const LEAST_SECONDS = 600;
const MOST_SECONDS = 2 ** 32;

/** Handles `POST …/serviceaccounts/NAME/token`. */
export function tokenRequests(accounts: AccountTokens): Area {
  return (call) => {
    const { below, http, backend, format } = call;
    if (below === undefined || below.group !== '' || below.version !== 'v1') return undefined;
    const { special, namespace, resource, name = '', subresource, rest } = below;
    if (special !== undefined || namespace === undefined || rest.length > 0) return undefined;
    if (resource !== 'serviceaccounts' || subresource !== 'token') return undefined;
    if (http.method !== 'POST') throw methodNotAllowed();
    checkAcceptable(http.headers['accept']);
    const group = backend.names.group('authentication');
    const { metadata, spec } = readAs(http, 'TokenRequest', tokenRequest) as TokenRequest;
    const account = objectFor(call, 'ServiceAccount', namespace, name);
    const expirationSeconds = spec.expirationSeconds ?? HOUR_SECONDS;
    checkLifetime(expirationSeconds, group);
    const audiences = unlessEmpty(spec.audiences ?? []) ?? [accounts.issuer];
    const bound = boundTo(spec.boundObjectRef, call, account);
    const { token, expiresAt } = accounts.issue({ account, lifetimeSeconds: expirationSeconds, audiences, bound });
    const answer = {
      kind: 'TokenRequest',
      apiVersion: `${group}/v1`,
      metadata: { ...metadata, name, namespace, creationTimestamp: formatTime(backend.now()) },
      spec: { audiences, expirationSeconds, boundObjectRef: spec.boundObjectRef ?? null },
      status: { token, expirationTimestamp: formatTime(expiresAt) },
    };
    return reply(201, answer, format());
  };
}

function checkLifetime(seconds: number, group: string): void {
  if (seconds >= LEAST_SECONDS && seconds <= MOST_SECONDS) return;
  const bound = seconds < LEAST_SECONDS ? 'less than 10 minutes' : 'larger than 2^32 seconds';
  throw invalidAs(group, 'TokenRequest', '', [invalid('spec.expirationSeconds', seconds, `may not specify a duration ${bound}`)]);
}

function boundTo(ref: TokenRequest['spec']['boundObjectRef'], call: Call, account: ApiObject): Bound | undefined {
  if (ref === undefined) return undefined;
  const { kind = '', apiVersion = '', name = '', uid = '' } = ref;
  const known = BOUND_KINDS.find((each) => each === kind);
  if (known === undefined || apiVersion !== 'v1') {
    const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
    throw badRequest(`cannot bind token to object of type ${group ?? ''}/${version ?? ''}, Kind=${kind}`);
  }
  const object = objectFor(call, known, account.metadata.namespace ?? '', name);
  if (known === 'Pod' && (object as Pod).spec.serviceAccountName !== account.metadata.name)
    throw badRequest(
      `cannot bind token for serviceaccount ${JSON.stringify(account.metadata.name)} to pod running with different serviceaccount name.`,
    );
  if (uid !== '' && uid !== object.metadata.uid)
    throw conflict(
      `Operation cannot be fulfilled on ${known} ${JSON.stringify(name)}: the UID in the bound object reference (${uid}) does not match the UID in record. The object might be deleted and then recreated`,
      { name, kind: known },
    );
  return { kind: known, name, uid: object.metadata.uid };
}
