/** Whom processes answer, as their settings decide. */
import { describe, expect, it } from 'vitest';
import {
  type AccessRequest,
  askAgent,
  askScheduler,
  parseAgentConfig,
  parseSchedulerFlags,
} from '../../../src/controlplane/config/index.ts';

const agent = (file: object | undefined, request: Partial<AccessRequest>, ...flags: string[]) => {
  const { code, user } = askAgent(parseAgentConfig(file, { fragment: true, flags }).config, { path: '/pods', ...request });
  return [code, user];
};
const scheduler = (request: Partial<AccessRequest>, ...flags: string[]) => {
  const { code, user } = askScheduler(parseSchedulerFlags(flags).config, { path: '/metrics', ...request });
  return [code, user];
};

describe('an agent', () => {
  it('lets everybody do everything without a file, and nobody unknown in with one', () => {
    expect(agent(undefined, {})).toEqual([200, 'system:anonymous']);
    expect(agent({}, {})).toEqual([401, undefined]);
    expect(agent({}, { token: 'alice', review: 'allowed' })).toEqual([200, 'alice']);
    expect(agent({}, { token: 'alice', review: 'denied' })).toEqual([403, 'alice']);
    expect(agent({}, { token: 'alice' })).toEqual([undefined, 'alice']);
    expect(agent({}, { token: 'invalid' }, '--anonymous-auth')).toEqual([401, undefined]);
    expect(agent(undefined, { token: 'alice' })).toEqual([200, 'system:anonymous']);
  });

  it('knows clients by certificates where it has their authority', () => {
    expect(agent({}, { cert: 'bob', review: 'allowed' })).toEqual([401, undefined]);
    expect(agent({}, { cert: 'bob', review: 'allowed' }, '--client-ca-file=ca.crt')).toEqual([200, 'bob']);
    expect(agent({}, { proxy: 'front', user: 'eve' })).toEqual([401, undefined]);
  });

  it('asks nobody at its other ports, where they are open', () => {
    expect(agent({}, { listener: 'read-only' })).toEqual([undefined, undefined]);
    expect(agent({ readOnlyPort: 10_255 }, { listener: 'read-only' })).toEqual([200, undefined]);
    expect(agent({}, { listener: 'health', path: '/healthz' })).toEqual([200, undefined]);
    expect(agent({}, { listener: 'health' })).toEqual([404, undefined]);
    expect(agent({ healthzPort: 0 }, { listener: 'health', path: '/healthz' })).toEqual([undefined, undefined]);
    expect(agent({ enableServer: false }, {})).toEqual([undefined, undefined]);
  });
});

describe('a scheduler', () => {
  const ASKS = ['--authentication-kubeconfig=k', '--authorization-kubeconfig=k'];

  it('answers its health to anybody, and nothing else without a kubeconfig', () => {
    expect(scheduler({ path: '/healthz' })).toEqual([200, 'system:anonymous']);
    expect(scheduler({})).toEqual([403, 'system:anonymous']);
    expect(scheduler({ token: 'alice', review: 'allowed' })).toEqual([403, 'system:anonymous']);
    expect(scheduler({ path: '/debug/x' }, '--authorization-always-allow-paths=/debug/*')).toEqual([200, 'system:anonymous']);
    expect(scheduler({ path: '/healthz' }, '--secure-port=0')).toEqual([undefined, undefined]);
  });

  it('reviews tokens and asks with one', () => {
    expect(scheduler({ token: 'alice', review: 'allowed' }, ...ASKS)).toEqual([200, 'alice']);
    expect(scheduler({ token: 'invalid', path: '/healthz' }, ...ASKS)).toEqual([401, undefined]);
    expect(scheduler({ cert: 'bob', review: 'denied' }, ...ASKS)).toEqual([403, 'bob']);
    expect(scheduler({ cert: 'bob', review: 'denied' }, ...ASKS, '--authentication-skip-lookup')).toEqual([403, 'system:anonymous']);
  });

  it('believes headers behind a certificate of an allowed name', () => {
    const flags = [...ASKS, '--requestheader-client-ca-file=h.crt', '--requestheader-allowed-names=front'];
    expect(scheduler({ proxy: 'front', user: 'eve', review: 'allowed' }, ...flags)).toEqual([200, 'eve']);
  });

  it('refuses who comes with a certificate that is rejected, unless a token says who it is', () => {
    const headers = ['--requestheader-client-ca-file=h.crt', '--requestheader-allowed-names=front'];
    const flags = [...ASKS, ...headers];
    expect(scheduler({ proxy: 'other', user: 'eve', path: '/healthz' }, ...flags)).toEqual([401, undefined]);
    expect(scheduler({ proxy: 'other', user: 'eve', token: 'alice', review: 'allowed' }, ...flags)).toEqual([200, 'alice']);
    // Without a header it is a client certificate like any other, of an authority that the client CA file does not have.
    expect(scheduler({ proxy: 'front', path: '/healthz' }, ...headers)).toEqual([200, 'system:anonymous']);
    expect(scheduler({ proxy: 'front', path: '/healthz' }, ...headers, '--client-ca-file=ca.crt')).toEqual([401, undefined]);
    expect(scheduler({ cert: 'bob', path: '/healthz' }, ...headers)).toEqual([401, undefined]);
    expect(scheduler({ cert: 'bob', path: '/healthz' })).toEqual([200, 'system:anonymous']);
    expect(agent({}, { proxy: 'front' }, '--client-ca-file=ca.crt', '--anonymous-auth')).toEqual([401, undefined]);
    expect(agent({}, { proxy: 'front', review: 'denied' }, '--anonymous-auth')).toEqual([403, 'system:anonymous']);
  });
});
