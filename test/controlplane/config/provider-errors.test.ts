/** The errors of a file of credential providers, each with its path; and which images a pattern matches. */
import { describe, expect, it } from 'vitest';
import { parseCredentialProviderConfig, providersFor } from '../../../src/controlplane/config/index.ts';

const TYPE = { apiVersion: 'agent.config.orch.io/v1beta1', kind: 'CredentialProviderConfig' };
const valid = {
  name: 'a',
  matchImages: ['*.registry.io'],
  defaultCacheDuration: '12h',
  apiVersion: 'credentialprovider.agent.orch.io/v1beta1',
};
const errorsOf = (file: unknown): readonly (readonly [string, string])[] =>
  parseCredentialProviderConfig(file).errors.map(({ path, message }) => [path ?? '', message]);
/** The errors of a provider with other members; `undefined` removes one. */
const ofProvider = (more: object): readonly (readonly [string, string])[] => errorsOf({ ...TYPE, providers: [{ ...valid, ...more }] });
const at = (field: string, problem: string) => [[`providers[0]${field}`, `providers[0]${field}: ${problem}`]];

describe('a file of credential providers is refused', () => {
  it('if it has no providers, or other things', () => {
    expect(errorsOf('x')).toEqual([['', 'expected a mapping with apiVersion, kind and providers, found "x"']]);
    const none = ['providers', 'providers: Required value: at least 1 item in plugins is required'];
    expect([errorsOf(TYPE), errorsOf({ ...TYPE, providers: null }), errorsOf({ ...TYPE, providers: [] })]).toEqual([
      [none],
      [none],
      [none],
    ]);
    expect(errorsOf({ ...TYPE, providers: 3 })).toEqual([['providers', 'providers: expected a list, found 3'], none]);
    expect(errorsOf({ ...TYPE, provider: [], providers: [valid] })).toEqual([
      ['provider', 'unknown field provider; did you mean "providers"?'],
    ]);
    expect(errorsOf({ ...TYPE, providers: [3] })).toEqual(at('', 'expected a mapping, found 3'));
  });

  it.each<readonly [object, unknown]>([
    [{ name: undefined }, at('.name', 'Required value: name is required')],
    [{ name: 3 }, [...at('.name', 'expected a string, found 3'), ...at('.name', 'Required value: name is required')]],
    [{ name: 'a/b' }, at('.name', 'Invalid value: "a/b": provider name cannot contain \'/\'')],
    [{ name: 'a b' }, at('.name', 'Invalid value: "a b": provider name cannot contain spaces')],
    [{ name: '.' }, at('.name', 'Invalid value: ".": provider name cannot be \'.\'')],
    [{ name: '..' }, at('.name', 'Invalid value: "..": provider name cannot be \'..\'')],
    [{ apiVersion: undefined }, at('.apiVersion', 'Required value: apiVersion is required')],
    [{ matchImages: undefined }, at('.matchImages', 'Required value: at least 1 item in matchImages is required')],
    [
      { matchImages: ['a', 3] },
      [
        ...at('.matchImages', 'expected a list of strings, found ["a",3]'),
        ...at('.matchImages', 'Required value: at least 1 item in matchImages is required'),
      ],
    ],
    [{ defaultCacheDuration: undefined }, at('.defaultCacheDuration', 'Required value: defaultCacheDuration is required')],
    [{ defaultCacheDuration: null }, at('.defaultCacheDuration', 'Required value: defaultCacheDuration is required')],
    [{ defaultCacheDuration: 3 }, at('.defaultCacheDuration', 'expected a duration such as 12h, found 3')],
    [{ defaultCacheDuration: '3' }, at('.defaultCacheDuration', 'time: missing unit in duration "3"')],
    [
      { defaultCacheDuration: '-1s' },
      at('.defaultCacheDuration', 'Invalid value: "-1s": defaultCacheDuration must be greater than or equal to 0'),
    ],
    [{ args: 'x' }, at('.args', 'expected a list of strings, found "x"')],
    [{ env: 'x' }, at('.env', 'expected a list of names and values, found "x"')],
    [{ env: [{ name: 'A', value: 'b' }, 'x'] }, at('.env[1]', 'expected a name and a value, found "x"')],
    [
      { env: [{ name: 1, value: 2 }] },
      [...at('.env[0].name', 'expected a string, found 1'), ...at('.env[0].value', 'expected a string, found 2')],
    ],
    [{ arg: [] }, [['providers[0].arg', 'unknown field providers[0].arg; did you mean "args"?']]],
  ])('with %j', (more, expected) => {
    expect(ofProvider(more)).toEqual(expected);
  });

  it('with two providers of one name', () => {
    expect(errorsOf({ ...TYPE, providers: [valid, valid] })).toEqual([['providers[1].name', 'providers[1].name: Duplicate value: "a"']]);
  });
});

describe('a file of credential providers', () => {
  it('keeps the valid ones, with their variables, and the positions of what it states', () => {
    const env = [{ name: 'A', value: 'b' }];
    const { config, values } = parseCredentialProviderConfig(
      {
        ...TYPE,
        providers: [
          { ...valid, defaultCacheDuration: '0s', env },
          { ...valid, name: '' },
          { ...valid, name: 'c', env: null },
        ],
      },
      { locate: (path) => ({ line: path.length, column: 1 }) as never },
    );
    expect(config.providers).toEqual([
      { ...valid, defaultCacheDuration: '0s', args: [], env },
      { ...valid, name: 'c', defaultCacheDuration: '12h0m0s', args: [], env: [] },
    ]);
    expect(
      values.filter(({ path }) => path.startsWith('providers[0]')).map(({ path, source, position }) => [path.slice(13), source, position]),
    ).toEqual([
      ['name', 'file', { line: 17, column: 1 }],
      ['matchImages', 'file', { line: 24, column: 1 }],
      ['defaultCacheDuration', 'file', { line: 33, column: 1 }],
      ['apiVersion', 'file', { line: 23, column: 1 }],
      ['args', 'default', undefined],
      ['env', 'file', { line: 16, column: 1 }],
    ]);
  });

  it('names the providers of an image, in order', () => {
    const { config } = parseCredentialProviderConfig({
      ...TYPE,
      providers: [valid, { ...valid, name: 'b', matchImages: ['other.io', 'x.registry.io'] }],
    });
    expect(
      ['x.registry.io/web:1', 'y.registry.io/web', 'other.io/web', 'docker.io/web'].map((image) =>
        providersFor(config, image).map(({ name }) => name),
      ),
    ).toEqual([['a', 'b'], ['a'], ['b'], []]);
  });
});
