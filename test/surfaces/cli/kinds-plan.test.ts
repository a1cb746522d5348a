/** `kinds KIND --plan` prints the stages of each write, and which parts each reads. */
import { describe, expect, it } from 'vitest';
import { cli } from './cli.ts';

describe('kinds --plan', () => {
  it('prints a plan for each write of the kind', async () => {
    const { code, out } = await cli(['kinds', 'Lease', '--plan']);
    expect(code).toBe(0);
    expect(out).toMatch(/^create .*\n[^]*^ {2}duplicate owner references +ownerReferences$[^]*^update .*\n[^]*^ {2}commit +always runs$/m);
    expect(out).not.toContain('update of the status');
  });

  it('is JSON too', async () => {
    const { out } = await cli(['kinds', 'Job', '--plan', '--json']);
    const plans = JSON.parse(out) as Readonly<Record<string, readonly { readonly name: string; readonly reads: readonly string[] }[]>>;
    expect(Object.keys(plans)).toEqual(['create', 'update', 'update of the status']);
    expect(plans['update']?.[0]).toEqual({ name: 'defaults', reads: ['labels', 'spec'] });
  });

  it('needs a kind', async () => {
    const { code, err } = await cli(['kinds', '--plan']);
    expect(code).toBe(2);
    expect(err).toContain('--plan is about one kind: orchsim kinds Job --plan');
  });
});
