/**
 * Objects that the server creates in a new cluster: its namespaces, the built-in roles and bindings, and the Service of the API server.
 * Models: v1.24 pkg/controlplane controller.go, reconcilers/endpointsadapter.go; pkg/registry/rbac/rest/storage_rbac.go.
 */
import { perObject } from '../../engine/index.ts';
import { builtInRoles } from '../access/index.ts';
import { FIRST_ADDRESS } from '../admission/index.ts';
import { envelopeOf } from '../request/index.ts';
import type { CustomKind } from '../kinds/index.ts';
import type { Names, ObjectInput } from '../machinery/index.ts';
import { recurring } from './writes.ts';
import type { Server } from './server.ts';

/** The server's address from a node. It is in the range of the nodes, whose addresses begin at 192.168.0.10. */
const ADDRESS = '192.168.0.1';
const PORT = 6443;

/** The bodies of a domain: each world creates the same. */
const bodiesFor = perObject((names: Names) => {
  const first = [names.systemNamespace, names.publicNamespace, names.nodeLeaseNamespace, 'default'];
  return {
    namespaces: first.map((name) => recurring({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })),
    others: [...builtInRoles(names), ...apiServerService(names)].map(recurring),
  };
});

/** Creates the namespaces that every cluster has, before the first request; throws if the server refuses one, which would be a bug. */
export const bootstrap = (server: Server, names: Names): void => createMissing(server, bodiesFor(names).namespaces);

/** Creates the other objects that are missing. */
export const createBootstrapObjects = (server: Server, names: Names): void => createMissing(server, bodiesFor(names).others);

/** Creates the definitions of the kinds that are made from one: they are defined as a client would. */
export function createDefinitions(server: Server, names: Names, kinds: readonly CustomKind[]): void {
  const apiVersion = `${names.group('apiextensions')}/v1`;
  const definitions = kinds.flatMap((kind) => (typeof kind === 'function' ? [] : (kind.definition ?? [])));
  createMissing(
    server,
    definitions.map((body) => ({ ...body, apiVersion })),
  );
}

function createMissing(server: Server, bodies: readonly ObjectInput[]): void {
  for (const body of bodies) {
    const { name = '', namespace } = body.metadata;
    const at = namespace === undefined ? {} : { namespace };
    const answer = server.handle(envelopeOf('server', { verb: 'create', kind: body.kind, ...at, body }));
    if (!answer.ok && answer.code !== 409) throw new Error(`bootstrap: ${body.kind} ${name}: ${answer.status.message ?? answer.code}`);
  }
}

function apiServerService(names: Names): readonly ObjectInput[] {
  const name = names.domain === 'k8s.io' ? 'kubernetes' : 'orch';
  const metadata = { name, namespace: 'default' };
  const port = { name: 'https', port: PORT, protocol: 'TCP' };
  return [
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { ...metadata, labels: { component: 'apiserver', provider: name } },
      spec: {
        clusterIP: FIRST_ADDRESS,
        ports: [{ name: 'https', port: 443, protocol: 'TCP', targetPort: PORT }],
        sessionAffinity: 'None',
        type: 'ClusterIP',
      },
    },
    {
      apiVersion: 'v1',
      kind: 'Endpoints',
      metadata: { ...metadata, labels: { [names.key('endpointslice', 'skip-mirror')]: 'true' } },
      subsets: [{ addresses: [{ ip: ADDRESS }], ports: [port] }],
    },
    {
      apiVersion: `${names.group('discovery')}/v1`,
      kind: 'EndpointSlice',
      metadata: { ...metadata, labels: { [names.key('', 'service-name')]: name } },
      addressType: 'IPv4',
      endpoints: [{ addresses: [ADDRESS], conditions: { ready: true } }],
      ports: [port],
    },
  ];
}
