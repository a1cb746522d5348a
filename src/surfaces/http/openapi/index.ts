/** `/openapi/v2` and `/openapi/v3`: the served API as documents. Models: pkg/server/routes/openapi.go, kube-openapi pkg/handler. */
import { createHash } from 'node:crypto';
import { perObject } from '../../../engine/memo.ts';
import type { FeatureGates } from '../../../apiserver/machinery/index.ts';
import type { KindRegistry } from '../../../apiserver/kinds/index.ts';
import { once, type Area } from '../call.ts';
import type { WholeReply } from '../message.ts';
import { notAcceptable } from '../refusals.ts';
import { otherRegistries } from '../versions/index.ts';
import type { GroupVersion } from '../discovery/resource-list.ts';
import { documentV2, documentV3, versionsOf } from './documents.ts';
import { toGnostic } from './gnostic.ts';

const hashOf = (body: string | Uint8Array): string => createHash('sha512').update(body).digest('hex').toUpperCase();

function documentsOf(kinds: KindRegistry, gates: FeatureGates) {
  const two = once(() => documentV2(kinds, gates));
  const three = new Map<string, string>();
  const others = new Map(otherRegistries(kinds).map((other) => [pathOf(other), other.kinds]));
  return {
    versions: [...versionsOf(kinds), ...otherRegistries(kinds)],
    v2: once(() => JSON.stringify(two())),
    v2Protobuf: once(() => toGnostic(two())),
    v3(version: GroupVersion): string {
      const key = pathOf(version);
      let made = three.get(key);
      if (made === undefined) three.set(key, (made = JSON.stringify(documentV3(others.get(key) ?? kinds, gates, version))));
      return made;
    },
  };
}

const pathOf = ({ group, version }: GroupVersion): string => (group === '' ? `api/${version}` : `apis/${group}/${version}`);
/** The type in requests, and the type in replies, which must not contain `@`. */
const REQUESTED = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
const ANSWERED = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';

/** Returns the area of the documents, which depend on gates; they are made anew when clients change the kinds. */
export function openapi(gates: FeatureGates): Area {
  const made = perObject((kinds: KindRegistry) => documentsOf(kinds, gates));
  return ({ path, http, backend: { kinds } }) => {
    if (!path.startsWith('/openapi/')) return undefined;
    const documents = made(kinds);
    if (path === '/openapi/v2') return version2(documents, http.headers['accept'] ?? '*/*');
    // Upstream serves these paths only with the gate.
    if (gates['OpenAPIV3'] === false) return undefined;
    if (path === '/openapi/v3') {
      const urlOf = (version: GroupVersion): string => `/openapi/v3/${pathOf(version)}?hash=${hashOf(documents.v3(version))}`;
      const paths = documents.versions.map((version) => [pathOf(version), { serverRelativeURL: urlOf(version) }]);
      return json(JSON.stringify({ paths: Object.fromEntries(paths) as object }));
    }
    if (!path.startsWith('/openapi/v3/')) return undefined;
    const asked = path.slice('/openapi/v3/'.length);
    const version = documents.versions.find((each) => pathOf(each) === asked);
    return version === undefined ? undefined : json(documents.v3(version));
  };
}

function version2(documents: ReturnType<typeof documentsOf>, accept: string): WholeReply {
  for (const part of accept.split(',')) {
    const type = part.split(';')[0]?.trim() ?? '';
    if (type === '*/*' || type === 'application/json' || type === '') return json(documents.v2());
    if (type === REQUESTED || type === ANSWERED)
      return { status: 200, headers: { 'content-type': ANSWERED, etag: `"${hashOf(documents.v2())}"` }, body: documents.v2Protobuf() };
  }
  throw notAcceptable();
}

const json = (body: string): WholeReply => ({
  status: 200,
  headers: { 'content-type': 'application/json', etag: `"${hashOf(body)}"` },
  body,
});
