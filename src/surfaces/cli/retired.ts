/** Options that were renamed in version 0.2: the error names the new option. */
const RETIRED: ReadonlyMap<string, string> = new Map([['--deeds', '--faults']]);

/** Returns the error for a renamed option; undefined for any other unknown option. `message` is commander's. */
export function renamedOption(message: string): string | undefined {
  const [, option = ''] = /^error: unknown option '(--[a-z-]+)/.exec(message) ?? [];
  const now = RETIRED.get(option);
  return now === undefined ? undefined : `error: ${option} is called ${now} now\n`;
}
