/** What every namespace holds from the start: the default service account and the cluster's root certificate. Models: v1.24 pkg/controller/serviceaccount and rootcacertpublisher. */
import { create, defineController, idle, write } from '../../runtime/index.ts';

/** No certificate is issued here; clients that look for the key find it. */
const CERTIFICATE = '-----BEGIN CERTIFICATE-----\nc2ltdWxhdGVk\n-----END CERTIFICATE-----\n';

const isLive = (namespace: { readonly metadata: { readonly deletionTimestamp?: string } }): boolean => namespace.metadata.deletionTimestamp === undefined;

/** A lost one is made again: its namespace is the key. */
const lost = (name: string) => ({ type, object }: { readonly type: string; readonly object: { readonly metadata: { readonly name: string; readonly namespace?: string } } }) => (type === 'DELETED' && object.metadata.name === name ? object.metadata.namespace : undefined);

export const serviceAccounts = defineController({
  name: 'service-account',
  reconciles: 'Namespace',
  writes: ['ServiceAccount'],
  models: 'v1.24 pkg/controller/serviceaccount: the default account. Omits: tokens.',
  watches: [{ kind: 'ServiceAccount', enqueue: lost('default') }],
  reconcile({ self: namespace, cache }) {
    const { name } = namespace.metadata;
    if (!isLive(namespace)) return idle('the namespace is going');
    if (cache.get('ServiceAccount', name, 'default') !== undefined) return idle('it has its default account');
    return write('every namespace has a default account', create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace: name } }, { tolerate: ['AlreadyExists', 'Forbidden'] }));
  },
});

export const rootCertificates = defineController({
  name: 'root-certificate',
  reconciles: 'Namespace',
  writes: ['ConfigMap'],
  models: 'v1.24 pkg/controller/certificates/rootcacertpublisher; the certificate is a placeholder.',
  watches: [{ kind: 'ConfigMap', enqueue: (delta, { names }) => lost(rootCertificateName(names.systemNamespace))(delta) }],
  reconcile({ self: namespace, cache, names }) {
    const { name } = namespace.metadata;
    const map = rootCertificateName(names.systemNamespace);
    if (!isLive(namespace)) return idle('the namespace is going');
    if (cache.get('ConfigMap', name, map) !== undefined) return idle('it has the root certificate');
    return write('every namespace holds the root certificate', create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: map, namespace: name }, data: { 'ca.crt': CERTIFICATE } }, { tolerate: ['AlreadyExists', 'Forbidden'] }));
  },
});

/** `kube-root-ca.crt` or `orch-root-ca.crt`. */
const rootCertificateName = (systemNamespace: string): string => systemNamespace.replace(/-system$/, '-root-ca.crt');
