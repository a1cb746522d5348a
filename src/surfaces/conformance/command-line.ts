/** The words behind a conformance command: options, then paths. */
import { parseArgs, type ParseArgsConfig } from 'node:util';

type Options = NonNullable<ParseArgsConfig['options']>;
type Parsed<O extends Options> = ReturnType<typeof parseArgs<{ options: O; allowPositionals: true }>>;

/** The options and the paths, or the exit code when there is nothing to do: the usage was asked for (0), or a word was wrong (2). */
export function readArguments<const O extends Options>(args: readonly string[], options: O, usage: string): Parsed<O> | number {
  if (args.includes('--help')) {
    console.log(usage);
    return 0;
  }
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
    return 2;
  }
}
