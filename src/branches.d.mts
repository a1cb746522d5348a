/** The sentences that our controllers give as reasons, by folder; `…` stands for what is put in. `root`: of the checkout. */
export function branchesIn(root: string): Readonly<Record<string, readonly string[]>>;
