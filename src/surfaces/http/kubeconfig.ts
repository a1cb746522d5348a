/** The configuration file by which clients find a served cluster, and log in. */
import { toYaml } from './answer/yaml.ts';

export interface Credentials {
  /** Whom to trust, as PEM; absent: plain HTTP, which some clients take only when told that nothing is to be verified. */
  readonly ca?: string | undefined;
  readonly token?: string | undefined;
  /** A certificate of the client and its key, as PEM. */
  readonly client?: { readonly certificate: string; readonly key: string } | undefined;
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** The text of the file; `credentials` stand in it in full, so that nothing else is needed. */
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
