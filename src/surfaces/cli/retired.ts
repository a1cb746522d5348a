/** Options that had another name before version 0.2: whoever types the old one reads the new one. */
const RETIRED: ReadonlyMap<string, string> = new Map([['--deeds', '--faults']]);

/** What is said of an unknown option that was renamed; undefined where it never was one. `message` is commander's. */
export function renamedOption(message: string): string | undefined {
  const [, option = ''] = /^error: unknown option '(--[a-z-]+)/.exec(message) ?? [];
  const now = RETIRED.get(option);
  return now === undefined ? undefined : `error: ${option} is called ${now} now\n`;
}
