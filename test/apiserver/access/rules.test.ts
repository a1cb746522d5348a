/** Matching of a single rule. */
import { describe, expect, it } from 'vitest';
import { pathMatches, ruleAllows } from '../../../src/apiserver/access/authorizer.ts';
import type { PolicyRule } from '../../../src/apiserver/machinery/index.ts';

const user = { name: 'u', groups: [] };
const rule = (more: Partial<PolicyRule>): PolicyRule => ({ verbs: ['get'], apiGroups: [''], resources: ['pods'], ...more });
const asks = (given: PolicyRule, more: object = {}): boolean =>
  ruleAllows(given, { user, verb: 'get', group: '', resource: 'pods', ...more });

describe('a rule', () => {
  it('matches its groups', () => {
    expect([asks(rule({})), asks(rule({ apiGroups: ['apps'] })), asks(rule({ apiGroups: ['*'] }))]).toEqual([true, false, true]);
  });

  it('matches a sub-resource by its name, or one of any resource', () => {
    const log = { subresource: 'log' };
    expect(asks(rule({}), log)).toBe(false);
    expect(asks(rule({ resources: ['pods/log'] }), log)).toBe(true);
    expect(asks(rule({ resources: ['*/log'] }), log)).toBe(true);
    expect(asks(rule({ resources: ['*/scale'] }), log)).toBe(false);
    expect(asks(rule({ resources: ['pods/log'] }))).toBe(false);
  });

  it('matches only its names if it has some', () => {
    expect(asks(rule({ resourceNames: ['a'] }), { name: 'a' })).toBe(true);
    expect(asks(rule({ resourceNames: ['a'] }), { name: 'b' })).toBe(false);
  });

  it('matches paths: one, all, or a prefix', () => {
    expect([pathMatches(['/healthz'], '/healthz'), pathMatches(['/healthz'], '/healthz/etcd')]).toEqual([true, false]);
    expect([pathMatches(['*'], '/metrics'), pathMatches(['/healthz/*'], '/healthz/etcd'), pathMatches(undefined, '/')]).toEqual([
      true,
      true,
      false,
    ]);
  });
});
