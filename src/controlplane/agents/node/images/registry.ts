/** The registry of all nodes: images by name, pull durations, and pull errors. */
import type { Credential, ImageSpec } from '../../specs.ts';

/** Looks up images, and the errors of a container runtime. */
export interface Registry {
  /** Undefined: the image is not described, so it is on every node already. */
  find(image: string): ImageSpec | undefined;
  /** The error of a pull at an instant; undefined: it succeeds. */
  refusal(image: ImageSpec, at: number, credentials: readonly Credential[]): string | undefined;
}

/** With a tag, as nodes report images. */
export const withTag = (image: string): string =>
  image.includes('@') || image.lastIndexOf(':') > image.lastIndexOf('/') ? image : `${image}:latest`;

const failed = (code: string, image: string, why: string): string =>
  `rpc error: code = ${code} desc = failed to pull and unpack image "${image}": failed to resolve reference "${image}": ${why}`;

const accepts = ({ access }: ImageSpec, credentials: readonly Credential[]): boolean => {
  if (access === undefined || access === 'public') return true;
  if (access === 'private') return credentials.length > 0;
  return credentials.some(({ username, password }) => username === access.username && password === access.password);
};

/** A registry with these images. `startAt`: the time from which their times count, milliseconds since the epoch. */
export function createRegistry(images: readonly ImageSpec[], startAt: number): Registry {
  const byName = new Map(images.map((image) => [withTag(image.name), image]));
  return {
    find: (image) => byName.get(withTag(image)),
    refusal(image, at, credentials) {
      const name = withTag(image.name);
      const { fromMs = 0, untilMs = Infinity } = image;
      const isThere = image.missing !== true && at >= startAt + fromMs && at < startAt + untilMs;
      if (!accepts(image, credentials))
        return failed(
          'Unknown',
          name,
          'pull access denied, repository does not exist or may require authorization: server message: insufficient_scope: authorization failed',
        );
      return isThere ? undefined : failed('NotFound', name, `${name}: not found`);
    },
  };
}
