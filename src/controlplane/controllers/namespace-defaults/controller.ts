/**
 * Creates the defaults of every namespace: the default service account and the cluster's root certificate. Models: v1.24
 * pkg/controller/serviceaccount and rootcacertpublisher.
 */
import { brandOf, type Names, sameValue } from '../../../apiserver/machinery/index.ts';
import { create, defineController, idle, watch, write, type Delta } from '../../runtime/index.ts';
import { isDying } from '../../shared/index.ts';

/** A placeholder: no certificate is issued here, but clients look for the key. */
const CERTIFICATE = '-----BEGIN CERTIFICATE-----\nc2ltdWxhdGVk\n-----END CERTIFICATE-----\n';

/** The annotation of the map, as recorded. */
const description = (names: Names): string => {
  const brand = brandOf(names);
  const Brand = `${brand.charAt(0).toUpperCase()}${brand.slice(1)}`;
  return `Contains a CA bundle that can be used to verify the ${names.systemNamespace.replace(/-system$/, '')}-apiserver when using internal endpoints such as the internal service IP or ${brand}.default.svc. No other usage is guaranteed across distributions of ${Brand} clusters.`;
};

/** An object that is deleted or changed is restored; the key is its namespace. */
const harmed =
  (name: string, types: readonly string[]) =>
  ({ type, object: { metadata } }: Delta): string | undefined =>
    types.includes(type) && metadata.name === name ? metadata.namespace : undefined;

export const serviceAccounts = defineController({
  name: 'service-account',
  reconciles: 'Namespace',
  writes: ['ServiceAccount'],
  models: 'v1.24 pkg/controller/serviceaccount: the default account. Omits: tokens.',
  watches: [watch('ServiceAccount', harmed('default', ['DELETED']))],
  reconcile({ self: namespace, cache }) {
    const { name } = namespace.metadata;
    if (isDying(namespace)) return idle('the namespace is being deleted');
    if (cache.get('ServiceAccount', name, 'default') !== undefined) return idle('it has its default ServiceAccount');
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace: name } };
    return write('every namespace has a default ServiceAccount', create(account, { tolerate: ['AlreadyExists', 'Forbidden'] }));
  },
});

export const rootCertificates = defineController({
  name: 'root-certificate',
  reconciles: 'Namespace',
  writes: ['ConfigMap'],
  models: 'v1.24 pkg/controller/certificates/rootcacertpublisher; the certificate is a placeholder.',
  watches: [watch('ConfigMap', (delta, { names }) => harmed(rootCertificateName(names.systemNamespace), ['MODIFIED', 'DELETED'])(delta))],
  reconcile({ self: namespace, cache, names }) {
    const { name } = namespace.metadata;
    const map = rootCertificateName(names.systemNamespace);
    if (isDying(namespace)) return idle('the namespace is being deleted');
    const there = cache.get('ConfigMap', name, map);
    const note = names.key('', 'description');
    const made = rootCertificateMap(names, name);
    const annotations = { ...there?.metadata.annotations, ...made.metadata.annotations };
    const { data } = made;
    if (there === undefined)
      return write('every namespace has the ConfigMap of the root certificate', create(made, { tolerate: ['AlreadyExists', 'Forbidden'] }));
    if (sameValue(there.data, data) && (there.metadata.annotations?.[note] ?? '') !== '')
      return idle('it has the ConfigMap of the root certificate');
    const object = { ...there, metadata: { ...there.metadata, annotations }, data };
    return write('the ConfigMap of the root certificate was changed', { op: 'update', object });
  },
});

/** `kube-root-ca.crt` or `orch-root-ca.crt`. */
const rootCertificateName = (systemNamespace: string): string => systemNamespace.replace(/-system$/, '-root-ca.crt');

export const rootCertificateMap = (names: Names, namespace: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {
    name: rootCertificateName(names.systemNamespace),
    namespace,
    annotations: { [names.key('', 'description')]: description(names) },
  },
  data: { 'ca.crt': CERTIFICATE },
});
