/**
 * The credential providers of agents at work: which plug-ins an image asks, what they answer, how their answers combine and how long they
 * are remembered. Models: v1.24 pkg/credentialprovider/plugin/plugin.go (Provide), keyring.go (Lookup). For overlapping keys the
 * specification decides: the provider listed first wins. A plug-in is data here: what it answers, or why it fails, and how long that takes.
 */
import { compareText } from '../../schema/values/index.ts';
import { imageMatches } from './image-pattern.ts';

export interface PluginCredential {
  readonly username: string;
  readonly password: string;
}

/** What an answer is remembered for: the one image, all of its registry, or every image that asks the provider. */
export type CacheKeyType = 'Image' | 'Registry' | 'Global';

/** A plug-in: for which images it is asked, and what it answers. */
export interface CredentialPlugin {
  readonly name: string;
  readonly matchImages: readonly string[];
  /** By pattern of images, as `matchImages` has them. */
  readonly auth: Readonly<Record<string, PluginCredential>>;
  readonly cacheKeyType: CacheKeyType;
  /** As the answer says; 0: it is not remembered. Absent: as long as the configuration says. */
  readonly cacheMs?: number;
  readonly defaultCacheMs: number;
  /** Why it does not answer. */
  readonly error?: string;
  readonly delayMs: number;
}

/** What an agent knows for an image, and how long it took to find out, milliseconds. */
export interface Known {
  readonly credentials: readonly PluginCredential[];
  readonly delayMs: number;
  /** What failed on the way; the pull is tried all the same. */
  readonly errors: readonly string[];
}

/** The providers of all nodes, each with caches of its own. */
export interface CredentialSource {
  /** Asks for an image on a node at an instant; who asks again at the same instant gets the same. */
  credentialsFor(image: string, node: string, at: number): Known;
  /** The agent of a node has started anew: what it remembered is lost. */
  forget(node: string): void;
  /** What is remembered of a node, as plain data. */
  describe(node: string): unknown;
}

/** An agent waits for a plug-in no longer. */
const EXEC_TIMEOUT_MS = 60_000;

const GLOBAL = 'global';

/** The registry of an image: what stands before the first slash. */
const registryOf = (image: string): string => image.split('/', 1)[0] ?? image;

interface Remembered {
  readonly since: number;
  readonly until: number;
}

const keyOf = ({ cacheKeyType }: CredentialPlugin, image: string): string =>
  cacheKeyType === 'Image' ? `image ${image}` : cacheKeyType === 'Registry' ? `registry ${registryOf(image)}` : GLOBAL;

/** Answers for a set of plug-ins, in their order. */
export function createCredentialSource(plugins: readonly CredentialPlugin[]): CredentialSource {
  /** By node, then by plug-in and what the answer is for. */
  const caches = new Map<string, Map<string, Remembered>>();

  /** How long a plug-in takes to answer for an image: nothing while an earlier answer is remembered. */
  const askPlugin = (
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
      // One after the other, as the keyring asks them.
      for (const plugin of plugins) {
        if (!plugin.matchImages.some((pattern) => imageMatches(pattern, image))) continue;
        const asked = askPlugin(plugin, image, node, at);
        delayMs += asked.delayMs;
        if (asked.error !== undefined) {
          errors.push(asked.error);
          continue;
        }
        for (const [pattern, credential] of Object.entries(plugin.auth))
          if (imageMatches(pattern, image) && !found.has(pattern)) found.set(pattern, credential);
      }
      // The keys that say most come first.
      const credentials = [...found].sort(([a], [b]) => compareText(b, a)).map(([, credential]) => credential);
      return { credentials, delayMs, errors };
    },
    forget: (node) => void caches.delete(node),
    describe: (node) => caches.get(node),
  };
}
