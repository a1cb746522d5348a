/** Access decisions of processes by their settings. */
import { describe, expect, it } from 'vitest';
import { accessToAgent, accessToScheduler, parseAgentConfig, parseSchedulerFlags } from '../../../src/controlplane/config/index.ts';
import type { AccessRequest } from '../../../src/controlplane/config/index.ts';

const agent = (file: object | undefined, request: Partial<AccessRequest>, ...flags: string[]) => {
  const { code, user } = accessToAgent(parseAgentConfig(file, { fragment: true, flags }).config, { path: '/pods', ...request });
  return [code, user];
};
const scheduler = (request: Partial<AccessRequest>, ...flags: string[]) => {
  const { code, user } = accessToScheduler(parseSchedulerFlags(flags).config, { path: '/metrics', ...request });
  return [code, user];
};

describe('an agent', () => {
  it('allows every request without a file, and refuses unauthenticated requests with one', () => {
    expect(agent(undefined, {})).toEqual([200, 'system:anonymous']);
    expect(agent({}, {})).toEqual([401, undefined]);
    expect(agent({}, { token: 'alice', review: 'allowed' })).toEqual([200, 'alice']);
    expect(agent({}, { token: 'alice', review: 'denied' })).toEqual([403, 'alice']);
    expect(agent({}, { token: 'alice' })).toEqual([undefined, 'alice']);
    expect(agent({}, { token: 'invalid' }, '--anonymous-auth')).toEqual([401, undefined]);
    expect(agent(undefined, { token: 'alice' })).toEqual([200, 'system:anonymous']);
  });

  it('authenticates clients by certificates where it has their authority', () => {
    expect(agent({}, { cert: 'bob', review: 'allowed' })).toEqual([401, undefined]);
    expect(agent({}, { cert: 'bob', review: 'allowed' }, '--client-ca-file=ca.crt')).toEqual([200, 'bob']);
    expect(agent({}, { proxy: 'front', user: 'eve' })).toEqual([401, undefined]);
  });

  it('authenticates no request at its other ports, where they are open', () => {
    expect(agent({}, { listener: 'read-only' })).toEqual([undefined, undefined]);
    expect(agent({ readOnlyPort: 10_255 }, { listener: 'read-only' })).toEqual([200, undefined]);
    expect(agent({}, { listener: 'health', path: '/healthz' })).toEqual([200, undefined]);
    expect(agent({}, { listener: 'health' })).toEqual([404, undefined]);
    expect(agent({ healthzPort: 0 }, { listener: 'health', path: '/healthz' })).toEqual([undefined, undefined]);
    expect(agent({ enableServer: false }, {})).toEqual([undefined, undefined]);
  });
});

describe('a scheduler', () => {
  const KUBECONFIGS = ['--authentication-kubeconfig=k', '--authorization-kubeconfig=k'];

  it('serves its health paths to every client, and nothing else without a kubeconfig', () => {
    expect(scheduler({ path: '/healthz' })).toEqual([200, 'system:anonymous']);
    expect(scheduler({})).toEqual([403, 'system:anonymous']);
    expect(scheduler({ token: 'alice', review: 'allowed' })).toEqual([403, 'system:anonymous']);
    expect(scheduler({ path: '/debug/x' }, '--authorization-always-allow-paths=/debug/*')).toEqual([200, 'system:anonymous']);
    expect(scheduler({ path: '/healthz' }, '--secure-port=0')).toEqual([undefined, undefined]);
  });

  it('reviews tokens and access with a kubeconfig', () => {
    expect(scheduler({ token: 'alice', review: 'allowed' }, ...KUBECONFIGS)).toEqual([200, 'alice']);
    expect(scheduler({ token: 'invalid', path: '/healthz' }, ...KUBECONFIGS)).toEqual([401, undefined]);
    expect(scheduler({ cert: 'bob', review: 'denied' }, ...KUBECONFIGS)).toEqual([403, 'bob']);
    expect(scheduler({ cert: 'bob', review: 'denied' }, ...KUBECONFIGS, '--authentication-skip-lookup')).toEqual([403, 'system:anonymous']);
  });

  it('accepts request headers with a certificate of an allowed name', () => {
    const flags = [...KUBECONFIGS, '--requestheader-client-ca-file=h.crt', '--requestheader-allowed-names=front'];
    expect(scheduler({ proxy: 'front', user: 'eve', review: 'allowed' }, ...flags)).toEqual([200, 'eve']);
  });

  it('refuses a request with a rejected certificate, unless its token is valid', () => {
    const headers = ['--requestheader-client-ca-file=h.crt', '--requestheader-allowed-names=front'];
    const flags = [...KUBECONFIGS, ...headers];
    expect(scheduler({ proxy: 'other', user: 'eve', path: '/healthz' }, ...flags)).toEqual([401, undefined]);
    expect(scheduler({ proxy: 'other', user: 'eve', token: 'alice', review: 'allowed' }, ...flags)).toEqual([200, 'alice']);
    // Without a header it is an ordinary client certificate, of an authority that is not in the client CA file.
    expect(scheduler({ proxy: 'front', path: '/healthz' }, ...headers)).toEqual([200, 'system:anonymous']);
    expect(scheduler({ proxy: 'front', path: '/healthz' }, ...headers, '--client-ca-file=ca.crt')).toEqual([401, undefined]);
    expect(scheduler({ cert: 'bob', path: '/healthz' }, ...headers)).toEqual([401, undefined]);
    expect(scheduler({ cert: 'bob', path: '/healthz' })).toEqual([200, 'system:anonymous']);
    expect(agent({}, { proxy: 'front' }, '--client-ca-file=ca.crt', '--anonymous-auth')).toEqual([401, undefined]);
    expect(agent({}, { proxy: 'front', review: 'denied' }, '--anonymous-auth')).toEqual([403, 'system:anonymous']);
  });
});
