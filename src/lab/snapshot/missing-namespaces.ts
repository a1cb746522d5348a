/** The namespaces of a dump, and what each has: its default ServiceAccount, and the root certificate of this server. */
import { plural } from '../../schema/values/index.ts';
import type { ConfigMap } from '../../apiserver/kinds/index.ts';
import type { ApiObject } from '../../apiserver/machinery/index.ts';
import { rootCertificateMap } from '../../controlplane/controllers/index.ts';
import { type Made, type Make, objectsOf, type State } from './state.ts';

export function missingNamespaces(state: State, make: Make): Made {
  const { names } = state;
  const live = objectsOf<ApiObject & { readonly metadata: { readonly deletionTimestamp?: string } }>(state, 'Namespace');
  const there = new Set(live.map(({ metadata }) => metadata.name));
  const going = new Set(live.flatMap(({ metadata }) => (metadata.deletionTimestamp === undefined ? [] : [metadata.name])));
  const spoken = new Set(state.objects.flatMap(({ metadata: { namespace } }) => namespace ?? []));
  const usual = [names.systemNamespace, names.publicNamespace, names.nodeLeaseNamespace, 'default'];
  const lacking = [...new Set([...usual, ...spoken])].filter((name) => !there.has(name));
  const namespaces = lacking.map((name) =>
    make({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name, labels: { [names.key('', 'metadata.name')]: name } },
      spec: { finalizers: [names.domain === 'k8s.io' ? 'kubernetes' : 'orch'] },
      status: { phase: 'Active' },
    }),
  );
  const all = [...there, ...lacking].filter((name) => !going.has(name));
  const accounts = accountsOf(state, all, make);
  const certificates = certificatesOf(state, all, make);
  const said = lacking.filter((name) => spoken.has(name));
  const first = `${said.slice(0, 5).join(', ')}${said.length > 5 ? ', …' : ''}`;
  const beside = `${plural(accounts.length, 'default ServiceAccount')} and ${plural(certificates.length, 'ConfigMap')} with the root certificate`;
  return {
    made: [...namespaces, ...accounts, ...certificates],
    notes: [
      ...(said.length === 0 ? [] : [`the dump lacks ${plural(said.length, 'namespace')} of its objects (${first}): made`]),
      ...(accounts.length + certificates.length === 0 ? [] : [`the dump lacks ${beside}, which every namespace has: made`]),
    ],
  };
}

function accountsOf(state: State, namespaces: readonly string[], make: Make): readonly ApiObject[] {
  const has = new Set(
    objectsOf(state, 'ServiceAccount').flatMap(({ metadata }) => (metadata.name === 'default' ? [metadata.namespace] : [])),
  );
  return namespaces
    .filter((name) => !has.has(name))
    .map((namespace) => make({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace } }));
}

function certificatesOf(state: State, namespaces: readonly string[], make: Make): readonly ApiObject[] {
  const has = new Set(objectsOf(state, 'ConfigMap').flatMap((map) => (isCertificate(map, state) ? [map.metadata.namespace] : [])));
  return namespaces.filter((name) => !has.has(name)).map((namespace) => make(rootCertificateMap(state.names, namespace)));
}

const isCertificate = ({ kind, metadata: { name, namespace = '' } }: ApiObject, { names }: Pick<State, 'names'>): boolean =>
  kind === 'ConfigMap' && name === rootCertificateMap(names, namespace).metadata.name;

/** The ConfigMaps of the root certificate hold that of this server, which serves the cluster from now on. */
export function withCertificate(objects: readonly ApiObject[], names: State['names']): readonly ApiObject[] {
  return objects.map((object) => {
    if (!isCertificate(object, { names })) return object;
    const { metadata, ...rest } = object as ConfigMap;
    const made = rootCertificateMap(names, metadata.namespace ?? '');
    return {
      ...rest,
      metadata: { ...metadata, annotations: { ...metadata.annotations, ...made.metadata.annotations } },
      data: made.data,
    };
  });
}
