/** The tokens of a YAML text, read as far as a reader will use them: the sender of a text chooses its length and its depth. */
import { type CST, Lexer, type LineCounter, Parser } from 'yaml';

/** At least so many lexemes of a text are read for each value that it may have: indentation, marks, comments and the value itself. */
const LEXEMES = 5;

/** Returns the tokens of a text, not much further than it nests too deeply; undefined: it has more lexemes. */
export function tokensOf(
  text: string,
  lines: LineCounter,
  { mostValues, depth }: { readonly mostValues: number; readonly depth: number },
): readonly CST.Token[] | undefined {
  const parser = new Parser(lines.addNewLine);
  const tokens: CST.Token[] = [];
  let left = mostValues * LEXEMES;
  lines.addNewLine(0);
  for (const lexeme of new Lexer().lex(text)) {
    if (--left < 0) return undefined;
    for (const token of parser.next(lexeme)) tokens.push(token);
    if (parser.stack.length > 2 * depth) break;
  }
  for (const token of parser.end()) tokens.push(token);
  return tokens;
}

/**
 * The offset of the first token nested deeper than `depth`. It is iterative because composing is recursive, and an attacker chooses the
 * depth.
 */
export function firstTokenBelow(tokens: readonly CST.Token[], depth: number): number | undefined {
  const pending: { readonly token: CST.Token; readonly level: number }[] = [];
  for (const token of tokens) if (token.type === 'document' && token.value !== undefined) pending.push({ token: token.value, level: 1 });
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { token, level } = next;
    if (level > depth) return token.offset;
    if (!('items' in token)) continue;
    for (const item of token.items) {
      if (item.key !== null && item.key !== undefined) pending.push({ token: item.key, level: level + 1 });
      if (item.value !== undefined) pending.push({ token: item.value, level: level + 1 });
    }
  }
  return undefined;
}
