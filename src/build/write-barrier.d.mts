/** Returns a script with a barrier before every write, as calls of what `barrier-names.mjs` exports; fails for writes that it cannot watch. */
export function withWriteBarrier(code: string, options: { readonly sourceType: 'module' | 'script'; readonly name: string }): string;
