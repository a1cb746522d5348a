/** Credential providers at run time: which are called, whose result wins, how long it is cached. */
import { describe, expect, it } from 'vitest';
import { createCredentialSource, type CredentialPlugin } from '../../../src/controlplane/config/credential-source.ts';

const IMAGE = 'registry.example/team/app:1';
const plugin = (name: string, more: Partial<CredentialPlugin> = {}): CredentialPlugin => ({
  name,
  matchImages: ['registry.example'],
  auth: { 'registry.example': { username: name, password: 'x' } },
  cacheKeyType: 'Registry',
  defaultCacheMs: 600_000,
  delayMs: 0,
  ...more,
});
const source = (...plugins: readonly CredentialPlugin[]) => createCredentialSource(plugins);
const users = (found: ReturnType<ReturnType<typeof source>['credentialsFor']>): readonly string[] =>
  found.credentials.map(({ username }) => username);

describe('credentials for an image', () => {
  it('are those of every provider that matches it; for the same key the earlier provider wins', () => {
    const early = plugin('early');
    const late = plugin('late', {
      auth: { 'registry.example': { username: 'late', password: 'x' }, 'registry.example/team': { username: 'team', password: 'x' } },
    });
    expect(users(source(early, late).credentialsFor(IMAGE, 'n', 0))).toEqual(['team', 'early']);
    expect(users(source(late, early).credentialsFor(IMAGE, 'n', 0))).toEqual(['team', 'late']);
  });

  it('never come from providers and keys of other images', () => {
    const other = plugin('other', { matchImages: ['*.elsewhere.example'], delayMs: 5_000 });
    const wide = plugin('wide', { auth: { 'registry.example/other': { username: 'wide', password: 'x' } } });
    expect(source(other, wide).credentialsFor(IMAGE, 'n', 0)).toEqual({ credentials: [], delayMs: 0, errors: [] });
  });

  it('of a provider that fails, or takes more than a minute, are missing; the others count', () => {
    const broken = plugin('broken', { error: 'exit status 1', delayMs: 200 });
    const slow = plugin('slow', { delayMs: 90_000 });
    const found = source(broken, slow, plugin('good')).credentialsFor(IMAGE, 'n', 0);
    expect([users(found), found.delayMs]).toEqual([['good'], 60_200]);
    expect(found.errors).toEqual([
      `error execing credential provider plugin broken for image ${IMAGE}: exit status 1`,
      `error execing credential provider plugin slow for image ${IMAGE}: context deadline exceeded`,
    ]);
  });
});

describe('a result', () => {
  const OTHER = 'registry.example/team/other:1';
  const delays = (
    more: Partial<CredentialPlugin>,
    asks: readonly (readonly [image: string, at: number, node?: string])[],
  ): readonly number[] => {
    const asked = source(plugin('p', { delayMs: 2_000, ...more }));
    return asks.map(([image, at, node = 'n']) => asked.credentialsFor(image, node, at).delayMs);
  };

  it('is cached for the image, its registry or all images, in virtual time, separately on each node', () => {
    const asks = [
      [IMAGE, 0],
      [OTHER, 10_000],
      [IMAGE, 20_000],
      [IMAGE, 20_000, 'm'],
    ] as const;
    expect(delays({ cacheKeyType: 'Image' }, asks)).toEqual([2_000, 2_000, 0, 2_000]);
    expect(delays({ cacheKeyType: 'Registry' }, asks)).toEqual([2_000, 0, 0, 2_000]);
    const all = { cacheKeyType: 'Global', matchImages: ['registry.example', 'other.example'] } as const;
    expect(
      delays(all, [
        [IMAGE, 0],
        ['other.example/x', 10_000],
      ]),
    ).toEqual([2_000, 0]);
  });

  it('is fetched again when its cache duration is over: its own, or the default', () => {
    expect(
      delays({ cacheMs: 30_000 }, [
        [IMAGE, 0],
        [IMAGE, 31_000],
        [IMAGE, 32_000],
      ]),
    ).toEqual([2_000, 0, 2_000]);
    expect(
      delays({ defaultCacheMs: 30_000 }, [
        [IMAGE, 0],
        [IMAGE, 33_000],
      ]),
    ).toEqual([2_000, 2_000]);
    expect(
      delays({ cacheMs: 0 }, [
        [IMAGE, 0],
        [IMAGE, 10_000],
      ]),
    ).toEqual([2_000, 2_000]);
    expect(
      delays({ defaultCacheMs: 0 }, [
        [IMAGE, 0],
        [IMAGE, 10_000],
      ]),
    ).toEqual([2_000, 2_000]);
  });

  it('in flight is awaited; a second call at one instant changes nothing', () => {
    expect(
      delays({}, [
        [IMAGE, 0],
        [IMAGE, 0],
        [IMAGE, 500],
      ]),
    ).toEqual([2_000, 2_000, 1_500]);
  });

  it('is lost when its agent restarts', () => {
    const asked = source(plugin('p', { delayMs: 2_000 }));
    asked.credentialsFor(IMAGE, 'n', 0);
    asked.forget('n');
    expect(asked.credentialsFor(IMAGE, 'n', 10_000).delayMs).toBe(2_000);
  });
});
