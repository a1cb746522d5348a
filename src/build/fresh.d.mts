/** Whether the build in `out` is unchanged, and a build of the checkout `root` would write the same. */
export function isFresh(root: string, out: string): boolean;
