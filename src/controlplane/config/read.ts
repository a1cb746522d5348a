/** What reading the text of a flag answers. */
export type Read = { readonly value: unknown; readonly error?: undefined } | { readonly error: string };
