/** Splits the text of a label selector into tokens. Models: v1.24 apimachinery pkg/labels Lexer. */

export type TokenKind = 'end' | 'identifier' | 'in' | 'notin' | '(' | ')' | ',' | '!' | '=' | '==' | '!=' | '>' | '<';

export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
}

/** An identifier ends at a blank or symbol; validation checks it later. */
const TOKEN = /[ \t\r\n]*(?:(==|!=|[=!(),><])|([^ \t\r\n=!(),><]+)|$)/y;

const SYMBOLS: ReadonlySet<string> = new Set<TokenKind>(['(', ')', ',', '!', '=', '==', '!=', '>', '<']);
const isSymbol = (text: string): text is TokenKind => SYMBOLS.has(text);

/** Returns all tokens; the last is always `end`. A NUL ends the text early, as in upstream's reader. */
export function tokenise(text: string): readonly Token[] {
  const nul = text.indexOf('\0');
  const source = nul < 0 ? text : text.slice(0, nul);
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < source.length) {
    const [, symbol, word] = TOKEN.exec(source) ?? [];
    if (symbol !== undefined && isSymbol(symbol)) tokens.push({ kind: symbol, text: symbol });
    else if (word === 'in' || word === 'notin') tokens.push({ kind: word, text: word });
    else if (word !== undefined) tokens.push({ kind: 'identifier', text: word });
    else break;
  }
  tokens.push({ kind: 'end', text: '' });
  return tokens;
}
