/** The result of parsing the text of a flag. */
export type Read = { readonly value: unknown; readonly error?: undefined } | { readonly error: string };
