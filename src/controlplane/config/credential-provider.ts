/**
 * The credential-provider configuration of the agent: its providers in order, and which of them apply to an image. The fields of the
 * entries are not specified; they are upstream's. Models: v1.24 pkg/credentialprovider/plugin/config.go, pkg/credentialprovider/keyring.go
 * (URLsMatch).
 */
import { didYouMean, formatGoDuration, parseGoDuration, isMapping } from '../../schema/values/index.ts';
import { AGENT_API_VERSION } from './agent-fields.ts';
import { typeErrors } from './file.ts';
import { parseImagePattern, imageMatches } from './credential-source.ts';
import { type ConfigResult, type EffectiveValue, type Locate, problemsOf, show } from './report.ts';

export interface CredentialProvider {
  readonly name: string;
  readonly matchImages: readonly string[];
  readonly defaultCacheDuration: string;
  readonly apiVersion: string;
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
}

export interface CredentialProviderConfig {
  readonly providers: readonly CredentialProvider[];
}

const FIELDS = ['name', 'matchImages', 'defaultCacheDuration', 'apiVersion', 'args', 'env'];
const PLUGIN_API_VERSIONS = ['credentialprovider.agent.orch.io/v1alpha1', 'credentialprovider.agent.orch.io/v1beta1'];

type Result = Pick<ConfigResult<CredentialProviderConfig>, 'config' | 'values' | 'warnings' | 'errors'>;
/** Reports a problem: the message begins with the path. */
type Report = (path: string, problem: string) => void;

/** Returns the providers in a file's object, and all its errors; invalid entries are left out of `config`. */
export function parseCredentialProviderConfig(file: unknown, { locate }: { readonly locate?: Locate } = {}): Result {
  const errors = problemsOf(locate);
  const warnings = problemsOf(locate);
  const values: EffectiveValue[] = [];
  const providers: CredentialProvider[] = [];
  const done = (): Result => ({ config: { providers }, values, warnings: warnings.list, errors: errors.list });
  if (!isMapping(file)) {
    errors.add('', `expected a mapping with apiVersion, kind and providers, found ${show(file)}`);
    return done();
  }
  for (const { path, message } of typeErrors(file, { apiVersion: AGENT_API_VERSION, kind: 'CredentialProviderConfig', fragment: false }))
    errors.add(path, message);
  for (const name of Object.keys(file))
    if (!['apiVersion', 'kind', 'providers'].includes(name)) errors.add(name, `unknown field ${name}${didYouMean(name, ['providers'])}`);
  const fault: Report = (path, problem) => errors.add(path, `${path}: ${problem}`);
  const given = file['providers'];
  if (given !== undefined && given !== null && !Array.isArray(given)) fault('providers', `expected a list, found ${show(given)}`);
  const entries: readonly unknown[] = Array.isArray(given) ? given : [];
  if (entries.length === 0) fault('providers', 'Required value: at least 1 item in plugins is required');
  const names = new Set<string>();
  for (const [index, entry] of entries.entries()) {
    const path = `providers[${index}]`;
    if (!isMapping(entry)) {
      fault(path, `expected a mapping, found ${show(entry)}`);
      continue;
    }
    const before = errors.list.length;
    for (const field of Object.keys(entry))
      if (!FIELDS.includes(field)) errors.add(`${path}.${field}`, `unknown field ${path}.${field}${didYouMean(field, FIELDS)}`);
    const provider = readProvider(entry, path, fault);
    if (names.has(provider.name)) fault(`${path}.name`, `Duplicate value: ${show(provider.name)}`);
    names.add(provider.name);
    if (errors.list.length === before) providers.push(provider);
    for (const field of FIELDS)
      values.push(effective(`${path}.${field}`, provider[field as keyof CredentialProvider], entry[field] !== undefined, locate));
  }
  return done();
}

function effective(path: string, value: unknown, given: boolean, locate: Locate | undefined): EffectiveValue {
  const position = given ? locate?.(path) : undefined;
  return { path, value, source: given ? 'file' : 'default', ...(position === undefined ? {} : { position }) };
}

