/** As much of a shell as the document's commands need: words, quotes, and `| head -N`, `| tail -N`, `| grep WORD`, `| grep -E PATTERN` behind a command. */

/** The words of a command; single and double quotes hold a word together. */
export const wordsOf = (command: string): readonly string[] =>
  [...command.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, single, double, bare]) => single ?? double ?? bare ?? '');

/** A command and the filters behind it. */
export function pipelineOf(command: string): { readonly command: string; readonly filters: readonly string[] } {
  const [first = '', ...filters] = command.split(/ \| (?=(?:head|tail|grep) )/).map((part) => part.trim());
  return { command: first, filters };
}

/** What is left of an output behind its filters. */
export function filtered(output: string, filters: readonly string[]): string {
  let lines = output.replace(/\n$/, '').split('\n');
  for (const filter of filters) {
    const [program, argument = '', pattern = ''] = wordsOf(filter);
    if (program === 'head') lines = lines.slice(0, Number(argument.slice(1)));
    else if (program === 'tail') lines = lines.slice(-Number(argument.slice(1)));
    else if (program === 'grep' && argument === '-E') lines = lines.filter((line) => new RegExp(pattern).test(line));
    else if (program === 'grep') lines = lines.filter((line) => line.includes(argument));
    else throw new Error(`the document's shell knows head, tail and grep, not ${program ?? ''}`);
  }
  return lines.map((line) => `${line}\n`).join('');
}
