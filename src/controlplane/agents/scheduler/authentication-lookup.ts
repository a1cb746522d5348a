/**
 * A scheduler that looks up the authorities of its clients in the cluster, and does not go on without them: with
 * --authentication-tolerate-lookup-failure=false it exits when it is not answered, and is started again. Models: v1.24 apiserver
 * pkg/server/options/authentication.go (DelegatingAuthenticationOptions). Simplified: the authorities are known when the API server
 * answers, so who tolerates failures does not ask.
 */
import type { Names } from '../../../apiserver/machinery/index.ts';
import { defineController, idle, type Outcome, write } from '../../runtime/index.ts';

const KEY = 'authorities';
const placeOf = (names: Names) => ({ namespace: names.systemNamespace, name: 'extension-apiserver-authentication' });

export const authenticationLookup = defineController<never>({
  name: 'authentication-lookup',
  component: 'scheduler',
  writes: [],
  models: 'v1.24 apiserver pkg/server/options/authentication.go, the look-up of missing authorities that may not fail.',
  startKeys: () => [KEY],
  reconcile: ({ names, failures }): Outcome<never> =>
    failures > 0
      ? { why: 'its look-up of authentication configuration failed, which it does not tolerate: it exits', writes: [], process: 'exit' }
      : write('look up missing authentication configuration', {
          op: 'get',
          kind: 'ConfigMap',
          ...placeOf(names),
          tolerate: ['NotFound'],
          resume: true,
        }),
  resume: () => idle('its authentication configuration is looked up'),
});
