/** The kubeconfig for a served cluster. */
import { base64OfText as base64 } from '../../schema/values/index.ts';
import { toYaml } from './answer/yaml.ts';

export interface Credentials {
  /** The CA certificate as PEM; absent: plain HTTP. */
  readonly ca?: string | undefined;
  readonly token?: string | undefined;
  /** A client certificate and its key, as PEM. */
  readonly client?: { readonly certificate: string; readonly key: string } | undefined;
}

/** Returns the text of the file, with the credentials inline. */
export function kubeconfigFor(server: string, { ca, token, client }: Credentials = {}): string {
  const trust = ca === undefined ? { 'insecure-skip-tls-verify': true } : { 'certificate-authority-data': base64(ca) };
  const { certificate, key } = client ?? {};
  const user = {
    token,
    'client-certificate-data': certificate === undefined ? undefined : base64(certificate),
    'client-key-data': key === undefined ? undefined : base64(key),
  };
  return toYaml({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'orchsim', cluster: { server, ...trust } }],
    users: [{ name: 'orchsim', user }],
    contexts: [{ name: 'orchsim', context: { cluster: 'orchsim', user: 'orchsim', namespace: 'default' } }],
    'current-context': 'orchsim',
  });
}
