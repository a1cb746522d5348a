/** Returns the reasons in the sources of controllers, by folder; `…` stands for interpolations. `root`: of the checkout. */
export function branchesIn(root: string): Readonly<Record<string, readonly string[]>>;
