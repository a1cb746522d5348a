/** The kubeconfig for a served cluster. */
import { toYaml } from './answer/yaml.ts';

export interface Credentials {
  /** The CA certificate as PEM; absent: plain HTTP. */
  readonly ca?: string | undefined;
  readonly token?: string | undefined;
  /** A client certificate and its key, as PEM. */
  readonly client?: { readonly certificate: string; readonly key: string } | undefined;
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** Returns the text of the file, with the credentials inline. */
export const kubeconfigFor = (server: string, { ca, token, client }: Credentials = {}): string =>
  toYaml({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name: 'orchsim',
        cluster: { server, ...(ca === undefined ? { 'insecure-skip-tls-verify': true } : { 'certificate-authority-data': base64(ca) }) },
      },
    ],
    users: [
      {
        name: 'orchsim',
        user: {
          ...(token === undefined ? {} : { token }),
          ...(client === undefined ? {} : { 'client-certificate-data': base64(client.certificate), 'client-key-data': base64(client.key) }),
        },
      },
    ],
    contexts: [{ name: 'orchsim', context: { cluster: 'orchsim', user: 'orchsim', namespace: 'default' } }],
    'current-context': 'orchsim',
  });
