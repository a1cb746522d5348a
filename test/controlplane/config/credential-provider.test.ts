import { describe, expect, it } from 'vitest';
import { parseCredentialProviderConfig, providersFor } from '../../../src/controlplane/config/index.ts';

const TYPE = { apiVersion: 'agent.config.orch.io/v1beta1', kind: 'CredentialProviderConfig' };
const provider = (more: Readonly<Record<string, unknown>> = {}) => ({
  name: 'a',
  matchImages: ['*.registry.io'],
  defaultCacheDuration: '12h',
  apiVersion: 'credentialprovider.agent.orch.io/v1beta1',
  ...more,
});
const errorsOf = (...providers: readonly unknown[]): readonly string[] =>
  parseCredentialProviderConfig({ ...TYPE, providers }).errors.map(({ message }) => message);

describe('credential providers', () => {
  it('are read with the source of every value', () => {
    const { config, values, errors } = parseCredentialProviderConfig({ ...TYPE, providers: [provider({ args: ['--x'] })] });
    expect(errors).toEqual([]);
    expect(config.providers).toEqual([
      {
        name: 'a',
        matchImages: ['*.registry.io'],
        defaultCacheDuration: '12h0m0s',
        apiVersion: 'credentialprovider.agent.orch.io/v1beta1',
        args: ['--x'],
        env: [],
      },
    ]);
    expect(values.map(({ path, source }) => `${path} ${source}`)).toEqual([
      'providers[0].name file',
      'providers[0].matchImages file',
      'providers[0].defaultCacheDuration file',
      'providers[0].apiVersion file',
      'providers[0].args file',
      'providers[0].env default',
    ]);
  });

  it('are refused with all errors', () => {
    expect(errorsOf()).toEqual(['providers: Required value: at least 1 item in plugins is required']);
    expect(errorsOf({ name: 'a/b c' })).toEqual([
      'providers[0].name: Invalid value: "a/b c": provider name cannot contain \'/\'',
      'providers[0].name: Invalid value: "a/b c": provider name cannot contain spaces',
      'providers[0].apiVersion: Required value: apiVersion is required',
      'providers[0].matchImages: Required value: at least 1 item in matchImages is required',
      'providers[0].defaultCacheDuration: Required value: defaultCacheDuration is required',
    ]);
    expect(errorsOf(provider({ matchImage: [], defaultCacheDuration: '-1s' }), provider())).toEqual([
      'unknown field providers[0].matchImage; did you mean "matchImages"?',
      'providers[0].defaultCacheDuration: Invalid value: "-1s": defaultCacheDuration must be greater than or equal to 0',
      'providers[1].name: Duplicate value: "a"',
    ]);
    expect(errorsOf(provider({ matchImages: ['registry.io:port/x'] }))).toEqual([
      'providers[0].matchImages[0]: Invalid value: "registry.io:port/x": match image is invalid: parse "https://registry.io:port/x": invalid port ":port" after host',
    ]);
    expect(parseCredentialProviderConfig('x').errors[0]?.message).toBe('expected a mapping with apiVersion, kind and providers, found "x"');
  });

  it('apply to the images they match, in order', () => {
    const { config } = parseCredentialProviderConfig({
      ...TYPE,
      providers: [
        provider({ name: 'stars', matchImages: ['*.*.registry.io', '*.registry.io'] }),
        provider({ name: 'port', matchImages: ['registry.io:8080/team'] }),
        provider({ name: 'plain', matchImages: ['eu.registry.io'] }),
      ],
    });
    const names = (image: string): readonly string[] => providersFor(config, image).map(({ name }) => name);
    expect(names('eu.registry.io/app:1')).toEqual(['stars', 'plain']);
    expect(names('a.b.registry.io/app')).toEqual(['stars']);
    expect(names('a.b.c.registry.io/app')).toEqual([]);
    expect(names('registry.io:8080/team/app')).toEqual(['port']);
    expect([names('registry.io:8080/other'), names('registry.io/team/app')]).toEqual([[], []]);
  });
});
