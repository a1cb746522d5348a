/**
 * Credential providers at run time: which plug-ins are called for an image, what they return, how results combine and how long they are
 * cached. Models: v1.24 pkg/credentialprovider/plugin/plugin.go (Provide), keyring.go (Lookup). For overlapping keys the specification
 * decides: the provider listed first wins. A plug-in is data here: its result or its error, and how long it takes.
 */
import { bad, compareText, good, type Parsed } from '../../schema/values/index.ts';

export interface PluginCredential {
  readonly username: string;
  readonly password: string;
}

/** The scope of a cached result: one image, all images of its registry, or all images of the provider. */
export type CacheKeyType = 'Image' | 'Registry' | 'Global';

export interface CredentialPlugin {
  readonly name: string;
  readonly matchImages: readonly string[];
  /** By pattern of images, with the syntax of `matchImages`. */
  readonly auth: Readonly<Record<string, PluginCredential>>;
  readonly cacheKeyType: CacheKeyType;
  /** The cache duration in the response, milliseconds; 0: not cached. Absent: the duration in the configuration. */
  readonly cacheMs?: number;
  readonly defaultCacheMs: number;
  readonly error?: string;
  readonly delayMs: number;
}

/** The credentials of an agent for an image, and the time that the plug-ins took, milliseconds. */
export interface Known {
  readonly credentials: readonly PluginCredential[];
  readonly delayMs: number;
  /** Errors of plug-ins; the image is pulled regardless. */
  readonly errors: readonly string[];
}

/** The providers of all nodes; each node has caches of its own. */
export interface CredentialSource {
  /** The credentials for an image on a node at an instant; calls at the same instant return the same. */
  credentialsFor(image: string, node: string, at: number): Known;
  /** Clears a node's caches, because its agent has restarted. */
  forget(node: string): void;
  describe(node: string): unknown;
}

/** The time limit of a plug-in, milliseconds. */
const EXEC_TIMEOUT_MS = 60_000;

const GLOBAL = 'global';

/** The registry of an image: the part before the first slash. */
const registryOf = (image: string): string => image.split('/', 1)[0] ?? image;

interface Remembered {
  readonly since: number;
  readonly until: number;
}

const keyOf = ({ cacheKeyType }: CredentialPlugin, image: string): string =>
  cacheKeyType === 'Image' ? `image ${image}` : cacheKeyType === 'Registry' ? `registry ${registryOf(image)}` : GLOBAL;

export function createCredentialSource(plugins: readonly CredentialPlugin[]): CredentialSource {
  const caches = new Map<string, Map<string, Remembered>>();

  /** How long a plug-in takes for an image, milliseconds: 0 while its result is cached. */
  const callPlugin = (
    plugin: CredentialPlugin,
    image: string,
    node: string,
    at: number,
  ): { readonly delayMs: number; readonly error?: string } => {
    if (plugin.delayMs > EXEC_TIMEOUT_MS)
      return {
        delayMs: EXEC_TIMEOUT_MS,
        error: `error execing credential provider plugin ${plugin.name} for image ${image}: context deadline exceeded`,
      };
    if (plugin.error !== undefined)
      return {
        delayMs: plugin.delayMs,
        error: `error execing credential provider plugin ${plugin.name} for image ${image}: ${plugin.error}`,
      };
    const lastsMs = plugin.cacheMs ?? plugin.defaultCacheMs;
    if (lastsMs <= 0) return { delayMs: plugin.delayMs };
    let cache = caches.get(node);
    if (cache === undefined) caches.set(node, (cache = new Map()));
    const key = `${plugin.name} ${keyOf(plugin, image)}`;
    const known = cache.get(key);
    if (known !== undefined && at < known.until && at !== known.since) return { delayMs: Math.max(0, known.since + plugin.delayMs - at) };
    cache.set(key, { since: at, until: at + plugin.delayMs + lastsMs });
    return { delayMs: plugin.delayMs };
  };

  return {
    credentialsFor(image, node, at) {
      const found = new Map<string, PluginCredential>();
      const errors: string[] = [];
      let delayMs = 0;
      // The plug-ins are called one after the other, as in the keyring.
      for (const plugin of plugins) {
        if (!plugin.matchImages.some((pattern) => imageMatches(pattern, image))) continue;
        const called = callPlugin(plugin, image, node, at);
        delayMs += called.delayMs;
        if (called.error !== undefined) {
          errors.push(called.error);
          continue;
        }
        for (const [pattern, credential] of Object.entries(plugin.auth))
          if (imageMatches(pattern, image) && !found.has(pattern)) found.set(pattern, credential);
      }
      // The most specific keys come first.
      const credentials = [...found].sort(([a], [b]) => compareText(b, a)).map(([, credential]) => credential);
      return { credentials, delayMs, errors };
    },
    forget: (node) => void caches.delete(node),
    describe: (node) => caches.get(node),
  };
}

interface ImagePattern {
  readonly host: readonly string[];
  readonly port: string;
  readonly path: string;
}

/**
 * The parts of an image, or of a pattern of images as in `matchImages` (`*.registry.io`, `registry.io:8080/path`), or a syntax error. A star
 * matches within one part of the host, the port must be equal, the path is a prefix. Models: v1.24 pkg/credentialprovider
 * ParseSchemelessURL, URLsMatch; the stars are path.Match's.
 */
export function parseImagePattern(text: string): Parsed<ImagePattern> {
  const url = JSON.stringify(`https://${text}`);
  const slash = text.indexOf('/');
  const authority = slash < 0 ? text : text.slice(0, slash);
  const [, host = '', port = ''] = /^([^:]*)(?::(.*))?$/.exec(authority) ?? [];
  if (authority !== '' && host === '' && port === '') return bad(`parse ${url}: invalid host`);
  if (port !== '' && !/^\d+$/.test(port)) return bad(`parse ${url}: invalid port ${JSON.stringify(`:${port}`)} after host`);
  if (/[\s<>"\\^`{|}]/.test(host)) return bad(`parse ${url}: invalid character in host name`);
  return good({ host: host.split('.'), port, path: slash < 0 ? '' : text.slice(slash) });
}

export function imageMatches(patternText: string, image: string): boolean {
  const wanted = parseImagePattern(patternText).value;
  const found = parseImagePattern(image).value;
  if (wanted === undefined || found === undefined) return false;
  if (wanted.host.length !== found.host.length || wanted.port !== found.port || !found.path.startsWith(wanted.path)) return false;
  return wanted.host.every((part, at) => partMatches(part, found.host[at] ?? ''));
}

function partMatches(glob: string, part: string): boolean {
  const source = [...glob].map((c) => (c === '*' ? '.*' : c === '?' ? '.' : c.replace(/[\\^$.|+()[\]{}]/g, '\\$&'))).join('');
  return new RegExp(`^${source}$`, 's').test(part);
}
