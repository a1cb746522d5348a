/** The configuration file by which clients find a served cluster. */
import { toYaml } from './answer/yaml.ts';

/** Plain HTTP; a token goes with it where access is judged. */
export const kubeconfigFor = (server: string, token?: string): string => toYaml({
  apiVersion: 'v1', kind: 'Config',
  clusters: [{ name: 'orchsim', cluster: { server } }],
  users: [{ name: 'orchsim', user: token === undefined ? {} : { token } }],
  contexts: [{ name: 'orchsim', context: { cluster: 'orchsim', user: 'orchsim', namespace: 'default' } }],
  'current-context': 'orchsim',
});