type Entry = Readonly<Record<string, unknown>>;

function readProvider(entry: Entry, path: string, fault: Report): CredentialProvider {
  const name = text(entry, 'name', path, fault);
  checkName(name, `${path}.name`, fault);
  const apiVersion = text(entry, 'apiVersion', path, fault);
  if (apiVersion === '') fault(`${path}.apiVersion`, 'Required value: apiVersion is required');
  else if (!PLUGIN_API_VERSIONS.includes(apiVersion))
    fault(
      `${path}.apiVersion`,
      `Unsupported value: ${show(apiVersion)}: supported values: ${PLUGIN_API_VERSIONS.map(show).join(', ')}${didYouMean(apiVersion, PLUGIN_API_VERSIONS)}`,
    );
  const matchImages = texts(entry, 'matchImages', path, fault);
  if (matchImages.length === 0) fault(`${path}.matchImages`, 'Required value: at least 1 item in matchImages is required');
  for (const [at, pattern] of matchImages.entries()) {
    const { error } = parseImagePattern(pattern);
    if (error !== undefined) fault(`${path}.matchImages[${at}]`, `Invalid value: ${show(pattern)}: match image is invalid: ${error}`);
  }
  return {
    name,
    matchImages,
    defaultCacheDuration: cacheDuration(entry['defaultCacheDuration'], `${path}.defaultCacheDuration`, fault),
    apiVersion,
    args: texts(entry, 'args', path, fault),
    env: readEnv(entry['env'], `${path}.env`, fault),
  };
}

function checkName(name: string, path: string, fault: Report): void {
  if (name === '') fault(path, 'Required value: name is required');
  if (name.includes('/')) fault(path, `Invalid value: ${show(name)}: provider name cannot contain '/'`);
  if (name.includes(' ')) fault(path, `Invalid value: ${show(name)}: provider name cannot contain spaces`);
  if (name === '.' || name === '..') fault(path, `Invalid value: ${show(name)}: provider name cannot be '${name}'`);
}

function cacheDuration(given: unknown, path: string, fault: Report): string {
  if (given === undefined || given === null) {
    fault(path, 'Required value: defaultCacheDuration is required');
    return '0s';
  }
  const duration = typeof given === 'string' ? parseGoDuration(given) : { error: `expected a duration such as 12h, found ${show(given)}` };
  if (duration.error !== undefined) {
    fault(path, duration.error);
    return '0s';
  }
  if (duration.value < 0n) fault(path, `Invalid value: ${show(given)}: defaultCacheDuration must be greater than or equal to 0`);
  return formatGoDuration(duration.value);
}

function text(entry: Entry, field: string, parent: string, fault: Report): string {
  const value = entry[field] ?? '';
  if (typeof value === 'string') return value;
  fault(`${parent}.${field}`, `expected a string, found ${show(value)}`);
  return '';
}

function texts(entry: Entry, field: string, parent: string, fault: Report): readonly string[] {
  const value = entry[field] ?? [];
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
  fault(`${parent}.${field}`, `expected a list of strings, found ${show(value)}`);
  return [];
}

function readEnv(value: unknown, path: string, fault: Report): CredentialProvider['env'] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) {
    fault(path, `expected a list of names and values, found ${show(value)}`);
    return [];
  }
  return value.flatMap((item: unknown, at) => {
    const itemPath = `${path}[${at}]`;
    if (isMapping(item)) return [{ name: text(item, 'name', itemPath, fault), value: text(item, 'value', itemPath, fault) }];
    fault(itemPath, `expected a name and a value, found ${show(item)}`);
    return [];
  });
}

/** The providers whose patterns match an image, in order: where two return credentials for one registry, the earlier wins. */
export function providersFor({ providers }: CredentialProviderConfig, image: string): readonly CredentialProvider[] {
  return providers.filter(({ matchImages }) => matchImages.some((pattern) => imageMatches(pattern, image)));
}
