/** Certificates made here. What makes them is loaded when somebody asks: plain HTTP starts without. */
import type { Authority } from './authority.ts';

export type { Authority } from './authority.ts';

/** A new certificate authority, which lives as long as the process. */
export async function createAuthority(): Promise<Authority> {
  // What the package stands on asks for this as soon as it is loaded.
  await import('reflect-metadata');
  const { createAuthority: create } = await import('./authority.ts');
  return create();
}
