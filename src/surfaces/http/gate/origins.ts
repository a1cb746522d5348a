/** `--allow-origin`: origins of a developer's pages that may send requests. */

/** Parses an origin as browsers send it, or says what is wrong. */
export function readOrigin(text: string): { readonly origin: string } | { readonly error: string } {
  const expected = `expected an origin such as http://localhost:3000, found ${JSON.stringify(text)}`;
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return { error: expected };
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return { error: `${expected}: its scheme is http or https` };
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '' || url.pathname !== '/')
    return { error: `${expected}: an origin is scheme, host and port; did you mean ${url.origin}?` };
  return { origin: url.origin };
}

/** Returns the host of an origin in the form of a Host header. */
export const authorityOf = (origin: string): string | undefined => /^https?:\/\/([^/]+)$/i.exec(origin)?.[1];
