/** Generates certificates. The implementation is loaded on request, so that plain HTTP starts without it. */
import type { Authority } from './authority.ts';

export type { Authority } from './authority.ts';

/** Creates a certificate authority that exists as long as the process. */
export async function createAuthority(): Promise<Authority> {
  // A dependency of the package needs this at load time.
  await import('reflect-metadata');
  const { createAuthority: create } = await import('./authority.ts');
  return create();
}
