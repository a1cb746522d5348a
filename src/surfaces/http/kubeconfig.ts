/** The configuration file by which clients find a served cluster. */
import { toYaml } from './answer/yaml.ts';

/** Plain HTTP, which some clients take only when told that nothing is to be verified; a token goes with it where access is judged. */
export const kubeconfigFor = (server: string, token?: string): string =>
  toYaml({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'orchsim', cluster: { server, 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'orchsim', user: token === undefined ? {} : { token } }],
    contexts: [{ name: 'orchsim', context: { cluster: 'orchsim', user: 'orchsim', namespace: 'default' } }],
    'current-context': 'orchsim',
  });
