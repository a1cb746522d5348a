/**
 * A command as data: its arguments, its options, and what it does. A command is a file, and a line in `commands/index.ts`. Only the requested
 * command is loaded; `program.ts` runs it.
 */
import type { Command } from 'commander';
import { EXIT } from './exit.ts';
import type { Io } from './io.ts';

/** Flags such as `--trace <file>`, what they do, and the value if they are not given: `[]` collects every value, a number counts. */
export type Option = readonly [flags: string, does: string, otherwise?: string | number | readonly []];
/** A name such as `<path>`, `[path]` or `<path...>`, what it stands for, and the value if it is not given. */
type Argument = readonly [name: string, about: string, otherwise?: string];

type Camel<Words extends string> = Words extends `${infer First}-${infer Rest}` ? `${First}${Capitalize<Camel<Rest>>}` : Words;
type Long<Flags extends string> = Flags extends `${string}--${infer Word} ${string}`
  ? Word
  : Flags extends `${string}--${infer Word}`
    ? Word
    : never;
type Name<O> = O extends readonly [infer Flags extends string, ...unknown[]]
  ? Long<Flags> extends `no-${infer Word}`
    ? Camel<Word>
    : Camel<Long<Flags>>
  : never;
type Given<Flags> = Flags extends `${string}...${string}`
  ? readonly string[]
  : Flags extends `${string}[${string}`
    ? string | true
    : Flags extends `${string}<${string}`
      ? string
      : boolean;
type Value<O> = O extends readonly [string, string, infer Otherwise]
  ? Otherwise extends readonly []
    ? readonly string[]
    : Otherwise extends number
      ? number
      : string
  : O extends readonly [infer Flags, ...unknown[]]
    ? Given<Flags>
    : never;
type IsAlwaysThere<O> = O extends readonly [string, string, unknown] ? true : Value<O> extends boolean ? true : false;

/** The values of options by name. A flag is always there; another option if it is given, or has a value otherwise. */
export type OptionsOf<All extends readonly Option[]> = {
  readonly [O in All[number] as IsAlwaysThere<O> extends true ? Name<O> : never]: Value<O>;
} & { readonly [O in All[number] as IsAlwaysThere<O> extends true ? never : Name<O>]?: Value<O> };

type Argued<A> = A extends readonly [string, string, string]
  ? string
  : A extends readonly [infer Word, ...unknown[]]
    ? Word extends `${string}...${string}`
      ? readonly string[]
      : Word extends `<${string}`
        ? string
        : string | undefined
    : never;
type ArgumentsOf<All extends readonly Argument[]> = { [At in keyof All]: Argued<All[At]> };

export interface Setting {
  readonly io: Io;
  readonly commands: readonly CommandEntry[];
}

interface CommandSpec<A extends readonly Argument[], O extends readonly Option[]> {
  readonly arguments?: A;
  readonly options?: O;
  /** Help text after the options. */
  readonly after?: string;
  /** Its words may be flags of another program, `--help` among them. */
  readonly foreignFlags?: true;
  /** Returns the exit code; nothing: the command has only printed something. */
  act(
    setting: Setting & { readonly command: Command },
    options: OptionsOf<O>,
    ...args: ArgumentsOf<A>
  ): number | void | Promise<number | void>;
}

export interface CommandModule {
  /** Adds arguments, options and the action to a commander command with the right name. The action passes its exit code to `done`. */
  define(command: Command, setting: Setting, done: (code: number) => void): void;
}

/** Makes a command of its description. */
export const defineCommand = <const A extends readonly Argument[] = [], const O extends readonly Option[] = []>(
  spec: CommandSpec<A, O>,
): CommandModule => ({
  define(command, setting, done) {
    for (const [name, about, otherwise] of spec.arguments ?? []) command.argument(name, about, otherwise);
    for (const each of spec.options ?? []) addOption(command, each);
    if (spec.after !== undefined) command.addHelpText('after', spec.after);
    if (spec.foreignFlags === true) command.allowUnknownOption().helpOption(false);
    command.action(async (...given) => {
      const flags = command.options
        .filter((option) => option.isBoolean())
        .map((option): [string, boolean] => [option.attributeName(), false]);
      const options: OptionsOf<O> = Object.assign(Object.fromEntries(flags), command.opts<OptionsOf<O>>());
      const words = given.slice(0, command.registeredArguments.length) as ArgumentsOf<A>;
      const code = await spec.act({ ...setting, command }, options, ...words);
      done(typeof code === 'number' ? code : EXIT.held);
    });
  },
});

function addOption(command: Command, [flags, does, otherwise]: Option): void {
  if (otherwise === undefined || typeof otherwise === 'string') command.option(flags, does, otherwise);
  else if (typeof otherwise === 'number') command.option(flags, does, (_, count: number) => count + 1, otherwise);
  else command.option(flags, does, (value: string, before: readonly string[]) => [...before, value], otherwise);
}

/** Options of every command with scenarios or listings. */
const PLUGIN_OPTIONS: readonly Option[] = [
  [
    '--with <file>',
    'loads controllers, invariants, faults and kinds from a module, or a kind from the YAML of a custom resource definition; may be given several times',
    [],
  ],
  ['--no-config', 'does not look for orchsim.config.ts beside the scenario and above it'],
];

export interface CommandEntry {
  readonly name: string;
  /** The arguments in the table: `PATH…`. */
  readonly takes: string;
  readonly summary: string;
  /** False: the command loads no plugins, neither `--with` nor orchsim.config.ts. */
  readonly plugins?: false;
  /** Why, and which command does: the error for `--with`. */
  readonly without?: string;
  load(): Promise<{ readonly command: CommandModule }>;
}

/** Adds everything that a command takes to a commander command. Returns it. `done` receives the exit code. */
export async function describe(
  entry: CommandEntry,
  command: Command,
  setting: Setting,
  done: (code: number) => void = () => undefined,
): Promise<Command> {
  if (entry.plugins !== false) for (const each of PLUGIN_OPTIONS) addOption(command, each);
  const loaded = await entry.load();
  loaded.command.define(command, setting, done);
  return command;
}
